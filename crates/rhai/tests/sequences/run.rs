//! A world with one entity whose script is given, and a level without a script.

use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::Collider,
    level::{Level, View},
    models::{Loadouts, ModelName, ModelTunings},
    sim::{Inputs, Profile, SavedWorld, ScriptId, SequenceFrame, Stage, Start, Value, World},
    tuning::{ScriptTuning, SimulationTuning, SurfaceTuning},
};
use hangtime_rhai::Rhai;
use hangtime_script::{
    Behavior, Diagnostic, Execution, Languages, Limits, STACK, ScriptRules, Scripts, SourceFile, Sources,
};
use std::{collections::BTreeMap, sync::Arc};

pub struct Run {
    pub stage: Stage,
    pub world: World,
    pub rules: ScriptRules,
    pub faults: Vec<String>,
}

/// Runs a test with the stack that scripts need.
pub fn on_large_stack(test: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, test).expect("a thread");
        if let Err(panic) = thread.join() {
            std::panic::resume_unwind(panic);
        }
    });
}

/// Compiles a script next to others that it may import.
pub fn compile(text: &str, others: &[(&str, &str)], execution: Execution) -> (Scripts, Vec<Diagnostic>) {
    let file = |(key, text): (&str, &str)| {
        (key.to_string(), Arc::new(SourceFile { name: format!("scripts/{key}"), text: text.into() }))
    };
    let sources: Sources = others.iter().copied().chain([("hero.rhai", text)]).map(file).collect();
    let limits = Limits::of(&ScriptTuning::default());
    let mut found = Vec::new();
    let behaviors = [Behavior::alone("hero.rhai")];
    let scripts = Scripts::compile(Languages(&[&Rhai]), sources.into(), &behaviors, limits, execution, &mut found);
    (scripts, found)
}

/// The messages about a script when it is compiled, each with its line and column.
pub fn messages(text: &str, others: &[(&str, &str)]) -> Vec<String> {
    let found = compile(text, others, Execution::default()).1.into_iter();
    let placed = found.map(|wrong| match &wrong.place {
        Some(place) => format!("{:?} {}", place.position(), wrong.message),
        None => wrong.message.clone(),
    });
    placed.collect()
}

fn rules(text: &str, execution: Execution) -> ScriptRules {
    let (scripts, found) = compile(text, &[], execution);
    let found: Vec<_> = found.iter().map(|wrong| wrong.render(false)).collect();
    assert!(found.is_empty(), "{}\n{text}", found.join("\n"));
    Arc::new(scripts).rules()
}

/// A ball that falls through an empty level.
fn stage() -> Stage {
    let vars = ["h", "n"].map(|name| (name.to_string(), Value::Int(0)));
    let profile = Profile {
        kind: "hero".into(),
        script: Some(ScriptId(0)),
        layers: Vec::new(),
        model: ModelName::platformer,
        loadouts: Loadouts::new(ModelTunings::default(), |_| Collider::ellipse(10.0, 12.0).into()),
        pushes: false,
        mass: 1.0,
        carries: Default::default(),
        stances: Default::default(),
        time_scale: 1.0,
        vars: BTreeMap::from(vars),
    };
    let start = Start {
        name: "hero".into(),
        profile: 0,
        at: dvec2(0.0, 0.0),
        z: 0.0,
        angle: 0.0,
        velocity: DVec2::ZERO,
        player: None,
    };
    let level = Level::new("air", View::Side, Vec::new(), vec!["stone".into()]);
    let (surfaces, starts) = (vec![SurfaceTuning::default()], vec![start]);
    Stage::new(level, &SimulationTuning::default(), None, surfaces, vec![profile], starts)
}

impl Run {
    pub fn new(text: &str) -> Self {
        Self::executed(text, Execution::default())
    }

    pub fn executed(text: &str, execution: Execution) -> Self {
        let stage = stage();
        let world = World::new(&stage, 7);
        Self { world, rules: rules(text, execution), faults: Vec::new(), stage }
    }

    pub fn ticks(&mut self, count: usize) -> &mut Self {
        for _ in 0..count {
            self.world.tick(&self.stage, &Inputs::none(), &mut self.rules);
            let faults = self.rules.take_faults().first;
            self.faults.extend(faults.iter().map(|fault| fault.diagnostic.message.clone()));
            let difference = self.rules.take_call_difference();
            assert!(difference.is_none(), "{difference:?}");
        }
        self
    }

    /// Saves the world as JSON and loads it again.
    pub fn restore(&mut self) {
        let saved = serde_json::to_string(&self.world).expect("a world is data");
        let loaded: SavedWorld = serde_json::from_str(&saved).expect("a saved world");
        let loaded = loaded.check(&self.stage).unwrap_or_else(|error| panic!("{error:?}\n{saved}"));
        assert_eq!(loaded.hash(), self.world.hash());
        self.world = loaded;
    }

    /// Continues with another script, as after a reload.
    pub fn reload(&mut self, text: &str) -> &mut Self {
        self.rules = rules(text, Execution::default());
        let stage = self.stage.clone();
        self.world.adopt(&stage, &stage);
        self
    }

    pub fn var(&self, name: &str) -> Value {
        let entity = self.world.entity("hero").expect("the hero");
        entity.vars.0.to_plain().get(name).cloned().unwrap_or_default()
    }

    /// What was logged with `this.log.push(…)`.
    pub fn log(&self) -> Vec<i64> {
        match self.var("log") {
            Value::List(list) => list
                .iter()
                .map(|value| match value {
                    Value::Int(x) => *x,
                    other => panic!("{other:?}"),
                })
                .collect(),
            _ => Vec::new(),
        }
    }

    pub fn frames(&self) -> &[SequenceFrame] {
        self.world.entity("hero").map_or(&[], |hero| self.world.frames().of(hero.id))
    }
}
