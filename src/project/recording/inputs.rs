//! The text of the inputs of one tick: `right jump`, `!jump aim=320:180 p2.left`.

use crate::models::Action;
use crate::sim::{Inputs, MOST_PLAYERS, PlayerInput};
use glam::{DVec2, dvec2};
use std::fmt::Write as _;

/// Writes the inputs of one tick as text. Actions that are held are written as in an input file; those
/// whose keys went down since the last tick begin with `!`. Numbers read back bit for bit.
pub(super) fn text_of(inputs: &Inputs) -> String {
    let mut text = String::new();
    for player in 1..=MOST_PLAYERS {
        let input = inputs.player(player);
        // Bits, because −0 is another input than 0.
        let bits = |v: DVec2| v.to_array().map(f64::to_bits);
        let rests = bits(input.stick) == [0; 2];
        if rests && input == PlayerInput::default() {
            continue;
        }
        let of = match player {
            1 => String::new(),
            _ => format!("p{player}."),
        };
        let mut item = |item: std::fmt::Arguments<'_>| {
            let space = if text.is_empty() { "" } else { " " };
            let _ = write!(text, "{space}{of}{item}");
        };
        for action in Action::ALL {
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

/// The same as in an input file: a key that went down and up within the tick counts as held for it.
#[must_use]
pub fn held_text(inputs: &Inputs) -> String {
    let mut held = inputs.clone();
    for player in
        (1..=MOST_PLAYERS).filter(|player| inputs.player(*player) != PlayerInput::default())
    {
        let input = held.player_mut(player);
        input.held = input.held.or(input.pressed);
        input.pressed = Default::default();
    }
    text_of(&held)
}

/// Reads the inputs of one tick. The error is the item that cannot be read.
pub(super) fn parse(text: &str) -> Result<Inputs, &str> {
    let mut inputs = Inputs::none();
    for item in text.split_whitespace() {
        let (player, word) = match item.strip_prefix('p').and_then(|rest| rest.split_once('.')) {
            Some((number, word)) => (number.parse().map_err(|_| item)?, word),
            None => (1, item),
        };
        if !(1..=MOST_PLAYERS).contains(&player) {
            return Err(item);
        }
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
    }
    Ok(inputs)
}

fn point(text: &str) -> Option<DVec2> {
    let (x, y) = text.split_once(':')?;
    Some(dvec2(x.parse().ok()?, y.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::{parse, text_of};
    use crate::models::Action;
    use crate::sim::{Inputs, MOST_PLAYERS};
    use glam::DVec2;
    use proptest::prelude::*;

    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![
            any::<i32>().prop_map(f64::from),
            any::<f64>().prop_filter("a number", |x| !x.is_nan()),
            Just(-0.0),
        ]
    }

    prop_compose! {
        fn any_inputs()(
            players in proptest::collection::vec(
                (any::<u8>(), any::<u8>(), number(), number(), any::<Option<()>>(), number(), number()),
                0..=usize::from(MOST_PLAYERS),
            )
        ) -> Inputs {
            let mut inputs = Inputs::none();
            for (player, (held, pressed, x, y, aims, ax, ay)) in (1..).zip(players) {
                let input = inputs.player_mut(player);
                for (bit, action) in Action::ALL.into_iter().enumerate() {
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
        fn inputs_read_back_as_they_were_written(inputs in any_inputs()) {
            let text = text_of(&inputs);
            let read = parse(&text).expect("readable");
            for player in 1..=MOST_PLAYERS {
                let (read, was) = (read.player(player), inputs.player(player));
                let bits = |v: DVec2| (v.x.to_bits(), v.y.to_bits());
                prop_assert_eq!((read.held, read.pressed), (was.held, was.pressed), "{}", text);
                prop_assert_eq!(read.aim.map(bits), was.aim.map(bits), "{}", text);
                prop_assert_eq!(bits(read.stick), bits(was.stick), "{}", text);
            }
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[ -~]{0,40}") {
            let _ = parse(&text);
        }
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        for wrong in [
            "jmp", "p9.jump", "p0.jump", "move=1", "aim=a:b", "!", "x=1:2", "p.jump",
        ] {
            assert_eq!(parse(&format!("right {wrong}")), Err(wrong));
        }
    }
}
