//! Random runs: random keys over random terrain.

use crate::{
    common::RATES,
    ground::{Ground, star, tried},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::{Collider, ColliderForm, polygon, separation::separation},
    models::{Action, Mode, ModelName},
};
use proptest::prelude::*;

/// How deep a body may be inside a solid, px.
const DEEPEST: f64 = 1e-5;

const KEYS: [Action; 6] = [Action::Left, Action::Right, Action::Up, Action::Down, Action::Jump, Action::Hook];

/// Solids around the start: mostly concave stars over a hilly floor.
fn solids() -> impl Strategy<Value = Vec<Vec<DVec2>>> {
    let star = star((-300.0..300.0_f64, -60.0..250.0_f64), 10.0..90.0);
    let heights = prop::collection::vec(-50.0..50.0_f64, 20);
    (prop::collection::vec(star, 0..6), heights).prop_map(|(mut solids, heights)| {
        let top = |(i, h): (usize, &f64)| dvec2(475.0 - i as f64 * 50.0, *h);
        let mut floor: Vec<DVec2> = heights.iter().enumerate().map(top).collect();
        // Walls at both ends keep the body where the solids are.
        floor.extend([(-475.0, 900.0), (-900.0, 900.0), (-900.0, -500.0)].map(DVec2::from));
        floor.extend([(900.0, -500.0), (900.0, 900.0), (475.0, 900.0)].map(DVec2::from));
        solids.push(floor);
        solids
    })
}

/// For each stretch of ticks: its length, the held keys (one bit each) and the stick.
fn keys() -> impl Strategy<Value = Vec<(usize, u8, (f64, f64))>> {
    let stick = (-1.0..1.0_f64, -1.0..1.0_f64);
    prop::collection::vec((1..25_usize, 0..64_u8, stick), 20)
}

proptest! {
    #![proptest_config(tried(1000))]

    #[test]
    fn no_random_run_ends_inside_a_solid_or_out_of_the_world(
        solids in solids(),
        keys in keys(),
        rate in 0..RATES.len(),
        slippery in any::<bool>(),
        half in (3.0..25.0_f64, 3.0..25.0_f64),
        form in prop_oneof![Just(ColliderForm::Ellipse), Just(ColliderForm::Box), Just(ColliderForm::Capsule)],
    ) {
        let outlines: Vec<_> = solids.iter().filter_map(|s| polygon::outline(s).ok()).collect();
        let shape = Collider::new(form, half.into());
        let mut ground = Ground::none(RATES[rate]).at(0.0, 400.0).surface(0.1);
        ground.figure = shape.into();
        ground.model = if slippery { ModelName::two_velocity } else { ModelName::platformer };
        ground.solids = outlines.iter().map(|o| (o.clone(), usize::from(slippery))).collect();
        let mut play = ground.play();
        for (ticks, held, stick) in keys {
            for (bit, key) in KEYS.iter().enumerate() {
                if held & (1 << bit) == 0 { play.release(*key) } else { play.hold(*key) };
            }
            play.input.stick = stick.into();
            play.input.aim = (held & 1 == 0).then(|| play.hero().pos + DVec2::from(stick) * 300.0);
            for _ in 0..ticks {
                let before = play.hero();
                let hero = play.tick();
                prop_assert!(hero.pos.is_finite() && hero.vel.is_finite());
                for outline in &outlines {
                    let apart = separation(shape, hero.pos, outline);
                    let deep = if apart.overlaps() { apart.to_touch.length() } else { 0.0 };
                    prop_assert!(deep < DEEPEST, "inside by {deep} at {}", hero.pos);
                }
                // A rope never gets longer, unless something blocks the way back; settling
                // onto ground within the probe may stretch it by that distance for a tick.
                let rope = hero.hook.tip - hero.pos;
                let over = rope.length() - hero.hook.length;
                let loose = hero.hook.state != "attached" || [Mode::Wall, Mode::Roof].contains(&hero.mode);
                let slack = if hero.grounded { 0.5 } else { 1e-3 };
                if !loose && over > slack {
                    let back = rope.normalize() * over;
                    let blocked = play.stage.level.terrain.still().sweep(shape, hero.pos, back);
                    prop_assert!(blocked.is_some(), "{over} px beyond the rope at {}", hero.pos);
                }
                // Nothing moves faster than its speed plus a step of ground or the pull of a rope.
                let moved = (hero.pos - before.pos).length();
                let fastest = before.vel.length().max(hero.vel.length()).max(700.0) + 600.0;
                let most = fastest * play.dt() + 21.0;
                prop_assert!(moved <= most, "moved {moved} px in one tick, {}", hero.pos);
            }
        }
    }
}
