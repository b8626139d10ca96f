//! Panics end in an answer, and with the world in which they happen.

use super::*;

fn said() -> String {
    // SAFETY: it is never null, and no call is made before it is read.
    unsafe { CStr::from_ptr(hangtime_last_error()) }.to_string_lossy().into()
}

#[test]
fn a_panic_is_an_answer() {
    assert_eq!(answer(|| panic!("lost \0 count")), HangtimeStatus::Failed);
    assert_eq!(said(), "this is a bug in hangtime: lost \\0 count");
    assert_eq!(answer(|| Ok(())), HangtimeStatus::Ok);
}

#[test]
fn a_world_that_has_failed_answers_nothing_more() {
    let game = ServedGame::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).expect("a game");
    let start = WorldStart { level: "playground".into(), ..WorldStart::default() };
    let mut opened = 0;
    let status = answer(|| {
        opened = add(PlayedWorld::new(ServedWorld::create(&Arc::new(game), &start)?));
        Ok(())
    });
    assert_eq!(status, HangtimeStatus::Ok, "{}", said());
    assert_eq!(answer(|| change(opened, |_| panic!("out of time"))), HangtimeStatus::Failed);
    assert_eq!(said(), "this is a bug in hangtime: out of time");
    let mut tick = 7;
    // SAFETY: there is room for a number.
    assert_eq!(unsafe { hangtime_tick(opened, &mut tick) }, HangtimeStatus::Failed);
    assert_eq!((said().as_str(), tick), ("this world has failed before and has ended", 7));
    assert_eq!(hangtime_free(opened), HangtimeStatus::Ok);
}
