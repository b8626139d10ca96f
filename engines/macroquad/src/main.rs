//! A level from code in a window: arrow keys run, space jumps, X fires the hook toward the mouse.
//! `cargo run --release --manifest-path engines/macroquad/Cargo.toml`

use hangtime_core::{
    geometry::{Collider, grid::Bounds},
    glam::DVec2,
    level::{Level, Solid, SurfaceId, View},
    models::{Action, HookState, Loadouts, ModelName, ModelTunings},
    sim::{Inputs, NativeRules, PlayerInput, Profile, Stage, Start, World},
    tuning::{SimulationTuning, SurfaceTuning},
};
use macroquad::prelude::*;

/// Left, bottom, right and top of each solid, px.
const SOLIDS: [[f64; 4]; 6] = [
    [-40.0, -60.0, 420.0, 0.0],
    [520.0, -60.0, 1000.0, 0.0],
    [200.0, 0.0, 300.0, 40.0],
    [640.0, 90.0, 760.0, 110.0],
    [-40.0, 300.0, 1000.0, 340.0],
    [960.0, 0.0, 1000.0, 300.0],
];

fn stage() -> Stage {
    let solid =
        |[left, bottom, right, top]: [f64; 4]| Solid::rectangle("stone", SurfaceId(0), [left, bottom], [right, top]);
    let mut level = Level::new("yard", View::Side, SOLIDS.map(solid).into(), vec!["stone".into()]);
    level.bounds = Bounds { min: DVec2::new(-200.0, -400.0), max: DVec2::new(1200.0, 600.0) };
    let loadouts = Loadouts::new(ModelTunings::default(), |_| Collider::ellipse(10.0, 19.0).into());
    let hero = Profile::new("hero", ModelName::platformer, loadouts);
    let start = Start { player: Some(1), ..Start::new("hero", 0, [60.0, 19.0]) };
    Stage::new(level, &SimulationTuning::default(), None, vec![SurfaceTuning::default()], vec![hero], vec![start])
}

/// From the level, where y points up, to the window.
fn on_screen(at: DVec2) -> Vec2 {
    vec2(at.x as f32 + 40.0, 360.0 - at.y as f32)
}

fn held() -> PlayerInput {
    let keys = [
        (KeyCode::Left, Action::Left),
        (KeyCode::Right, Action::Right),
        (KeyCode::Up, Action::Up),
        (KeyCode::Down, Action::Down),
        (KeyCode::Space, Action::Jump),
        (KeyCode::X, Action::Hook),
    ];
    let (x, y) = mouse_position();
    PlayerInput {
        held: keys.into_iter().filter(|(key, _)| is_key_down(*key)).map(|(_, action)| action).collect(),
        // A key that was down for less than a tick counts, too.
        pressed: keys
            .into_iter()
            .filter(|(key, _)| is_key_pressed(*key))
            .map(|(_, action)| action)
            .collect(),
        aim: Some(DVec2::new(f64::from(x) - 40.0, 360.0 - f64::from(y))),
        ..PlayerInput::default()
    }
}

fn window() -> Conf {
    Conf { window_title: "hangtime in macroquad".into(), window_width: 1040, window_height: 420, ..Conf::default() }
}

#[macroquad::main(window)]
async fn main() {
    let stage = stage();
    let mut world = World::new(&stage, 0);
    let tick = 1.0 / f64::from(stage.hz);
    let (mut owed, mut pressed, mut before) = (0.0, PlayerInput::default().pressed, DVec2::new(60.0, 19.0));
    loop {
        let input = held();
        pressed = pressed.or(input.pressed);
        owed += f64::from(get_frame_time()).min(0.25);
        while owed >= tick {
            owed -= tick;
            before = world.entity("hero").map_or(before, |hero| world.body(hero).pos);
            world.tick(&stage, &Inputs::of_first(PlayerInput { pressed, ..input }), &mut NativeRules);
            pressed = PlayerInput::default().pressed;
        }

        clear_background(Color::from_hex(0x1d1f27));
        for [left, bottom, right, top] in SOLIDS {
            let corner = on_screen(DVec2::new(left, top));
            draw_rectangle(corner.x, corner.y, (right - left) as f32, (top - bottom) as f32, Color::from_hex(0x5a6275));
        }
        let hero = world.entity("hero").expect("it is in the level");
        let at = on_screen(before.lerp(world.body(hero).pos, owed / tick));
        let hook = world.hook(hero);
        if hook.state != HookState::Idle {
            let tip = on_screen(hook.tip);
            draw_line(at.x, at.y, tip.x, tip.y, 2.0, WHITE);
        }
        draw_ellipse(at.x, at.y, 10.0, 19.0, 0.0, Color::from_hex(0xf2c14e));
        draw_text(format!("{}  tick {}", world.mode(hero), world.ticks()), 12.0, 24.0, 24.0, WHITE);
        next_frame().await;
    }
}
