//! Plays sounds and music with rodio.

use super::{music_stream::MusicStream, *};
use hangtime_game::Sound;
use hangtime_workbench::AudibleSound;
use rodio::{
    ChannelCount, DeviceSinkBuilder, MixerDeviceSink, SampleRate, Source,
    cpal::{Error, ErrorKind},
};
use std::{
    sync::{
        atomic::{AtomicU32, AtomicUsize},
        mpsc::{Receiver, Sender, SyncSender, channel, sync_channel},
    },
    thread::Builder,
};

/// The most sounds that wait for the device. Further ones are not played.
const MOST_WAITING: usize = 64;

/// The most sounds that play at the same time. Further ones are not played.
const MOST_PLAYING: usize = 48;

/// A sound that had to wait longer is not played.
const LATE: Duration = Duration::from_millis(150);

/// The time after which a device that is gone is looked for again.
const AGAIN: Duration = Duration::from_secs(5);

/// What the thread is to do.
enum SoundJob {
    /// Plays a sound.
    Play(SoundToPlay),
    /// Plays this music from now on, or continues with it; without any, it waits.
    Music(Option<AudibleSound>),
}

/// A sound to play.
struct SoundToPlay {
    heard: AudibleSound,
    /// How loud it is on the left and on the right.
    sides: [f64; 2],
    since: Instant,
}

/// The thread that opens the device, because that may take long, and plays sounds.
pub struct SoundThread {
    orders: SyncSender<SoundJob>,
    errors: Receiver<String>,
}

impl SoundThread {
    /// Starts the thread. It ends when nothing can order sounds any more.
    pub fn start() -> Self {
        let (sender, orders) = sync_channel(MOST_WAITING);
        let (say, errors) = channel();
        let play = move || {
            let mut output = SoundOutput::new(say);
            for order in orders {
                match order {
                    SoundJob::Play(sound) => output.play(sound),
                    SoundJob::Music(music) => output.play_music(music),
                }
            }
        };
        // Without the thread, nothing is played.
        let _ = Builder::new().name("sound".into()).spawn(play);
        Self { orders: sender, errors }
    }

    /// Plays a sound, so loud on the left and on the right. A device that does not keep up must not stop the game.
    pub fn play(&self, heard: AudibleSound, sides: [f64; 2]) {
        let since = Instant::now();
        let _ = self.orders.try_send(SoundJob::Play(SoundToPlay { heard, sides, since }));
    }

    /// Plays this music from now on. Returns false if the device does not keep up, so that it has to be asked again.
    pub fn play_music(&self, music: Option<AudibleSound>) -> bool {
        self.orders.try_send(SoundJob::Music(music)).is_ok()
    }

    /// The errors of the device since the last call.
    pub fn errors(&self) -> impl Iterator<Item = String> + '_ {
        self.errors.try_iter()
    }
}

/// The device.
struct SoundOutput {
    sink: Option<MixerDeviceSink>,
    /// Whether the device is gone.
    is_gone: Arc<AtomicBool>,
    /// When opening it failed.
    failed: Option<Instant>,
    /// How many sounds play.
    playing: Arc<AtomicUsize>,
    /// The music, its pitch and what controls its volume.
    music: Option<(Arc<Sound>, f64, Arc<AtomicU32>)>,
    say: Sender<String>,
    /// Whether the log says that there is no sound.
    has_said: bool,
    #[cfg(target_os = "linux")]
    _errors: Option<std::rc::Rc<std::cell::RefCell<alsa::Output>>>,
}

impl SoundOutput {
    fn new(say: Sender<String>) -> Self {
        Self {
            sink: None,
            is_gone: Arc::default(),
            failed: None,
            playing: Arc::default(),
            music: None,
            say,
            has_said: false,
            // ALSA would write its own messages into the terminal.
            #[cfg(target_os = "linux")]
            _errors: alsa::Output::local_error_handler().ok(),
        }
    }

    fn play_music(&mut self, wanted: Option<AudibleSound>) {
        let Some(AudibleSound { sound, volume, pitch, .. }) = wanted else {
            if let Some((_, _, control)) = &self.music {
                control.store(0.0_f32.to_bits(), Ordering::Relaxed);
            }
            return;
        };
        self.open();
        let volume = (volume as f32).to_bits();
        if let Some((known, as_high, control)) = &self.music
            && Arc::ptr_eq(known, &sound)
            && *as_high == pitch
        {
            control.store(volume, Ordering::Relaxed);
            return;
        }
        // The music before ends without its control.
        self.music = None;
        let Some(sink) = &self.sink else { return };
        let control = Arc::new(AtomicU32::new(volume));
        if let Some(stream) = MusicStream::new(sound.clone(), pitch, Arc::downgrade(&control)) {
            sink.mixer().add(stream);
            self.music = Some((sound, pitch, control));
        }
    }

    fn play(&mut self, order: SoundToPlay) {
        self.open();
        let Some(sink) = &self.sink else { return };
        let SoundToPlay { heard: AudibleSound { sound, pitch, .. }, sides, since } = order;
        if since.elapsed() > LATE || self.playing.load(Ordering::Relaxed) >= MOST_PLAYING {
            return;
        }
        // One that is played faster sounds higher.
        let rate = (f64::from(sound.rate) * pitch).round() as u32;
        let (Some(channels), Some(rate)) = (ChannelCount::new(2), SampleRate::new(rate)) else {
            return;
        };
        self.playing.fetch_add(1, Ordering::Relaxed);
        sink.mixer().add(PlayedSound {
            sound,
            next: 0,
            sides: sides.map(|side| side as f32),
            channels,
            rate,
            playing: self.playing.clone(),
        });
    }

    /// Opens the device, if it is not open or gone and has not just failed.
    fn open(&mut self) {
        if self.is_gone.swap(false, Ordering::Relaxed) {
            (self.sink, self.music) = (None, None);
        }
        let recently = |failed: Instant| failed.elapsed() < AGAIN;
        if self.sink.is_some() || self.failed.is_some_and(recently) {
            return;
        }
        let is_gone = self.is_gone.clone();
        let lost = move |error: Error| {
            let gone = matches!(
                error.kind(),
                ErrorKind::DeviceNotAvailable | ErrorKind::HostUnavailable | ErrorKind::StreamInvalidated
            );
            is_gone.fetch_or(gone, Ordering::Relaxed);
        };
        let opened = DeviceSinkBuilder::from_default_device()
            .map(|builder| builder.with_error_callback(lost))
            .and_then(|builder| builder.open_sink_or_fallback());
        match opened {
            Ok(mut sink) => {
                sink.log_on_drop(false);
                self.failed = None;
                self.sink = Some(sink);
            }
            Err(error) => {
                self.failed = Some(Instant::now());
                if !mem::replace(&mut self.has_said, true) {
                    let _ = self.say.send(format!("no sound: no device can be used ({error})"));
                }
            }
        }
    }
}

/// A sound that plays.
struct PlayedSound {
    sound: Arc<Sound>,
    next: usize,
    sides: [f32; 2],
    channels: ChannelCount,
    rate: SampleRate,
    playing: Arc<AtomicUsize>,
}

impl Iterator for PlayedSound {
    type Item = f32;

    fn next(&mut self) -> Option<f32> {
        // Left and right in turns, whether the sound has one channel or two.
        let (place, side) = (self.next, self.next % 2);
        let place = if self.sound.channels == 1 { place / 2 } else { place };
        let sample = self.sound.samples.get(place)?;
        self.next += 1;
        Some(sample * self.sides[side])
    }
}

impl Source for PlayedSound {
    fn current_span_len(&self) -> Option<usize> {
        None
    }

    fn channels(&self) -> ChannelCount {
        self.channels
    }

    fn sample_rate(&self) -> SampleRate {
        self.rate
    }

    fn total_duration(&self) -> Option<Duration> {
        let frames = self.sound.seconds() * f64::from(self.sound.rate);
        Some(Duration::from_secs_f64(frames / f64::from(self.rate.get())))
    }
}

impl Drop for PlayedSound {
    fn drop(&mut self) {
        self.playing.fetch_sub(1, Ordering::Relaxed);
    }
}
