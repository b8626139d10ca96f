//! Random programs, each written in Rhai and in Lua: both play alike.

use crate::{
    dice::Dice,
    folder::{Folder, Game, on_large_stack},
};
use std::collections::BTreeSet;

/// The number of pairs in every run of the tests.
const PAIRS: u64 = 300;

/// How long each pair plays.
const TICKS: u32 = 40;

/// How many statements a hook has at most. Each may contain others.
const MOST_STATEMENTS: usize = 30;

/// The variables of the hero. They keep the kinds of their numbers.
const KIND: &str = "vars = { n = 0, k = 3, x = 1.5, y = 0.25, on = false, off = true, word = \"ice\", list = [3, 1, 2], map = { a = 1, b = 2 } }\n";

/// The same text in both languages.
#[derive(Clone, Default)]
struct Both {
    rhai: String,
    lua: String,
}

/// The same in both, where `{}` stands for the parts in order.
fn same(text: &str, parts: &[Both]) -> Both {
    both(text, text, parts)
}

/// One text for each language, where `{}` stands for the parts in order.
fn both(rhai: &str, lua: &str, parts: &[Both]) -> Both {
    let fill = |text: &str, part: fn(&Both) -> &str| {
        let mut pieces = text.split("{}");
        let mut filled = pieces.next().unwrap_or_default().to_string();
        for (piece, other) in pieces.zip(parts) {
            filled += part(other);
            filled += piece;
        }
        filled
    };
    Both { rhai: fill(rhai, |both| &both.rhai), lua: fill(lua, |both| &both.lua) }
}

/// What a local variable holds.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Whole,
    Number,
    Flag,
    Text,
    Vector,
}

struct Writer {
    dice: Dice,
    written: Both,
    locals: Vec<(String, Kind)>,
    left: usize,
    /// How many loops are around.
    loops: usize,
    /// The names given so far.
    names: usize,
    /// Whether the functions of the program may be called.
    calls: bool,
    /// Whether random numbers may be drawn: Rhai works out what a method gets before what has the method.
    draws: bool,
}

impl Writer {
    fn write(&mut self, text: Both) {
        self.written.rhai += &text.rhai;
        self.written.lua += &text.lua;
        self.written.rhai.push('\n');
        self.written.lua.push('\n');
    }

    /// A local variable of this kind, if there is one.
    fn local(&mut self, kind: Kind) -> Option<Both> {
        let names: Vec<&String> = self.locals.iter().filter(|l| l.1 == kind).map(|l| &l.0).collect();
        if names.is_empty() || self.dice.below(2) == 0 {
            return None;
        }
        Some(same(self.dice.of(&names).as_str(), &[]))
    }

    fn of(&mut self, kind: Kind, depth: usize) -> Both {
        match kind {
            Kind::Whole => self.whole(depth),
            Kind::Number => self.number(depth),
            Kind::Flag => self.flag(depth),
            Kind::Text => self.text(depth),
            Kind::Vector => self.vector(depth),
        }
    }

    /// A whole number that is not large.
    fn whole(&mut self, depth: usize) -> Both {
        if let Some(local) = self.local(Kind::Whole) {
            return local;
        }
        let nested = if depth == 0 { 0 } else { 6 };
        match self.dice.below(9 + nested) {
            0 | 1 => {
                let number = self.dice.below(9).to_string();
                same(&number, &[])
            }
            2 | 3 => both("this.n", "vars.n", &[]),
            4 => both("this.k", "vars.k", &[]),
            5 => both("world::tick()", "world.tick()", &[]),
            6 => same("me.facing", &[]),
            7 => both("this.list.len()", "#vars.list", &[]),
            8 => both("this.list[1]", "vars.list[2]", &[]),
            9 | 10 => {
                let (a, b) = (self.whole(depth - 1), self.whole(depth - 1));
                let operator = *self.dice.of(&["+", "-"]);
                same(&format!("({{}} {operator} {{}})"), &[a, b])
            }
            11 => {
                let (a, b) = (self.whole(depth - 1), self.whole(depth - 1));
                both("min(max({} * {}, -500), 500)", "math.min(math.max({} * {}, -500), 500)", &[a, b])
            }
            12 => {
                let (a, b) = (self.whole(depth - 1), self.whole(depth - 1));
                let (rhai, lua) = *self.dice.of(&[("min", "math.min"), ("max", "math.max")]);
                both(&format!("{rhai}({{}}, {{}})"), &format!("{lua}({{}}, {{}})"), &[a, b])
            }
            13 => {
                let a = self.whole(depth - 1);
                both("abs({}) % 7", "math.abs({}) % 7", &[a])
            }
            _ => both("this.map.b", "vars.map.b", &[]),
        }
    }

    /// A floating-point number.
    fn number(&mut self, depth: usize) -> Both {
        if let Some(local) = self.local(Kind::Number) {
            return local;
        }
        let nested = if depth == 0 { 0 } else { 8 };
        match self.dice.below(9 + nested) {
            0 | 1 => {
                let number = format!("{:?}", (self.dice.between(-40.0, 40.0) * 8.0).round() / 8.0);
                same(&format!("({number})"), &[])
            }
            2 => both("this.x", "vars.x", &[]),
            3 => both("this.y", "vars.y", &[]),
            4 => same(self.dice.of::<&str>(&["me.x", "me.y", "me.age"]), &[]),
            5 => same(self.dice.of::<&str>(&["me.vel.x", "me.vel.y", "me.external.x"]), &[]),
            6 => both("world::time()", "world.time()", &[]),
            7 if self.draws => both("world::random()", "world.random()", &[]),
            7 | 8 => both("world::entity(\"hero\").x", "world.entity('hero').x", &[]),
            9..=11 => {
                let (a, b) = (self.number(depth - 1), self.number(depth - 1));
                let operator = *self.dice.of(&["+", "-", "*"]);
                same(&format!("({{}} {operator} {{}})"), &[a, b])
            }
            12 => {
                let a = self.number(depth - 1);
                same("({} / 4.0)", &[a])
            }
            13 => {
                let a = self.number(depth - 1);
                let (rhai, lua) = *self.dice.of(&[
                    ("sin", "math.sin"),
                    ("cos", "math.cos"),
                    ("abs", "math.abs"),
                    ("floor", "math.floor"),
                ]);
                both(&format!("{rhai}({{}})"), &format!("{lua}({{}})"), &[a])
            }
            14 => {
                let (a, b) = (self.number(depth - 1), self.number(depth - 1));
                let (rhai, lua) = *self.dice.of(&[
                    ("min", "math.min"),
                    ("max", "math.max"),
                    ("atan2", "math.atan2"),
                    ("hypot", "math.hypot"),
                ]);
                both(&format!("{rhai}({{}}, {{}})"), &format!("{lua}({{}}, {{}})"), &[a, b])
            }
            15 => {
                let a = self.whole(depth - 1);
                same("({} * 0.5)", &[a])
            }
            _ => {
                let draws = std::mem::take(&mut self.draws);
                let (v, other) = (self.vector(depth - 1), self.vector(depth - 1));
                self.draws = draws;
                match self.dice.below(3) {
                    0 => same("{}.x", &[v]),
                    1 => both("{}.length()", "{}:length()", &[v]),
                    _ => both("{}.dot({})", "{}:dot({})", &[v, other]),
                }
            }
        }
    }

    fn flag(&mut self, depth: usize) -> Both {
        if let Some(local) = self.local(Kind::Flag) {
            return local;
        }
        let nested = if depth == 0 { 0 } else { 8 };
        match self.dice.below(5 + nested) {
            0 => both("this.on", "vars.on", &[]),
            1 => both("this.off", "vars.off", &[]),
            2 => same("me.grounded", &[]),
            3 => both("me.held(\"right\")", "me:held('right')", &[]),
            4 => same(self.dice.of::<&str>(&["true", "false"]), &[]),
            5..=7 => {
                let kind = *self.dice.of(&[Kind::Whole, Kind::Number]);
                let (a, b) = (self.of(kind, depth - 1), self.of(kind, depth - 1));
                let operator = *self.dice.of(&["<", "<=", ">", ">="]);
                same(&format!("({{}} {operator} {{}})"), &[a, b])
            }
            8 => {
                let (a, b) = (self.whole(depth - 1), self.whole(depth - 1));
                both("({} != {})", "({} ~= {})", &[a, b])
            }
            9 => {
                let (a, b) = (self.text(depth - 1), self.text(depth - 1));
                same("({} == {})", &[a, b])
            }
            10 => {
                let a = self.flag(depth - 1);
                both("!{}", "not {}", &[a])
            }
            _ => {
                let (a, b) = (self.flag(depth - 1), self.flag(depth - 1));
                let (rhai, lua) = *self.dice.of(&[("&&", "and"), ("||", "or")]);
                both(&format!("({{}} {rhai} {{}})"), &format!("({{}} {lua} {{}})"), &[a, b])
            }
        }
    }

    fn text(&mut self, depth: usize) -> Both {
        if let Some(local) = self.local(Kind::Text) {
            return local;
        }
        match self.dice.below(if depth == 0 { 4 } else { 6 }) {
            0 => same(self.dice.of::<&str>(&["\"ice\"", "\"a\"", "\"\""]), &[]),
            1 => both("this.word", "vars.word", &[]),
            2 => same("me.name", &[]),
            3 => same("me.model", &[]),
            4 => {
                let (a, b) = (self.text(depth - 1), self.whole(depth - 1));
                both("({} + {})", "({} .. {})", &[a, b])
            }
            _ => {
                let a = self.whole(depth - 1);
                both("`<${{}}>`", "`<{{}}>`", &[a])
            }
        }
    }

    fn vector(&mut self, depth: usize) -> Both {
        if let Some(local) = self.local(Kind::Vector) {
            return local;
        }
        match self.dice.below(if depth == 0 { 3 } else { 7 }) {
            0 => same("me.vel", &[]),
            1 => same("me.external", &[]),
            2 => {
                let (a, b) = (self.number(0), self.number(0));
                same("vec({}, {})", &[a, b])
            }
            3 => {
                let (a, b) = (self.vector(depth - 1), self.vector(depth - 1));
                let operator = *self.dice.of(&["+", "-"]);
                same(&format!("({{}} {operator} {{}})"), &[a, b])
            }
            4 => {
                let (a, b) = (self.vector(depth - 1), self.number(depth - 1));
                same("({} * {})", &[a, b])
            }
            5 => {
                let draws = std::mem::take(&mut self.draws);
                let (a, b) = (self.vector(depth - 1), self.number(depth - 1));
                self.draws = draws;
                both("{}.rotated({})", "{}:rotated({})", &[a, b])
            }
            _ => {
                let a = self.vector(depth - 1);
                both("{}.normalized()", "{}:normalized()", &[a])
            }
        }
    }

    fn block(&mut self, depth: usize) {
        let outside = self.locals.len();
        for _ in 0..1 + self.dice.below(4) {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            self.statement(depth);
        }
        self.locals.truncate(outside);
    }

    fn statement(&mut self, depth: usize) {
        match self.dice.below(if depth == 0 { 15 } else { 21 }) {
            0 | 1 => {
                let kind = *self.dice.of(&[Kind::Whole, Kind::Number, Kind::Flag, Kind::Text, Kind::Vector]);
                let value = self.of(kind, 2);
                let name = format!("v{}", self.names);
                self.names += 1;
                let line = both(&format!("let {name} = {{}};"), &format!("local {name} = {{}}"), &[value]);
                self.write(line);
                self.locals.push((name, kind));
            }
            2 | 3 => {
                let value = self.whole(2);
                let name = *self.dice.of(&["n", "k", "list[0]", "map.a"]);
                let place = if name == "list[0]" { "list[1]" } else { name };
                let line = both(
                    &format!("this.{name} = min(max({{}}, -900), 900);"),
                    &format!("vars.{place} = math.min(math.max({{}}, -900), 900)"),
                    &[value],
                );
                self.write(line);
            }
            4 | 5 => {
                let value = self.number(2);
                let name = *self.dice.of(&["x", "y"]);
                let line = both(
                    &format!("this.{name} = clamp({{}}, -900.0, 900.0);"),
                    &format!("vars.{name} = math.clamp({{}}, -900.0, 900.0)"),
                    &[value],
                );
                self.write(line);
            }
            6 => {
                let (name, value) = (*self.dice.of(&["on", "off"]), self.flag(2));
                self.write(both(&format!("this.{name} = {{}};"), &format!("vars.{name} = {{}}"), &[value]));
            }
            7 => {
                let value = self.text(0);
                self.write(both("this.word = {};", "vars.word = {}", &[value]));
            }
            8 => {
                let value = self.whole(1);
                self.write(both("this.n += {};", "vars.n += {}", &[value]));
                self.write(both(
                    "this.n = min(max(this.n, -900), 900);",
                    "vars.n = math.min(math.max(vars.n, -900), 900)",
                    &[],
                ));
            }
            9 => {
                let value = self.number(1);
                let axis = *self.dice.of(&["x", "y"]);
                let line = both(
                    &format!("me.vel.{axis} = clamp({{}}, -300.0, 300.0);"),
                    &format!("me.vel.{axis} = math.clamp({{}}, -300.0, 300.0)"),
                    &[value],
                );
                self.write(line);
            }
            10 => {
                let value = self.number(1);
                self.write(both(
                    "me.push(clamp({}, -90.0, 90.0), 10);",
                    "me:push(math.clamp({}, -90.0, 90.0), 10)",
                    &[value],
                ));
            }
            11 | 12 => {
                let key = *self.dice.of(&["left", "right", "jump", "down"]);
                let call = *self.dice.of(&["hold", "hold", "release"]);
                self.write(both(&format!("me.{call}(\"{key}\");"), &format!("me:{call}('{key}')"), &[]));
            }
            13 => self.write(both("me.after(0.05, \"ring\");", "me:after(0.05, 'ring')", &[])),
            14 => match self.dice.below(4) {
                0 => {
                    let value = self.text(1);
                    self.write(both("print({});", "print({})", &[value]));
                }
                1 => {
                    let (at, value) = (self.vector(1), self.whole(1));
                    self.write(both(
                        "world::emit(\"alarm\", #{ at: {}, loud: [{}, true] });",
                        "world.emit('alarm', { at = {}, loud = { {}, true } })",
                        &[at, value],
                    ));
                }
                2 if self.calls => {
                    let (a, b) = (self.number(1), self.number(1));
                    self.write(both("this.x = this.one(me, {}, {});", "vars.x = one(me, {}, {})", &[a, b]));
                }
                _ => self.write(both("me.facing = -me.facing;", "me.facing = -me.facing", &[])),
            },
            15..=17 => {
                let when = self.flag(2);
                self.write(both("if {} {", "if {} then", &[when]));
                self.block(depth - 1);
                if self.dice.below(2) == 0 {
                    self.write(both("} else {", "else", &[]));
                    self.block(depth - 1);
                }
                self.write(both("}", "end", &[]));
            }
            18 | 19 if self.loops < 2 => {
                let name = format!("v{}", self.names);
                self.names += 1;
                let count = 1 + self.dice.below(4);
                self.write(both(
                    &format!("for {name} in 0..{count} {{"),
                    &format!("for {name} = 0, {} do", count - 1),
                    &[],
                ));
                self.locals.push((name, Kind::Whole));
                self.loops += 1;
                self.block(depth - 1);
                if self.dice.below(3) == 0 {
                    let when = self.flag(1);
                    self.write(both("if {} { break; }", "if {} then break end", &[when]));
                }
                self.loops -= 1;
                self.locals.pop();
                self.write(both("}", "end", &[]));
            }
            _ => {
                let when = self.flag(1);
                self.write(both("if {} { return; }", "if {} then return end", &[when]));
            }
        }
    }

    fn hook(&mut self, name: &str, parameters: &str) {
        self.left = MOST_STATEMENTS;
        self.write(both(&format!("fn {name}({parameters}) {{"), &format!("function {name}({parameters})"), &[]));
        self.block(3);
        self.write(both("}", "end", &[]));
    }
}

/// A program in both languages.
fn program(seed: u64) -> Both {
    let mut writer = Writer {
        dice: Dice::new(seed),
        written: Both::default(),
        locals: vec![("a".into(), Kind::Number), ("b".into(), Kind::Number)],
        left: 0,
        loops: 0,
        names: 0,
        calls: false,
        draws: true,
    };
    let value = writer.number(3);
    writer.write(both(
        "fn one(me, a, b) { clamp({}, -900.0, 900.0) }",
        "local function one(me, a, b) return math.clamp({}, -900.0, 900.0) end",
        &[value],
    ));
    writer.locals.clear();
    writer.calls = true;
    writer.hook("on_tick", "me");
    writer.hook("on_ring", "me");
    writer.hook("on_land", "me, event");
    writer.hook("on_alarm", "me, event");
    let when = writer.flag(2);
    writer.write(both(
        "fn model(me) { if {} { \"two_velocity\" } else { \"platformer\" } }",
        "function model(me) if {} then return 'two_velocity' end return 'platformer' end",
        &[when],
    ));
    writer.written
}

/// Plays a program in both languages and compares the worlds after each tick. Returns the last hash.
fn assert_alike(seed: u64) -> u64 {
    let both = program(seed);
    let game = |name: &str, text: &str| -> Game {
        let folder = Folder::with_script("");
        folder.write("config/entities/hero.toml", &format!("script = \"{name}\"\n{KIND}"));
        folder.write(&format!("scripts/{name}"), text);
        folder.game()
    };
    let (mut rhai, mut lua) = (game("hero.rhai", &both.rhai), game("hero.luau", &both.lua));
    let texts = || format!("seed {seed}\n{}\n{}", both.rhai, both.lua);
    for tick in 0..TICKS {
        rhai.ticks(1);
        lua.ticks(1);
        // What breaks a limit does so in both.
        let whys = [&rhai, &lua].map(|game| {
            let headlines = game.wrong().into_iter();
            headlines
                .map(|line| line.split_once("error: ").expect("an error").1.to_string())
                .collect::<Vec<_>>()
        });
        assert_eq!(whys[0], whys[1], "tick {tick} of {}", texts());
        assert_eq!(rhai.vars(), lua.vars(), "tick {tick} of {}", texts());
        assert_eq!(rhai.printed, lua.printed, "tick {tick} of {}", texts());
        assert_eq!(rhai.live.world().hash(), lua.live.world().hash(), "tick {tick} of {}", texts());
    }
    lua.live.world().hash()
}

#[test]
fn random_programs_in_both_languages_play_alike() {
    let count = std::env::var("HANGTIME_PAIRS").map_or(PAIRS, |text| text.parse().expect("a number of pairs"));
    on_large_stack(|| {
        let ends: BTreeSet<u64> = (0..count).map(assert_alike).collect();
        // Programs that do nothing would all end alike.
        assert!(ends.len() as u64 > count / 2, "{} ends of {count} programs", ends.len());
    });
}
