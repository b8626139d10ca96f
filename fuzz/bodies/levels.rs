//! Levels from bytes: solids, paths, switches, zones and entities at round and odd places. Each is
//! refused with a message, or is played for some ticks in which no body enters a solid.

use super::{
    bytes::Bytes,
    games::{Played, build},
};
use hangtime::{
    models::{Action, ModelName},
    sim::{EntityView, EventKind, Inputs, PlayerInput},
};
use std::fmt::Write as _;

/// The ticks that are played.
const TICKS: u64 = 10;

/// How deep a body may be in a solid, px.
const DEEPEST: f64 = 0.01;

const KINDS: [(&str, &str); 6] = [
    ("config/entities/runner.toml", ""),
    ("config/entities/walker.toml", "model = \"topdown\"\nbody = { ellipse = [9, 9] }\n"),
    ("config/entities/skater.toml", "model = \"two_velocity\"\n"),
    ("config/entities/ball.toml", "model = \"ballistic\"\nbody = { ellipse = [7, 7] }\n"),
    ("config/entities/crate.toml", "model = \"two_velocity\"\nbody = { box = [24, 24] }\npushes = true\n"),
    (
        "config/entities/lander.toml",
        "model = \"vessel\"\nbody = { pieces = [\
         { points = [[-13, 0], [13, 0], [10, 22], [-10, 22]] }, \
         { points = [[-19, -9], [-11, -9], [-9, 3], [-13, 3]], foot = true }] }\n",
    ),
];

/// The files of a level, and whether no body can be carried or pushed in it.
struct Game {
    level: String,
    config: String,
    is_still: bool,
    top_view: bool,
}

/// Builds a level and plays it, twice.
pub fn run(bytes: &[u8]) {
    let mut choices = Bytes::new(bytes);
    let held: [u8; 2] = std::array::from_fn(|_| choices.byte());
    let game = write_game(&mut choices);
    let mut files = KINDS.to_vec();
    files.push(("levels/level.toml", &game.level));
    files.push(("config/hangtime.toml", &game.config));
    files.push(("config/surfaces.toml", "[stone]\n[ice]\ngrip = 0.1\n"));
    let Some(revision) = build(&files) else {
        return;
    };
    let again = build(&files).expect("it was accepted before");
    let mut played = Played::new(revision, again);
    for tick in 0..TICKS {
        if tick == TICKS / 2 {
            played.reload();
        }
        let before: Vec<EntityView> = played.live.views().collect();
        let mut input = PlayerInput::default();
        let keys = held[(tick % 2) as usize];
        let actions = Action::ALL.into_iter().enumerate();
        input.held = actions.filter(|(place, _)| keys >> place & 1 == 1).map(|(_, action)| action).collect();
        played.step(&Inputs::of_first(input));
        if game.is_still && !game.top_view {
            check_outside(&played, &before, &game.level);
        }
    }
}

/// A body that was outside of all solids stays outside.
fn check_outside(played: &Played, before: &[EntityView], level: &str) {
    let terrain = &played.live.revision().stage.level.terrain;
    let depth = |view: &EntityView| {
        let shape = view.collider();
        let overlap = terrain.still().overlap(shape, view.pos);
        overlap.map_or(0.0, |overlap| overlap.to_touch.length())
    };
    let events = played.live.world().events();
    for (view, was) in played.live.views().zip(before) {
        let restarted = events.iter().any(|e| e.entity == view.id && matches!(e.kind, EventKind::FallOut));
        if restarted || view.model == Some(ModelName::vessel) || depth(was) > 0.0 {
            continue;
        }
        let depth = depth(&view);
        assert!(depth <= DEEPEST, "{} is {depth} px deep at {} after {}\n{level}", view.name, view.pos, was.pos);
    }
}

fn write_game(choices: &mut Bytes<'_>) -> Game {
    let top_view = choices.one_in(4);
    let hz = choices.of(&[60, 30, 120, 240, 37, 10, 1000]);
    let gravity = choices.of(&["3672", "0", "1e7", "500"]);
    let mut game = Game {
        level: format!("gravity = {gravity}\n"),
        config: format!("[simulation]\ntick_hz = {hz}\n"),
        is_still: true,
        top_view,
    };
    if top_view {
        game.level += "view = \"top\"\n";
    }
    if choices.one_in(3) {
        game.level += "bounds = [-400, -300, 400, 500]\n";
    }
    let far = *choices.of(&[240.0, 240.0, 240.0, 16_000.0, 1e6]);
    for _ in 0..choices.below(7) {
        write_solid(&mut game, far, choices);
    }
    for _ in 0..choices.below(3) {
        write_zone(&mut game, far, choices);
    }
    for _ in 0..1 + choices.below(4) {
        write_entity(&mut game, far, choices);
    }
    game
}

/// A box, a polygon of any points, or a line.
fn write_points(level: &mut String, far: f64, line: bool, choices: &mut Bytes<'_>) {
    let (x, y) = (choices.coordinate(far), choices.coordinate(far));
    let mut list = Vec::new();
    if !line && !choices.one_in(3) {
        let (w, h) = (choices.coordinate(far).abs(), choices.coordinate(far).abs());
        list.extend([(x, y), (x + w, y), (x + w, y + h), (x, y + h)]);
    } else {
        list.push((x, y));
        for _ in 0..1 + choices.below(6) + usize::from(!line) {
            list.push((choices.coordinate(far), choices.coordinate(far)));
        }
    }
    *level += "points = [";
    for (x, y) in list {
        let _ = write!(level, "[{x:?}, {y:?}], ");
    }
    *level += "]\n";
}

fn write_solid(game: &mut Game, far: f64, choices: &mut Bytes<'_>) {
    let level = &mut game.level;
    *level += "[[solid]]\n";
    let line = choices.one_in(5);
    if line {
        *level += "one_way = true\n";
    }
    write_points(level, far, line, choices);
    if choices.one_in(6) {
        let (x, y) = (choices.coordinate(100.0), choices.coordinate(100.0));
        let speed = choices.of(&[50.0, 0.0, 700.0, 20_000.0, 1e6]);
        let end = choices.of(&["ping_pong", "circle", "once", "called"]);
        let _ = writeln!(level, "path = {{ points = [[0, 0], [{x:?}, {y:?}]], speed = {speed:?}, loop = \"{end}\" }}");
        game.is_still = false;
    }
    if choices.one_in(8) {
        let _ = writeln!(level, "present = {}", choices.one_in(2));
    }
    if game.top_view {
        let _ = writeln!(level, "top = {:?}", choices.of(&[0.0, 20.0, 64.0, 1e-6]));
    }
    if choices.one_in(4) {
        *level += "surface = \"ice\"\n";
    }
}

fn write_zone(game: &mut Game, far: f64, choices: &mut Bytes<'_>) {
    let level = &mut game.level;
    *level += "[[zone]]\n";
    write_points(level, far, false, choices);
    let effects = [
        "gravity_scale = -1\n",
        "external_accel = [500, 900]\n",
        "conveyor = [-200, 0]\n",
        "gravity_scale = 0\n",
        "time_scale = 0.2\n",
        "external_accel = [1e7, -1e7]\n",
        "surface = \"ice\"\n",
    ];
    *level += choices.of::<&str>(&effects);
}

fn write_entity(game: &mut Game, far: f64, choices: &mut Bytes<'_>) {
    let kinds = ["runner", "runner", "skater", "walker", "ball", "crate", "lander"];
    let kind = choices.of(if game.top_view { &kinds[2..6] } else { &kinds });
    let (x, y) = (choices.coordinate(far), choices.coordinate(far));
    let level = &mut game.level;
    let _ = write!(level, "[[entity]]\nkind = \"{kind}\"\nat = [{x:?}, {y:?}]\n");
    if choices.one_in(3) {
        let (x, y) = (choices.coordinate(2000.0), choices.coordinate(2000.0));
        let _ = writeln!(level, "velocity = [{x:?}, {y:?}]");
    }
    if !level.contains("player = 1") {
        *level += "player = 1\n";
    }
    game.is_still &= *kind != "crate";
}
