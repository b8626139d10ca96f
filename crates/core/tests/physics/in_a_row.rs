//! Unless scripts that are asked within a tick read other bodies, a body passes all phases of a tick before the next body does.
//! A probe of the phases makes all bodies pass one phase after the other instead, and nothing may differ.

use crate::ground::{BODY, Ground, tried};
use glam::dvec2;
use hangtime_core::{
    models::{Action, BodyShape, Loadouts, ModelName},
    sim::{
        Command, Decision, EntityId, Inputs, Invocation, LastAsked, NativeRules, Profile, Question, RuleCall,
        RuleReply, Rules, Scene, ScriptId, Stage, Start, Value, World,
    },
};
use proptest::prelude::*;
use std::sync::Arc;

/// Some bodies of every model that works in the view; players control them in three groups.
fn crowd(ground: &Ground) -> Stage {
    let mut stage = ground.stage();
    let models = ModelName::ALL.iter().filter(|model| model.views().contains(&ground.view));
    let profiles = models.map(|model| {
        let shape = |model: ModelName| if model.turns() { BodyShape::of_box(24.0, 16.0) } else { BODY.into() };
        Profile::new(model.as_str(), *model, Loadouts::new(ground.tunings.clone(), shape))
    });
    let profiles: Vec<Profile> = profiles.collect();
    let start = |i: usize| {
        let at = dvec2(-280.0 + 17.0 * i as f64, 60.0 + 31.0 * (i % 7) as f64);
        Start { player: Some((i % 3 + 1) as u8), ..Start::new(&format!("body {i}"), i % profiles.len(), at) }
    };
    stage.starts = Arc::new((0..34).map(start).collect());
    stage.profiles = Arc::new(profiles);
    stage
}

fn hall() -> Ground {
    Ground::none(60)
        .solid(&[(-320.0, -40.0), (320.0, -40.0), (320.0, 0.0), (-320.0, 0.0)])
        .solid(&[(-340.0, -40.0), (-320.0, -40.0), (-320.0, 500.0), (-340.0, 500.0)])
        .solid(&[(320.0, -40.0), (340.0, -40.0), (340.0, 300.0), (320.0, 300.0)])
        .solid(&[(-60.0, -5.0), (60.0, -5.0), (20.0, 40.0), (-20.0, 40.0)])
        .solid(&[(120.0, 130.0), (220.0, 130.0), (220.0, 150.0), (120.0, 150.0)])
        .one_way(&[(-100.0, 110.0), (-220.0, 100.0)])
}

/// The keys that a group of bodies holds for some ticks, and the place it aims at.
type Keys = (Vec<bool>, f64, f64);

fn keys() -> impl Strategy<Value = Vec<[Keys; 3]>> {
    let group = || (prop::collection::vec(any::<bool>(), Action::ALL.len()), -300.0..300.0_f64, 0.0..400.0_f64);
    prop::collection::vec([group(), group(), group()], 4..12)
}

/// Rules that give orders to their own entity, whenever they are called.
struct Whims;

impl Whims {
    /// The order of an entity in a tick; none in most ticks.
    fn order(entity: EntityId, tick: u64) -> Option<Command> {
        Some(match (u64::from(entity.0) * 7 + tick) % 23 {
            0 => Command::Push(dvec2(120.0, 200.0)),
            1 => Command::Jump,
            2 => Command::SetVelocity(dvec2(-80.0, 150.0), 0.0),
            3 => Command::Place(dvec2(-250.0 + 15.0 * f64::from(entity.0), 120.0), None),
            4 => Command::Hold(Action::Right),
            5 => Command::After(0.1, "ring".into(), Value::Unit),
            6 => Command::Note("a note".into()),
            7 => Command::LetGo,
            8 => Command::ReleaseHook,
            _ => return None,
        })
    }
}

impl Rules for Whims {
    fn decide(&mut self, scene: &Scene<'_>, invocations: &mut [Invocation], decisions: &mut [Decision]) {
        for (invocation, decision) in invocations.iter().zip(decisions) {
            decision.called = true;
            decision.last_asked = LastAsked::WithoutRules;
            decision.commands.extend(Self::order(invocation.entity, scene.tick));
        }
    }

    fn has_rule(&self, _: ScriptId, _: &Question) -> bool {
        true
    }

    fn reads_others_within_ticks(&self) -> bool {
        false
    }

    fn answer(&mut self, scene: &Scene<'_>, calls: &mut [RuleCall], replies: &mut [RuleReply]) {
        for (call, reply) in calls.iter().zip(replies) {
            let entity = call.invocation.entity;
            reply.decision.called = true;
            reply.decision.commands.extend(Self::order(entity, scene.tick + 9));
            reply.answer = match (u64::from(entity.0) + scene.tick) % 5 {
                0 => Some(true),
                1 | 2 => Some(false),
                _ => None,
            };
        }
    }
}

fn plays_alike(ground: &Ground, keys: &[[Keys; 3]]) -> Result<(), TestCaseError> {
    let mut stage = crowd(ground);
    plays_alike_by(&stage, &mut NativeRules, keys)?;
    Arc::make_mut(&mut stage.profiles)
        .iter_mut()
        .for_each(|profile| profile.script = Some(ScriptId(0)));
    plays_alike_by(&stage, &mut Whims, keys)
}

fn plays_alike_by(stage: &Stage, rules: &mut dyn Rules, keys: &[[Keys; 3]]) -> Result<(), TestCaseError> {
    let mut worlds = [World::new(stage, 0), World::new(stage, 0)];
    worlds[1].probe_phases(Some(|_| {}));
    let mut inputs = Inputs::none();
    for groups in keys {
        for (player, (held, x, y)) in groups.iter().enumerate() {
            let input = inputs.player_mut((player + 1) as u8);
            let held = Action::ALL.iter().zip(held).filter(|(_, held)| **held);
            input.held = held.map(|(action, _)| *action).collect();
            input.aim = Some(dvec2(*x, *y));
        }
        for _ in 0..9 {
            for world in &mut worlds {
                world.tick(stage, &inputs, rules);
            }
            let [row, phases] = &worlds;
            prop_assert_eq!(row.events(), phases.events(), "in tick {}", row.ticks());
            prop_assert!(row == phases, "in tick {}", row.ticks());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(tried(40))]

    #[test]
    fn bodies_in_a_row_play_like_phases_in_a_row(keys in keys()) {
        plays_alike(&hall(), &keys)?;
    }

    #[test]
    fn bodies_in_a_row_play_like_phases_in_a_row_on_platforms_and_in_zones(keys in keys()) {
        let lift = [(-300.0, 60.0), (-240.0, 60.0), (-240.0, 70.0), (-300.0, 70.0)];
        let ground = hall()
            .platform(&lift, &[(0.0, 0.0), (0.0, 120.0)], 90.0)
            .zone_with("wind", (40.0, 0.0), (140.0, 300.0), |zone| zone.external_accel = dvec2(300.0, 0.0))
            .zone_with("moon", (-200.0, 0.0), (-120.0, 300.0), |zone| zone.gravity_scale = 0.3);
        plays_alike(&ground, &keys)?;
    }

    #[test]
    fn bodies_in_a_row_play_like_phases_in_a_row_in_a_top_view(keys in keys()) {
        let ground = Ground::none(60).top_view().block((-40.0, 40.0), (60.0, 120.0), 30.0).block((100.0, 60.0), (160.0, 200.0), 60.0);
        plays_alike(&ground, &keys)?;
    }
}
