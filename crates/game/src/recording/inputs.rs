//! The text of the inputs of one tick: `right jump`, `!jump aim=320:180 p2.left`.

use glam::{DVec2, dvec2};
use hangtime_core::{
    models::Action,
    sim::{Inputs, MOST_PLAYERS, PlayerInput},
};
use std::fmt::Write as _;

/// Writes the inputs of one tick as text, as in an input file. Actions whose keys went down since the last tick
/// begin with `!`. Numbers read back bit for bit.
pub fn text_of(inputs: &Inputs) -> String {
    let mut text = String::new();
    for player in 1..=MOST_PLAYERS {
        let input = inputs.player(player);
        let rests = bits_of(input.stick) == [0; 2];
        if rests && input == PlayerInput::default() {
            continue;
        }
        let of = player_prefix(player);
        let mut item = |item: std::fmt::Arguments<'_>| {
            let space = if text.is_empty() { "" } else { " " };
            let _ = write!(text, "{space}{of}{item}");
        };
        for action in Action::every() {
            if input.held.has(action) {
                item(format_args!("{}", action.name()));
            }
            if input.pressed.has(action) {
                item(format_args!("!{}", action.name()));
            }
        }
        if !rests {
            item(format_args!("move={}:{}", input.stick.x, input.stick.y));
        }
        if let Some(aim) = input.aim {
            item(format_args!("aim={}:{}", aim.x, aim.y));
        }
    }
    text
}

/// The bits of a position: −0 is another input than 0.
pub fn bits_of(at: DVec2) -> [u64; 2] {
    at.to_array().map(f64::to_bits)
}

/// How the items of a player begin.
pub fn player_prefix(player: u8) -> String {
    match player {
        1 => String::new(),
        _ => format!("p{player}."),
    }
}

/// The player of an item, and the rest of it. `None` if there is no such player.
pub fn split_player(item: &str) -> Option<(u8, &str)> {
    let (player, word) = match item.strip_prefix('p').and_then(|rest| rest.split_once('.')) {
        Some((number, word)) => (number.parse().ok()?, word),
        None => (1, item),
    };
    (1..=MOST_PLAYERS).contains(&player).then_some((player, word))
}

/// Reads one item of a tick. The error is the item, if it cannot be read.
pub fn parse_item<'a>(item: &'a str, inputs: &mut Inputs) -> Result<(), &'a str> {
    let (player, word) = split_player(item).ok_or(item)?;
    let input = inputs.player_mut(player);
    match word.split_once('=') {
        Some(("move", at)) => input.stick = point(at).ok_or(item)?,
        Some(("aim", at)) => input.aim = Some(point(at).ok_or(item)?),
        Some(_) => return Err(item),
        None => match word.strip_prefix('!') {
            Some(pressed) => input.pressed.insert(Action::parse(pressed).ok_or(item)?),
            None => input.held.insert(Action::parse(word).ok_or(item)?),
        },
    }
    Ok(())
}

fn point(text: &str) -> Option<DVec2> {
    let (x, y) = text.split_once(':')?;
    Some(dvec2(x.parse().ok()?, y.parse().ok()?))
}
