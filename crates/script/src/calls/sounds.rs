//! Playing sounds. Scripts cannot find out whether they are heard.

use super::{arguments::check_length, *};
use hangtime_core::sim::SoundOrder;

/// Operations charged for a sound.
const PER_SOUND: u64 = 16;

/// The longest name of a sound, bytes.
const MAX_NAME: usize = 64;

const NAME: Param = param("name", Type::Name(Names::Sound), "");

/// Adds the topic.
pub fn add(table: &mut CallTable) {
    table.topic(Topic::Sounds);
    add_calls! { table;
        /// Plays the sound with this name from the table `[sounds]` of the entity's kind, or else of
        /// `config/hangtime.toml`. Sounds of events play without it.
        of_world sound(NAME);
        r#"world::sound("ping");"#;
        play;

        /// The same, 0 to 1 times as loud.
        of_world sound(NAME, param("volume", Type::Number, ""));
        r#"world::sound("ping", min(1.0, me.vel.length() / 600));"#;
        play;
    }
}

fn play<'a>(moment: &'a mut CallMoment, args: Args<'a>) -> Answered<'a> {
    let volume = if args.count() > 1 { args.number(1)? } else { 1.0 };
    let name = args.text(0)?;
    check_length(name, "the name of a sound", MAX_NAME)?;
    charge(PER_SOUND)?;
    let order = SoundOrder { name: name.into(), volume: volume.clamp(0.0, 1.0) };
    moment.both()?.0.order(Command::Sound(order))
}
