//! Runs a case of `rates.rs` at a tick rate, and checks every tick of it.

use crate::{
    folder::Folder,
    rates_case::{Case, GRID, SURFACES, Solid},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::{Collider, polygon, separation::separation},
    models::Actions,
    sim::{EntityView, EventKind, Inputs, PlayerInput, World},
};
use hangtime_game::{Live, Project};
use hangtime_script::render_all;
use std::sync::Arc;

/// The body at a moment.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    pub pos: DVec2,
    pub z: f64,
    pub vel: DVec2,
    pub grounded: bool,
}

impl Moment {
    /// How far two places are from each other, px.
    pub fn distance(&self, other: &Self) -> f64 {
        self.pos.distance(other.pos).hypot(self.z - other.z)
    }
}

/// An event of the hero.
#[derive(Clone, Debug)]
pub struct Told {
    pub seconds: f64,
    pub kind: EventKind,
    pub pos: DVec2,
}

/// A run at one rate.
pub struct Run {
    /// At each step of the grid, beginning with the start.
    pub moments: Vec<Moment>,
    pub events: Vec<Told>,
    /// When the body first came to touch a solid that stands still, s; infinite if it never did.
    pub touched: f64,
    /// What must never happen, each as its kind and a description.
    pub broken: Vec<(&'static str, String)>,
}

impl Run {
    /// The first event that is neither its start nor a jump.
    pub fn first_event(&self) -> Option<&Told> {
        self.events.iter().find(|event| {
            let left = matches!(event.kind, EventKind::LeaveGround { jumped: true });
            !left && !["birth", "jump"].contains(&event.kind.name())
        })
    }

    /// How often the body has jumped up to this step of the grid.
    pub fn jumps_until(&self, step: usize) -> usize {
        let now = (step as f64 + 0.5) / f64::from(GRID);
        let jumps = self.events.iter().filter(|e| e.seconds <= now && matches!(e.kind, EventKind::Jump));
        jumps.count()
    }
}

/// A case written to a folder.
pub struct Room<'a> {
    pub case: &'a Case,
    folder: Folder,
    /// Outlines of the solids that stand still, each with its height.
    outlines: Vec<(Vec<DVec2>, f64)>,
    /// One-way platforms that stand still, there and back.
    lines: Vec<Vec<DVec2>>,
}

impl<'a> Room<'a> {
    pub fn new(case: &'a Case) -> Self {
        let folder = Folder::empty();
        folder.write("config/surfaces.toml", SURFACES);
        let script = case.script();
        let kind = script.as_ref().map_or("", |_| "script = \"hero.rhai\"\n");
        folder.write("config/entities/hero.toml", kind);
        folder.write("config/entities/crate.toml", "");
        if let Some(script) = script {
            folder.write("scripts/hero.rhai", &script);
        }
        let still = |one_way| case.solids.iter().filter(move |s| s.path.is_none() && s.one_way == one_way);
        let points_of = |solid: &Solid| -> Vec<DVec2> { solid.points.iter().map(|p| dvec2(p.0, p.1)).collect() };
        let lines = still(true).map(|solid| {
            let points = points_of(solid);
            let back = points.iter().rev().skip(1);
            points.iter().chain(back).copied().collect()
        });
        let outlines = still(false).filter_map(|solid| {
            let points = points_of(solid);
            let top = solid.height.filter(|_| case.top);
            Some((polygon::outline(&points).ok()?, top.unwrap_or(f64::INFINITY)))
        });
        Self { case, outlines: outlines.collect(), lines: lines.collect(), folder }
    }

    /// The game at a rate, or why it does not open.
    fn open(&self, hz: u32, by: (f64, f64)) -> Result<Live, String> {
        let mut case = self.case.clone();
        case.at[0] += by.0;
        case.at[1] += by.1;
        self.folder.write("levels/room.toml", &case.level());
        let project = Project::load(self.folder.root()).expect("a folder");
        let settings = [("simulation.tick_hz".to_string(), hz.to_string())];
        let level = self.folder.path("levels/room.toml");
        let revision = project.open(&level, &settings);
        let revision = revision.map_err(|e| render_all(&e.diagnostics(), false))?;
        Ok(Live::new(Arc::new(revision), 0))
    }

    /// Plays the case with its start moved.
    ///
    /// # Errors
    /// Says why the level does not open or which script failed.
    pub fn run(&self, hz: u32, by: (f64, f64)) -> Result<Run, String> {
        let mut live = self.open(hz, by)?;
        let mut check = Check::new(self, hz, &live);
        check.listen(&live, hero_of(&live).pos);
        let per_step = hz / GRID;
        for tick in 0..self.case.steps() * per_step {
            let held = self.case.held(tick / per_step);
            let input = PlayerInput { held, aim: self.case.aim.map(DVec2::from), ..PlayerInput::default() };
            if let Some(fault) = live.step(&Inputs::of_first(input)).faults.first.first() {
                return Err(fault.diagnostic.headline());
            }
            check.tick(&live, held, (tick + 1) % per_step == 0);
        }
        // A projectile has no keys, and a vessel on its side may be too heavy for them.
        let steers = !["ballistic", "vessel"].contains(&self.case.model);
        if check.rested && hz == 60 && steers {
            check.locked(&mut live);
        }
        Ok(check.run)
    }
}

fn inputs(held: Actions) -> Inputs {
    Inputs::of_first(PlayerInput { held, ..PlayerInput::default() })
}

fn hero_of(live: &Live) -> EntityView {
    let world = live.world();
    world.view_of(&live.revision().stage, "hero").expect("there is a hero")
}

/// The checks of every tick.
struct Check<'a> {
    room: &'a Room<'a>,
    shape: Collider,
    hz: u32,
    run: Run,
    last: EntityView,
    inside: Vec<Arc<str>>,
    crushed: bool,
    /// Whether the body stood still in the last tick, without a key.
    rested: bool,
    energy: f64,
    passive: bool,
    still: bool,
}

impl<'a> Check<'a> {
    fn new(room: &'a Room<'a>, hz: u32, live: &Live) -> Self {
        let case = room.case;
        let hero = hero_of(live);
        let moves = case.solids.iter().any(|s| s.path.is_some());
        let still = !moves && case.zones.is_empty() && case.crates.is_empty();
        Self {
            shape: Collider::ellipse(case.half.0, case.half.1),
            hz,
            run: Run { moments: vec![moment(&hero)], events: vec![], touched: f64::INFINITY, broken: vec![] },
            inside: vec![],
            crushed: false,
            rested: false,
            energy: energy(case, &hero),
            passive: case.keys.is_empty() && still && case.leap.is_none(),
            still,
            last: hero,
            room,
        }
    }

    fn tick(&mut self, live: &Live, held: Actions, on_grid: bool) {
        let hero = hero_of(live);
        let seconds = self.listen(live, hero.pos);
        if !(hero.pos.is_finite() && hero.vel.is_finite() && hero.external.is_finite()) {
            self.breaks("not finite", format!("at {seconds} s"));
        }
        self.check_depth(&hero, seconds);
        self.check_rest(&hero, held, seconds);
        if self.passive && self.room.case.model == "vessel" {
            let now = energy(self.room.case, &hero);
            // A resting place may differ from touching by half a pixel.
            let slack = self.room.case.gravity * 0.5 + 1e-6 * self.energy.abs();
            if now > self.energy + slack {
                let gained = now - self.energy;
                self.breaks("energy", format!("{gained} px²/s² more at {seconds} s"));
            }
        }
        if on_grid {
            self.run.moments.push(moment(&hero));
        }
        self.last = hero;
    }

    /// Takes the events of the last tick; returns the time.
    fn listen(&mut self, live: &Live, pos: DVec2) -> f64 {
        let seconds = live.world().ticks() as f64 / f64::from(self.hz);
        for event in live.world().events().iter().filter(|e| &*e.name == "hero") {
            self.hear(&event.kind, seconds, pos);
        }
        seconds
    }

    fn hear(&mut self, kind: &EventKind, seconds: f64, pos: DVec2) {
        match kind {
            EventKind::Enter { zone } if self.inside.contains(zone) => {
                self.breaks("zones", format!("enters {zone} twice at {seconds} s"));
            }
            EventKind::Enter { zone } => self.inside.push(zone.clone()),
            EventKind::Leave { zone } => {
                if !self.inside.contains(zone) {
                    self.breaks("zones", format!("leaves {zone} twice at {seconds} s"));
                }
                self.inside.retain(|name| name != zone);
            }
            EventKind::Crush => self.crushed = true,
            _ => {}
        }
        self.run.events.push(Told { seconds, kind: kind.clone(), pos });
    }

    /// No body ends a tick inside a solid that stands still.
    fn check_depth(&mut self, hero: &EntityView, seconds: f64) {
        // A planned flight passes through solids, and a crushed body has no other place.
        let excused = self.crushed || hero.model_name() == "ballistic";
        if self
            .room
            .lines
            .iter()
            .any(|line| separation(self.shape, hero.pos, line).to_touch.length() < 0.5)
        {
            self.run.touched = self.run.touched.min(seconds);
        }
        for (outline, top) in &self.room.outlines {
            if self.room.case.top && hero.z >= *top - 1e-6 {
                continue;
            }
            let apart = separation(self.shape, hero.pos, outline);
            let away = apart.to_touch.length();
            if apart.overlaps() || away < 0.5 {
                self.run.touched = self.run.touched.min(seconds);
            }
            let deep = if hero.pieces.is_some() {
                // Only the center: pieces may overlap a solid for a moment.
                polygon::contains(outline, hero.pos)
            } else {
                apart.overlaps() && away > 0.1
            };
            if deep && !excused {
                let text = format!("{away} px deep at {} at {seconds} s", hero.pos);
                self.run.broken.push(("depth", text));
            }
        }
    }

    /// A body that has come to rest stays bit for bit where it is.
    fn check_rest(&mut self, hero: &EntityView, held: Actions, seconds: f64) {
        let same = hero.pos == self.last.pos && hero.angle == self.last.angle;
        let stands = hero.grounded && self.last.grounded && held == Actions::NONE;
        let calm = hero.vel == DVec2::ZERO && hero.external == DVec2::ZERO;
        if self.rested && stands && self.still && !same {
            let from = self.last.pos;
            self.breaks("creep", format!("from {from} to {} at {seconds} s", hero.pos));
        }
        self.rested = stands && calm && same && self.still && hero.vel_z == 0.0;
    }

    /// Some key moves a resting body within a second.
    fn locked(&mut self, live: &mut Live) {
        use hangtime_core::models::Action::{Down, Jump, Left, Right, Up};
        let from = hero_of(live).pos;
        let start: World = live.world().clone();
        let moved = [Left, Right, Jump, Up, Down].into_iter().any(|key| {
            live.restore(start.clone());
            (0..self.hz).any(|_| {
                live.step(&inputs([key].into_iter().collect()));
                let hero = hero_of(live);
                hero.pos.distance(from) > 1.0 || hero.z > 1.0 || hero.spin != 0.0
            })
        });
        if !moved {
            self.breaks("locked", format!("at {from}"));
        }
    }

    fn breaks(&mut self, kind: &'static str, text: String) {
        self.run.broken.push((kind, text));
    }
}

fn moment(hero: &EntityView) -> Moment {
    Moment { pos: hero.pos, z: hero.z, vel: hero.vel, grounded: hero.grounded }
}

fn energy(case: &Case, hero: &EntityView) -> f64 {
    case.gravity * hero.pos.y + (hero.vel + hero.external).length_squared() / 2.0
}
