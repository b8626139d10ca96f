//! Random calls of the script API: the input's bytes decide which, with which arguments, and which
//! keys are held. The games are from `chaos.rs`.

use super::{
    bytes::Bytes,
    chaos,
    dice::Dice,
    games::{Played, build},
};
use hangtime::{
    models::Action,
    project::Revision,
    sim::{Inputs, PlayerInput, Profile, Value},
};
use std::sync::{Arc, LazyLock};

/// The ticks that are played.
const TICKS: u64 = 8;

/// The most bytes that a script chooses with.
const MOST_CODE: usize = 160;

/// Reads the numbers from a text instead of rolling them.
const ROLL: &str = r#"
fn roll(low, high) {
    this.at = (this.at + 1) % this.code.len();
    low + (high - low) * (this.code[this.at].to_int() / 127.0)
}
"#;

/// Levels in both views.
static GAMES: LazyLock<Vec<Arc<Revision>>> = LazyLock::new(|| {
    let game = |seed: u64| {
        let (files, _) = chaos::files(&mut Dice::new(seed), ROLL);
        let files: Vec<(&str, &str)> = files.iter().map(|(n, t)| (&**n, &**t)).collect();
        build(&files).expect("a good level")
    };
    (0..6).map(game).collect()
});

/// The number of games.
pub fn count() -> usize {
    GAMES.len()
}

/// A game whose scripts choose with these bytes.
pub fn game(number: usize, code: &[u8]) -> Arc<Revision> {
    let revision = &GAMES[number];
    let code: String = code.iter().take(MOST_CODE).map(|byte| char::from(byte & 127)).collect();
    let code = if code.is_empty() { "0".into() } else { code };
    let with_code = |(place, profile): (usize, &Profile)| {
        let mut profile = profile.clone();
        let at = place * 11 % code.len();
        profile.vars.insert("at".into(), Value::Int(at as i64));
        profile.vars.insert("code".into(), Value::Text(code.clone()));
        profile
    };
    let mut stage = revision.stage.clone();
    // The player and a few others, which are quicker than all.
    let mut starts = (*stage.starts).clone();
    let mut place = number;
    starts.retain(|start| {
        place += 1;
        place.is_multiple_of(3) || start.player.is_some()
    });
    stage.starts = Arc::new(starts);
    stage.profiles = Arc::new(stage.profiles.iter().enumerate().map(with_code).collect());
    Arc::new(Revision {
        number: 1,
        stage,
        demo: None,
        warnings: Vec::new(),
        settings: Vec::new(),
        changes: Vec::new(),
        ..(**revision).clone()
    })
}

/// The keys of one tick.
fn keys(byte: u8) -> Inputs {
    let mut input = PlayerInput::default();
    for (place, action) in Action::ALL.into_iter().enumerate() {
        if byte >> place & 1 == 1 {
            input.held.insert(action);
        }
    }
    if byte >> 6 == 3 {
        input.aim = Some([f64::from(byte) * 3.0 - 600.0, 300.0].into());
    }
    Inputs::of_first(input)
}

/// Plays a game, twice, and saves and loads the twin at ticks that the bytes choose.
pub fn run(bytes: &[u8]) {
    let mut choices = Bytes::new(bytes);
    let number = choices.below(count());
    let saves = choices.byte();
    let held: [u8; 4] = std::array::from_fn(|_| choices.byte());
    let revision = game(number, choices.rest());
    let mut played = Played::new(revision.clone(), revision);
    for tick in 0..TICKS {
        if saves >> tick & 1 == 1 {
            played.reload();
        }
        let faults = played.step(&keys(held[tick as usize / 2]));
        // Every call is correct.
        let faults: Vec<String> = faults.iter().map(|fault| fault.render(false)).collect();
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}
