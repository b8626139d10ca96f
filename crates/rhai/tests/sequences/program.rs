//! Random sequences as trees: written as scripts, and what they do, computed from the tree alone.

use std::fmt::Write as _;

/// A stream of random numbers.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// A statement. Variables are numbered.
#[derive(Debug)]
pub enum Part {
    Log(usize),
    Let(usize, i64),
    Add(usize, i64),
    Wait(u64),
    Seconds(u64),
    Until(u64),
    For(String),
    If(usize, i64, Vec<Part>, Vec<Part>),
    While(usize, i64, Vec<Part>),
    Range(usize, i64, bool, Vec<Part>),
    List(usize, Vec<i64>, Vec<Part>),
    Block(Vec<Part>),
    Switch(usize, Vec<Part>, Vec<Part>),
    BreakIf(usize, i64),
    ContinueIf(usize, i64),
}

/// Makes programs.
pub struct Maker {
    pub dice: Dice,
    pub names: usize,
    pub left: usize,
}

impl Maker {
    pub fn block(&mut self, known: &[usize], depth: usize, looped: bool) -> Vec<Part> {
        let mut known = known.to_vec();
        let mut parts = Vec::new();
        for _ in 0..2 + self.dice.roll(4) {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            let var = known[self.dice.roll(known.len() as u64) as usize];
            let small = self.dice.roll(4) as i64;
            let deep = depth > 0;
            parts.push(match self.dice.roll(16) {
                0..=1 => Part::Log(var),
                2 => {
                    self.names += 1;
                    known.push(self.names);
                    Part::Let(self.names, small)
                }
                3 => Part::Add(var, small + 1),
                4..=5 => Part::Wait(small as u64),
                6 => Part::Seconds(small as u64),
                7 => Part::Until(2 + self.dice.roll(5)),
                8 => Part::For("never".into()),
                9 if deep => {
                    let (yes, no) = (self.block(&known, depth - 1, looped), self.block(&known, depth - 1, looped));
                    Part::If(var, small, yes, no)
                }
                10 if deep => {
                    self.names += 1;
                    let own = self.names;
                    let mut inside = known.clone();
                    inside.push(own);
                    Part::While(own, small, self.block(&inside, depth - 1, true))
                }
                11 if deep => {
                    self.names += 1;
                    let own = self.names;
                    let mut inside = known.clone();
                    inside.push(own);
                    Part::Range(own, small, self.dice.roll(2) == 0, self.block(&inside, depth - 1, true))
                }
                12 if deep => {
                    self.names += 1;
                    let own = self.names;
                    let mut inside = known.clone();
                    inside.push(own);
                    let list = (0..small).map(|_| self.dice.roll(9) as i64).collect();
                    Part::List(own, list, self.block(&inside, depth - 1, true))
                }
                13 if deep => match self.dice.roll(2) {
                    0 => Part::Block(self.block(&known, depth - 1, looped)),
                    _ => {
                        let (one, other) =
                            (self.block(&known, depth - 1, looped), self.block(&known, depth - 1, looped));
                        Part::Switch(var, one, other)
                    }
                },
                14 if looped => Part::BreakIf(var, small),
                15 if looped => Part::ContinueIf(var, small),
                _ => Part::Log(var),
            });
        }
        parts
    }
}

/// Writes a program in Rhai.
pub fn write(parts: &[Part], out: &mut String) {
    for part in parts {
        let _ = match part {
            Part::Log(v) => writeln!(out, "this.h = (this.h * 31 + world::tick() * 7 + v{v}) % 1000003; this.n += 1;"),
            Part::Let(v, x) => writeln!(out, "let v{v} = {x};"),
            Part::Add(v, x) => writeln!(out, "v{v} += {x};"),
            Part::Wait(n) => writeln!(out, "wait_ticks({n});"),
            Part::Seconds(n) => writeln!(out, "wait({n} * world::dt());"),
            Part::Until(k) => writeln!(out, "wait_until(|| world::tick() % {k} == 0);"),
            Part::For(name) => writeln!(out, "if wait_for(\"{name}\", 0.05) == () {{ this.n += 1; }}"),
            Part::If(v, x, yes, no) => {
                let _ = writeln!(out, "if v{v} > {x} {{");
                write(yes, out);
                out.push_str("} else {\n");
                write(no, out);
                writeln!(out, "}}")
            }
            Part::While(v, x, body) => {
                let _ = write!(out, "let v{v} = 0;\nwhile v{v} < {x} {{\nv{v} += 1;\n");
                write(body, out);
                writeln!(out, "}}")
            }
            Part::Range(v, x, inclusive, body) => {
                let _ = writeln!(out, "for v{v} in 0{}{x} {{", if *inclusive { "..=" } else { ".." });
                write(body, out);
                writeln!(out, "}}")
            }
            Part::List(v, list, body) => {
                let _ = writeln!(out, "for v{v} in {list:?} {{");
                write(body, out);
                writeln!(out, "}}")
            }
            Part::Block(body) => {
                out.push_str("{\n");
                write(body, out);
                writeln!(out, "}}")
            }
            Part::Switch(v, one, other) => {
                let _ = writeln!(out, "switch v{v} {{ 1 => {{");
                write(one, out);
                out.push_str("} _ => {\n");
                write(other, out);
                writeln!(out, "}} }}")
            }
            Part::BreakIf(v, x) => writeln!(out, "if v{v} > {x} {{ break; }}"),
            Part::ContinueIf(v, x) => writeln!(out, "if v{v} > {x} {{ continue; }}"),
        };
    }
}

/// How a block ends.
#[derive(PartialEq)]
pub enum Flow {
    Next,
    Break,
    Continue,
    /// The time is up.
    Over,
}

/// Computes what a program does until a tick.
pub struct Oracle {
    pub tick: u64,
    pub end: u64,
    pub vars: Vec<i64>,
    pub h: i64,
    pub n: i64,
}

impl Oracle {
    /// Waits; whether the time is up.
    fn wait(&mut self, ticks: u64) -> Flow {
        self.tick += ticks.max(1);
        if self.tick >= self.end { Flow::Over } else { Flow::Next }
    }

    pub fn play(&mut self, parts: &[Part]) -> Flow {
        for part in parts {
            let flow = match part {
                Part::Log(v) => {
                    self.h = (self.h * 31 + self.tick as i64 * 7 + self.vars[*v]) % 1_000_003;
                    self.n += 1;
                    Flow::Next
                }
                Part::Let(v, x) => {
                    self.vars[*v] = *x;
                    Flow::Next
                }
                Part::Add(v, x) => {
                    self.vars[*v] += x;
                    Flow::Next
                }
                Part::Wait(n) | Part::Seconds(n) => self.wait(*n),
                Part::Until(k) => {
                    let mut flow = Flow::Next;
                    while !self.tick.is_multiple_of(*k) && flow == Flow::Next {
                        flow = self.wait(1);
                    }
                    flow
                }
                Part::For(_) => {
                    // 0.05 seconds at 60 ticks a second.
                    let flow = self.wait(3);
                    self.n += i64::from(flow == Flow::Next);
                    flow
                }
                Part::If(v, x, yes, no) => self.play(if self.vars[*v] > *x { yes } else { no }),
                Part::Block(body) => self.play(body),
                Part::Switch(v, one, other) => self.play(if self.vars[*v] == 1 { one } else { other }),
                Part::While(v, x, body) => {
                    self.vars[*v] = 0;
                    let mut flow = Flow::Next;
                    while self.vars[*v] < *x && !matches!(flow, Flow::Break | Flow::Over) {
                        self.vars[*v] += 1;
                        flow = self.play(body);
                    }
                    ended(flow)
                }
                Part::Range(v, x, inclusive, body) => {
                    let mut flow = Flow::Next;
                    for i in 0..x + i64::from(*inclusive) {
                        self.vars[*v] = i;
                        flow = self.play(body);
                        if matches!(flow, Flow::Break | Flow::Over) {
                            break;
                        }
                    }
                    ended(flow)
                }
                Part::List(v, list, body) => {
                    let mut flow = Flow::Next;
                    for x in list {
                        self.vars[*v] = *x;
                        flow = self.play(body);
                        if matches!(flow, Flow::Break | Flow::Over) {
                            break;
                        }
                    }
                    ended(flow)
                }
                Part::BreakIf(v, x) => {
                    if self.vars[*v] > *x {
                        Flow::Break
                    } else {
                        Flow::Next
                    }
                }
                Part::ContinueIf(v, x) => {
                    if self.vars[*v] > *x {
                        Flow::Continue
                    } else {
                        Flow::Next
                    }
                }
            };
            if flow != Flow::Next {
                return flow;
            }
        }
        Flow::Next
    }
}

fn ended(flow: Flow) -> Flow {
    if flow == Flow::Over { flow } else { Flow::Next }
}
