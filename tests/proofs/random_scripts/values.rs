//! Random expressions.

use super::{ALL, Flag, Gives, List, Number, Text, Vector, Whole, Writer};

impl Writer<'_> {
    /// An expression that gives anything.
    pub(super) fn any_value(&mut self, depth: usize) -> String {
        let gives = *self.dice.of(&ALL);
        self.value(gives, depth)
    }

    /// An expression that gives a number or a flag.
    fn plain_value(&mut self, depth: usize) -> String {
        let gives = *self.dice.of(&[Whole, Number, Flag]);
        self.value(gives, depth)
    }

    /// An expression of two parameters alone.
    pub(super) fn of_locals(&mut self) -> String {
        (*self
            .dice
            .of(&["x + y", "max(x, y)", "x * 2 - y", "if x > y { x } else { y }", "hypot(x, y)"]))
        .into()
    }

    /// An expression that gives this, except for a few that fail.
    pub(super) fn value(&mut self, gives: Gives, depth: usize) -> String {
        let gives = if self.dice.below(400) == 0 { *self.dice.of(&ALL) } else { gives };
        if depth > 0 {
            match self.dice.below(12) {
                0 => {
                    let when = self.value(Flag, depth - 1);
                    let (a, b) = (self.value(gives, depth - 1), self.value(gives, depth - 1));
                    return format!("(if {when} {{ {a} }} else {{ {b} }})");
                }
                1 => {
                    let (a, b) = (self.value(gives, depth - 1), self.value(gives, depth - 1));
                    let on = self.value(Whole, depth - 1);
                    return format!("(switch {on} {{ 1 => {a}, 2..5 => {b}, _ => {a} }})");
                }
                2 => return format!("(this.never ?? {})", self.value(gives, depth - 1)),
                3 => {
                    let inside = self.value(gives, depth - 1);
                    return format!("({{ let inner = {inside}; inner }})");
                }
                _ => {}
            }
        }
        let here: Vec<&String> = self.locals.iter().filter(|(_, of)| *of == gives).map(|(name, _)| name).collect();
        let latest = |name: &str| self.locals.iter().rev().find(|(n, _)| n == name).is_some_and(|(_, of)| *of == gives);
        if !here.is_empty() && self.dice.below(3) == 0 {
            let name = (*self.dice.of(&here)).clone();
            if latest(&name) {
                return name;
            }
        }
        if let Some((about, fields)) = self.about
            && self.dice.below(3) == 0
            && let Some((field, _)) = fields.iter().find(|(_, of)| *of == gives)
        {
            return format!("{about}.{field}");
        }
        if depth == 0 {
            return self.leaf(gives);
        }
        match gives {
            Whole => self.whole(depth - 1),
            Number => self.number(depth - 1),
            Flag => self.flag(depth - 1),
            Text => self.some_text(depth - 1),
            Vector => self.vector(depth - 1),
            List => self.list(depth - 1),
        }
    }

    fn leaf(&mut self, gives: Gives) -> String {
        let leaf = *self.dice.of(leaves(gives));
        // Numbers at the edges, now and then.
        match (gives, self.dice.below(150)) {
            (Whole, 0) => "9223372036854775807".into(),
            (Whole, 1) => "(-9223372036854775807 - 1)".into(),
            (Number, 0) => "1e300".into(),
            (Number, 1) => "-1e308".into(),
            _ => leaf.into(),
        }
    }

    fn whole(&mut self, depth: usize) -> String {
        let (a, b) = (self.value(Whole, depth), self.value(Whole, depth));
        match self.dice.below(12) {
            0 | 1 => format!("({a} + {b})"),
            2 => format!("({a} - {b})"),
            3 => format!("(({a} % 1000) * {b})"),
            4 => format!("({a} / {})", *self.dice.of(&["2", "-3", "7", "SOME", b.as_str()])),
            5 => format!("({a} % 7)"),
            6 => format!("{}.len()", self.value(List, depth)),
            7 => format!("(({}) % 100000.0).to_int()", self.value(Number, depth)),
            8 => format!("max({a}, {b})"),
            9 if self.helpers => "lib::grow(me)".into(),
            10 => format!("(-({a}))"),
            _ => self.leaf(Whole),
        }
    }

    fn number(&mut self, depth: usize) -> String {
        let (a, b) = (self.value(Number, depth), self.value(Number, depth));
        match self.dice.below(16) {
            0 | 1 => format!("({a} + {b})"),
            2 => format!("({a} - {b})"),
            3 => format!("({a} * {b})"),
            4 => format!("({a} / {})", *self.dice.of(&["2.0", "3", "-7.5", b.as_str()])),
            5 => format!("({a} + {})", self.value(Whole, depth)),
            6 => format!("{}({a})", *self.dice.of(&["abs", "floor", "round", "sin", "cos"])),
            7 => format!("{}({a}, {b})", *self.dice.of(&["min", "max", "hypot", "atan2"])),
            8 => format!("clamp({a}, -5.0, 5.0)"),
            9 => format!("({}).{}", self.value(Vector, depth), *self.dice.of(&["x", "y", "length()"])),
            10 => format!("(-({a}))"),
            11 => format!("lib::double({a})"),
            12 if self.helpers => format!("three({a}, {b})"),
            13 => format!("world::random({a} % 10, 20)"),
            14 => format!("({} * {a})", self.value(Whole, depth)),
            _ => self.leaf(Number),
        }
    }

    fn flag(&mut self, depth: usize) -> String {
        let compare = *self.dice.of(&["<", "<=", ">", ">=", "==", "!="]);
        match self.dice.below(14) {
            0 | 1 => format!("({} {compare} {})", self.value(Number, depth), self.value(Number, depth)),
            2 => format!("({} {compare} {})", self.value(Whole, depth), self.value(Whole, depth)),
            3 => format!("({} {compare} {})", self.value(Whole, depth), self.value(Number, depth)),
            4 => format!("({} == {})", self.value(Text, depth), self.value(Text, depth)),
            5 => format!("({} && {})", self.value(Flag, depth), self.value(Flag, depth)),
            6 => format!("({} || {})", self.value(Flag, depth), self.value(Flag, depth)),
            7 => format!("(!{})", self.value(Flag, depth)),
            8 => format!("({} in NAMES)", self.value(Text, depth)),
            9 => "(\"wind\" in me.zones)".into(),
            10 => format!("({} in {})", self.value(Whole, depth), self.value(List, depth)),
            11 => format!("lib::far(me, {})", self.value(Number, depth)),
            12 => format!("({} in 0..9)", self.value(Whole, depth)),
            _ => self.leaf(Flag),
        }
    }

    fn some_text(&mut self, depth: usize) -> String {
        match self.dice.below(6) {
            0 => format!("`a ${{{}}} b`", self.plain_value(depth)),
            1 => format!("`${{{}}}`", self.value(Text, depth)),
            2 => "NAMES[1]".into(),
            3 => format!("({} + \"!\").sub_string(0, 12)", self.value(Text, depth)),
            _ => self.leaf(Text),
        }
    }

    fn vector(&mut self, depth: usize) -> String {
        match self.dice.below(6) {
            0 => format!("vec({}, {})", self.value(Number, depth), self.value(Number, depth)),
            1 => format!("({} + {})", self.value(Vector, depth), self.value(Vector, depth)),
            2 => format!("({} - {})", self.value(Vector, depth), self.value(Vector, depth)),
            3 => format!("({} * {})", self.value(Vector, depth), self.value(Number, depth)),
            4 => format!("({}).normalized()", self.value(Vector, depth)),
            _ => self.leaf(Vector),
        }
    }

    fn list(&mut self, depth: usize) -> String {
        match self.dice.below(4) {
            0 => format!("[{}, {}]", self.value(Whole, depth), self.value(Whole, depth)),
            1 => format!("{}.map(|item| item)", self.leaf(List)),
            _ => self.leaf(List),
        }
    }
}

/// Expressions without parts that give this.
fn leaves(gives: Gives) -> &'static [&'static str] {
    match gives {
        Whole => &["0", "1", "2", "SOME", "this.n", "this.k", "lib::SIDE", "me.facing", "me.id", "world::tick()"],
        Number => &[
            "0.0",
            "1.5",
            "-0.25",
            "HIGH",
            "this.x",
            "me.x",
            "me.y",
            "me.vel.x",
            "me.vel.y",
            "me.age",
            "world::dt()",
            "world::time()",
            "this.map.b",
            "-0.0",
            "1e-9",
            "world::random()",
            "me.hook.length",
        ],
        Flag => &[
            "true",
            "false",
            "this.on",
            "this.off",
            "me.grounded",
            "me.held(\"right\")",
            "me.pressed(\"jump\")",
            "me.released(\"left\")",
            "world::solid(\"door\")",
            "this.missing == ()",
        ],
        Text => &[
            "\"\"",
            "\"ice\"",
            "\"wind\"",
            "this.word",
            "me.surface",
            "me.model",
            "me.mode",
            "me.name",
            "me.kind",
            "me.solid",
            "me.hook.state",
        ],
        Vector => &["vec(0, 0)", "vec(1.5, -2)", "me.vel", "me.external", "(this.at ?? vec(3, 4))"],
        List => &["this.list", "[1, 2, 3]", "[]", "[this.k]"],
    }
}
