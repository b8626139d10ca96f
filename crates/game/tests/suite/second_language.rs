//! The table of calls serves any script language: here a very small one, in reverse Polish notation, that knows
//! only the table. It does, costs and says the same as Rhai.

use crate::folder::{Folder, on_large_stack};
use hangtime_core::sim::{
    Decision, EntityView, Inputs, Invocation, LastAsked, ModelAnswer, Rules, Scene, Subscriptions, Value, World,
};
use hangtime_core::tuning::ScriptTuning;
use hangtime_game::Live;
use hangtime_script::api::{EntryKind, Owner};
use hangtime_script::budget::{Allowance, charge, spend, within_tick};
use hangtime_script::calls::{
    Arg, Call, CallAnswer, CallMoment, ForeignValue, Interest, NotPlain, behavior_calls, fields_of_hook, find_call,
};
use hangtime_script::{CallRefusal, Limits, Vector, refuse};
use std::sync::Arc;

/// A value on the stack.
#[derive(Clone, Debug)]
enum Polish {
    Nothing,
    Flag(bool),
    Number(f64),
    Text(String),
    Vec(Vector),
    Entity(Arc<EntityView>),
    List(Vec<Polish>),
    Map(Vec<(&'static str, Polish)>),
}

impl Polish {
    fn arg(&self) -> Arg<'_> {
        match self {
            Self::Flag(x) => Arg::Flag(*x),
            Self::Number(x) => Arg::Number(*x),
            Self::Text(x) => Arg::Text(x),
            Self::Vec(v) => Arg::Vec(*v),
            Self::Nothing => Arg::Nothing,
            _ => Arg::Foreign(self),
        }
    }

    fn of(answer: CallAnswer<'_>) -> Self {
        let each = |fields: Vec<(&'static str, CallAnswer<'_>)>| {
            let fields = fields.into_iter();
            fields.map(|(key, field)| (key, Self::of(field))).collect()
        };
        match answer {
            CallAnswer::Nothing => Self::Nothing,
            CallAnswer::Flag(x) => Self::Flag(x),
            CallAnswer::Whole(x) => Self::Number(x as f64),
            CallAnswer::Number(x) => Self::Number(x),
            CallAnswer::Text(text) => Self::Text(text.into()),
            CallAnswer::Made(text) => Self::Text(text.to_string()),
            CallAnswer::Vec(v) => Self::Vec(v),
            CallAnswer::Entity(view) => Self::Entity(view.clone()),
            CallAnswer::List(list) => Self::List(list.into_iter().map(Self::of).collect()),
            CallAnswer::Fields(fields) => Self::Map(each(fields)),
            CallAnswer::Hook(hook) => Self::Map(each(fields_of_hook(hook).into())),
            // Behaviors receive none of them.
            CallAnswer::Data(_) | CallAnswer::Level(_) | CallAnswer::Live(_) | CallAnswer::Snapshot(_) => Self::Nothing,
        }
    }
}

/// Lists, maps and entities are values of this language that the table looks into only where it takes plain data.
impl ForeignValue for Polish {
    fn type_name(&self) -> &'static str {
        match self {
            Self::List(_) => "an array",
            Self::Map(_) => "a map",
            Self::Entity(_) => "an entity",
            plain => plain.arg().type_name(),
        }
    }

    fn take_size(&self, values: &mut usize, text: &mut usize) -> Option<()> {
        match self {
            Self::List(list) => {
                *values = values.checked_sub(1)?;
                list.iter().try_for_each(|value| value.take_size(values, text))
            }
            Self::Map(_) | Self::Entity(_) => {
                *values = values.checked_sub(1)?;
                Some(())
            }
            plain => plain.arg().take_size(values, text),
        }
    }

    fn to_plain(&self) -> Result<Value, NotPlain> {
        match self {
            Self::List(list) => {
                let each = list.iter().enumerate();
                each.map(|(i, value)| value.to_plain().map_err(|e| e.below(&format!("[{i}]"))))
                    .collect::<Result<_, _>>()
                    .map(Value::List)
            }
            Self::Map(_) | Self::Entity(_) => Err(NotPlain::itself(self.type_name())),
            plain => plain.arg().to_plain(),
        }
    }
}

/// Runs words: numbers, `true`, `false`, `'texts`, `*` and `+`, `pair` for a list of two, `me.NAME`, `me.NAME=`, `world::NAME`, `other.NAME`, and `again`. A name
/// takes as many arguments as the number after its slash says: `world::random/2`.
fn run(program: &str, moment: &mut CallMoment, said: &mut Vec<Polish>) -> Result<(), CallRefusal> {
    let mut stack: Vec<Polish> = Vec::new();
    let words: Vec<&str> = program.split_whitespace().collect();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += 1;
        charge(1)?;
        assert!(spend(), "the budget stops a call before it is stopped by force");
        if let Ok(flag) = word.parse() {
            stack.push(Polish::Flag(flag));
        } else if *word == "again" {
            at = 0;
        } else if let ("pair", Some(first)) = (*word, stack.len().checked_sub(2)) {
            let pair = stack.split_off(first);
            stack.push(Polish::List(pair));
        } else if *word == "say" {
            said.extend(stack.pop());
        } else if let Ok(number) = word.parse() {
            stack.push(Polish::Number(number));
        } else if let Some(text) = word.strip_prefix('\'') {
            stack.push(Polish::Text(text.into()));
        } else if let (true, [.., Polish::Number(a), Polish::Number(b)]) = (["*", "+", "vec"].contains(word), &*stack) {
            let value = match *word {
                "*" => Polish::Number(a * b),
                "+" => Polish::Number(a + b),
                _ => Polish::Vec(Vector::new(*a, *b, 0.0)),
            };
            stack.truncate(stack.len() - 2);
            stack.push(value);
        } else {
            call(word, &mut stack, moment)?;
        }
    }
    Ok(())
}

fn call(word: &str, stack: &mut Vec<Polish>, moment: &mut CallMoment) -> Result<(), CallRefusal> {
    let (name, count) = word.split_once('/').unwrap_or((word, "0"));
    let count: usize = count.parse().expect("a number of arguments");
    let found = |owner, name| find_call(owner, name, count);
    if let Some(name) = name.strip_prefix("other.") {
        let Some(Polish::Entity(view)) = stack.pop() else {
            return refuse("this is no entity");
        };
        let call = found(Owner::Entity, name).expect("a property of entities");
        stack.push(Polish::of(call.see(&view)?));
        return Ok(());
    }
    if let Some(name) = name.strip_prefix("me.").and_then(|n| n.strip_suffix('=')) {
        let value = stack.pop().unwrap_or(Polish::Nothing);
        let call = found(Owner::Me, name).expect("a property of me");
        return call.write(moment, value.arg());
    }
    let call = match name.strip_prefix("me.") {
        Some(name) => found(Owner::Me, name),
        None => found(Owner::World, name.trim_start_matches("world::")),
    };
    let arguments = stack.split_off(stack.len() - count);
    let args: Vec<Arg<'_>> = arguments.iter().map(Polish::arg).collect();
    let answer = call.expect("a call of the table").answer(moment, &args)?;
    stack.push(Polish::of(answer));
    Ok(())
}

/// Every script of the level is this program.
struct PolishRules {
    program: &'static str,
    moment: CallMoment,
    limits: Limits,
    refused: Vec<String>,
    said: Vec<Polish>,
    /// The operations of the last call.
    used: u64,
}

impl PolishRules {
    fn new(program: &'static str) -> Self {
        let limits = Limits::of(&ScriptTuning::default());
        Self { program, moment: CallMoment::new(&limits), limits, refused: Vec::new(), said: Vec::new(), used: 0 }
    }

    fn decide_one(&mut self, scene: &Scene<'_>, called: &mut Invocation, decision: &mut Decision) {
        let me = &mut self.moment.me;
        me.point_at(scene.stage.level.view, called, decision);
        let before = me.checkpoint();
        let count = Allowance::begin(&self.limits);
        let result = run(self.program, &mut self.moment, &mut self.said);
        count.charge_to_tick();
        self.used = count.used();
        if let Err(refusal) = result {
            self.moment.me.roll_back(&before);
            self.refused.push(refusal.to_string());
            decision.failed = true;
        }
        decision.called = true;
        // It has no rules.
        decision.model = ModelAnswer::Default;
        decision.windows = Some(Default::default());
        decision.last_asked = LastAsked::WithoutRules;
        self.moment.me.finish(called, decision);
    }
}

impl Rules for PolishRules {
    fn subscriptions(&self, _: hangtime_core::sim::ScriptId) -> Subscriptions {
        Subscriptions { ticks: true, ..Subscriptions::NONE }
    }

    fn decide(&mut self, scene: &Scene<'_>, called: &mut [Invocation], decisions: &mut [Decision]) {
        let interest = Interest::of(|word| self.program.contains(word));
        self.moment.open(scene, interest, true);
        let mut left = self.limits.tick_operations;
        within_tick(&mut left, || {
            for (called, decision) in called.iter_mut().zip(decisions) {
                self.decide_one(scene, called, decision);
            }
        });
    }
}

/// A game that Rhai plays, and the same one that the small language plays.
struct Twins {
    rhai: Live,
    polish: World,
    rules: PolishRules,
}

impl Twins {
    fn of(script: &str, program: &'static str) -> Self {
        let folder = Folder::with_script(&format!("fn on_tick(me) {{ {script} }}"));
        let revision = Arc::new(folder.open().expect("a game"));
        Self { polish: World::new(&revision.stage, 7), rhai: Live::new(revision, 7), rules: PolishRules::new(program) }
    }

    fn ticks(&mut self, count: usize) {
        for _ in 0..count {
            self.rhai.step(&Inputs::none());
            let stage = &self.rhai.revision().stage;
            self.polish.tick(stage, &Inputs::none(), &mut self.rules);
        }
    }
}

#[test]
fn both_languages_play_the_same_game() {
    on_large_stack(|| {
        for (script, program) in [
            ("me.hold(\"right\");", "'right me.hold/1"),
            ("me.push(world::random() * 90.0, me.x * -0.5);", "world::random 90 * me.x -0.5 * me.push/2"),
            ("me.vel = vec(world::random(30, 60), 200);", "30 60 world::random/2 200 vec me.vel="),
            ("me.place(world::entity(\"hero\").x + 3, 60);", "'hero world::entity/1 other.x 3 + 60 me.place/2"),
            ("world::emit(\"alarm\", 3.0);", "'alarm 3 world::emit/2"),
            (
                "world::emit(\"alarm\", [vec(1, 2), [\"loud\", true]]);",
                "'alarm 1 2 vec 'loud true pair pair world::emit/2",
            ),
            ("me.after(0.05, \"later\"); me.jump();", "0.05 'later me.after/2 me.jump"),
            ("me.jump_to(me.x + 90, 0, 30);", "me.x 90 + 0 30 me.jump_to/3"),
            ("me.tune(\"platformer.jump_speed\", 300); me.jump();", "'platformer.jump_speed 300 me.tune/2 me.jump"),
        ] {
            let mut twins = Twins::of(script, program);
            let start = twins.polish.hash();
            twins.ticks(20);
            assert_eq!(twins.rules.refused, Vec::<String>::new(), "{program}");
            assert_eq!(twins.rhai.take_faults().len(), 0, "{script}");
            assert_eq!(twins.rhai.world().hash(), twins.polish.hash(), "{program}");
            assert_ne!(start, twins.polish.hash(), "{program}");
        }
    });
}

#[test]
fn both_languages_refuse_in_the_same_words() {
    on_large_stack(|| {
        for (script, program) in [
            ("me.push(\"a\", 1);", "'a 1 me.push/2"),
            ("me.push(1, 1e30);", "1 1e30 me.push/2"),
            ("me.hold(\"rihgt\");", "'rihgt me.hold/1"),
            ("me.set_model(\"plattformer\");", "'plattformer me.set_model/1"),
            ("world::random(2, 1);", "2 1 world::random/2"),
            ("world::create(\"heron\", 0, 0);", "'heron 0 0 world::create/3"),
            ("world::set_solid(\"floor\", 1 == 2);", "'floor false world::set_solid/2"),
            ("world::emit(\"jump\");", "'jump world::emit/1"),
            (
                "world::emit(\"alarm\", [1, [world::entity(\"hero\"), 2]]);",
                "'alarm 1 'hero world::entity/1 2 pair pair world::emit/2",
            ),
            ("me.push([1, 2], 3);", "1 2 pair 3 me.push/2"),
            ("me.vel = 5;", "5 me.vel="),
            ("me.x = 5;", "5 me.x="),
            ("me.facing = 0;", "0 me.facing="),
            ("me.tune(\"run_speed\", 1);", "'run_speed 1 me.tune/2"),
            ("loop { me.x; }", "me.x again"),
        ] {
            let mut twins = Twins::of(script, program);
            twins.ticks(1);
            let faults = twins.rhai.take_faults();
            let [fault] = &*faults else {
                panic!("{script}: {faults:?}");
            };
            assert_eq!(twins.rules.refused, std::slice::from_ref(&fault.diagnostic.message), "{script}");
        }
    });
}

#[test]
fn a_call_costs_its_price_and_its_work_in_any_language() {
    on_large_stack(|| {
        // A price is 2 for what it makes and 1 for each argument; using a member of `me` costs 2, and an order 7.
        // A word of the small language costs 2.
        for (program, calls) in [
            ("me.x", 2 + 2),
            ("'right me.hold/1", 2 + (2 + 1 + 2 + 7)),
            ("1 2 me.push/2", 4 + (2 + 2 + 2 + 7)),
            ("world::tick", 2 + 10),
        ] {
            let mut twins = Twins::of("", program);
            twins.ticks(1);
            assert_eq!(twins.rules.used, 2 + calls, "{program}");
        }
    });
}

#[test]
fn answers_show_what_the_entity_is() {
    on_large_stack(|| {
        let mut twins = Twins::of("", "me.name say me.zones say me.hook say 'hero world::all/1 say");
        twins.ticks(1);
        let [name, zones, hook, all] = &*twins.rules.said else {
            panic!("{:?}", twins.rules.said);
        };
        assert!(matches!(name, Polish::Text(name) if name == "hero"));
        assert!(matches!(zones, Polish::List(zones) if zones.is_empty()));
        assert!(matches!(hook, Polish::Map(fields) if fields[0].0 == "state"));
        assert!(matches!(all, Polish::List(all) if matches!(&all[..], [Polish::Entity(_)])));
    });
}

#[test]
fn wrong_numbers_and_types_of_arguments_are_refused() {
    let limits = Limits::of_tests();
    let mut moment = CallMoment::outside();
    let _count = Allowance::begin(&limits);
    let refused = |call: &Call, moment: &mut CallMoment, args: &[Arg<'_>]| {
        let answer = call.answer(moment, args);
        answer.expect_err("a refusal").to_string()
    };
    for call in behavior_calls() {
        let entry = &call.entry;
        if entry.kind != EntryKind::Function || entry.owner == Owner::Entity {
            continue;
        }
        if entry.parameters.is_empty() {
            continue;
        }
        let name = entry.signature();
        let why = refused(call, &mut moment, &[]);
        assert!(why.contains("there are 0 arguments"), "{name}: {why}");
        // Nothing that is only in a level is reached at the top level of a file, and nothing panics.
        let args = vec![Arg::Nothing; entry.parameters.len()];
        let _ = call.answer(&mut moment, &args);
    }
    let hold = find_call(Owner::Me, "hold", 1).expect("hold");
    let why = refused(hold, &mut moment, &[Arg::Number(1.0)]);
    assert_eq!(why, "`action` of `hold` must be text, not a number");
    let tick = find_call(Owner::World, "tick", 0).expect("tick");
    let why = refused(tick, &mut moment, &[]);
    assert_eq!(why, "the world can only be read inside functions");
}
