//! How many ticks a second: `cargo bench --bench ticks`.
//!
//! The playground's demo, played from its start to its end. One *item* is one tick of the whole
//! level; with many heroes there are as many of them on the same ground.

use divan::Bencher;
use divan::counter::ItemsCount;
use hangtime::models::ModelName;
use hangtime::project::{Live, Project, Revision, Track};
use hangtime::script::host::STACK;
use hangtime::sim::{NativeRules, World};
use std::path::Path;
use std::sync::Arc;

fn main() {
    // Scripts need their stack.
    let bench = std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(divan::main);
    bench.expect("a thread").join().expect("the benches run");
}

/// The playground with `heroes` heroes and nobody else.
fn revision(heroes: usize) -> Arc<Revision> {
    let project = Project::load(Path::new(env!("CARGO_MANIFEST_DIR"))).expect("this repository");
    let level = project.find_level("playground").expect("its level");
    let mut revision = project.open(&level, &vec![]).expect("a good level");
    let starts = Arc::make_mut(&mut revision.stage.starts);
    starts.retain(|start| &*start.name == "hero");
    for i in 1..heroes {
        let mut hero = starts[0].clone();
        hero.name = format!("hero {i}").into();
        starts.push(hero);
    }
    Arc::new(revision)
}

fn demo(revision: &Revision) -> Track {
    revision
        .demo
        .as_ref()
        .expect("a demo")
        .track(revision.stage.hz)
}

#[divan::bench(args = [1, 1000], sample_count = 40, max_time = 10)]
fn native_rules(bencher: Bencher<'_, '_>, heroes: usize) {
    let revision = revision(heroes);
    let track = demo(&revision);
    let inputs: Vec<_> = (0..track.length()).map(|tick| track.at(tick)).collect();
    bencher
        .counter(ItemsCount::new(inputs.len()))
        .with_inputs(|| World::new(&revision.stage, 0))
        .bench_local_refs(|world| {
            for input in &inputs {
                world.tick(&revision.stage, input, &mut NativeRules);
            }
        });
}

#[divan::bench(args = [1, 1000], sample_count = 40, max_time = 10)]
fn with_the_heros_script(bencher: Bencher<'_, '_>, heroes: usize) {
    let revision = revision(heroes);
    let track = demo(&revision);
    let inputs: Vec<_> = (0..track.length()).map(|tick| track.at(tick)).collect();
    bencher
        .counter(ItemsCount::new(inputs.len()))
        .with_inputs(|| Live::new(revision.clone(), 0))
        .bench_local_refs(|live| {
            for input in &inputs {
                live.step(input);
            }
        });
}

#[divan::bench(sample_count = 40)]
fn hash_of_1000_heroes(bencher: Bencher<'_, '_>) {
    let revision = revision(1000);
    let world = World::new(&revision.stage, 0);
    bencher.bench(|| world.hash());
}

#[divan::bench(sample_count = 40)]
fn snapshot_of_1000_heroes(bencher: Bencher<'_, '_>) {
    let revision = revision(1000);
    let world = World::new(&revision.stage, 0);
    bencher.bench(|| world.clone());
}

/// The same heroes in each model, native rules.
#[divan::bench(args = ["platformer", "two_velocity"], sample_count = 20, max_time = 5)]
fn a_model_with_100_heroes(bencher: Bencher<'_, '_>, model: &str) {
    let revision = revision(100);
    let mut stage = revision.stage.clone();
    for profile in Arc::make_mut(&mut stage.profiles) {
        profile.script = None;
        profile.model = ModelName::parse(model).expect("a model");
    }
    let track = demo(&revision);
    let inputs: Vec<_> = (0..track.length()).map(|tick| track.at(tick)).collect();
    bencher
        .counter(ItemsCount::new(inputs.len()))
        .with_inputs(|| World::new(&stage, 0))
        .bench_local_refs(|world| {
            for input in &inputs {
                world.tick(&stage, input, &mut NativeRules);
            }
        });
}
