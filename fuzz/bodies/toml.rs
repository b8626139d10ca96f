//! TOML files. The first line of the input chooses the file by its first letter; the rest is its
//! text.

use super::games::{Played, build};
use hangtime::{
    models::Action,
    sim::{Inputs, PlayerInput},
};

/// The ticks that an accepted game is played.
const TICKS: u64 = 4;

/// The files of a small game that uses each of them.
const FILES: [(&str, &str); 9] = [
    ("config/hangtime.toml", ""),
    ("config/surfaces.toml", "[stone]\n[ice]\ngrip = 0.1\n"),
    ("config/entities/hero.toml", ""),
    (
        "levels/level.toml",
        "[[solid]]\nname = \"floor\"\nsurface = \"ice\"\n\
         points = [[-300, -50], [300, -50], [300, 0], [-300, 0]]\n\
         [[entity]]\nkind = \"hero\"\nat = [0, 19]\nplayer = 1\n\
         [[entity]]\nkind = \"hero\"\nmodel = \"vessel\"\nat = [60, 40]\n",
    ),
    ("config/models/platformer.toml", ""),
    ("config/models/topdown.toml", ""),
    ("config/models/vessel.toml", ""),
    ("config/models/two_velocity.toml", ""),
    ("config/models/ballistic.toml", ""),
];

/// The letters that choose one of them; any other chooses the level.
const LETTERS: &[u8] = b"csel12345";

/// Reads a file as part of a game, twice, and plays the game if it is accepted.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (first, text) = text.split_once('\n').unwrap_or((&text, ""));
    let letter = first.bytes().next();
    let chosen = LETTERS.iter().position(|l| Some(*l) == letter).unwrap_or(3);
    let mut files = FILES;
    files[chosen].1 = text;
    // A tuning of a model that no entity has would only be read.
    let level = FILES[3].1.replace("\"vessel\"", &format!("\"{}\"", model_of(chosen)));
    if chosen != 3 {
        files[3].1 = &level;
    }
    files.iter().for_each(|(_, text)| assert!(text.len() <= 1 << 20));
    let Some(revision) = build(&files) else {
        return;
    };
    let again = build(&files).expect("it was accepted before");
    assert_eq!(revision.hashes, again.hashes);
    assert_eq!(revision.warnings, again.warnings);
    let mut played = Played::new(revision, again);
    for tick in 0..TICKS {
        let mut input = PlayerInput::default();
        input.held.insert(
            *[Action::Right, Action::Jump, Action::Hook, Action::Left]
                .get(tick as usize)
                .unwrap_or(&Action::Up),
        );
        played.step(&Inputs::of_first(input));
        if tick == TICKS / 2 {
            played.reload();
        }
    }
}

fn model_of(chosen: usize) -> &'static str {
    ["vessel", "vessel", "vessel", "vessel", "platformer", "topdown", "vessel", "two_velocity", "ballistic"][chosen]
}
