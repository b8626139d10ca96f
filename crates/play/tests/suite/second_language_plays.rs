//! The calls of tests serve any script language, too: here a very small one that knows only their table.

use crate::folder::{Folder, on_large_stack};
use hangtime_core::sim::Value;
use hangtime_game::Project;
use hangtime_play::{
    TestLevels,
    calls::{TestSession, test_calls},
};
use hangtime_script::{
    CallRefusal, Limits,
    api::Owner,
    budget::Allowance,
    calls::{Answered, Arg, CallAnswer, ForeignValue, NotPlain, Object},
    reading_tables,
};
use std::sync::Arc;

/// A condition of the small language: whether the hero of the level is below this height.
struct Below(f64);

impl ForeignValue for Below {
    fn type_name(&self) -> &'static str {
        "a function"
    }

    fn take_size(&self, _: &mut usize, _: &mut usize) -> Option<()> {
        None
    }

    fn to_plain(&self) -> Result<Value, NotPlain> {
        Err(NotPlain::itself("a function"))
    }

    fn holds(&self, level: &Object) -> Result<bool, CallRefusal> {
        let hero = object(call(level, "entity", &[Arg::Text("hero")]));
        Ok(matches!(call(&hero, "y", &[])?, CallAnswer::Number(y) if y < self.0))
    }
}

/// A value of the small language that it does not know.
struct Foreign(Object);

impl ForeignValue for Foreign {
    fn type_name(&self) -> &'static str {
        "an object"
    }

    fn take_size(&self, _: &mut usize, _: &mut usize) -> Option<()> {
        None
    }

    fn to_plain(&self) -> Result<Value, NotPlain> {
        Err(NotPlain::itself("an object"))
    }

    fn object(&self) -> Option<Object> {
        Some(self.0.clone())
    }
}

/// Makes the call with this name on an object.
fn call<'a>(on: &'a Object, name: &str, args: &'a [Arg<'a>]) -> Answered<'a> {
    let found = test_calls().iter().find(|call| {
        let entry = &call.entry;
        entry.owner == on.owner() && entry.name == name && entry.parameters.len() == args.len()
    });
    found.expect("a call of tests").answer(on, args)
}

fn object(answer: Answered<'_>) -> Object {
    match answer {
        Ok(CallAnswer::Object(object)) => object,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_test_in_another_language_plays_a_level() {
    on_large_stack(|| {
        let folder = Folder::with_script("");
        folder.write("levels/tests/readme.txt", "");
        let project = Project::load(folder.root()).expect("a game");
        let levels = TestLevels::new(project, folder.path("levels/tests"));
        let session = TestSession::new(Some(levels), Arc::new(|_| true));
        let functions = session.calls().session;
        let _count = Allowance::begin(&Limits::of_tests());
        let level = [Arg::Text("../level.toml")];
        let why = reading_tables(|| call(&functions, "play", &level).map(drop))
            .expect_err("a table is read")
            .to_string();
        assert_eq!(why, "a table of cases is read before tests run, and cannot play levels");
        session.begin();
        let t = object(call(&functions, "play", &level));
        assert_eq!(t.owner(), Owner::Test);
        let ask = |name: &str, args: &[Arg<'_>]| call(&t, name, args).map(|answer| format!("{answer:?}"));
        let placed = ask("place", &[Arg::Text("hero"), Arg::Whole(-200), Arg::Whole(90)]);
        assert_eq!(placed.expect("there is room"), "Nothing");
        let snapshot = Foreign(object(call(&t, "snapshot", &[])));
        let hash = ask("hash", &[]).expect("a hash");
        // It falls from 90 px to the floor, where its center is 19 px high.
        let (low, lower) = (Below(40.0), Below(18.0));
        let fallen = ask("run_until", &[Arg::Foreign(&low), Arg::Number(2.0)]);
        assert_eq!(fallen.expect("it falls"), "Nothing");
        let stays = ask("run_until", &[Arg::Foreign(&lower), Arg::Number(2.0)]);
        let why = stays.expect_err("it lands").to_string();
        assert!(why.starts_with("the condition was not met within 2.0 s; `hero` is at (-200, 19) "), "{why}");
        assert_ne!(ask("hash", &[]).expect("a hash"), hash);
        ask("restore", &[Arg::Foreign(&snapshot)]).expect("its own snapshot");
        assert_eq!(ask("hash", &[]).expect("a hash"), hash);
        let why = ask("restore", &[Arg::Number(1.0)]).expect_err("no snapshot").to_string();
        assert_eq!(why, "`moment` of `restore` must be a snapshot");
        let why = ask("hold", &[Arg::Text("rihgt")]).expect_err("a typo").to_string();
        assert_eq!(why, "there is no action `rihgt`; did you mean `right`?");
    });
}
