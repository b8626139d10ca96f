//! Worlds that read files again when these are saved.

use crate::{
    folder::{Folder, LEVEL},
    session::Session,
    worlds::counting,
};
use serde_json::{Value, json};

/// A session with a world that follows the files, and the number of that world.
fn following(folder: &Folder) -> (Session, u64) {
    let mut session = Session::new(folder);
    // Another world that does not.
    session.create();
    let created = session.result("world.create", &json!({"level": "level", "reload": "saved"}));
    let number = created["world"].as_u64().expect("a number");
    (session, number)
}

/// The parameters of the next message, which is a notification about saved files.
fn heard(session: &mut Session) -> Value {
    let mut message = session.read();
    assert_eq!(message["method"], "world.files", "{message}");
    message["params"].take()
}

#[test]
fn a_client_hears_that_a_saved_script_is_adopted() {
    let folder = counting();
    let (mut session, number) = following(&folder);
    session.result("world.step", &json!({"world": number, "ticks": 5}));
    folder.write("scripts/hero.rhai", "fn on_tick(me) { this.n = 100; }");
    let notice = heard(&mut session);
    assert_eq!((&notice["world"], &notice["adopted"], &notice["tick"]), (&json!(number), &json!(true), &json!(5)));
    assert_eq!(notice["changed"], json!(["scripts/hero.rhai"]));
    assert!(notice["what"].as_str().is_some_and(|what| what.contains("hero.rhai")), "{notice}");
    assert!(notice.get("diagnostics").is_none(), "{notice}");
    let n = |session: &mut Session, world: u64| {
        let step = session.result("world.step", &json!({"world": world, "observe": {"fields": ["vars"]}}));
        step["observations"][0]["entities"][0]["vars"]["n"].clone()
    };
    assert_eq!(n(&mut session, number), json!(100));
    assert_eq!(n(&mut session, 1), json!(1), "the other world plays the files that it has read");
}

#[test]
fn a_client_hears_the_mistakes_of_a_saved_script_and_the_last_good_revision_continues() {
    let folder = counting();
    let (mut session, number) = following(&folder);
    let good = folder.read("scripts/hero.rhai");
    folder.write("scripts/hero.rhai", "fn on_tick(me) {\n    this.n += ;\n}\n");
    let notice = heard(&mut session);
    assert_eq!((&notice["adopted"], &notice["revision"]), (&json!(false), &json!(1)));
    let first = &notice["diagnostics"][0];
    assert_eq!(
        (&first["file"], &first["line"], &first["severity"]),
        (&json!("scripts/hero.rhai"), &json!(2), &json!("error"))
    );
    assert!(first["col"].as_u64().is_some_and(|col| col > 1), "{notice}");
    let step = session.result("world.step", &json!({"world": number, "ticks": 3, "observe": {"fields": ["vars"]}}));
    assert_eq!(step["observations"][0]["entities"][0]["vars"]["n"], 3);
    folder.write("scripts/hero.rhai", &good);
    let notice = heard(&mut session);
    assert!(notice.get("diagnostics").is_none() && notice["revision"] == 1, "{notice}");
}

#[test]
fn files_of_other_levels_are_not_reported() {
    let folder = counting();
    let (mut session, _) = following(&folder);
    folder.write("levels/other.toml", LEVEL);
    folder.write("levels/other.toml", &LEVEL.replace("-200", "-300"));
    folder.write("levels/level.toml", &LEVEL.replace("-200", "-250"));
    assert_eq!(heard(&mut session)["changed"], json!(["levels/level.toml"]));
}

#[test]
fn a_world_reads_saved_files_between_two_steps_and_never_within_one() {
    let folder = counting();
    let (mut session, number) = following(&folder);
    let step =
        json!({"jsonrpc": "2.0", "id": "long", "method": "world.step", "params": {"world": number, "ticks": 200_000}});
    session.send(&step.to_string());
    folder.write("scripts/hero.rhai", "fn on_tick(me) { this.n = 0; }");
    let (first, second) = (session.read(), session.read());
    let (answer, notice) = match first["id"] == "long" {
        true => (first, second),
        false => (second, first),
    };
    let tick = notice["params"]["tick"].as_u64().expect("a number");
    assert_eq!(answer["result"]["tick"], 200_000);
    assert!(tick == 0 || tick == 200_000, "{notice}");
}
