//! Compiled code that calls functions of the layers below does exactly what the interpreter does.

use crate::folder::{Folder, LEVEL, on_large_stack};
use hangtime_core::sim::Inputs;
use hangtime_game::{GameFolder, Live, Project};
use hangtime_script::{CallCounts, Execution, render_all};
use std::sync::Arc;

/// How many ticks each game runs.
const TICKS: usize = 8;

/// A script that the others are above.
const LOWEST: &str = "const STEP = 3;\n\
    fn plain() { 7 }\n\
    fn nothing(me) { }\n\
    fn step() { STEP }\n\
    fn count(me, by) { this.n += by * step(); this.n }\n\
    fn list(x) { this.l = [x, this.n]; this.l.push([x]); this.l }\n\
    fn early(n) { if n > 2 { this.n += 1; return this.n; } for i in 0..n { this.n += i; } this.n }\n\
    fn random(me) { this.r = world::random(); me.push(this.r, 0); me.after(0.05, \"rung\"); world::random_int(0, 9) }\n\
    fn note(me, text) { me.note(text); print(text); this.log = text; me.x }\n\
    fn wrong() { this.n += 1; throw \"no\"; }\n\
    fn over(n) { this.fresh = n; let i = 0; while i < n { i += 1; } i }\n\
    fn member(e) { e.tick + 1 }\n\
    fn assigned(x) { x.push(this.n); x[0] = 7; x }\n\
    fn whole() { this }\n\
    fn helped(x) { this.twice(x) + this.n }\n\
    fn twice(x) { this.n += x; x * 2 }\n\
    fn on_rung(me) { this.rung = world::tick(); }\n";

/// A script between the lowest and the topmost one.
const MIDDLE: &str = "fn count(me, by) { this.n += 1; base::count(me, by + this.n) + base::step() }\n\
    fn middle(me) { this.m = [base::random(me), base::plain()]; this.m }\n\
    fn on_rung(me) { this.rung = world::tick(); }\n";

/// A hero with these scripts, the lowest one first.
fn layered(scripts: &[&str]) -> Folder {
    let folder = Folder::empty();
    folder.write("levels/level.toml", LEVEL);
    folder.write("config/surfaces.toml", "[stone]\n[ice]\ngrip = 0.1\n");
    for (place, script) in scripts.iter().enumerate() {
        let (root, key) = match place {
            0 => (String::new(), "script = \"s0.rhai\"".to_string()),
            // Mods without other order are in the order of their names.
            _ => (format!("mods/m{place:02}/"), format!("scripts = [\"s{place}.rhai\"]")),
        };
        if place > 0 {
            folder.write(&format!("{root}mod.toml"), &format!("name = \"m{place:02}\"\nversion = \"1.0.0\"\n"));
        }
        let kind = format!("{key}\nvars = {{ n = {place}, a = \"text\", l = [1, [2]] }}\n");
        folder.write(&format!("{root}config/entities/hero.toml"), &kind);
        folder.write(&format!("{root}scripts/s{place}.rhai"), script);
    }
    folder
}

/// Plays a game: the world's hash at its end, what differs both ways, and how the calls were made.
fn play(folder: &Folder, execution: Execution) -> (u64, Option<String>, CallCounts) {
    let game = GameFolder::new(folder.root()).run_scripts(execution);
    let project = Project::load(game).expect("a game");
    let opened = project.open(&folder.path("levels/level.toml"), &[]);
    let revision = opened.unwrap_or_else(|e| panic!("{}", render_all(&e.diagnostics(), false)));
    assert!(revision.mods.left_out.is_empty(), "{:?}", revision.mods.left_out[0].why[0].headline());
    let mut live = Live::new(Arc::new(revision), 0);
    let mut difference = None;
    for _ in 0..TICKS {
        live.step(&Inputs::none());
        difference = difference.or(live.take_call_difference().map(|d| d.to_string()));
    }
    (live.world().hash(), difference, live.call_counts())
}

/// Plays the scripts below with each body as `on_tick` of a script above them.
fn sweep(below: &[&str], bodies: &[&str], right: fn(CallCounts) -> bool) {
    on_large_stack(|| {
        let mut wrong = Vec::new();
        for body in bodies {
            let top = format!("fn on_tick(me, event) {{ {body} }}");
            let scripts: Vec<&str> = below.iter().copied().chain([top.as_str()]).collect();
            let folder = layered(&scripts);
            let (hash, difference, counts) = play(&folder, Execution::BothWays);
            if let Some(difference) = difference {
                wrong.push(format!("{body}\n    {difference}"));
            } else if !right(counts) {
                wrong.push(format!("{body}\n    {counts:?}"));
            }
            for execution in [Execution::Compiled, Execution::Interpreted] {
                if play(&folder, execution).0 != hash {
                    wrong.push(format!("{body}\n    another hash"));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}

/// Every call is completed in compiled code.
fn all_compiled(counts: CallCounts) -> bool {
    counts.compiled > 0 && counts.bailed + counts.interpreted == 0
}

const CALLS: [&str; 14] = [
    "this.r = base::plain();",
    "base::nothing(me);",
    "this.n = base::count(me, 2); base::count(me, this.n); this.r = this.n;",
    "this.r = base::list(this.l); this.s = base::list(base::plain());",
    "for i in 0..5 { this.r = base::early(i) + base::early(this.n); }",
    "this.r = world::random(); this.s = base::random(me); this.t = world::random(); me.push(this.t, 1);",
    "if base::count(me, 1) > 5 { return base::step(); } this.r = base::helped(base::plain());",
    "let l = this.l; this.r = base::assigned(l); this.s = l; base::assigned([this.a]);",
    "this.l = base::list(\"a text that is longer than others, so that copies of it are charged for\");",
    "let t = `a text that is longer than others, ${this.n}`; this.r = base::list(t); this.s = base::list(t).len();",
    "let l = [[1, 2, 3], [4, 5, 6], [7, 8, 9], #{ a: [1, 2] }]; this.r = base::list(l); this.s = base::list(this.r);",
    "let m = base::step() + base::step() * base::plain(); this.r = [m, base::step()];",
    "this.r = base::twice(base::twice(base::twice(1)));",
    "this.r = base::over(20); this.a_name_of_more_than_23_bytes = base::plain();",
];

#[test]
fn functions_of_the_layer_below_are_compiled_into_their_callers() {
    sweep(&[LOWEST], &CALLS, all_compiled);
}

#[test]
fn functions_two_layers_below_are_compiled_into_their_callers() {
    sweep(&[LOWEST, MIDDLE], &CALLS, all_compiled);
    let bodies = [
        "this.r = base::middle(me); this.s = base::middle(me);",
        "this.r = world::random(); this.s = [base::middle(me), base::random(me)]; this.t = world::random();",
        "for i in 0..3 { this.n += base::count(me, i); base::middle(me); me.note(`${this.n}`); }",
    ];
    sweep(&[LOWEST, MIDDLE], &bodies, all_compiled);
}

#[test]
fn what_layers_below_have_done_is_undone_if_the_call_is_not_completed() {
    let bodies = [
        "base::count(me, 1); base::random(me); this.n += 1; base::wrong();",
        "this.r = base::list(1); base::count(me, 2); this.s = base::list(me);",
        "base::random(me); base::note(me, \"x\"); base::twice(4); throw \"wrong\";",
        "this.r = world::random(); base::random(me); base::helped(1); base::over(1000000);",
        "base::count(me, 1); this.r = base::member(5);",
        "base::random(me); base::count(me, 9223372036854775807);",
    ];
    for below in [&[LOWEST][..], &[LOWEST, MIDDLE]] {
        sweep(below, &bodies, |counts| counts.bailed > 0);
    }
}

#[test]
fn what_needs_the_interpreter_below_leaves_its_caller_to_it() {
    let bodies = [
        "this.r = base::note(me, `at ${this.n}`); me.note(\"after\"); print(base::note(me, this.a));",
        "this.r = base::member(event); this.n = event.tick;",
    ];
    for below in [&[LOWEST][..], &[LOWEST, MIDDLE]] {
        sweep(below, &bodies, |counts| counts.compiled == 0);
    }
}

#[test]
fn what_is_not_compiled_below_is_interpreted() {
    sweep(&[LOWEST], &["this.r = base::whole();"], |counts| counts.interpreted > 0);
    // As deep as the limit of calls allows, and deeper.
    for levels in 1..=12 {
        let chain = |place: usize| match place {
            0 => LOWEST.to_string(),
            place => format!(
                "fn deep{place}(x) {{ this.n += 1; base::{}(x) + 1 }}",
                match place {
                    1 => "twice".to_string(),
                    place => format!("deep{}", place - 1),
                }
            ),
        };
        let scripts: Vec<String> = (0..=levels).map(chain).collect();
        let scripts: Vec<&str> = scripts.iter().map(String::as_str).collect();
        let body = format!("this.r = base::deep{levels}(me.id);");
        sweep(&scripts, &[body.as_str()], |counts| counts.compiled + counts.interpreted > 0);
    }
}
