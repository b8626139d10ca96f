//! Pictures: `cargo bench --bench pictures`.
//!
//! A picture of 640×360 pixels, without what a window adds. The crowd is 1,000 entities, all of them in
//! the picture.

use divan::{Bencher, black_box};
use glam::dvec2;
use hangtime::{
    draw::{DEFAULT_SIZE, Markers, Overlays, Picture, Show, Spectator, between, hud_line, paint},
    project::Project,
    sim::{EntityView, Inputs, NativeRules, Stage, Start, World},
};
use std::{path::Path, sync::Arc};
use tiny_skia::Pixmap;

fn main() {
    divan::main();
}

/// A world in motion, and a viewer who has watched it.
struct Scene {
    stage: Stage,
    world: World,
    bodies: Vec<EntityView>,
    spectator: Spectator,
    markers: Markers,
}

impl Scene {
    /// The playground with this many more entities in the air over the meadow.
    fn new(count: usize) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let project = Project::load(root).expect("this repository");
        let level = project.find_level("playground").expect("its level");
        let revision = project.open(&level, &[]).expect("a good level");
        let mut stage = revision.stage.clone();
        let hero = stage.starts[0].clone();
        let another = |i: usize| Start {
            name: format!("other {i}").into(),
            at: dvec2(30.0 + (i % 50) as f64 * 12.0, 30.0 + (i / 50) as f64 * 9.0),
            velocity: dvec2((i % 7) as f64 * 20.0 - 60.0, 300.0),
            player: None,
            ..hero.clone()
        };
        let mut starts: Vec<Start> = stage.starts.to_vec();
        starts.extend((0..count).map(another));
        stage.starts = Arc::new(starts);
        let mut scene = Self {
            world: World::new(&stage, 0),
            stage,
            bodies: Vec::new(),
            spectator: Spectator::default(),
            markers: Markers::default(),
        };
        for _ in 0..10 {
            scene.tick();
        }
        scene
    }

    fn tick(&mut self) {
        self.world.tick(&self.stage, &Inputs::none(), &mut NativeRules);
        let entities = self.world.entities().iter();
        let views = entities.map(|e| self.world.view(&self.stage, e));
        self.bodies = views.collect();
        self.see();
    }

    fn see(&mut self) {
        let Self { spectator, markers, .. } = self;
        spectator.watch(&self.world, &self.stage, &self.bodies, DEFAULT_SIZE);
        let area = spectator.camera().map(|camera| camera.shows(DEFAULT_SIZE));
        markers.read(&self.world, &self.stage, Overlays::all(), area.as_ref());
    }

    fn paint(&self, canvas: &mut Pixmap, overlays: Overlays) {
        let frames = [8.0; 160];
        paint(
            canvas,
            &Picture {
                level: &self.stage.level,
                time: 1.0,
                changes: self.world.changes(),
                bodies: &self.bodies,
                hud: &hud_line(self.bodies.first(), 1),
                banner: "",
                why: "",
                show: Show {
                    spectator: Some(&self.spectator),
                    overlays,
                    markers: Some(&self.markers),
                    frames: &frames,
                    ..Show::default()
                },
            },
        );
    }
}

fn time(bencher: Bencher<'_, '_>, count: usize, overlays: Overlays) {
    let scene = Scene::new(count);
    let mut canvas = Pixmap::new(DEFAULT_SIZE.0, DEFAULT_SIZE.1).expect("a size above 0");
    bencher.bench_local(|| {
        scene.paint(&mut canvas, overlays);
        black_box(&canvas);
    });
}

#[divan::bench]
fn playground(bencher: Bencher<'_, '_>) {
    time(bencher, 0, Overlays::NONE);
}

#[divan::bench]
fn playground_with_all_overlays(bencher: Bencher<'_, '_>) {
    time(bencher, 0, Overlays::all());
}

#[divan::bench]
fn crowd(bencher: Bencher<'_, '_>) {
    time(bencher, 1000, Overlays::NONE);
}

#[divan::bench]
fn crowd_with_all_overlays(bencher: Bencher<'_, '_>) {
    time(bencher, 1000, Overlays::all());
}

/// What the window adds to each picture: bodies between the last two ticks.
#[divan::bench]
fn crowd_between_two_ticks(bencher: Bencher<'_, '_>) {
    let mut scene = Scene::new(1000);
    let before = scene.bodies.clone();
    scene.tick();
    bencher.bench_local(|| between(black_box(&before), black_box(&scene.bodies), 0.5));
}

/// What the game thread adds to each tick: the camera, the effects and what the overlays show.
#[divan::bench]
fn crowd_watched_for_all_overlays(bencher: Bencher<'_, '_>) {
    let scene = Scene::new(1000);
    let ticked = || {
        let mut scene = Scene {
            stage: scene.stage.clone(),
            world: scene.world.clone(),
            bodies: scene.bodies.clone(),
            spectator: scene.spectator.clone(),
            markers: scene.markers.clone(),
        };
        scene.world.tick(&scene.stage, &Inputs::none(), &mut NativeRules);
        scene
    };
    bencher.with_inputs(ticked).bench_local_refs(Scene::see);
}
