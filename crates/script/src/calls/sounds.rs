//! Playing sounds. Scripts cannot find out whether they are heard.

use super::answer::{Answered, CallAnswer};
use super::arg::Arg;
use super::arguments::{finite, parameter, text};
use super::entries::of_world;
use super::moment::CallMoment;
use super::table::CallTable;
use crate::api::{Names, Param, Topic, Type, param};
use crate::budget::charge;
use crate::refuse;
use hangtime_core::sim::{Command, SoundOrder};

/// Operations charged for a sound.
const PER_SOUND: u64 = 16;

/// The longest name of a sound, bytes.
const MAX_NAME: usize = 64;

const NAME: Param = param("name", Type::Name(Names::Sound), "");
const VOLUME: Param = param("volume", Type::Number, "");

/// Adds the topic.
pub(super) fn add(table: &mut CallTable) {
    table.topic(Topic::Sounds);
    let once = of_world(
        "sound",
        "Plays the sound with this name: that of the table `[sounds]` of the entity's kind, or else that of \
         `config/hangtime.toml`. Sounds of events play without it.",
        r#"world::sound("ping");"#,
    );
    table.add(once.takes(const { &[NAME] }), play);
    let quieter = of_world(
        "sound",
        "The same, 0 to 1 times as loud.",
        r#"world::sound("ping", min(1.0, me.vel.length() / 600));"#,
    );
    table.add(quieter.takes(const { &[NAME, VOLUME] }), play);
}

fn play<'a>(moment: &'a mut CallMoment, args: &'a [Arg<'a>]) -> Answered<'a> {
    let (name, volume) = match args {
        [name] => (*name, 1.0),
        [name, volume] => (*name, finite(parameter("sound", "volume"), *volume)?),
        _ => {
            return refuse(format!(
                "`sound` takes a name, and perhaps a volume, but there are {} arguments",
                args.len()
            ));
        }
    };
    let name = text("sound", "name", name)?;
    if name.len() > MAX_NAME {
        return refuse(format!("the name of a sound can have at most {MAX_NAME} bytes; this one has {}", name.len()));
    }
    charge(PER_SOUND)?;
    let order = SoundOrder { name: name.into(), volume: volume.clamp(0.0, 1.0) };
    moment.both()?.0.queue(Command::Sound(order))?;
    Ok(CallAnswer::Nothing)
}
