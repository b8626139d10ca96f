//! Plays sounds with rodio. The only file that knows it.

use super::*;
use hangtime_game::Sound;
use rodio::{
    ChannelCount, DeviceSinkBuilder, MixerDeviceSink, SampleRate, Source,
    cpal::{Error, ErrorKind},
};
use std::{
    sync::{
        atomic::AtomicUsize,
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

/// A sound to play.
struct SoundToPlay {
    sound: Arc<Sound>,
    volume: f64,
    since: Instant,
}

/// The thread that opens the device, because that may take long, and plays sounds.
pub struct SoundThread {
    orders: SyncSender<SoundToPlay>,
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
                output.play(order);
            }
        };
        // Without the thread, nothing is played.
        let _ = Builder::new().name("sound".into()).spawn(play);
        Self { orders: sender, errors }
    }

    /// Plays a sound. A device that does not keep up must not stop the game.
    pub fn play(&self, sound: Arc<Sound>, volume: f64) {
        let since = Instant::now();
        let _ = self.orders.try_send(SoundToPlay { sound, volume, since });
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
            say,
            has_said: false,
            // ALSA would write its own messages into the terminal.
            #[cfg(target_os = "linux")]
            _errors: alsa::Output::local_error_handler().ok(),
        }
    }

    fn play(&mut self, order: SoundToPlay) {
        if self.is_gone.swap(false, Ordering::Relaxed) {
            self.sink = None;
        }
        self.open();
        let Some(sink) = &self.sink else { return };
        let SoundToPlay { sound, volume, since } = order;
        if since.elapsed() > LATE || self.playing.load(Ordering::Relaxed) >= MOST_PLAYING {
            return;
        }
        let (Some(channels), Some(rate)) = (ChannelCount::new(sound.channels), SampleRate::new(sound.rate)) else {
            return;
        };
        self.playing.fetch_add(1, Ordering::Relaxed);
        sink.mixer().add(PlayedSound {
            sound,
            next: 0,
            volume: volume as f32,
            channels,
            rate,
            playing: self.playing.clone(),
        });
    }

    /// Opens the device, if it is not open and has not just failed.
    fn open(&mut self) {
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
    volume: f32,
    channels: ChannelCount,
    rate: SampleRate,
    playing: Arc<AtomicUsize>,
}

impl Iterator for PlayedSound {
    type Item = f32;

    fn next(&mut self) -> Option<f32> {
        let sample = self.sound.samples.get(self.next)?;
        self.next += 1;
        Some(sample * self.volume)
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
        Some(Duration::from_secs_f64(self.sound.seconds()))
    }
}

impl Drop for PlayedSound {
    fn drop(&mut self) {
        self.playing.fetch_sub(1, Ordering::Relaxed);
    }
}
