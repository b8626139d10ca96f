//! Random statements.

use super::{ALL, Flag, Gives, Number, Text, Vector, Whole, Writer};

impl Writer<'_> {
    pub(super) fn statement(&mut self, depth: usize) {
        let nested = if depth == 0 { 0 } else { 8 };
        match self.dice.below(16 + nested) {
            0 | 1 => self.declare(),
            2 => self.assign_local(),
            3..=6 => self.assign_variable(),
            7 | 8 => self.write_state(),
            9..=11 => self.order(),
            12 => self.change_list(),
            13 => self.leave(),
            14 | 15 => self.change_parts(),
            16..=18 => self.branch(depth),
            19 => self.switch(depth),
            20 | 21 => self.repeat(depth),
            _ => {
                self.text.push_str("{\n");
                self.block(depth - 1);
                self.text.push_str("}\n");
            }
        }
    }

    pub(super) fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn declare(&mut self) {
        let gives = *self.dice.of(&ALL);
        let value = self.value(gives, 2);
        // Some shadow others.
        let name = format!("v{}", self.dice.below(5));
        self.line(&format!("let {name} = {value};"));
        self.locals.push((name, gives));
    }

    fn assign_local(&mut self) {
        if self.locals.is_empty() {
            return self.declare();
        }
        let (name, gives) = self.dice.of(&self.locals).clone();
        let shadowed = self.locals.iter().rev().find(|(n, _)| *n == name);
        let gives = shadowed.map_or(gives, |(_, gives)| *gives);
        let line = self.assignment(&name, gives);
        self.line(&line);
    }

    fn assign_variable(&mut self) {
        let (name, gives) = *self.dice.of(&[
            ("this.n", Whole),
            ("this.k", Whole),
            ("this.x", Number),
            ("this.y", Number),
            ("this.on", Flag),
            ("this.off", Flag),
            ("this.word", Text),
            ("this.at", Vector),
            ("this.map.a", Whole),
            ("this.fresh", Number),
            ("this[\"k\"]", Whole),
        ]);
        // Not there before the first assignment.
        let computes = !["this.at", "this.fresh"].contains(&name);
        let line = if computes {
            self.assignment(name, gives)
        } else {
            format!("{name} = {};", self.value(gives, 2))
        };
        self.line(&line);
    }

    fn assignment(&mut self, name: &str, gives: Gives) -> String {
        // A few change the type.
        let to = if self.dice.below(25) == 0 { *self.dice.of(&ALL) } else { gives };
        let value = self.value(to, 2);
        let operator = match gives {
            Whole => *self.dice.of(&["=", "+=", "-=", "*="]),
            Number => *self.dice.of(&["=", "=", "+=", "-=", "*="]),
            _ => "=",
        };
        match (gives, operator) {
            // Texts and products would grow without end.
            (Whole | Number, "*=") => format!("{name} = ({name} * {value}) % 1000;"),
            _ => format!("{name} {operator} {value};"),
        }
    }

    fn write_state(&mut self) {
        let (x, y) = (self.value(Number, 1), self.value(Number, 1));
        let operator = *self.dice.of(&["=", "+=", "-=", "*="]);
        let line = match self.dice.below(9) {
            0 => format!("me.vel = vec({x} % 300, {y} % 300);"),
            1 => format!("me.vel.x {operator} {x} % 50;"),
            2 => format!("me.vel.y = {y} % 200;"),
            3 => format!("me.external.x {operator} {x} % 50;"),
            4 => format!("me.facing = if {} {{ 1 }} else {{ -1 }};", self.value(Flag, 1)),
            5 => "me.facing = -me.facing;".into(),
            6 => format!("me.time_scale = abs({x}) % 2.0;"),
            7 => format!("me.external = me.external * 0.5 + vec({x} % 9, 1);"),
            _ => format!("if me.model == \"vessel\" {{ me.angle += {x} % 1.0; }}"),
        };
        self.line(&line);
    }

    fn order(&mut self) {
        let x = self.value(Number, 1);
        let key = *self.dice.of(&["left", "right", "up", "down", "jump", "hook"]);
        let line = match self.dice.below(20) {
            0..=3 => format!("me.hold(\"{key}\");"),
            4 | 5 => format!("me.release(\"{key}\");"),
            6 => format!("me.push({x} % 90, 10);"),
            7 => "if me.grounded { me.jump(); }".into(),
            8 => format!("me.after(abs({x}) % 1.0 + 0.1, \"ring\");"),
            9 => "me.cancel(\"ring\");".into(),
            10 => format!("world::emit(\"alarm\", {});", self.any_value(1)),
            11 => format!("world::set_solid(\"door\", {});", self.value(Flag, 1)),
            12 => format!("me.steer(\"move\", {x} % 1.0, 0);"),
            13 => format!("me.aim(me.x + {x} % 100, me.y + 50);"),
            14 => format!("me.note(`x is ${{{x}}}`);"),
            15 => format!("print({});", self.value(Text, 1)),
            16 => format!("me.tune(\"platformer.run_speed_max\", 100 + abs({x}) % 300);"),
            17 => "me.untune();".into(),
            18 => format!("me.set_model(\"{}\");", self.dice.of(&["platformer", "two_velocity", "topdown"])),
            _ => "me.clear_model();".into(),
        };
        self.line(&line);
    }

    fn change_list(&mut self) {
        let x = self.value(Whole, 1);
        let line = match self.dice.below(6) {
            0 => format!("if this.list.len() < 8 {{ this.list.push({x}); }}"),
            1 => "if this.list.len() > 1 { this.list.shift(); }".into(),
            2 => format!("this.list = this.list.filter(|item| item != {});", self.dice.below(9)),
            3 => "this.list = this.list.map(|item| item % 7);".into(),
            4 => format!("if this.list.len() > 0 {{ this.list[0] = {x} % 100; }}"),
            _ => "this.list = [1, 2, this.k % 10];".into(),
        };
        self.line(&line);
    }

    /// Changes an element or an entry, or a copy of the list or the map that it is in.
    fn change_parts(&mut self) {
        let (x, any) = (self.value(Whole, 1), self.any_value(1));
        let line = match self.dice.below(13) {
            0 => format!("this.map.a = {x} % 100;"),
            1 => format!("this.map[\"c\"] = {any};"),
            2 => format!("this.map.rows = [{x}, [{any}]]; this.map.rows[1].push(2);"),
            3 => "if this.map.rows != () { this.map.rows[0] = 7; this.map.rows[-1] = 2; }".into(),
            4 => format!("this.map.remove(\"{}\");", *self.dice.of(&["c", "rows", "m", "none"])),
            5 => format!("let l = [{x}, [{any}]]; let k = l; k[0] = 2; l[1].push(k[0]); this.map.rows = [l, k];"),
            6 => "let i = this.list.len() - 1; if i > 0 { this.list[i] = (this.list[i] + this.list[i - 1]) % 99; }"
                .into(),
            7 => "if this.list.len() > 2 { this.n += this.list.pop(); this.list[0] += 1; }".into(),
            8 => "if this.list.len() > 2 { this.list.remove(1); let l = this.list; l.push(3); l.shift(); }".into(),
            9 => format!("let m = #{{ a: {any}, l: this.list }}; m.l.push({x}); m.b = m.l.len(); this.map.m = m;"),
            10 => "for o in world::near(me.x, me.y, 200) { if o.id != me.id { this.x = o.x; } }".into(),
            11 => "let all = world::all(\"hero\"); this.y = all[0].x + all.len(); this.word = all[-1].name;".into(),
            _ => format!("for i in this.list {{ let l = [i, {x}]; l[0] = l; l[0][1] = 2; this.map.rows = l; }}"),
        };
        self.line(&line);
    }

    /// A statement that ends a loop or the function.
    fn leave(&mut self) {
        let when = self.value(Flag, 1);
        let end = match self.loops {
            0 => "return;",
            _ => *self.dice.of(&["break;", "continue;", "return;"]),
        };
        self.line(&format!("if {when} {{ {end} }}"));
    }

    fn branch(&mut self, depth: usize) {
        let when = self.value(Flag, 2);
        self.line(&format!("if {when} {{"));
        self.block(depth - 1);
        if self.dice.below(3) == 0 {
            let when = self.value(Flag, 1);
            self.line(&format!("}} else if {when} {{"));
            self.block(depth - 1);
        }
        if self.dice.below(2) == 0 {
            self.line("} else {");
            self.block(depth - 1);
        }
        self.line("}");
    }

    fn switch(&mut self, depth: usize) {
        let gives = *self.dice.of(&[Whole, Text, Flag]);
        let value = self.value(gives, 1);
        let cases: &[&str] = match gives {
            Whole => &["0", "1 | 2 | 3", "-1", "4..9"],
            Text => &["\"ice\"", "\"stone\" | \"\"", "\"platformer\""],
            _ => &["true", "false"],
        };
        self.line(&format!("switch {value} {{"));
        for case in cases {
            let guard = match self.dice.below(4) {
                0 => format!(" if {}", self.value(Flag, 1)),
                _ => String::new(),
            };
            self.line(&format!("{case}{guard} => {{"));
            self.block(depth - 1);
            self.line("},");
        }
        if self.dice.below(2) == 0 {
            self.line("_ => {");
            self.block(depth - 1);
            self.line("}");
        }
        self.line("}");
    }

    /// A loop, of few rounds.
    fn repeat(&mut self, depth: usize) {
        let rounds = self.dice.below(5);
        let counter = format!("c{}", self.loops);
        let count = format!("{counter} += 1;");
        self.loops += 1;
        let (before, after) = match self.dice.below(6) {
            0 => (format!("let {counter} = 0;\nwhile {counter} < {rounds} {{\n{count}"), "}"),
            1 => (format!("let {counter} = 0;\nloop {{\n{count}\nif {counter} > {rounds} {{ break; }}"), "}"),
            2 => (format!("let {counter} = 0;\ndo {{\n{count}"), "}"),
            3 => (format!("for {counter} in 0..{rounds} {{"), "}"),
            4 => (format!("for {counter} in 0..={rounds} {{"), "}"),
            _ => (format!("for {counter} in this.list {{"), "}"),
        };
        let until = before.starts_with("let") && before.contains("do {");
        self.line(&before);
        self.locals.push((counter.clone(), Whole));
        self.block(depth - 1);
        self.locals.pop();
        self.loops -= 1;
        match until {
            true => self.line(&format!("}} while {counter} < {rounds};")),
            false => self.line(after),
        }
    }
}
