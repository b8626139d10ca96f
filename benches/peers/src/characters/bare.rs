//! A bare loop: a grid, a swept ellipse, a slide, a snap to the ground, a run and a jump.

use super::Engine;
use super::level::{BODY, Keys, Layout};
use glam::{DVec2, dvec2};
use hangtime::level::{Terrain, slide};

/// How characters of the peers and of the bare loop respond to keys.
#[derive(Clone, Copy, Debug, Default)]
pub struct Runner {
    pub pos: DVec2,
    pub vel: DVec2,
    pub grounded: bool,
    held: u32,
}

/// The characters and the number of jumps they have started.
pub struct Crowd {
    pub runners: Vec<Runner>,
    pub jumps: u64,
}

impl Crowd {
    pub fn new(starts: &[DVec2]) -> Self {
        let runners = starts.iter().map(|at| Runner::at(*at)).collect();
        Self { runners, jumps: 0 }
    }
}

pub const DT: f64 = 1.0 / 60.0;

impl Runner {
    pub fn at(pos: DVec2) -> Self {
        Self { pos, ..Self::default() }
    }

    /// This tick's velocity, and whether a jump starts.
    pub fn drive(&mut self, key: &Keys) -> bool {
        let forward = self.vel.x * key.side;
        if self.grounded {
            self.vel.x = if key.side == 0.0 {
                self.vel.x - self.vel.x.signum() * (4000.0 * DT).min(self.vel.x.abs())
            } else {
                key.side * (forward.max(360.0) + 650.0 * DT).min(650.0)
            };
        } else if key.side != 0.0 && forward < 360.0 {
            self.vel.x += key.side * (2000.0 * DT).min(360.0 - forward);
        }
        let jumps = self.grounded && key.pressed;
        if jumps {
            self.held = 17;
            self.grounded = false;
        }
        if self.held > 0 && key.jump {
            self.held -= 1;
            self.vel.y = 540.0;
        } else {
            self.held = 0;
            if !self.grounded {
                self.vel.y = (self.vel.y - 3672.0 * DT).max(-700.0);
            }
        }
        jumps
    }
}

pub struct Bare {
    terrain: Terrain,
    crowd: Crowd,
}

impl Bare {
    pub fn new(layout: &Layout, starts: &[DVec2]) -> Self {
        let terrain = super::ours::terrain(layout);
        terrain.expect(BODY);
        Self { terrain, crowd: Crowd::new(starts) }
    }
}

impl Engine for Bare {
    fn name(&self) -> &'static str {
        "bare loop"
    }

    fn tick(&mut self, keys: &[Keys]) {
        let scenery = self.terrain.still();
        for (runner, key) in self.crowd.runners.iter_mut().zip(keys) {
            self.crowd.jumps += u64::from(runner.drive(key));
            let slid = slide(&scenery, BODY, runner.pos, runner.vel * DT, |_, _| false);
            runner.pos = slid.pos;
            runner.vel = slid.bumps.clip(runner.vel);
            let reach = if runner.grounded { 20.0 } else { 0.5 };
            let rises = runner.vel.y > 0.0 && !runner.grounded;
            let ground = if rises { None } else { scenery.probe(BODY, runner.pos, reach) };
            runner.grounded = ground.is_some_and(|hit| hit.normal.y > 0.7);
            if let (true, Some(hit)) = (runner.grounded, ground) {
                runner.pos += dvec2(0.0, -reach * hit.time);
                runner.vel.y = 0.0;
            }
        }
    }

    fn crowd(&self) -> Option<&Crowd> {
        Some(&self.crowd)
    }
}
