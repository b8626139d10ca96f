//! The table of calls serves any script language: here a very small one, in reverse Polish notation, that knows
//! only the table. It does, costs and says the same as Rhai.

use crate::folder::{Folder, LEVEL, on_large_stack};
use hangtime_core::{
    models::OwnActions,
    sim::{Command, Decision, EntityView, Inputs, ScriptId, Value, Vars, why::Watch},
};
use hangtime_game::{GameFolder, LANGUAGES, Live, Project, check};
use hangtime_script::{
    BaseArgument, CallCounts, CallRefusal, CompileRequest, Compiled, Diagnostic, GameNames, HookAnswer, HookCall,
    Language, LanguageRules, Languages, Limits, ListedHook, ListedScript, Place, Program, ScriptInspector, ScriptRole,
    SourceFile, Sources, Spelling, Unanswered, Vector,
    api::{EntryKind, Owner},
    budget::{Allowance, charge, spend},
    calls::{
        Arg, Call, CallAnswer, CallMoment, ForeignCalls, ForeignValue, NotPlain, behavior_calls, fields_of_hook,
        find_call, find_member,
    },
    record_line, refuse,
};
use std::sync::Arc;

/// A value on the stack.
#[derive(Clone, Debug)]
enum PolishValue {
    Nothing,
    Flag(bool),
    Number(f64),
    Text(String),
    Vec(Vector),
    Entity(Arc<EntityView>),
    List(Vec<PolishValue>),
    Map(Vec<(&'static str, PolishValue)>),
}

impl PolishValue {
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
            CallAnswer::Entities(..) => Self::List(answer.entities().cloned().map(Self::Entity).collect()),
            CallAnswer::List(list) => Self::List(list.into_iter().map(Self::of).collect()),
            CallAnswer::Fields(fields) => Self::Map(each(fields)),
            CallAnswer::Hook(hook) => Self::Map(each(fields_of_hook(hook).into())),
            // Behaviors receive none of them.
            CallAnswer::Data(_) | CallAnswer::Object(_) => Self::Nothing,
        }
    }
}

/// Lists, maps and entities are values of this language that the table looks into only where it takes plain data.
impl ForeignValue for PolishValue {
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
fn run(program: &str, moment: &mut CallMoment, said: &mut Vec<PolishValue>) -> Result<(), CallRefusal> {
    let mut stack: Vec<PolishValue> = Vec::new();
    let words: Vec<&str> = program.split_whitespace().collect();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += 1;
        charge(1)?;
        assert!(spend(), "the budget stops a call before it is stopped by force");
        if let Ok(flag) = word.parse() {
            stack.push(PolishValue::Flag(flag));
        } else if *word == "again" {
            at = 0;
        } else if let ("pair", Some(first)) = (*word, stack.len().checked_sub(2)) {
            let pair = stack.split_off(first);
            stack.push(PolishValue::List(pair));
        } else if *word == "say" {
            said.extend(stack.pop());
        } else if let Ok(number) = word.parse() {
            stack.push(PolishValue::Number(number));
        } else if let Some(text) = word.strip_prefix('\'') {
            stack.push(PolishValue::Text(text.into()));
        } else if let (true, [.., PolishValue::Number(a), PolishValue::Number(b)]) =
            (["*", "+", "vec"].contains(word), &*stack)
        {
            let value = match *word {
                "*" => PolishValue::Number(a * b),
                "+" => PolishValue::Number(a + b),
                _ => PolishValue::Vec(Vector::new(*a, *b, 0.0)),
            };
            stack.truncate(stack.len() - 2);
            stack.push(value);
        } else {
            call(word, &mut stack, moment)?;
        }
    }
    Ok(())
}

fn call(word: &str, stack: &mut Vec<PolishValue>, moment: &mut CallMoment) -> Result<(), CallRefusal> {
    let (name, count) = word.split_once('/').unwrap_or((word, "0"));
    let count: usize = count.parse().expect("a number of arguments");
    let found = |owner, name| find_call(owner, name, count);
    if let Some(name) = name.strip_prefix("other.") {
        let Some(PolishValue::Entity(view)) = stack.pop() else {
            return refuse("this is not an entity");
        };
        let call = find_member(name).expect("a property of entities");
        stack.push(PolishValue::of(call.answer(&view, &[])?));
        return Ok(());
    }
    if let Some(name) = name.strip_prefix("me.").and_then(|n| n.strip_suffix('=')) {
        let value = stack.pop().unwrap_or(PolishValue::Nothing);
        let call = found(Owner::Me, name).expect("a property of me");
        return call.write(moment, value.arg());
    }
    let call = match name.strip_prefix("me.") {
        Some(name) => found(Owner::Me, name),
        None => found(Owner::World, name.trim_start_matches("world::")),
    };
    let arguments = stack.split_off(stack.len() - count);
    let args: Vec<Arg<'_>> = arguments.iter().map(PolishValue::arg).collect();
    let answer = call.expect("a call of the table").answer(moment, &args)?;
    stack.push(PolishValue::of(answer));
    Ok(())
}

/// The small language: files that end with `.polish`.
struct Polish;

/// The languages of the games here.
const BOTH: Languages = Languages(&[LANGUAGES.0[0], &Polish]);

impl Language for Polish {
    fn name(&self) -> &'static str {
        "Polish"
    }

    fn ending(&self) -> &'static str {
        "polish"
    }

    fn compile(&self, request: &CompileRequest<'_>, found: &mut Vec<Diagnostic>) -> Compiled {
        let files = request.behaviors.iter().map(|behavior| &request.sources[&behavior.key]);
        let own = files
            .clone()
            .filter(|file| BOTH.of(&file.name).is_some_and(|of| of.ending() == self.ending()));
        found.extend(own.clone().filter_map(|file| {
            let at = file.text.find("nonsense")?;
            Some(Diagnostic::error(Place::new(file, at..at + 8), "this is nonsense"))
        }));
        let own: Vec<_> = own.cloned().collect();
        let listed = |file: &Arc<SourceFile>| match own.contains(file) {
            true => {
                ListedScript::without_hooks(file).with_hooks(vec![ListedHook { name: "on_tick".into(), parameters: 1 }])
            }
            false => ListedScript::without_hooks(file),
        };
        Compiled {
            scripts: files.clone().map(listed).collect(),
            is_plain: true,
            program: Arc::new(PolishProgram { files: files.cloned().collect(), limits: request.limits }),
        }
    }

    fn inspector(&self, _: &Sources, _: GameNames, _: &ForeignCalls) -> Box<dyn ScriptInspector> {
        Box::new(Doubter)
    }

    fn spelling(&self) -> Spelling {
        Spelling { scope: "::", nothing: "nothing", map: "[", entry: " ", ..Spelling::default() }
    }

    fn spell_command(&self, command: &Command, _: &OwnActions) -> String {
        match command {
            Command::Push(v) => format!("{} {} me.push/2", v.x, v.y),
            _ => "?".into(),
        }
    }
}

/// Warns of every doubt.
struct Doubter;

impl ScriptInspector for Doubter {
    fn inspect(&self, file: &Arc<SourceFile>, _: ScriptRole) -> Vec<Diagnostic> {
        let doubts = file.text.match_indices("doubt");
        doubts
            .map(|(at, _)| Diagnostic::warning(Place::new(file, at..at + 5), "this is doubtful"))
            .collect()
    }

    fn states(&self, _: &str) -> Vec<&str> {
        Vec::new()
    }
}

/// Its scripts. Each one is a hook `on_tick`.
struct PolishProgram {
    files: Vec<Arc<SourceFile>>,
    limits: Limits,
}

impl Program for PolishProgram {
    fn rules(self: Arc<Self>) -> Box<dyn LanguageRules> {
        Box::new(PolishRules(self))
    }

    // Its only function is the hook.
    fn call_function(&self, _: (ScriptId, &str), _: &[BaseArgument], _: &mut Vars) -> Result<Value, CallRefusal> {
        refuse("this language has no functions")
    }
}

struct PolishRules(Arc<PolishProgram>);

impl LanguageRules for PolishRules {
    fn call(&mut self, call: &mut HookCall<'_>, decision: &mut Decision) -> Result<HookAnswer, Unanswered> {
        let PolishProgram { files, limits } = &*self.0;
        let file = &files[call.script.0 as usize];
        call.observe_me();
        let count = Allowance::begin(limits);
        let mut said = Vec::new();
        let result = run(&file.text, &mut call.shared.moment, &mut said);
        count.charge_to_tick();
        said.iter().for_each(|value| match value {
            PolishValue::Map(fields) => record_line(&format!("a map with {}", fields[0].0)),
            value => record_line(&format!("{value:?}")),
        });
        match result {
            Ok(()) => call.accept(decision, &Arg::Nothing),
            Err(refusal) => Err(call.fail(decision, |_| Diagnostic::about_file(&file.name, refusal.to_string()))),
        }
    }

    // It keeps no state and no variables.
    fn abandon(&mut self, _: ScriptId, _: &mut Vars) {}

    fn adopt(&self, _: &mut Vars) {}

    fn call_counts(&self) -> CallCounts {
        CallCounts::default()
    }
}

/// A game whose hero has a script in the small language.
fn polish_folder(program: &str) -> Folder {
    let folder = Folder::with_script("");
    std::fs::remove_file(folder.path("scripts/hero.rhai")).expect("it is there");
    folder.write("config/entities/hero.toml", "script = \"hero.polish\"\nvars = { n = 0 }\n");
    folder.write("scripts/hero.polish", program);
    folder
}

fn game(folder: &Folder) -> GameFolder {
    GameFolder::new(folder.root()).with_languages(BOTH)
}

fn open(folder: &Folder) -> Result<Live, Vec<String>> {
    let project = Project::load(game(folder)).expect("a folder");
    let opened = project.open(&folder.path("levels/level.toml"), &[]);
    let revision = opened.map_err(|error| error.diagnostics().iter().map(Diagnostic::headline).collect::<Vec<_>>())?;
    Ok(Live::new(Arc::new(revision), 7))
}

/// A game that Rhai plays, and the same one that the small language plays, with why each was refused.
struct Twins {
    rhai: Live,
    polish: Live,
    refused: [Vec<String>; 2],
}

impl Twins {
    fn of(script: &str, program: &str) -> Self {
        let rhai = Folder::with_script(&format!("fn on_tick(me) {{ {script} }}"));
        let polish = polish_folder(program);
        Self { rhai: open(&rhai).expect("a game"), polish: open(&polish).expect("a game"), refused: Default::default() }
    }

    fn ticks(&mut self, count: usize) {
        for _ in 0..count {
            for (live, refused) in [&mut self.rhai, &mut self.polish].into_iter().zip(&mut self.refused) {
                let faults = &live.step(&Inputs::none()).faults.first;
                refused.extend(faults.iter().map(|fault| fault.diagnostic.message.clone()));
            }
        }
    }
}

#[test]
fn a_file_is_compiled_and_checked_in_the_language_of_its_ending() {
    on_large_stack(|| {
        let folder = polish_folder("1 nonsense");
        let wrong = open(&folder).err().expect("an error");
        assert_eq!(wrong, ["scripts/hero.polish:1:3: error: this is nonsense"]);
        folder.write("scripts/hero.polish", "'doubt say");
        let report = check(game(&folder), &[], &ForeignCalls::none()).expect("a check");
        let found: Vec<String> = report.diagnostics.iter().map(Diagnostic::headline).collect();
        assert_eq!(found, ["scripts/hero.polish:1:2: warning: this is doubtful"]);
        // Without the language, nothing reads the file.
        let wrong = folder.wrong();
        assert!(wrong[0].contains("there is no scripts/hero.polish"), "{wrong:?}");
    });
}

/// A level with a hero in Rhai between two in the small language.
fn mixed() -> Folder {
    let folder = polish_folder("world::random 90 * 0 me.push/2");
    folder.write("config/entities/other.toml", "script = \"other.rhai\"\n");
    folder.write("scripts/other.rhai", "fn on_tick(me) { me.push(world::random() * 90.0, 0); }");
    let entity = |kind: &str, x: i32| format!("[[entity]]\nkind = \"{kind}\"\nname = \"{kind}{x}\"\nat = [{x}, 19]\n");
    let entities = [entity("hero", -400), entity("other", -300), entity("hero", -250)];
    folder.write("levels/level.toml", &format!("{}{}", LEVEL, entities.concat()));
    folder
}

#[test]
fn a_level_mixes_languages() {
    on_large_stack(|| {
        let mut live = open(&mixed()).expect("a game");
        let all_rhai = mixed();
        all_rhai.write("config/entities/hero.toml", "script = \"other.rhai\"\nvars = { n = 0 }\n");
        let mut rhai = open(&all_rhai).expect("a game");
        live.watch(Watch::All);
        for _ in 0..20 {
            assert!(live.step(&Inputs::none()).faults.is_empty());
            rhai.step(&Inputs::none());
        }
        assert_eq!(live.world().hash(), rhai.world().hash());
        // Each spells its calls in its own way.
        let spelled = |name: &str| {
            let reasons = live.why(name);
            reasons.iter().any(|reason| reason.text.contains("me.push/2"))
        };
        assert_eq!([spelled("hero-400"), spelled("other-300")], [true, false]);
    });
}

#[test]
fn a_tick_gives_its_operations_to_all_languages_together() {
    on_large_stack(|| {
        let folder = mixed();
        folder.write("config/hangtime.toml", "[scripts]\ntick_operations = 1000\n");
        folder.write("scripts/hero.polish", "me.x again");
        let mut live = open(&folder).expect("a game");
        let faults = &live.step(&Inputs::none()).faults.first;
        // The first one uses all of them, and every call after it is skipped, which is reported once.
        let [first, skipped] = &faults[..] else { panic!("{faults:?}") };
        assert_eq!((&*first.entity, &*skipped.entity), ("hero", "hero-400"));
        assert!(skipped.diagnostic.message.starts_with("all scripts of this tick"), "{skipped:?}");
        assert_eq!(live.script_operations(), 1000);
    });
}

#[test]
fn a_mod_lays_a_script_of_one_language_above_one_of_another() {
    on_large_stack(|| {
        let folder = polish_folder("'below say 'right me.hold/1");
        folder.write("mods/up/mod.toml", "name = \"up\"\nversion = \"1.0.0\"\n");
        folder.write("mods/up/config/entities/hero.toml", "scripts = [\"up.rhai\"]\n");
        folder.write(
            "mods/up/scripts/up.rhai",
            "fn on_tick(me) { this.n = (this.n ?? 0) + 1; print(`above ${this.n}`); me.note(\"up\"); }",
        );
        let mut live = open(&folder).expect("a game with the mod");
        assert_eq!(live.revision().mods.left_out.len(), 0);
        for tick in 1..=2 {
            let report = live.step(&Inputs::none());
            assert!(report.faults.is_empty(), "{:?}", report.faults.first);
            assert_eq!(report.printed.lines, ["Text(\"below\")".to_string(), format!("above {tick}")]);
        }
        // Its order is in the mod's layer, the one below it in the game's.
        let hero = &live.world().entities()[0];
        assert_eq!(hero.layers()[0].vars.0.to_plain()["n"], Value::Int(2));
    });
}

#[test]
fn base_says_which_functions_of_another_language_there_are() {
    on_large_stack(|| {
        let folder = polish_folder("'right me.hold/1");
        folder.write("mods/up/mod.toml", "name = \"up\"\nversion = \"1.0.0\"\n");
        folder.write("mods/up/config/entities/hero.toml", "scripts = [\"up.rhai\"]\n");
        folder.write("mods/up/scripts/up.rhai", "fn on_tick(me) { base::speed(me); }");
        let live = open(&folder).expect("a game without the mod");
        let why = live.revision().mods.left_out[0].why[0].headline();
        assert!(why.contains("no layer below has a function `speed`"), "{why}");
    });
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
            let start = twins.polish.world().hash();
            twins.ticks(20);
            assert_eq!(twins.refused, <[Vec<String>; 2]>::default(), "{script}: {program}");
            assert_eq!(twins.rhai.world().hash(), twins.polish.world().hash(), "{program}");
            assert_ne!(start, twins.polish.world().hash(), "{program}");
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
            let [rhai, polish] = &twins.refused;
            assert_eq!(rhai.len(), 1, "{script}: {rhai:?}");
            assert_eq!(polish, rhai, "{script}");
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
            assert_eq!(twins.polish.script_operations(), 2 + calls, "{program}");
        }
    });
}

#[test]
fn answers_show_what_the_entity_is() {
    on_large_stack(|| {
        let mut twins = Twins::of("", "me.name say me.zones say me.hook say 'hero world::all/1 say");
        twins.ticks(1);
        let said = &twins.polish.report().printed.lines;
        let starts = ["Text(\"hero\")", "List([])", "a map with state", "List([Entity("];
        assert_eq!(said.len(), starts.len(), "{said:?}");
        for (said, start) in said.iter().zip(starts) {
            assert!(said.starts_with(start), "{said}");
        }
    });
}

#[test]
fn wrong_numbers_and_types_of_arguments_are_refused() {
    let limits = Limits::of_tests();
    let mut moment = CallMoment::outside();
    let _count = Allowance::begin(&limits);
    let refused = |call: &Call<CallMoment>, moment: &mut CallMoment, args: &[Arg<'_>]| {
        let answer = call.answer(moment, args);
        answer.expect_err("a refusal").to_string()
    };
    for call in &behavior_calls().of_moment {
        let entry = &call.entry;
        if entry.kind != EntryKind::Function {
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
