//! `upgrade`: rewrites a game that was made for an earlier version.

use super::*;
use hangtime_game::{Upgrade, UpgradedFile, is_game_folder};

/// Arguments of `upgrade`.
#[derive(Args)]
pub struct UpgradeArguments {
    /// Write the files; without it, only what would change is printed
    #[arg(long)]
    write: bool,
}

/// Runs the command and returns the exit code.
pub fn upgrade(folder: GameFolder, arguments: &UpgradeArguments) -> Exit {
    if !is_game_folder(folder.path()) {
        return Err(not_a_game(&folder).into());
    }
    let upgrade = Upgrade::of(&folder)?;
    let diffs: Vec<String> = upgrade.files.iter().map(UpgradedFile::diff).collect();
    if !diffs.is_empty() {
        say(diffs.concat().trim_end());
    }
    warn(&upgrade.left);
    let version = env!("CARGO_PKG_VERSION");
    let files = counted(upgrade.files.len(), "file");
    if upgrade.files.is_empty() {
        tell(format_args!("nothing to change: this game is made for hangtime {version}"));
    } else if arguments.write {
        upgrade.write(&folder)?;
        tell(format_args!("wrote {files}; this game is made for hangtime {version} now"));
    } else {
        tell(format_args!("{files} would change; `hangtime upgrade --write` writes them"));
    }
    Ok(SUCCESS)
}
