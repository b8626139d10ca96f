//! Compiled code does exactly what the interpreter does.

use crate::folder::{Folder, LEVEL, on_large_stack};
use hangtime_core::sim::{Inputs, PlayerInput};
use hangtime_game::{GameFolder, Live, Project};
use hangtime_script::{CallCounts, Execution, render_all};
use std::{fmt::Write as _, sync::Arc};

/// Values of variables; `-` for none.
const VALUES: [&str; 14] = [
    "0",
    "1",
    "-7",
    "9223372036854775807",
    "0.0",
    "-0.0",
    "0.30000000000000004",
    "1e300",
    "-3.5",
    "true",
    "\"\"",
    "\"text that is a little longer than most\"",
    "[1, 2.5, \"three\"]",
    "-",
];

/// How many ticks each script runs.
const TICKS: usize = 3;

/// A game with one entity for each pair of values of the variables `a` and `b`.
fn game(script: &str) -> Folder {
    let folder = Folder::empty();
    let mut level = LEVEL.to_string();
    for (i, a) in VALUES.iter().enumerate() {
        for (j, b) in VALUES.iter().enumerate() {
            let vars = [("a", a), ("b", b)].into_iter().filter(|(_, v)| **v != "-");
            let vars: Vec<String> = vars.map(|(name, v)| format!("{name} = {v}")).collect();
            let kind = format!(
                "script = \"hero.rhai\"\nvars = {{ {}{} }}\n",
                vars.join(", "),
                if vars.is_empty() { "n = 1" } else { ", n = 1" }
            );
            folder.write(&format!("config/entities/k{i}_{j}.toml"), &kind);
            let x = -900 + 4 * (i * VALUES.len() + j) as i32;
            let _ = write!(level, "[[entity]]\nkind = \"k{i}_{j}\"\nat = [{x}, 19]\n");
        }
    }
    folder.write("levels/level.toml", &level);
    folder.write("config/surfaces.toml", "[stone]\n[ice]\ngrip = 0.1\n");
    folder.write("config/entities/hero.toml", "");
    folder.write("scripts/hero.rhai", script);
    folder.write(
        "scripts/lib/help.rhai",
        "const K = 2.5;\nconst LIST = [\"a\", 1];\nfn nothing() { }\n\
         fn twice(x) { x * 2 }\nfn scaled(me, x) { if me.grounded { return x * K; } x }\n\
         fn deep(x) { twice(twice(x)) + 1 }\nfn has(x) { x in LIST }\n",
    );
    folder
}

/// Plays a game both ways. What differs, and how the calls were made.
fn play(folder: &Folder) -> (Option<String>, CallCounts) {
    let mut difference = None;
    let live = run(folder, Execution::BothWays, |live| {
        difference = difference.take().or(live.take_call_difference().map(|d| d.to_string()));
    });
    (difference, live.call_counts())
}

/// Plays a game in one way. The hash of each tick, and how the calls were made.
fn play_as(folder: &Folder, execution: Execution) -> (Vec<u64>, CallCounts) {
    let mut hashes = Vec::new();
    let live = run(folder, execution, |live| hashes.push(live.world().hash()));
    (hashes, live.call_counts())
}

fn run(folder: &Folder, execution: Execution, mut after_tick: impl FnMut(&mut Live)) -> Live {
    let game = GameFolder::new(folder.root()).run_scripts(execution);
    let project = Project::load(game).expect("a game");
    let opened = project.open(&folder.path("levels/level.toml"), &[]);
    let revision = opened.unwrap_or_else(|e| panic!("{}", render_all(&e.diagnostics(), false)));
    let mut live = Live::new(Arc::new(revision), 0);
    for tick in 0..TICKS {
        let mut keys = PlayerInput::default();
        if tick == 1 {
            keys.held = [hangtime_core::models::Action::Jump].into_iter().collect();
            keys.pressed = keys.held;
        }
        live.step(&Inputs::of_first(keys));
        after_tick(&mut live);
    }
    live
}

/// Plays scripts whose `on_tick` has these bodies. For some pair of values each has to be completed in compiled code.
fn sweep(bodies: &[&str], more: &str) {
    sweep_all(bodies, more, |counts| counts.compiled > 0);
}

/// The same with bodies that are compiled, but never completed: what they do is left to the interpreter.
fn sweep_bailing(bodies: &[&str], more: &str) {
    sweep_all(bodies, more, |counts| counts.compiled == 0 && counts.bailed > 0);
}

fn sweep_all(bodies: &[&str], more: &str, right: fn(CallCounts) -> bool) {
    let mut wrong = Vec::new();
    on_large_stack(|| {
        for body in bodies {
            let script = format!("import \"lib/help\" as help;\n{more}\nfn on_tick(me) {{ {body} }}");
            let folder = game(&script);
            let (difference, counts) = play(&folder);
            if let Some(difference) = difference {
                wrong.push(format!("{body}\n    {difference}"));
            } else if !right(counts) {
                wrong.push(format!("{body}\n    {counts:?}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}

#[test]
fn operators_are_those_of_rhai() {
    let operators = ["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "&", "|", "^"];
    let bodies = operators.map(|sign| format!("this.r = this.a {sign} this.b;"));
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    sweep(&bodies, "");
    sweep(
        &[
            "this.r = -this.a;",
            "this.r = !this.a;",
            "this.r = this.a && this.b;",
            "this.r = this.a || this.b;",
            "this.r = this.a ?? this.b;",
            "if this.a == this.b { this.r = 1; } else { this.r = 2; }",
            "if this.a < this.b && this.n > 0 || this.b == true { this.r = 1; }",
            "if !(this.a >= this.b) { this.r = 1; }",
            "this.r = this.a in \"text that is a little longer than most\";",
            "this.r = this.a in [1, 2.0, \"three\", true];",
            "this.r = this.a in KEYS;",
            "this.r = this.b in this.a;",
        ],
        "const KEYS = [\"left\", \"\", 0, -7, 1.0];",
    );
}

#[test]
fn assignments_are_those_of_rhai() {
    let signs = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="];
    let of_vars = signs.map(|sign| format!("this.a {sign} this.b;"));
    let of_locals = signs.map(|sign| format!("let x = this.a; x {sign} this.b; this.r = x;"));
    let bodies: Vec<&str> = of_vars.iter().chain(&of_locals).map(String::as_str).collect();
    sweep(&bodies, "");
    sweep(
        &[
            "this.fresh = 1; this.later = this.fresh + 1;",
            "let v = vec(this.a, this.b); v.x += 1; v.y = this.b; this.r = v.length();",
            "this.v = vec(1, 2); this.v.x = this.a; this.v.y *= 2; this.r = this.v.y;",
            "let v = vec(1, 2); v += vec(3, 4); v *= 2; v -= vec(1, 1); this.v = v / 2;",
            "me.vel.x = this.a; me.spin += this.b;",
            "me.vel = vec(this.a, this.b); me.facing = -1;",
            "me.vel.y -= this.a; me.external.x += 5;",
            "me.angle = this.a;",
            "let x = 1; { let x = 2; x += 1; this.r = x; } this.s = x;",
            "let x = this.a; let y = x; x = this.b; this.r = y;",
        ],
        "",
    );
}

#[test]
fn values_of_entities_and_vecs_are_those_of_the_interpreter() {
    sweep(
        &[
            "this.r = me.x + me.y + me.z + me.age + me.angle + me.spin + me.vel.x + me.external.y;",
            "this.r = me.id + me.player + me.facing; this.s = me.grounded;",
            "this.r = me.name; this.s = me.kind + me.surface; this.t = me.mode == \"ground\";",
            "this.r = me.vel.length(); this.s = me.vel.normalized().x; this.t = me.zones.len();",
            "this.r = me.hook.state; this.s = me.hook.tip.x; this.t = me.hook.length;",
            "let v = vec(this.a, this.b); this.r = v; this.s = v.x + v.y; this.t = v.length();",
            "let v = vec(3, 4); this.r = v.dot(vec(1, 2)) + v.distance(vec(0, 0)) + v.angle();",
            "this.r = (vec(3, 4) + vec(1, 1) - vec(0, 2)) * 2 / 4; this.s = -vec(1, 2);",
            "this.r = vec(1, 2) == vec(1, 2); this.s = vec(1, 2) != (); this.t = vec(0, 1) == 1;",
            "this.r = vec(3, 4).normalized().rotated(0.5).lerp(vec(1, 0), 0.25).clamped(0.5);",
            "this.r = vec(1, 2, 3).z; this.s = vec(1, 2).length_squared();",
            "let o = world::entity(\"hero\"); if o != () { this.r = o.x; this.s = o.name; }",
            "let o = world::entity(\"hero\"); this.r = o.vel.x + o.vel.length();",
            "this.r = world::time() + world::dt() + world::tick();",
            "this.r = world::random(); this.s = world::random(1, 2);",
            "this.r = \"a\" in me.zones; this.s = me.zones.len() == 0;",
        ],
        "",
    );
}

#[test]
fn what_is_drawn_is_what_the_interpreter_draws() {
    sweep(
        &[
            "world::text(\"a\", this.a, 3, this.b);",
            "me.text(me.name, 0, 30, `${this.a} of ${this.b}`); me.erase(me.kind);",
            "hud::bar(\"a\", 0, 0, this.a, #{ color: \"red\", width: this.b });",
            "world::line(\"a\", me.x, me.y, this.a, this.b, #{ width: 2 }); world::erase(\"b\");",
            "me.circle(\"a\", 0, 0, this.a); hud::rect(\"b\", -5, -5, this.a, 4, #{ align: \"left\" });",
            "me.color = this.a; me.visible = this.b;",
            "me.color = if me.grounded { \"gold\" } else { () }; me.visible = me.x > 0;",
        ],
        "",
    );
}

#[test]
fn functions_are_those_of_rhai() {
    sweep(
        &[
            "this.r = max(this.a, this.b); this.s = min(this.b, this.a);",
            "this.r = abs(this.a); this.s = sign(this.b);",
            "this.r = sqrt(this.a) + floor(this.b) + round(this.b) + ceiling(this.a);",
            "this.r = sin(this.a) + cos(this.b) + atan2(this.a, this.b) + hypot(this.a, this.b);",
            "this.r = clamp(this.a, 0, this.b); this.s = PI();",
            "this.r = to_int(this.a); this.s = to_float(this.b); this.t = pow(2, this.n);",
            "this.r = help::twice(this.a); this.s = help::deep(this.n); help::nothing();",
            "this.r = help::scaled(me, this.a); this.s = help::has(this.b);",
            "this.add(me, this.a); this.r = plus(this.a, this.b); nothing(); this.nothing();",
            "this.r = this.early(me, this.n) + early_out(this.n);",
            "this.r = \"left-overs\".starts_with(\"left\"); this.s = me.name.ends_with(\"0\");",
            "this.r = `${this.a} and ${this.b}: ${me.x} ${vec(1, 2)}`;",
            "print(`tick ${this.n}`); print(me.name);",
            "this.r = this.a.len(); this.s = this.b.contains(\"t\");",
            "this.r = this.a[0]; this.s = this.a[this.n]; this.t = this.a[-1];",
            "let k = KEYS; this.r = k[1]; this.s = KEYS.len() == 2;",
            "let m = #{ x: this.a, y: 2 }; this.r = m.x; this.s = m.none;",
        ],
        "const KEYS = [\"left\", \"right\"];\nfn plus(x, y) { x + y }\nfn nothing() { }\n\
         fn add(me, by) { this.n += 1; this.sum = by; }\n\
         fn early(me, n) { if n > 2 { return 1; } let m = n * 2; m }\n\
         fn early_out(n) { n += 1; if n > 2 { return; } n }",
    );
}

#[test]
fn statements_are_those_of_rhai() {
    sweep(
        &[
            "",
            ";",
            "return;",
            "return 5;",
            "let i = 0; while i < 10 { i += 1; if i == 3 { continue; } if i > 6 { break; } this.r = i; }",
            "let i = 0; loop { i += 1; if i > 4 { break; } } this.r = i;",
            "for i in 0..5 { if i == 1 { continue; } this.r = i; i += 10; }",
            "for i in this.a..this.b { if i > 3 { break; } this.r = i; }",
            "let sum = 0; for i in [1, 2, 3] { if i == 2 { continue; } sum += i; } this.r = sum;",
            "for x in this.a { this.r = x; this.s = [x]; }",
            "for x in [this.a, [this.b], \"text\", vec(1, 2)] { this.r = x; if x == this.b { break; } this.n += 1; }",
            "for (x, i) in [this.b, this.a, 7] { this.r = x; this.s = i; i += 5; x = i; this.t = x; }",
            "for x in [[1, 2], [3]] { for y in x { this.r = y; } this.s = x.len(); }",
            "for x in [] { this.r = x; } for x in LIST { this.r = x; }",
            "for o in world::all(\"k1_1\") { this.r = o.x; this.s = o.name; this.t = o.vel; }",
            "for o in world::near(me.x, me.y, 20) { if o.id == me.id { continue; } this.r = o.x; this.s = o.hook.state; }",
            "let l = [1, 2]; for x in l { l = x; } this.r = l;",
            "for m in [#{ a: this.a }, #{ a: 2 }] { this.r = m.a; }",
            "switch this.a { 0 => this.r = 1, \"\" => this.r = 2, true if this.n > 0 => this.r = 3, _ => this.r = 4 }",
            "this.r = switch this.b { 1 => 5, 0.0 => 6, -7 | 3 => 7 };",
            "let x = if this.a == 0 { 1 } else if this.b == 0 { 2 } else { 3 }; this.r = x;",
            "let x = if this.a == 0 { 1 }; this.r = x;",
            "this.r = { let y = this.n; y + 1 };",
            "if this.a == 1 { throw this.b; }",
            "this.r = 1; me.jump(); me.push(this.a, this.b); me.note(`a${this.n}`);",
            "me.hold(\"left\"); this.r = me.held(\"left\"); me.release(\"left\"); this.s = me.held(\"left\");",
            "this.r = me.pressed(\"jump\"); this.s = me.released(\"jump\"); this.t = me.axis(\"move\");",
            "me.after(1, \"later\"); me.cancel(\"later\"); me.after(this.a, \"later\");",
            "world::emit(\"seen\", #{ a: this.a, b: [this.b] }); world::emit(\"seen\", me.name);",
            "me.place(me.x, me.y + 1); me.set_model(\"topdown\"); me.clear_model();",
            "let c = world::create(\"hero\", me.x, 300); this.r = c;",
            "me.tune(\"platformer.jump_speed\", 100); me.untune(\"platformer.jump_speed\");",
            "me.remove();",
        ],
        "const LIST = [\"a\", 2, [3]];",
    );
}

#[test]
fn lists_in_lists_texts_and_long_names_cost_the_same() {
    sweep(
        &[
            "let l = [[1, 2, 3, 4, 5], [6, 7, 8, 9], [[1], [2], [3]], [this.a, this.b]]; this.r = l.len();",
            "let l = [this.a, [this.b], #{ m: [this.a, 1, 2, 3], n: #{ o: 1, p: 2 } }, [#{ q: 3 }]]; this.r = l.len();",
            "this.a_name_of_more_than_23_bytes = this.n; this.n += 1;",
            "this.r = \"a text\"; this.s = \"another\"; this.r = this.n; this.a = \"\";",
        ],
        "",
    );
}

#[test]
fn lists_and_maps_are_kept_in_variables_as_by_the_interpreter() {
    sweep(
        &[
            "this.r = [this.a, this.b];",
            "this.r = [this.a, [this.b, 1], #{ c: [this.a] }]; this.n = this.r.len();",
            "this.r = #{ a: this.a, b: [this.b, 1, 2] }; this.s = this.r.a; this.r = #{};",
            "this.r = this.a; this.a = this.b; this.b = this.r;",
            "this.a = 1; this.b = \"x\";",
            "this.r = [1, 2, 3]; this.n = this.r.len(); this.r = 5; this.s = this.r;",
            "this.r = []; this.s = #{ }; this.t = [[], [[]]];",
            "this.a_name_of_more_than_23_bytes = [1, \"two\", vec(1, 2)]; this.n += 1;",
            "this.r = #{ a_name_of_more_than_23_bytes: this.a }; this.s = [this.r, this.r];",
            "this.r = [this.a]; this.s = this.r; this.t = this.s[0];",
            "this.r = me.hook; this.s = me.zones; this.t = [me.hook.tip, me.vel];",
            "this.r = KEYS; this.s = [KEYS, KEYS]; let k = KEYS; this.t = k[1];",
            "this.r = [me.name, `${this.a} and ${this.b}`]; this.s = this.r[1];",
            "let l = [this.a]; this.r = l; l = 2; this.s = l;",
            "if this.r == () { this.r = [this.n]; } else { this.r = #{ n: this.r }; }",
        ],
        "const KEYS = [\"left\", [1, 2.5]];",
    );
}

/// Each call that compared a kept list with `()` was left to the interpreter.
#[test]
fn kept_lists_and_maps_are_compared_with_values_of_other_types() {
    let comparisons = [
        "this.r = this.l == 1; this.s = this.m != \"a\"; this.t = this.l < 2.5; this.u = 7 >= this.m;",
        "this.r = this.l == this.m; this.s = this.m != this.l; this.t = this.l == vec(1, 2); this.u = this.m == true;",
        "this.r = this.l == #{ n: 1 }; this.s = [1] == this.m; this.t = LIST == this.m; this.u = MAP != this.l;",
        "this.r = this.b == this.m; this.s = this.m != this.a; if this.l != () { this.t = LIST == (); }",
    ];
    let bodies = comparisons.map(|all| format!("if this.l == () {{ this.l = [1]; this.m = #{{ n: 1 }}; }} {all}"));
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    let constants = "const LIST = [1]; const MAP = #{ n: 1 };";
    sweep_all(&bodies, constants, |counts| counts.compiled > 0 && counts.bailed == 0);
}

#[test]
fn elements_and_entries_are_changed_in_their_place_as_by_the_interpreter() {
    let lists = "this.l = [1, this.a, [2, this.b], #{ x: 1, y: [3] }]; this.m = #{ n: 1, l: [1, 2], m: #{ x: 2 } };";
    let bodies = [
        "this.a[0] = this.b; this.a[-1] = 7; this.n = this.a.len();",
        "this.l[0] = this.b; this.l[2][1] = 5; this.l[3].x = this.a; this.l[3].z = 1; this.l[3].y[0] += 4;",
        "this.l[0] += 1; let i = 2; this.l[i][0] -= 3; this.l[i - 2] *= 2; this.r = this.l[i][0];",
        "this.m.n = this.a; this.m.k = this.b; this.m.m.x += 1; this.m.l[1] = this.a; this.m[\"k\"] = 2;",
        "let k = \"n\"; this.m[k] += 1; this.m[k + k] = 3; this.m[`n`] -= 2; this.r = this.m.len();",
        "this.l.push(this.a); this.l[2].push([this.b]); this.m.l.push(3); this.r = this.l.len() + this.l[2].len();",
        "this.r = this.l.pop(); this.s = this.l.shift(); this.t = this.l.remove(1); this.u = this.m.remove(\"l\");",
        "this.m.remove(\"none\"); this.m.remove(\"n\"); this.m.remove(\"l\"); this.m.remove(\"m\"); this.m.z = 1;",
        "let e = []; this.r = e.pop(); this.s = e.shift(); e.push(1); this.t = e.remove(-1); this.u = e.remove(7);",
        "let b = this.l; b[0] = 9; this.l[1] = 8; b.push(1); this.r = b; this.s = this.l; b[0] = 7; this.l[0] = 6;",
        "let x = [1, 2]; let y = x; y[0] = 5; x.push(6); let z = [x, y]; z[0][1] = 7; this.r = [x, y, z];",
        "let x = [[1], [2]]; for i in x { i.push(3); this.r = i; } for i in x { x[0] = i; } this.s = x;",
        "let x = [[1], [2]]; let y = x[0]; y[0] = 4; x[1][0] = y; this.r = x; this.s = y;",
        "let m = #{ a: [1] }; let l = m.a; l.push(2); m.a[0] = this.b; m.b = m; this.r = m; this.s = l;",
        "let x = [1]; changed(x); this.r = x; this.s = changed([this.a]); this.t = changed(KEYS);",
        "let k = KEYS; k[0] = this.a; k.push(2); this.r = k; this.s = KEYS;",
        "let m = MAP; m.a = 2; m.l[0] += 1; m[\"b\"] = this.b; this.r = m; this.s = MAP.a;",
        "let v = vec(1, 2); v.x += this.n; let m = #{ x: 1 }; m.x += 2; m.y = v; this.r = m; this.s = v;",
        "this.v = vec(1, 2); this.v.x += 3; this.w = #{ x: 1 }; this.w.x += 3; this.w.y = this.v;",
        "for i in 0..12 { this.l.push(i); this.l[-1] += i; this.m[`k${i}`] = i; if this.l.len() > 9 { this.l.shift(); } }",
        "this.x = this.l; this.x[0] = 5; this.l[0] = 6; this.x = this.x[0];",
        "this.r = this.l[3].x; this.s = this.m.m.x; this.t = this.l[2]; this.u = this.m.none; this.r = this.l[2].len();",
        "let near = world::near(me.x, me.y, 20); if near.len() > 1 { this.r = near[1].x; this.s = near[0].vel.length(); }",
        "this.r = world::all(\"k1_1\")[0].name; this.s = world::all(\"k1_1\")[0].x; this.t = me.zones.len();",
        "let all = world::all(\"k1_1\"); this.r = all[0].name; this.s = all[0].hook.state; this.t = all.len();",
        "this.a_name_of_more_than_23_bytes = #{}; this.a_name_of_more_than_23_bytes.another_of_more_than_23_bytes = 1;",
        "this.r = []; this.r.push(vec(1, 2)); this.r.push(\"text\"); this.r[0] = this.r[1]; this.r[1] += \"s\";",
    ];
    let bodies = bodies.map(|body| match body.contains("this.l") || body.contains("this.m") {
        true => format!("if this.l == () {{ {lists} }} {body}"),
        false => body.to_string(),
    });
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    sweep(
        &bodies,
        "const KEYS = [\"left\", [1, 2.5]];\nconst MAP = #{ a: 1, l: [1] };\n\
         fn changed(x) { x.push(1); x[0] = 7; x }",
    );
}

#[test]
fn changes_that_cannot_be_completed_are_undone() {
    let lists = "if this.l == () { this.l = [1, [2], #{ x: 1 }]; this.m = #{ n: 1 }; }";
    let bodies = [
        "this.l[0] = 5; this.l[1].push(3); this.l[2].x = 4; this.l[9] = 1;",
        "this.m.n = 2; this.m.k = 3; this.m.remove(\"n\"); this.m[0] = 1;",
        "this.l.push(1); this.l.shift(); this.l = []; this.l.push(me);",
        "this.l.push(2); this.l.push(0.0 / 0.0);",
        "let x = this.l; x[0] = 7; this.l[0] = 8; throw x;",
        "const X = [1]; X.push(2);",
    ];
    let bodies = bodies.map(|body| format!("{lists} this.n += 1; {body}"));
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    sweep_all(&bodies, "", |counts| counts.compiled == 0);
}

#[test]
fn texts_in_lists_and_maps_are_bounded_as_by_the_interpreter() {
    let text = "x".repeat(3_000);
    let with_text = |body: &str| format!("let x = \"{text}\"; {body}");
    let bodies = [
        "let l = [x, x]; this.r = l.len();",
        "let l = [[x], #{ a: x }]; this.r = l.len();",
        "let m = #{ a: x, b: x }; this.r = m.a.len();",
        "this.r = [x]; this.s = 1;",
        "this.r = [x]; this.s = [x]; this.t = 1;",
        "this.r = x; this.s = x; this.t = 1;",
        "this.r = x; this.s = [x]; this.t = this.r.len();",
        "this.r = #{ a: [x] }; this.s = x; this.n += 1;",
    ]
    .map(with_text);
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    // Whichever of the two runs them.
    sweep_all(&bodies, "", |_| true);
}

/// A rate that was written, and the number of a rope, were left behind: the interpreter saw that it was there already.
#[test]
fn a_call_that_is_given_up_leaves_nothing_for_the_interpreter_to_see() {
    on_large_stack(|| {
        for (write, read) in [
            ("me.time_scale = 0.5", "me.time_scale"),
            ("me.vel = vec(30, 40)", "me.vel.x"),
            ("me.external = vec(5, 0)", "me.external.x"),
            ("me.facing = -1", "me.facing"),
            ("let rope = world::rope(me.name, vec(me.x, me.y + 80), 80)", "rope"),
            ("let made = world::create(\"k0_0\", me.x, me.y)", "made"),
            ("let number = world::random()", "number"),
            ("me.after(0.5, \"ring\")", "me.x"),
            ("world::emit(\"hop\", #{ at: me.x })", "me.x"),
            ("world::keep(\"n\", (world::kept(\"n\") ?? 0) + 1)", "world::kept(\"n\")"),
        ] {
            let script = format!(
                "fn on_tick(me, event) {{ if me.name != \"hero\" {{ return; }}\n\
                 {write}; this.r = {read}; this.list = [me]; }}\n\
                 fn on_ring(me, event) {{ this.rung = (this.rung ?? 0) + 1; }}\n\
                 fn on_hop(me, event) {{ this.hops = (this.hops ?? 0) + 1; }}"
            );
            let folder = game(&script);
            folder.write("config/entities/hero.toml", "script = \"hero.rhai\"\nvars = { r = 0, list = 0 }\n");
            let (compiled, counts) = play_as(&folder, Execution::Compiled);
            let (interpreted, _) = play_as(&folder, Execution::Interpreted);
            assert!(counts.bailed > 0, "{write}: {counts:?}");
            assert_eq!(compiled, interpreted, "{write}");
        }
    });
}

#[test]
fn what_compiled_code_leaves_to_the_interpreter_is_left_whole() {
    sweep_bailing(
        &[
            "this.n += 1; this.r = [me]; this.s = 1;",
            "this.n += 1; this.r = [world::entity(\"k0_0\")];",
            "this.n += 1; this.r = #{ x: 1.0 / 0.0 };",
            "let o = world::entity(\"none\"); this.r = o == (); this.s = o.x;",
            "this.n += 1; me.push(1, 2); this.r = this.a.x; this.s = this.b.length();",
            "this.n += 1; for i in 0..1000000 { this.r = i; }",
            "this.n += 1; me.hold(\"left\"); throw \"wrong\";",
            "this.r = world::random(); me.tune(\"platformer.run_speed\", 100);",
        ],
        "",
    );
}

#[test]
fn events_and_rules_are_compiled() {
    on_large_stack(|| {
        let folder = game(
            "const SLIPPERY = [\"ice\"];\n\
             fn model(me) { if me.surface in SLIPPERY { \"two_velocity\" } else { \"platformer\" } }\n\
             fn jump_windows(me) { if me.grounded { #{ coyote_time: 0.1, jump_buffer: this.b } } }\n\
             fn can_grab(me, hit) { hit.surface == \"stone\" && !hit.roof }\n\
             fn grapple_snaps(me, rope) { rope.pull_away > 1000.0 || rope.snaps }\n\
             fn on_birth(me, event) { this.home = vec(me.x, me.y); this.e = event.event; }\n\
             fn on_tick(me, event) { if event.tick == 1 { me.jump(); world::emit(\"hop\", #{ at: me.x }); } }\n\
             fn on_jump(me, event) { this.jumps = event.tick; this.who = event.entity; }\n\
             fn on_hop(me, event) { this.far = event.data.at - me.x; this.none = event.nothing; }\n\
             fn on_leave_ground(me, event) { this.jumped = event.jumped; }\n\
             fn on_land(me, event) { this.speed = event.speed; this.normal = event.normal; }",
        );
        let (difference, counts) = play(&folder);
        assert_eq!(difference, None);
        assert_eq!(counts.interpreted, 0);
        assert!(counts.compiled > 1_000, "{counts:?}");
    });
}

/// The answer of an event hook is ignored. These could not become values of Rhai after the hook had done everything,
/// and the interpreter then did it a second time.
#[test]
fn a_hook_that_ends_with_me_is_called_once() {
    sweep_bailing(
        &[
            "this.n += 1; me.push(10, 0); me",
            "this.n += 1; me.push(10, 0); return me;",
            "this.n += 1; me.push(10, 0); [me]",
            "this.n += 1; me.push(10, 0); #{ who: me }",
        ],
        "",
    );
}
