//! What is reachable in the levels of this repository: every certificate leads there in a new game.

use crate::folder::on_large_stack;
use hangtime_game::{InputScript, Live, Project};
use hangtime_play::{GoalKind, ReachAnswer, ReachGoal, ReachOrder, ReachSearch, certificate};
use hangtime_script::SourceFile;
use std::{path::Path, sync::Arc};

/// Whether a game is at a goal.
fn is_at(live: &Live, hero: &str, goal: &ReachGoal) -> bool {
    let world = live.world();
    let view = live.views().find(|view| &*view.name == hero).expect("the entity that moves");
    match goal.kind {
        GoalKind::Zone => view.zones.contains(&goal.name),
        GoalKind::Solid => view.solid == goal.name,
        GoalKind::Entity => {
            let other = world.entity(&goal.name).expect("the other entity").id;
            world
                .touching_pairs()
                .any(|(a, b)| (a, b) == (view.id, other) || (b, a) == (view.id, other))
        }
        GoalKind::Level => world.level_order().is_some_and(|order| order.level.as_ref() == Some(&goal.name)),
    }
}

/// Levels from the side, with hooks, water, platforms, scripts and machines, and from above; with how many goals are reached at
/// least.
const LEVELS: [(&str, usize); 11] = [
    ("playground", 6),
    ("swing", 4),
    ("lagoon", 6),
    ("ferry", 5),
    ("shaft", 3),
    ("hoppers", 6),
    ("courtyard", 4),
    ("rink", 4),
    ("levels/tests/gallery/double_jump.toml", 2),
    ("levels/tests/gallery/drawbridge.toml", 4),
    ("levels/tests/gallery/switch.toml", 3),
];

#[test]
fn certificates_of_the_levels_lead_to_their_goals() {
    on_large_stack(|| {
        let project = Project::load(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).expect("this repository");
        for (name, least) in LEVELS {
            let level = project.find_level(name).expect("a level");
            let revision = Arc::new(project.open(&level, &[]).expect("good files"));
            let live = Live::new(revision.clone(), 0);
            let mut search =
                ReachSearch::new(revision.clone(), live.world(), &ReachOrder::default()).expect("a search");
            search.advance(120_000, 2, &|| false);
            let mut reached = 0;
            for (goal, answer, _) in search.answers() {
                let text = certificate(&search, goal, 0);
                assert_eq!(text.is_some(), matches!(answer, ReachAnswer::Yes { .. }), "{name}: {goal:?}");
                let Some(text) = text else { continue };
                let file = Arc::new(SourceFile { name: "certificate.input".into(), text });
                let script = InputScript::parse_with(&file, &revision.stage.actions).expect("an input file");
                let (mut live, track) = (Live::new(revision.clone(), 0), script.track_in(&revision.stage));
                for tick in 0..track.length() {
                    live.step(&track.at(tick));
                }
                assert!(is_at(&live, "hero", goal), "{name}: {goal:?}\n{}", file.text);
                reached += 1;
            }
            assert!(reached >= least, "{name}: only {reached} goals");
        }
    });
}
