//! What is kept of a step.

use super::*;

#[test]
fn messages_that_are_left_out_are_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let kind =
        |script: &str| format!("model = \"platformer\"\nbody = {{ ellipse = [10, 19] }}\nscript = \"{script}.rhai\"\n");
    let files = [
        ("config/entities/prints.toml", kind("prints")),
        ("config/entities/fails.toml", kind("fails")),
        (
            "levels/loud.toml",
            "[[entity]]\nkind = \"prints\"\nat = [0, 19]\n[[entity]]\nkind = \"fails\"\nat = [99, 19]\n".into(),
        ),
        ("scripts/prints.rhai", "fn on_tick(me) { print(\"here\"); }\n".into()),
        // A script that fails in every tick is disabled.
        ("scripts/fails.rhai", "fn on_tick(me) { if world::tick() % 2 == 1 { throw \"odd\"; } }\n".into()),
    ];
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    let status = answer(|| {
        let game = ServedGame::load(folder.path()).map_err(ServiceError::Files)?;
        let start = WorldStart { level: "loud".into(), ..WorldStart::default() };
        let mut played = PlayedWorld::new(ServedWorld::create(&Arc::new(game), &start)?);
        // A thousand lines and a hundred errors are kept.
        played.step(&[], 1006)?;
        let messages = played.messages();
        let more: Vec<&str> = messages.lines().filter(|line| line.starts_with('…')).collect();
        assert_eq!(more, ["… and 6 more", "… and 403 more"], "{messages}");
        Ok(())
    });
    // SAFETY: it is never null, and no other call is made on this thread.
    let said = unsafe { CStr::from_ptr(hangtime_last_error()) };
    assert_eq!(status, HangtimeStatus::Ok, "{}", said.to_string_lossy());
}
