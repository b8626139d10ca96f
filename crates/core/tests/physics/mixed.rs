//! Forms of bodies, stances, slow motion and solids that are sent, all at once, with the world saved and read in each tick.

use crate::{
    common::RATES,
    ground::{Ground, Play, tried},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::{Collider, ColliderForm, polygon},
    level::{Path, PathEnd, Solid, SurfaceId},
    models::{Action, ModelName},
    sim::{Command, EntityId, SavedWorld},
};
use proptest::prelude::*;

const HALF: DVec2 = DVec2::new(10.0, 19.0);

/// The place of the gate among the solids.
const GATE: u32 = 5;

/// A room with a tunnel, a step, a gap in the ceiling, a gate that is sent, and a zone in which time passes slowly.
fn room(hz: u32, model: ModelName, form: ColliderForm) -> Ground {
    let bar = |from: (f64, f64), to: (f64, f64)| [from, (to.0, from.1), to, (from.0, to.1)];
    let mut ground = Ground::none(hz)
        .solid(&bar((-420.0, -40.0), (420.0, 0.0)))
        .solid(&bar((-420.0, 0.0), (-380.0, 300.0)))
        .solid(&bar((380.0, 0.0), (420.0, 300.0)))
        .solid(&bar((80.0, 26.0), (200.0, 90.0)))
        .solid(&bar((240.0, 0.0), (380.0, 6.0)))
        .model(model)
        .figure(Collider::new(form, HALF))
        .stance("crouch", (20.0, 20.0), Some(Action::Down))
        .stance("flat", (36.0, 14.0), None)
        .zone_with("slow", (-300.0, -10.0), (-150.0, 200.0), |zone| zone.time_scale = 0.35)
        .tune("step_height", 8.0)
        .tune("corner_correction", 4.0)
        .at(0.0, HALF.y);
    let gate = bar((-100.0, 0.0), (-60.0, 30.0)).map(DVec2::from);
    let outline = polygon::outline(&gate).expect("a polygon");
    let path = Some(Path::new(vec![], 140.0, PathEnd::Free));
    ground.others.push(Solid { path, ..Solid::new("gate".into(), SurfaceId(0), outline) });
    ground
}

/// What happens, and then for how many 60ths of a second the world plays.
#[derive(Clone, Debug)]
enum Step {
    Hold(u8),
    Order(Command),
}

fn step() -> impl Strategy<Value = (Step, u32)> {
    let order = prop_oneof![
        (-260.0..260.0_f64, -20.0..160.0_f64).prop_map(|(x, y)| Command::MoveSolid(GATE, dvec2(x, y))),
        (0.0..500.0_f64).prop_map(|speed| Command::SetSpeed(GATE, speed)),
        (0.0..2.0_f64).prop_map(Command::SetTimeScale),
        (0.1..2.0_f64).prop_map(Command::SetWorldTimeScale),
        any::<bool>().prop_map(|flat| Command::SetStance(flat.then(|| "flat".into()))),
        (8.0..40.0_f64, 8.0..60.0_f64).prop_map(|(width, height)| Command::Resize(Some(dvec2(width, height)))),
    ];
    let step = prop_oneof![2 => any::<u8>().prop_map(Step::Hold), 1 => order.prop_map(Step::Order)];
    (step, 1..20_u32)
}

/// How deep the hero is in a solid, px.
fn depth(play: &Play, form: ColliderForm) -> f64 {
    let (hero, standing) = (play.hero(), play.world.standing(&play.stage));
    let scenery = play.stage.level.terrain_at(hero.z).moved(&standing);
    let overlap = scenery.overlap(Collider::new(form, hero.half), hero.pos);
    overlap.map_or(0.0, |overlap| overlap.to_touch.length())
}

proptest! {
    #![proptest_config(tried(40))]

    #[test]
    fn a_body_that_crouches_in_slow_motion_near_sent_solids_is_saved_in_each_tick_and_stays_outside(
        steps in prop::collection::vec(step(), 4..16),
        form in prop_oneof![Just(ColliderForm::Box), Just(ColliderForm::Capsule), Just(ColliderForm::Ellipse)],
        model in prop_oneof![Just(ModelName::platformer), Just(ModelName::two_velocity)],
    ) {
        for hz in RATES {
            let ground = room(hz, model, form);
            let (mut play, mut twin) = (ground.play(), ground.play());
            for (step, length) in &steps {
                match step {
                    Step::Hold(bits) => {
                        let keys = [Action::Left, Action::Right, Action::Down, Action::Jump];
                        let held = keys.into_iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1);
                        play.input.held = held.map(|(_, key)| key).collect();
                        twin.input.held = play.input.held;
                    }
                    Step::Order(command) => {
                        for play in [&mut play, &mut twin] {
                            play.world.order(&play.stage, EntityId(1), command);
                        }
                    }
                }
                for _ in 0..(length * hz).div_ceil(60) {
                    play.tick();
                    let saved = serde_json::to_value(&twin.world).expect("it is saved");
                    let saved: SavedWorld = serde_json::from_value(saved).expect("it is read");
                    twin.world = saved.check(&twin.stage).map_err(|why| TestCaseError::fail(why.to_string()))?;
                    twin.tick();
                    prop_assert_eq!(play.world.hash(), twin.world.hash(), "at {} Hz", hz);
                    // A body without room between the gate and what is around it stays in one of them.
                    let crushed = play.told("crush") > 0;
                    prop_assert!(crushed || depth(&play, form) < 0.01, "inside at {hz} Hz: {}", play.hero().pos);
                }
            }
        }
    }
}
