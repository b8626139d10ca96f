//! Games for earlier versions: what an upgrade changes, and what it leaves as it is.

use crate::folder::{Folder, LEVEL};
use hangtime_core::{models::ModelName, tuning::RENAMED};
use hangtime_game::{Error, GameFolder, Upgrade, UpgradedFile, check};
use hangtime_script::calls::ForeignCalls;

const CONFIG: &str = "config/hangtime.toml";

/// `0.3`, as a game says it.
fn this_version() -> String {
    let version = env!("CARGO_PKG_VERSION");
    version.rsplit_once('.').map_or(version, |(minor, _)| minor).to_string()
}

fn game_for(version: &str) -> Folder {
    let folder = Folder::with_script("");
    folder.write(CONFIG, &format!("hangtime = \"{version}\"\n"));
    folder
}

fn upgrade(folder: &Folder) -> Upgrade {
    Upgrade::of(&GameFolder::new(folder.root())).expect("a game that can be upgraded")
}

fn text(folder: &Folder, name: &str) -> String {
    std::fs::read_to_string(folder.path(name)).expect("a file")
}

/// Upgrades a game, and returns the new text of a file. The diff of each file makes the new text out of the old one, and a
/// second upgrade changes nothing.
fn upgraded(folder: &Folder, name: &str) -> String {
    let upgrade_once = upgrade(folder);
    for file in &upgrade_once.files {
        let before = std::fs::read_to_string(folder.path(file.name())).unwrap_or_default();
        let before = before.trim_start_matches('\u{feff}');
        assert_eq!(patched(before, &file.diff()), file.text().replace("\r\n", "\n"), "{}", file.diff());
    }
    upgrade_once.write(&GameFolder::new(folder.root())).expect("files that can be written");
    let again = upgrade(folder);
    assert!(again.files.is_empty() && again.left.is_empty(), "{:?}", again);
    text(folder, name)
}

/// A text with a unified diff applied to it: each hunk must be where it says and find the lines that it says.
fn patched(before: &str, diff: &str) -> String {
    let old: Vec<&str> = before.lines().collect();
    let (mut at, mut new) = (0, Vec::new());
    let mut ends_with_line_break = before.is_empty() || before.ends_with('\n');
    for line in diff.lines().skip(2) {
        let (sign, rest) = line.split_at(1);
        match sign {
            "@" => {
                let from = rest.split(['-', ',']).nth(1).and_then(|n| n.parse::<usize>().ok()).expect("a line");
                let from = if rest.contains(",0 +") { from } else { from - 1 };
                new.extend_from_slice(&old[at..from]);
                at = from;
            }
            " " | "-" => {
                assert_eq!(old[at].trim_end_matches('\r'), rest, "{diff}");
                at += 1;
                new.extend((sign == " ").then_some(rest));
            }
            "+" => new.push(rest),
            _ => ends_with_line_break = false,
        }
    }
    new.extend_from_slice(&old[at..]);
    let lines: Vec<&str> = new.into_iter().map(|line| line.trim_end_matches('\r')).collect();
    lines.join("\n") + if ends_with_line_break { "\n" } else { "" }
}

/// Files of games. `OLD` is a name that an upgrade renames, `KEPT` the same name where it is the author's own, and `MODEL` the
/// model that it belongs to.
const FILES: [(&str, &str); 17] = [
    ("config/models/MODEL.toml", "# OLDER: KEPT\nOLD   =  0.1     # s\n\njump_buffer = 0.1"),
    ("config/models/MODEL.toml", "\"OLD\"=0.1"),
    ("config/entities/hero.toml", "vars = { KEPT = 1 }\n\n[MODEL]   # KEPT\n\tOLD = 0.1 # s\n"),
    ("config/entities/hero.toml", "MODEL.OLD = 0.1\n"),
    ("config/entities/hero.toml", "MODEL = { OLD = 0.1 }   # late\nvars.MODEL.KEPT = 2\n"),
    (
        "levels/level.toml",
        "[[entity]]\nkind = \"hero\"\nat = [0, 19]\n[entity.vars]\nKEPT = 1\n[entity.MODEL]\n  OLD = 0.1 # x\n",
    ),
    ("levels/level.toml", "entity = [{ kind = \"hero\", at = [0, 19], MODEL = { OLD = 0.1 } }]\n"),
    ("mods/late/config/models/MODEL.toml", "OLD = 0.1\n"),
    (
        "levels/tests/late.input",
        "level level.toml\nset MODEL.OLD=0.1   # MODEL.KEPT\nset entities.hero.MODEL.OLD = 0.2\n30 right\n",
    ),
    (
        "scripts/hero.rhai",
        "fn on_tick(me) {\n  me.tune(\"MODEL.OLD\", 0.1); // \"MODEL.KEPT\"\n  me.untune( 'MODEL.OLD' );\n}\n",
    ),
    (
        "scripts/hero.rhai",
        "/* \"MODEL.KEPT\" /* nested */ */\nfn on_tick(me) { print(`\"MODEL.KEPT\" ${me.tuning(\"MODEL.OLD\")}`); }\n",
    ),
    ("scripts/hero.rhai", "fn jump_windows(me) {\n  #{ OLD : 0.1, \"jump_buffer\": this.KEPT }\n}\n"),
    ("scripts/hero.rhai", "fn jump_windows(me) { #{ \"OLD\": 0.1 } }\nfn other() { #{ KEPT: 1, \"KEPT\": 2 } }\n"),
    (
        "scripts/hero.rhai",
        "const KEPT = \"KEPT\";\nfn on_tick(me) { let KEPT = this.KEPT; print(\"no MODEL.KEPT here\"); }\n",
    ),
    ("scripts/lib/moves.rhai", "fn late(me) { me.tune(\"MODEL.OLD\", 0.2) }\n"),
    (
        "levels/tests/late.rhai",
        "fn test_it() {\n  let t = play(\"level.toml\", #{ \"entities.hero.MODEL.OLD\": 0.1 });\n}\n",
    ),
    ("levels/level.rhai", "fn on_start(me) { world::entity(\"hero\").tune(\"MODEL.OLD\", 0.1); }\n"),
];

#[test]
fn renames_tunables_wherever_a_game_names_them_and_nothing_else() {
    let models = ModelName::ALL.iter();
    let renamed = RENAMED.iter().flat_map(|(old, new)| {
        let models = models.clone().filter(|model| model.tunables().iter().any(|it| it.name == *new));
        models.map(move |model| (old, new, model.as_str()))
    });
    let mut count = 0;
    for (old, new, model) in renamed {
        for (name, template) in FILES {
            for line_end in ["\n", "\r\n"] {
                let name = name.replace("MODEL", model);
                let with = |it: &str| {
                    let text = template.replace("MODEL", model).replace("KEPT", old).replace("OLDER", "older");
                    text.replace("OLD", it).replace('\n', line_end)
                };
                let folder = game_for("0.2");
                folder.write("mods/late/mod.toml", "name = \"late\"\nversion = \"1.0.0\"\n");
                folder.write(&name, &with(old));
                assert_eq!(upgraded(&folder, &name), with(new), "{name}: {template}");
                assert_eq!(text(&folder, CONFIG), format!("hangtime = \"{}\"\n", this_version()));
                count += 1;
            }
        }
    }
    assert!(count >= 2 * FILES.len(), "{count} cases");
}

#[test]
fn writes_the_version_where_a_reader_looks_for_it() {
    let line = format!("hangtime = \"{}\"\n", this_version());
    let cases = [
        (None, line.clone()),
        (Some(""), line.clone()),
        (Some("[simulation]\ntick_hz = 60\n"), format!("{line}\n[simulation]\ntick_hz = 60\n")),
        (Some("# Settings.\n# More.\n\n[keys]\n"), format!("# Settings.\n# More.\n\n{line}\n[keys]\n")),
        (Some("# the keys\n[keys]\n"), format!("{line}\n# the keys\n[keys]\n")),
        (Some("# Settings.\n\nversion = \"1.0\"\n"), format!("# Settings.\n\n{line}version = \"1.0\"\n")),
        (Some("# Only this.\n"), format!("{line}\n# Only this.\n")),
        (Some("version = \"1\"  # ours\nhangtime='0.2' # theirs\n"), {
            format!("version = \"1\"  # ours\nhangtime=\"{}\" # theirs\n", this_version())
        }),
        (Some("hangtime = \"0.1.7\""), line.trim_end().into()),
        (Some("\u{feff}[keys]\n"), format!("\u{feff}{line}\n[keys]\n")),
        (Some("# Settings.\r\n\r\n[keys]\r\n"), format!("# Settings.\n\n{line}\n[keys]\n").replace('\n', "\r\n")),
    ];
    for (before, after) in cases {
        let folder = Folder::with_script("");
        if let Some(before) = before {
            folder.write(CONFIG, before);
        }
        assert_eq!(upgraded(&folder, CONFIG), after, "{before:?}");
    }
}

#[test]
fn a_game_for_this_version_is_left_as_it_is() {
    for version in [this_version(), env!("CARGO_PKG_VERSION").into()] {
        let folder = game_for(&version);
        folder.write("config/entities/hero.toml", "body = { box = [20, 38] }\n");
        let found = upgrade(&folder);
        assert!(found.files.is_empty() && found.left.is_empty(), "{version}: {found:?}");
    }
}

#[test]
fn boxes_of_an_older_game_become_the_ellipses_that_they_were() {
    for (kind, after) in [
        ("body = { box = [20, 31] } # wide\n", "body = { ellipse = [10, 15.5] } # wide\n"),
        ("body.box=[ 20.0,  # wide\n 38 ]\n", "body.ellipse=[ 10,  # wide\n 19 ]\n"),
        ("[body]\nbox = [1e1, 2_0]\n", "[body]\nellipse = [5, 10]\n"),
        ("[topdown]\nbody = { box = [8, 6] }\n", "[topdown]\nbody = { ellipse = [4, 3] }\n"),
        ("model = \"vessel\"\nbody = { box = [20, 30] }\n", "model = \"vessel\"\nbody = { box = [20, 30] }\n"),
        ("[vessel]\nbody = { box = [20, 30] }\n", "[vessel]\nbody = { box = [20, 30] }\n"),
        ("body = { ellipse = [4, 5] }\n", "body = { ellipse = [4, 5] }\n"),
        (
            "body = { box = [20, 30] }\n[vessel]\nbody = { box = [20, 30] }\n",
            "body = { ellipse = [10, 15] }\n[vessel]\nbody = { box = [20, 30] }\n",
        ),
    ] {
        let folder = game_for("0.2");
        folder.write("config/entities/hero.toml", kind);
        assert_eq!(upgraded(&folder, "config/entities/hero.toml"), after);
    }
    let folder = game_for("0.2");
    folder.write("config/models/platformer.toml", "body = { box = [20, 38] }\n");
    assert_eq!(upgraded(&folder, "config/models/platformer.toml"), "body = { ellipse = [10, 19] }\n");
    let folder = game_for("0.2");
    folder.write("levels/level.toml", &format!("{LEVEL}body = {{ box = [20, 38] }}\n"));
    assert_eq!(upgraded(&folder, "levels/level.toml"), format!("{LEVEL}body = {{ ellipse = [10, 19] }}\n"));
}

#[test]
fn a_box_that_was_round_in_some_models_only_is_left_to_the_author() {
    let with_table = "body = { box = [20, 38] }\n[vessel]\ndensity = 2\n";
    let with_script = "body = { box = [20, 38] }\nscript = \"hero.rhai\"\n";
    for kind in [with_table, with_script] {
        let folder = game_for("0.2");
        folder.write("config/entities/hero.toml", kind);
        folder.write("scripts/hero.rhai", "fn on_jump(me) { me.set_model(\"vessel\"); }\n");
        let found = upgrade(&folder);
        let said: Vec<String> = found.left.iter().map(hangtime_script::Diagnostic::headline).collect();
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(
            said[0].starts_with(
                "config/entities/hero.toml:1:8: warning: this box was an ellipse in all models but `vessel`"
            )
        );
        assert_eq!(upgraded(&folder, "config/entities/hero.toml"), kind);
    }
}

#[test]
fn files_that_cannot_be_parsed_are_refused_and_nothing_is_written() {
    for (name, bytes, said) in [
        ("config/models/topdown.toml", &b"coyote_time = \n"[..], "config/models/topdown.toml:1:15: error: "),
        ("levels/other.toml", b"[[solid]\n", "levels/other.toml:1:9: error: "),
        ("levels/tests/a.input", b"30 rihgt\n", "levels/tests/a.input:1:4: error: "),
        (
            "scripts/a.rhai",
            b"fn on_tick(me) { print(1);\n",
            "scripts/a.rhai:1:16: error: this script cannot be upgraded",
        ),
        ("scripts/a.rhai", b"fn on_tick(me) { print(1) } }\n", "scripts/a.rhai: error: this script cannot be upgraded"),
        ("scripts/a.rhai", b"fn f() { \"\xff\" }\n", "scripts/a.rhai"),
        (
            "config/entities/hero.toml",
            b"[platformer]\ncoyote_time = 0.2\ngrace_time = 0.1\n",
            "config/entities/hero.toml:3:1: error: `grace_time` is called `coyote_time` now, and this table has both; remove one",
        ),
        (
            CONFIG,
            b"hangtime = 3\n",
            "config/hangtime.toml:1:12: error: `hangtime` is the version that the game is made for",
        ),
        (CONFIG, b"hangtime = \"new\"\n", "config/hangtime.toml:1:12: error: `hangtime` is the version"),
    ] {
        let folder = game_for("0.2");
        folder.write("config/models/platformer.toml", "grace_time = 0.1\n");
        folder.write_bytes(name, bytes);
        let Err(error) = Upgrade::of(&GameFolder::new(folder.root())) else {
            panic!("{name} is upgraded");
        };
        let all: Vec<String> = error.diagnostics().iter().map(hangtime_script::Diagnostic::headline).collect();
        assert!(all.iter().any(|it| it.starts_with(said)), "{said}\n{all:?}");
        assert_eq!(text(&folder, "config/models/platformer.toml"), "grace_time = 0.1\n");
    }
}

#[test]
fn a_file_that_changes_during_an_upgrade_is_not_overwritten() {
    let folder = game_for("0.2");
    folder.write("config/models/platformer.toml", "grace_time = 0.1\n");
    let found = upgrade(&folder);
    folder.write("config/models/platformer.toml", "grace_time = 0.2\n");
    let error = found.write(&GameFolder::new(folder.root())).expect_err("the file has changed");
    assert!(error.to_string().contains("config/models/platformer.toml has changed in the meantime"), "{error}");
    assert_eq!(text(&folder, "config/models/platformer.toml"), "grace_time = 0.2\n");
    assert_eq!(text(&folder, CONFIG), "hangtime = \"0.2\"\n", "the upgrade can be repeated");
    assert_eq!(upgraded(&folder, "config/models/platformer.toml"), "coyote_time = 0.2\n");
}

#[test]
fn a_game_for_a_later_version_says_which() {
    let own = env!("CARGO_PKG_VERSION");
    let (major, minor) = this_version()
        .split_once('.')
        .map(|(a, b)| (a.to_string(), b.to_string()))
        .expect("two parts");
    let later = format!("{major}.{}", minor.parse::<u32>().expect("a number") + 1);
    for version in [later.clone(), format!("{later}.0"), "9".into(), format!("{}.9", this_version())] {
        let folder = game_for(&version);
        let all = [
            Upgrade::of(&GameFolder::new(folder.root()))
                .map(|_| ())
                .map_err(|error| error.diagnostics()),
            folder.open().map(|_| ()),
            check(folder.root(), &[], &ForeignCalls::none())
                .map_err(|error: Error| error.diagnostics())
                .and_then(|report| match report.diagnostics.is_empty() {
                    true => Ok(()),
                    false => Err(report.diagnostics),
                }),
        ];
        for found in all {
            let said: Vec<String> = found.expect_err("a later version").iter().map(|it| it.headline()).collect();
            let wanted = format!(", and this is hangtime {own}; install a newer one");
            let is_said = |it: &String| {
                it.starts_with("config/hangtime.toml:1:12: error: this game is made for hangtime ")
                    && it.ends_with(&wanted)
            };
            assert!(said.iter().any(is_said), "{version}: {said:?}");
        }
    }
}

#[test]
fn the_names_of_changed_files_end_with_the_one_that_has_the_version() {
    let folder = game_for("0.2");
    folder.write("config/models/platformer.toml", "grace_time = 0.1\n");
    folder.write("scripts/z.rhai", "fn f(me) { me.untune(\"platformer.grace_time\"); }\n");
    let found = upgrade(&folder);
    let names: Vec<&str> = found.files.iter().map(UpgradedFile::name).collect();
    assert_eq!(names, ["config/models/platformer.toml", "scripts/z.rhai", CONFIG]);
}
