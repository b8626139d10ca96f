//! Playing sounds and music. Scripts cannot find out whether they are heard.

use super::{arguments::check_length, *};
use hangtime_core::sim::SoundOrder;
use std::ops::RangeInclusive;

/// Operations charged for a sound.
const PER_SOUND: u64 = 16;

/// The longest name of a sound, bytes.
const MAX_NAME: usize = 64;

/// The lowest and the highest pitch.
const PITCH: RangeInclusive<f64> = 0.25..=4.0;

const NAME: Param = param("name", Type::Name(Names::Sound), "");
const HOW: Param = param("how", Type::Either(&[Type::Number, Type::Map(&SOUND)]), "");
const MUSIC_HOW: Param = param("how", Type::Either(&[Type::Number, Type::Map(&MUSIC)]), "");
const TONE: &[Field] = fields! {
    /// how loud it is, 0 to 1 times as loud as the table says
    volume sometimes: Type::Number;
    /// how many times as high it sounds, and as fast it is played, 0.25 to 4
    pitch sometimes: Type::Number;
};
const MUSIC: Shape = Shape { name: "music", common: TONE, own: &[] };
const SOUND: Shape = Shape {
    name: "sound",
    common: TONE,
    own: fields! {
        /// where it is heard: the farther outside of the picture, the quieter, and more from that side; needs `y`
        x sometimes: Type::Number, "px";
        /// needs `x`
        y sometimes: Type::Number, "px";
    },
};

/// How a script plays a sound.
#[derive(Clone, Copy)]
pub struct SoundSettings {
    volume: f64,
    pitch: f64,
    at: [Option<f64>; 2],
}

impl SoundSettings {
    /// As the table says, everywhere.
    pub const fn none() -> Self {
        Self { volume: 1.0, pitch: 1.0, at: [None; 2] }
    }

    pub fn set(&mut self, key: &str, value: Arg<'_>) -> Allowed {
        let what = parameter("sound", key);
        match key {
            "volume" => self.volume = value.finite(what)?.clamp(0.0, 1.0),
            "pitch" => self.pitch = value.within(what, PITCH)?,
            "x" => self.at[0] = Some(value.finite(what)?),
            _ => self.at[1] = Some(value.finite(what)?),
        }
        Ok(())
    }
}

/// Adds the topic.
pub fn add(table: &mut CallTable) {
    table.topic(Topic::Sounds);
    add_calls! { table;
        /// Plays the sound with this name from the table `[sounds]` of the entity's kind, or else of
        /// `config/hangtime.toml`. Sounds of events play without it.
        of_world sound(NAME);
        r#"world::sound("ping");"#;
        |moment, args| play(moment, args, false);

        /// The same, 0 to 1 times as loud, or with a map of settings: `volume`, `pitch`, and the place, `x` and `y`.
        of_world sound(NAME, HOW);
        r#"world::sound("ping", #{ volume: 0.5, pitch: 1.2, x: me.x, y: me.y });"#;
        |moment, args| play(moment, args, false);

        /// Plays the sound with this name as music: it begins again at its end, and takes the place of other music. The
        /// same music continues. It plays until `world::stop_music`, or until the level ends.
        of_world music(NAME);
        r#"world::music("ping");"#;
        |moment, args| play(moment, args, true);

        /// The same, 0 to 1 times as loud, or with a map of settings: `volume` and `pitch`.
        of_world music(NAME, MUSIC_HOW);
        r#"world::music("ping", #{ volume: 0.4 });"#;
        |moment, args| play(moment, args, true);

        /// Ends the music.
        of_world stop_music();
        "world::stop_music();";
        |moment, _| {
            let silence = SoundOrder { name: "".into(), volume: 0.0, pitch: 1.0, at: None, music: true };
            moment.both()?.0.order(Command::Sound(silence))
        };
    }
}

fn play<'a>(moment: &mut CallMoment, args: Args<'_>, music: bool) -> Answered<'a> {
    let mut how = SoundSettings::none();
    match args.get(1) {
        volume if volume.number().is_some() => how.set("volume", volume)?,
        _ => {
            args.settings(1, "a map, such as `#{ volume: 0.5 }`, or a number", &mut |key, value| how.set(key, value))?
        }
    }
    let at = match how.at {
        [Some(x), Some(y)] => Some(DVec2::new(x, y)),
        [None, None] => None,
        _ => return refuse("the place of a sound needs `x` and `y`"),
    };
    let name = args.text(0)?;
    check_length(name, "the name of a sound", MAX_NAME)?;
    if name.is_empty() {
        return refuse("a sound needs a name; `world::stop_music()` ends the music");
    }
    charge(PER_SOUND)?;
    let order = SoundOrder { name: name.into(), volume: how.volume, pitch: how.pitch, at, music };
    moment.both()?.0.order(Command::Sound(order))
}
