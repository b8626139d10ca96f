//! Certificates: input files that lead to a goal.

use super::*;
use hangtime_game::files::CERTIFICATE;

/// The input file with which a body reaches a goal from the start of the level; `None` if it is not reached.
pub fn certificate(search: &ReachSearch, goal: &ReachGoal, seed: u64) -> Option<String> {
    let subject = &search.subject;
    let Revision { stage, settings, .. } = &*subject.revision;
    let way = search.way(goal)?;
    let (kind, name, level) = (goal.kind.name(), printable_name(&goal.name), &stage.level.name);
    let mut text = format!("{CERTIFICATE}: `{}` reaches the {kind} `{name}` in its last tick.\n", subject.name);
    text += &format!("level {level}\nseed {seed}\n");
    for (key, value) in settings {
        text += &format!("set {key}={value}\n");
    }
    text += "\n";
    let player = if subject.player == 1 {
        String::new()
    } else {
        format!("p{}.", subject.player)
    };
    for (ticks, input) in way {
        text += &ticks.to_string();
        for action in Action::every().filter(|action| input.held.has(*action)) {
            text += &format!(" {player}{}", stage.actions.name_of(action));
        }
        if let Some(aim) = input.aim {
            text += &format!(" {player}aim={}:{}", aim.x, aim.y);
        }
        text += "\n";
    }
    Some(text)
}
