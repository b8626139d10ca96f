//! A steady tick without scripts allocates nothing.

use hangtime::project::{Project, Track};
use hangtime::sim::{NativeRules, World};
use std::path::Path;
use std::sync::Arc;

#[test]
fn a_steady_tick_without_scripts_allocates_nothing() {
    let project = Project::load(Path::new(env!("CARGO_MANIFEST_DIR"))).expect("this repository");
    let level = project.find_level("playground").expect("its level");
    let mut revision = project.open(&level, &vec![]).expect("a good level");
    let stage = &mut revision.stage;
    let starts = Arc::make_mut(&mut stage.starts);
    starts.retain(|start| &*start.name == "hero");
    for profile in Arc::make_mut(&mut stage.profiles) {
        profile.script = None;
    }
    for i in 1..300 {
        let mut hero = starts[0].clone();
        hero.name = format!("hero {i}").into();
        // Not all at once.
        hero.at.x += f64::from(i);
        starts.push(hero);
    }
    let demo = revision.demo.as_ref().expect("a demo");
    let track: Track = demo.track(stage.hz);
    let inputs: Vec<_> = (0..track.length()).map(|tick| track.at(tick)).collect();
    let mut world = World::new(stage, 0);
    let mut happened = 0;
    // The first time round buffers grow to what they need.
    for input in &inputs {
        world.tick(stage, input, &mut NativeRules);
    }
    let counted = allocation_counter::measure(|| {
        for input in &inputs {
            world.tick(stage, input, &mut NativeRules);
            happened += world.events().len();
        }
    });
    assert!(happened > 1000, "{happened} events");
    assert_eq!(counted.count_total, 0, "in {} ticks", inputs.len());
}
