//! Tests of `src/calls/rules.rs`.

use crate::{Rhai, calls::compile::RhaiProgram};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::Collider,
    level::{Level, View},
    models::{Loadouts, ModelName, ModelTunings},
    sim::{Inputs, Profile, ScriptId, ScriptLayer, Stage, Start, Value, World},
    tuning::{ScriptTuning, SimulationTuning, SurfaceTuning},
};
use hangtime_script::{
    Behavior, BelowScript, CallProbe, CompileRequest, Compiled, Diagnostic, Execution, Language, Languages, Limits,
    ScriptRules, Scripts, SourceFile, Spelling,
};
use std::{collections::BTreeMap, sync::Arc};

const SCRIPT: &str = "
        fn on_tick(me) {
            this.n += 1;
            me.facing = if this.n % 2 == 0 { 1 } else { -1 };
            if me.name == \"b\" && this.n == 2 { explode(); }
        }
    ";

/// Entities `a`, `b` and `c` in the air, far from each other.
fn stage() -> Stage {
    stage_of(&["a", "b", "c"])
}

/// Entities with these names in the air, far from each other.
fn stage_of(names: &[&str]) -> Stage {
    let profile = Profile {
        kind: "member".into(),
        script: Some(ScriptId(0)),
        layers: Vec::new(),
        model: ModelName::platformer,
        loadouts: Loadouts::new(ModelTunings::default(), |_| Collider::ellipse(10.0, 12.0).into()),
        pushes: false,
        mass: 1.0,
        carries: Default::default(),
        stances: Default::default(),
        time_scale: 1.0,
        vars: BTreeMap::from([("n".into(), Value::Int(0))]),
    };
    let start = |(index, name): (usize, &&str)| Start {
        name: (*name).into(),
        profile: 0,
        at: dvec2(100.0 * index as f64, 0.0),
        z: 0.0,
        angle: 0.0,
        velocity: DVec2::ZERO,
        player: None,
    };
    Stage::new(
        Level::new("air", View::Side, Vec::new(), vec!["stone".into()]),
        &SimulationTuning::default(),
        None,
        vec![SurfaceTuning::default()],
        vec![profile],
        names.iter().enumerate().map(start).collect(),
    )
}

/// Rhai with a native function that panics.
struct BuggyRhai;

impl Language for BuggyRhai {
    fn name(&self) -> &'static str {
        "Rhai"
    }

    fn ending(&self) -> &'static str {
        "rhai"
    }

    fn compile(&self, request: &CompileRequest<'_>, found: &mut Vec<Diagnostic>) -> Compiled {
        let mut program = RhaiProgram::compile(request, found);
        program.engine.register_fn("explode", || -> i64 { panic!("a bug in a native function") });
        program.compiled()
    }

    fn spelling(&self) -> Spelling {
        Rhai.spelling()
    }
}

/// The rules of some scripts, each above the one before.
fn rules(texts: &[(&str, &str)]) -> ScriptRules {
    limited(texts, Limits::of(&ScriptTuning::default()), Execution::default())
}

fn limited(texts: &[(&str, &str)], limits: Limits, execution: Execution) -> ScriptRules {
    let file = |(name, text): &(&str, &str)| {
        let (name, text) = (name.to_string(), text.to_string());
        (name.clone(), Arc::new(SourceFile { name, text }))
    };
    let sources = Arc::new(texts.iter().map(file).collect());
    let mut faults = Vec::new();
    let behavior = |(place, (key, _)): (u32, &(&str, &str))| Behavior {
        key: (*key).into(),
        below: match place.checked_sub(1) {
            Some(below) => BelowScript::Script(ScriptId(below)),
            None => BelowScript::Nothing,
        },
    };
    let paths: Vec<Behavior> = (0..).zip(texts).map(behavior).collect();
    let languages = Languages(&[&BuggyRhai]);
    let scripts = Scripts::compile(languages, sources, &paths, limits, execution, &mut faults);
    assert!(faults.is_empty(), "{faults:?}");
    Arc::new(scripts).rules()
}

#[test]
fn a_panic_in_a_layer_below_loses_none_of_its_variables() {
    let lower = "fn grow() { this.n += 10; if this.n == 22 { explode(); } this.n }
                     fn on_tick(me) { this.n += 1; }";
    let upper = "fn on_tick(me) { this.n += 1; this.lower = base::grow(); }";
    let mut stage = stage();
    let profile = Arc::make_mut(&mut stage.profiles);
    profile[0].script = Some(ScriptId(1));
    profile[0].layers = vec![ScriptLayer { name: "upper".into(), vars: BTreeMap::from([("n".into(), Value::Int(0))]) }];
    let mut rules = rules(&[("lower.rhai", lower), ("upper.rhai", upper)]);
    let mut world = World::new(&stage, 0);
    for tick in 1..=4 {
        world.tick(&stage, &Inputs::none(), &mut rules);
        for entity in world.entities() {
            let lower = entity.vars.0.to_plain();
            assert_eq!(lower["n"], Value::Int(11 * tick), "{}", entity.name);
            let upper = entity.layers()[0].vars.0.to_plain();
            assert_eq!(upper["n"], Value::Int(tick));
            // The call that has panicked has returned nothing.
            let returned = if tick == 2 { 11 } else { 11 * tick };
            assert_eq!(upper["lower"], Value::Int(returned), "tick {tick}");
        }
        let faults = rules.take_faults().first;
        assert_eq!(faults.len(), if tick == 2 { 3 } else { 0 }, "{faults:?}");
    }
}

#[test]
fn a_panic_in_one_call_fails_that_call_alone() {
    let (stage, mut rules) = (stage(), rules(&[("member.rhai", SCRIPT)]));
    let mut world = World::new(&stage, 0);
    for tick in 1..=3 {
        world.tick(&stage, &Inputs::none(), &mut rules);
        for entity in world.entities() {
            let counted = entity.vars.0.to_plain()["n"].clone();
            // What the failing call changed before stays, as after an error.
            assert_eq!(counted, Value::Int(tick), "{}", entity.name);
            // Its commands do not.
            let failed = tick == 2 && &*entity.name == "b";
            let turned = tick % 2 == 0 && !failed;
            let facing = if turned { 1.0 } else { -1.0 };
            assert_eq!(world.body(entity).facing, facing, "{}", entity.name);
        }
        let faults = rules.take_faults().first;
        let names: Vec<_> = faults.iter().map(|fault| &*fault.entity).collect();
        assert_eq!(names, if tick == 2 { vec!["b"] } else { vec![] });
        for fault in faults {
            assert!(fault.diagnostic.message.contains("internal error in hangtime"));
            assert_eq!(&*fault.hook, "on_tick");
        }
    }
}

#[test]
fn calls_in_a_row_do_what_single_calls_do() {
    let script = "
        fn on_tick(me) {
            this.n += world::random_int(1, 3);
            if me.x > 450 && world::tick() == 3 { me.remove(); }
            if me.name == \"b\" && world::tick() == 4 { throw \"no\"; }
            if me.name == \"c\" && world::tick() == 2 { me.after(0.05, \"soon\"); world::emit(\"heard\", this.n); }
            if me.name == \"b\" && world::tick() == 5 { loop { this.n += 1; } }
            if world::tick() > 5 { for i in 0..50 { this.n += me.facing; } }
        }
        fn on_soon(me) { this.n += 1000; }
        fn on_death(me) { world::emit(\"gone\", this.n); }
        fn on_gone(me, event) { this.n += event.data; }
    ";
    let stage = stage_of(&["a", "b", "c", "d", "e", "f"]);
    let play = |execution: Execution, probed: bool| {
        let limits = Limits { tick_operations: 3100, operations: 3000, ..Limits::of(&ScriptTuning::default()) };
        let mut rules = limited(&[("member.rhai", script)], limits, execution);
        // A probe wants to know of each call: then none are made in a row.
        rules.probe_calls(probed.then_some(CallProbe { begin: || {}, end: |_| {} }));
        let mut world = World::new(&stage, 0);
        let mut seen = Vec::new();
        for _ in 0..12 {
            world.tick(&stage, &Inputs::none(), &mut rules);
            let faults = rules.take_faults().first;
            seen.push((world.hash(), rules.operations(), format!("{faults:?}"), world.entities().len()));
        }
        seen
    };
    let single = play(Execution::Compiled, true);
    assert!(
        single
            .iter()
            .any(|(_, _, faults, _)| faults.contains("remaining calls of the tick are skipped"))
    );
    assert_eq!(single.last().map(|last| last.3), Some(5));
    for execution in [Execution::Compiled, Execution::Interpreted, Execution::BothWays] {
        assert_eq!(play(execution, false), play(execution, true), "{execution:?}");
    }
}
