//! Random valid scripts: every construct of the language, over every type that variables have.

mod statements;
mod values;

use crate::dice::Dice;
use std::fmt::Write as _;

/// What a library that scripts import has.
pub const LIBRARY: &str = "\
const SIDE = 3;\n\
fn double(x) { x * 2 }\n\
fn far(me, x) { abs(me.x - x) > SIDE * 10 }\n\
fn grow(me) { this.n += 1; if this.n > 40 { this.n = 0; } this.n }\n";

/// The variables of the kinds that run these scripts, as TOML.
pub const VARS: &str = "vars = { n = 0, k = 3, x = 1.5, y = 0, on = false, off = true, \
                        word = \"ice\", list = [3, 1, 2], map = { a = 1, b = 2.5 } }\n";

/// What an expression gives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gives {
    Whole,
    Number,
    Flag,
    Text,
    Vec,
    List,
}

use Gives::{Flag, List, Number, Text, Vec as Vector, Whole};

const ALL: [Gives; 6] = [Whole, Number, Flag, Text, Vector, List];

/// How many statements a script has at most. Each may contain others.
const MOST_STATEMENTS: usize = 60;

/// A script. With an import of [`LIBRARY`] as `lib.rhai`.
pub fn script(dice: &mut Dice) -> String {
    let mut writer = Writer {
        dice,
        text: String::from(
            "import \"lib\" as lib;\nconst SOME = 4;\nconst HIGH = 12.5;\nconst NAMES = [\"ice\", \"stone\"];\n",
        ),
        locals: Vec::new(),
        left: MOST_STATEMENTS,
        about: None,
        helpers: false,
        loops: 0,
    };
    writer.functions();
    writer.text
}

struct Writer<'d> {
    dice: &'d mut Dice,
    text: String,
    /// The local variables in scope, and what they hold.
    locals: Vec<(String, Gives)>,
    /// How many statements may still be written.
    left: usize,
    /// The second parameter, and its fields.
    about: Option<(&'static str, Fields)>,
    /// Whether functions of this script may be called: not from themselves.
    helpers: bool,
    /// How many loops are around.
    loops: usize,
}

/// The fields of a second parameter, and what they give.
type Fields = &'static [(&'static str, Gives)];

/// Hooks with the fields of their second parameter.
const HOOKS: [(&str, &str, Fields); 6] = [
    ("on_tick", "", &[]),
    ("on_birth", "", &[]),
    ("on_land", "event", &[("speed", Number), ("solid", Text), ("surface", Text)]),
    ("on_enter", "event", &[("zone", Text), ("age", Number)]),
    ("on_ring", "", &[]),
    ("on_alarm", "event", &[("entity", Whole)]),
];

impl Writer<'_> {
    fn functions(&mut self) {
        for (name, parameters) in [("one", "me"), ("two", "me, x"), ("three", "x, y")] {
            let gives = *self.dice.of(&[Whole, Number, Flag]);
            let bound = name != "three";
            self.locals = parameters.split(", ").skip(usize::from(bound)).map(|p| (p.into(), Number)).collect();
            let _ = writeln!(self.text, "fn {name}({parameters}) {{");
            if bound {
                self.block(2);
                let value = self.value(gives, 2);
                let _ = writeln!(self.text, "{value}\n}}");
            } else {
                let value = self.of_locals();
                let _ = writeln!(self.text, "{value}\n}}");
            }
        }
        self.helpers = true;
        for (name, about, fields) in HOOKS {
            if name != "on_tick" && self.dice.below(2) == 0 {
                continue;
            }
            self.locals.clear();
            self.about = (!about.is_empty()).then_some((about, fields));
            let comma = if about.is_empty() { "" } else { ", " };
            let _ = writeln!(self.text, "fn {name}(me{comma}{about}) {{");
            self.block(3);
            self.text.push_str("}\n");
        }
        self.about = None;
        self.rules();
    }

    fn rules(&mut self) {
        self.locals.clear();
        if self.dice.below(3) > 0 {
            let (when, model) = (self.value(Flag, 2), self.dice.of(&["two_velocity", "topdown"]));
            let _ = writeln!(self.text, "fn model(me) {{ if {when} {{ \"{model}\" }} else {{ \"platformer\" }} }}");
        }
        if self.dice.below(3) > 0 {
            let (when, time) = (self.value(Flag, 2), self.dice.of(&["0.1", "HIGH / 100", "abs(this.x) % 1.0"]));
            let _ = writeln!(
                self.text,
                "fn jump_windows(me) {{ if {when} {{ #{{ coyote_time: {time}, jump_buffer: 0.1 }} }} }}"
            );
        }
        if self.dice.below(2) > 0 {
            self.about = Some(("hit", &[("roof", Flag), ("surface", Text)]));
            let when = self.value(Flag, 2);
            let _ = writeln!(self.text, "fn can_grab(me, hit) {{ {when} }}");
            self.about = None;
        }
    }

    /// Statements, between the braces that are around them already.
    pub(super) fn block(&mut self, depth: usize) {
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
}
