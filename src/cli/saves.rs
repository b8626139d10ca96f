//! `saves`: what players have kept.

use super::*;
use hangtime_core::sim::Value;
use hangtime_game::{PlayerSaves, files::players};

/// Arguments of `saves`.
#[derive(Args)]
pub struct SavesArguments {
    /// Show only what this player has kept
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
}

/// Runs the command and returns the exit code.
pub fn saves(folder: &GameFolder, arguments: &SavesArguments) -> Exit {
    Ok(match list(folder, arguments.player.as_deref()) {
        Ok(true) => SUCCESS,
        Ok(false) => UNUSABLE,
        Err(error) => refuse_player(&error),
    })
}

/// Opens the file of a player. A file that had to be put aside is reported.
pub fn open_saves(folder: &GameFolder, player: &str) -> Result<PlayerSaves, String> {
    let (saves, warning) = PlayerSaves::open(folder, player)?;
    if let Some(warning) = warning {
        tell(format_args!("warning: {warning}"));
    }
    Ok(saves)
}

/// Says why a player's file cannot be used.
pub fn refuse_player(error: &str) -> u8 {
    tell(format_args!("error: {error}"));
    UNUSABLE
}

/// Lists what players have kept, and says what cannot be read. Returns whether all of it could be.
fn list(folder: &GameFolder, player: Option<&str>) -> Result<bool, String> {
    let all = match player {
        Some(player) => vec![player.to_string()],
        None => players(folder)?,
    };
    if all.is_empty() {
        tell("nothing is kept: no script of a game played here has called `world::keep`");
    }
    let mut is_whole = true;
    for player in all {
        match PlayerSaves::read(folder, &player) {
            Ok((_, Some(warning))) => tell(format_args!("warning: {warning}")),
            Ok((saves, None)) => {
                if saves.kept().iter().next().is_none() {
                    tell(format_args!("{player} has kept nothing"));
                    continue;
                }
                say(format_args!("{player} ({})", saves.path().display()));
                for (name, value) in saves.kept().iter() {
                    say(format_args!("  {name} = {}", written(value)));
                }
            }
            Err(error) => {
                refuse_player(&error);
                is_whole = false;
            }
        }
    }
    Ok(is_whole)
}

/// A value as a script would write it.
fn written(value: &Value) -> String {
    match value {
        Value::Unit => "()".into(),
        Value::Bool(x) => x.to_string(),
        Value::Int(x) => x.to_string(),
        Value::Float(x) => format!("{x:?}"),
        Value::Text(x) => format!("{x:?}"),
        Value::List(list) => {
            let parts: Vec<String> = list.iter().map(written).collect();
            format!("[{}]", parts.join(", "))
        }
        Value::Map(map) => {
            let part = |(key, value): (&String, &Value)| format!("{key:?}: {}", written(value));
            let parts: Vec<String> = map.iter().map(part).collect();
            format!("#{{ {} }}", parts.join(", "))
        }
        Value::Vector([x, y, z]) => format!("vec({x:?}, {y:?}, {z:?})"),
    }
}
