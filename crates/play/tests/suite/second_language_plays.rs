//! The calls of tests in the table serve any script language, too.

use crate::folder::{Folder, on_large_stack};
use hangtime_core::sim::Value;
use hangtime_game::Project;
use hangtime_play::TestLevels;
use hangtime_script::api::Owner;
use hangtime_script::budget::Allowance;
use hangtime_script::calls::{
    Arg, Call, CallAnswer, ForeignValue, NotPlain, TestLevel, TestRecord, TestSession, test_calls,
};
use hangtime_script::{CallRefusal, Limits};
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

    fn holds(&self, level: &TestLevel) -> Result<bool, CallRefusal> {
        let y = of_tests(Owner::Live, "y", 0);
        y.look(&level.live("hero".into()), |y| matches!(y, CallAnswer::Number(y) if y < self.0))
    }
}

fn of_tests(owner: Owner, name: &str, parameters: usize) -> &'static Call {
    let found = test_calls().iter().find(|call| {
        let entry = &call.entry;
        entry.owner == owner && entry.name == name && entry.parameters.len() == parameters
    });
    found.expect("a call of tests")
}

#[test]
fn a_test_in_another_language_plays_a_level() {
    on_large_stack(|| {
        let folder = Folder::with_script("");
        folder.write("levels/tests/readme.txt", "");
        let project = Project::load(folder.root()).expect("a game");
        let levels = TestLevels::new(project, folder.path("levels/tests"));
        let session =
            TestSession { playtest: Arc::new(levels), record: TestRecord::default(), may_emit: Arc::new(|_| true) };
        let _count = Allowance::begin(&Limits::of_tests());
        let play = of_tests(Owner::Free, "play", 1);
        let opened = play.open(&session, &[Arg::Text("../level.toml")]);
        let Ok(CallAnswer::Level(level)) = opened else {
            panic!("{opened:?}");
        };
        let ask = |name: &str, args: &[Arg<'_>]| {
            let answer = of_tests(Owner::Test, name, args.len()).ask(&level, args);
            answer.map(|answer| format!("{answer:?}"))
        };
        let placed = ask("place", &[Arg::Text("hero"), Arg::Whole(-200), Arg::Whole(90)]);
        assert_eq!(placed.expect("there is room"), "Nothing");
        let snapshot = of_tests(Owner::Test, "snapshot", 0).ask(&level, &[]);
        let Ok(CallAnswer::Snapshot(snapshot)) = snapshot else {
            panic!("{snapshot:?}");
        };
        let hash = ask("hash", &[]).expect("a hash");
        // It falls from 90 px to the floor, where its center is 19 px high.
        let (low, lower) = (Below(40.0), Below(18.0));
        let fallen = ask("run_until", &[Arg::Foreign(&low), Arg::Number(2.0)]);
        assert_eq!(fallen.expect("it falls"), "Nothing");
        let stays = ask("run_until", &[Arg::Foreign(&lower), Arg::Number(2.0)]);
        let why = stays.expect_err("it lands").to_string();
        assert_eq!(why, "the condition was not met within 2.0 s");
        assert_ne!(ask("hash", &[]).expect("a hash"), hash);
        ask("restore", &[Arg::Snapshot(&snapshot)]).expect("its own snapshot");
        assert_eq!(ask("hash", &[]).expect("a hash"), hash);
        let why = ask("hold", &[Arg::Text("rihgt")]).expect_err("a typo");
        let why = why.to_string();
        assert_eq!(why, "there is no action `rihgt`; did you mean `right`?");
    });
}
