//! A level from code, a hero, and a loop: `cargo run -p hangtime-core --example hero`. Each tick prints where the hero is, and
//! what happened.

use hangtime_core::geometry::Collider;
use hangtime_core::level::{Level, Solid, SurfaceId, View};
use hangtime_core::models::{Action, Loadouts, ModelName, ModelTunings};
use hangtime_core::sim::{Inputs, NativeRules, PlayerInput, Profile, Stage, Start, World};
use hangtime_core::tuning::{SimulationTuning, SurfaceTuning};

fn main() {
    let solid = |name, min, max| Solid::rectangle(name, SurfaceId(0), min, max);
    let solids = vec![solid("floor", [-200.0, -40.0], [600.0, 0.0]), solid("step", [180.0, 0.0], [600.0, 30.0])];
    let level = Level::new("yard", View::Side, solids, vec!["stone".into()]);

    let mut tunings = ModelTunings::default();
    tunings.platformer.jump.jump_speed = 560.0;
    let loadouts = Loadouts::new(tunings, |_| Collider::ellipse(11.0, 19.0).into());
    let profiles = vec![Profile::new("hero", ModelName::platformer, loadouts)];
    let starts = vec![Start { player: Some(1), ..Start::new("hero", 0, [0.0, 19.0]) }];
    let (simulation, surfaces) = (SimulationTuning::default(), vec![SurfaceTuning::default()]);
    let stage = Stage::new(level, &simulation, None, surfaces, profiles, starts);

    let mut world = World::new(&stage, 0);
    for tick in 0..60 {
        // Right, and a jump in front of the step.
        let mut input = PlayerInput::default();
        input.held.insert(Action::Right);
        if (14..30).contains(&tick) {
            input.held.insert(Action::Jump);
        }
        world.tick(&stage, &Inputs::of_first(input), &mut NativeRules);

        let hero = world.entity("hero").expect("it is in the level");
        let events: String = world.events().iter().map(|event| format!(", {}", event.kind.name())).collect();
        if tick % 10 == 9 || !events.is_empty() {
            let (pos, mode) = (world.body(hero).pos, world.mode(hero));
            println!("{:2}  {:5.1} {:4.1}  {mode}{events}", tick + 1, pos.x, pos.y);
        }
    }
    println!("hash {:016x}", world.hash());
}
