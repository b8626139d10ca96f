//! The text of the inputs of one tick: `right jump`, `!jump aim=320:180 p2.left`.

use glam::{DVec2, dvec2};
use hangtime_core::models::Action;
use hangtime_core::sim::{Inputs, MOST_PLAYERS, PlayerInput};
use std::fmt::Write as _;

/// Writes the inputs of one tick as text, as in an input file. Actions whose keys went down since the last tick
/// begin with `!`. Numbers read back bit for bit.
#[must_use]
pub fn text_of(inputs: &Inputs) -> String {
    let mut text = String::new();
    for player in 1..=MOST_PLAYERS {
        let input = inputs.player(player);
        // Bits, because −0 is another input than 0.
        let bits = |v: DVec2| v.to_array().map(f64::to_bits);
        let rests = bits(input.stick) == [0; 2];
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

/// How the items of a player begin.
pub(crate) fn player_prefix(player: u8) -> String {
    match player {
        1 => String::new(),
        _ => format!("p{player}."),
    }
}

/// The player of an item, and the rest of it. `None` if there is no such player.
pub(crate) fn split_player(item: &str) -> Option<(u8, &str)> {
    let (player, word) = match item.strip_prefix('p').and_then(|rest| rest.split_once('.')) {
        Some((number, word)) => (number.parse().ok()?, word),
        None => (1, item),
    };
    (1..=MOST_PLAYERS).contains(&player).then_some((player, word))
}

/// Reads one item of a tick. The error is the item, if it cannot be read.
pub(crate) fn parse_item<'a>(item: &'a str, inputs: &mut Inputs) -> Result<(), &'a str> {
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

#[cfg(test)]
mod tests {
    use crate::recording::input_runs::{read_runs, write_runs};
    use glam::DVec2;
    use hangtime_core::models::Action;
    use hangtime_core::sim::{Inputs, MOST_PLAYERS};
    use proptest::prelude::*;

    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![
            any::<i32>().prop_map(f64::from),
            (-128..=128_i32).prop_map(|steps| f64::from(steps) / 128.0),
            Just(0.0),
            any::<f64>().prop_filter("a number", |x| !x.is_nan()),
            Just(-0.0),
        ]
    }

    prop_compose! {
        fn any_inputs()(
            players in proptest::collection::vec(
                (any::<u16>(), any::<u16>(), number(), number(), any::<Option<()>>(), number(), number()),
                0..=usize::from(MOST_PLAYERS),
            )
        ) -> Inputs {
            let mut inputs = Inputs::none();
            for (player, (held, pressed, x, y, aims, ax, ay)) in (1..).zip(players) {
                let input = inputs.player_mut(player);
                for (bit, action) in Action::every().enumerate() {
                    if held >> bit & 1 == 1 { input.held.insert(action); }
                    if pressed >> bit & 1 == 1 { input.pressed.insert(action); }
                }
                input.stick = DVec2::new(x, y);
                input.aim = aims.map(|()| DVec2::new(ax, ay));
            }
            inputs
        }
    }

    proptest! {
        #[test]
        fn inputs_read_back_as_they_were_written(
            ticks in proptest::collection::vec((any_inputs(), 1..5_usize), 1..6)
        ) {
            let repeated = ticks.into_iter().map(|(inputs, count)| vec![inputs; count]);
            let ticks = repeated.collect::<Vec<_>>().concat();
            let text = write_runs(&ticks);
            let read = read_runs(&text).expect("readable");
            prop_assert_eq!(read.len(), ticks.len());
            let text = format!("{text:?}");
            for (player, (read, was)) in (1..=MOST_PLAYERS)
                .flat_map(|player| read.iter().zip(&ticks).map(move |both| (player, both)))
            {
                let (read, was) = (read.player(player), was.player(player));
                let bits = |v: DVec2| (v.x.to_bits(), v.y.to_bits());
                prop_assert_eq!((read.held, read.pressed), (was.held, was.pressed), "{}", text);
                prop_assert_eq!(read.aim.map(bits), was.aim.map(bits), "{}", text);
                prop_assert_eq!(bits(read.stick), bits(was.stick), "{}", text);
            }
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[ -~]{0,40}") {
            let _ = read_runs(&[(3, text)]);
        }
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        for wrong in [
            "jmp",
            "p9.jump",
            "p0.jump",
            "move=1",
            "aim=a:b",
            "!",
            "x=1:2",
            "p.jump",
            "move~",
            "move~!",
            "p9.move~!!",
            "jump~!!",
            "~!!",
            "move~!!!",
            "p2.move^\u{7f}!",
        ] {
            let runs = [(2, format!("right {wrong}"))];
            assert_eq!(read_runs(&runs), Err(wrong));
        }
    }
}
