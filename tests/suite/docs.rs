//! The docs match the code.

use crate::{
    folder::Folder,
    program::{code, err, out, run},
};
use hangtime::{
    models::ModelName,
    script::host::{api::Type, find_hook},
    sim::{EventKind, Value, event_names},
    tuning::{Range, ScriptTuning, Setting, SimulationTuning, SurfaceTuning, Tunable, Tunables, WindowTuning},
};
use std::{collections::BTreeSet, fmt::Write as _, path::Path};

fn doc(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn table(title: &str, intro: &str, tunables: &[Tunable]) -> String {
    let mut text = format!("\n## {title}\n\n{intro}\n\n| key | default | range | what it does |\n|---|---|---|---|\n");
    for tunable in tunables {
        let unit = if tunable.unit.is_empty() {
            String::new()
        } else {
            format!(" {}", tunable.unit)
        };
        let default = match &tunable.default {
            Setting::Number(x) => format!("{x}{unit}"),
            other => format!("`{other}`"),
        };
        let range = match tunable.range {
            Range { max, .. } if max.is_infinite() => String::new(),
            Range { min, max } => format!("{min} … {max}"),
        };
        let doc = tunable.doc.replace('\n', "").replace("  ", " ");
        let _ = writeln!(text, "| `{}` | {default} | {range} | {} |", tunable.name, doc.trim());
    }
    text
}

/// The text that `docs/tunables.md` should have.
fn reference() -> String {
    let mut text = String::from(
        "# Tunables\n\nEvery number that a file can set. This page is generated from the \
         declarations in the code; `HANGTIME_WRITE_DOCS=1 cargo test --test suite -- reference docs` regenerates it.\n\n\
         You may write whole numbers wherever a number is expected. A key that is misspelled, out \
         of range or of the wrong type is an error that names the line and the right key.\n",
    );
    let groups = [
        ("`[simulation]`", SimulationTuning::list()),
        ("`[scripts]`", ScriptTuning::list()),
        ("`[window]`", WindowTuning::list()),
    ];
    for (title, list) in groups {
        text += &table(title, "In `config/hangtime.toml`.", &list);
    }
    text += &table("Surfaces", "In `config/surfaces.toml`, a table for each surface.", &SurfaceTuning::list());
    for model in ModelName::ALL {
        let name = model.as_str();
        let intro = format!(
            "In `config/models/{name}.toml` for every kind, in a `[{name}]` table of \
             `config/entities/KIND.toml` for one kind, or in a level for one entity. A `body` in \
             such a table is the entity's shape while this model moves it."
        );
        text += &table(&format!("`{name}`"), &intro, model.tunables());
    }
    text
}

#[test]
fn the_tunables_page_matches_the_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/tunables.md");
    if std::env::var_os("HANGTIME_WRITE_DOCS").is_some() {
        std::fs::write(&path, reference()).expect("docs can be written");
    }
    assert!(
        doc("docs/tunables.md") == reference(),
        "docs/tunables.md is stale: run `HANGTIME_WRITE_DOCS=1 cargo test --test suite -- reference docs`"
    );
}

/// Whether a text begins like a sentence, ends like one, and has no accidental gaps.
pub fn is_sentence(text: &str) -> bool {
    let begins = text.starts_with(|c: char| c.is_uppercase() || c.is_numeric() || c == '`');
    begins && text.ends_with('.') && !text.contains("  ")
}

#[test]
fn tunables_have_distinct_descriptions_and_defaults_in_range() {
    for model in ModelName::ALL {
        let mut descriptions = BTreeSet::new();
        for tunable in model.tunables() {
            let what = format!("{} of {}", tunable.name, model.as_str());
            assert!(descriptions.insert(tunable.doc), "{what}: {}", tunable.doc);
            if let Setting::Number(default) = tunable.default {
                let Range { min, max } = tunable.range;
                assert!((min..=max).contains(&default), "{what}: {default}");
            }
        }
    }
}

/// One event of each kind, with all fields.
fn kinds() -> Vec<EventKind> {
    let text = || "".into();
    let (normal, speed) = (glam::DVec2::Y, 1.0);
    let (model, was) = (ModelName::platformer, ModelName::vessel);
    #[rustfmt::skip]
    let all = vec![
        EventKind::Birth,
        EventKind::Land { solid: text(), surface: text(), normal, speed, at: normal },
        EventKind::LeaveGround { jumped: true },
        EventKind::Jump,
        EventKind::Surface { surface: text(), was: text() },
        EventKind::Model { model, was },
        EventKind::ModelRefused { model, reason: text() },
        EventKind::Grab { solid: text(), surface: text(), normal },
        EventKind::Drop { jumped: true },
        EventKind::Hook { solid: text(), surface: text(), at: normal, other: Some(text()) },
        EventKind::Unhook { snapped: true },
        EventKind::Hit { solid: text(), surface: text(), normal, speed, foot: true, at: normal, part: 1 },
        EventKind::Touch { other: text(), kind: text() },
        EventKind::Enter { zone: text() },
        EventKind::Leave { zone: text() },
        EventKind::Crush,
        EventKind::FallOut,
        EventKind::Arrive { solid: text(), point: 1 },
        EventKind::Depart { solid: text(), point: 1 },
        EventKind::JointLost { joint: 1, snapped: true },
        EventKind::Reload,
        EventKind::Quarantine,
        EventKind::Note { text: text() },
        EventKind::Death,
    ];
    all
}

#[test]
fn events_have_the_fields_that_their_hooks_describe() {
    let kinds = kinds();
    for name in event_names() {
        assert!(kinds.iter().any(|h| h.name() == name), "{name}");
    }
    for kind in kinds {
        let hook = find_hook(&format!("on_{}", kind.name()));
        let hook = hook.unwrap_or_else(|| panic!("no hook for {}", kind.name()));
        let shape = hook.about.expect("an event has fields");
        let told = kind.fields();
        let names: Vec<&str> = told.iter().map(|(name, _)| *name).collect();
        let described: Vec<&str> = shape.own.iter().map(|field| field.name).collect();
        assert_eq!(names, described, "{}", hook.name);
        for (name, value) in told {
            let holds = shape.field(name).expect("it is described").holds;
            let fits = matches!(
                (&value, holds),
                (Value::Text(_), Type::Text | Type::Name(_))
                    | (Value::Float(_), Type::Number)
                    | (Value::Int(_), Type::Whole)
                    | (Value::Bool(_), Type::Flag)
                    | (Value::List(_), Type::Vec)
            );
            assert!(fits, "{name} of {} is {value:?}", hook.name);
        }
    }
}

#[test]
fn the_first_screen_of_the_readme_has_a_picture_and_the_commands_to_run_it() {
    let readme = doc("README.md");
    let screen: Vec<&str> = readme.lines().take(30).collect();
    let screen = screen.join("\n");
    for part in ["cargo run --release", "cargo test", "](docs/playground.gif)"] {
        assert!(screen.contains(part), "the first screen lacks {part}");
    }
}

/// The anchor that a heading gets on GitHub.
fn anchor(heading: &str) -> String {
    let kept = heading
        .trim()
        .to_lowercase()
        .replace(|c: char| !(c.is_alphanumeric() || " -_".contains(c)), "");
    kept.replace(' ', "-")
}

#[test]
fn links_between_pages_lead_to_files_and_headings_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = [
        "README.md",
        "CHANGELOG.md",
        "docs/agents.md",
        "docs/api.md",
        "docs/commands.md",
        "docs/contributing.md",
        "docs/conventions.md",
        "docs/engines.md",
        "docs/files.md",
        "docs/house.md",
        "docs/install.md",
        "docs/many-machines.md",
        "docs/models.md",
        "docs/python.md",
        "docs/rollback.md",
        "docs/scripts.md",
        "docs/sweeps.md",
        "docs/testing.md",
        "docs/tunables.md",
        "scripts/README.md",
    ];
    for page in pages {
        let here = root.join(page);
        let folder = here.parent().expect("a folder");
        let text = doc(page);
        let links = text.split("](").skip(1);
        for link in links.filter_map(|rest| rest.split(')').next()) {
            if link.starts_with("http") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { here.clone() } else { folder.join(file) };
            assert!(target.exists(), "{page} links to {link}");
            if heading.is_empty() {
                continue;
            }
            let text = std::fs::read_to_string(target).expect("a page");
            let mut headings = text.lines().filter(|line| line.starts_with('#'));
            assert!(
                headings.any(|line| anchor(line.trim_start_matches('#')) == heading),
                "{page} links to {link}, which has no such heading"
            );
        }
    }
}

/// The first code block after the first mention of `label`.
fn shown(page: &str, label: &str) -> String {
    let after = &page[page.find(label).unwrap_or_else(|| panic!("{label} is shown"))..];
    let code = after.split("```").nth(1).expect("code follows");
    code.split_once('\n').expect("a language, then code").1.to_string()
}

#[test]
fn the_documented_behavior_passes_its_documented_test() {
    let page = doc("docs/scripts.md");
    let page = &page[page.find("## A behavior from end to end").expect("it is there")..];
    let folder = Folder::empty();
    for file in ["config/entities/jumper.toml", "scripts/jumper.rhai", "levels/tests/jumper.rhai"] {
        folder.write(file, &shown(page, file));
    }
    let level = "[[solid]]\npoints = [[-900, -50], [900, -50], [900, 0], [-900, 0]]\n\
                 [[entity]]\nkind = \"jumper\"\nat = [0, 19]\nplayer = 1\n";
    folder.write("levels/flat.toml", level);
    let checked = run(folder.root(), &["check"]);
    assert_eq!(code(&checked), 0, "{}", out(&checked));
    let tested = run(folder.root(), &["test"]);
    let said = out(&tested);
    assert!(said.ends_with("1 passed, 0 failed\n"), "{said}{}", err(&tested));
}
