//! Keys: what they do, what they are called, and the tables of the docs.

use hangtime_core::models::Action;
use hangtime_draw::Overlay;
use hangtime_game::{KEY_NAMES, KeyMap, OVERLAY_KEYS, PAD_KEYS, Project, WINDOW_KEYS};
use hangtime_workbench::{WindowKey, described_keys, key_label};
use std::{collections::BTreeSet, path::Path};

#[test]
fn every_name_in_files_has_an_effect_and_the_other_way_round() {
    let files: Vec<&str> = WINDOW_KEYS.iter().chain(&OVERLAY_KEYS).map(|(name, _)| *name).collect();
    assert_eq!(WindowKey::all().map(WindowKey::name).collect::<Vec<_>>(), files);
    for key in WindowKey::all() {
        assert_eq!(WindowKey::of(key.into()), Some(key));
    }
}

#[test]
fn every_overlay_has_its_own_key() {
    let keys = KeyMap::default();
    for overlay in Overlay::ALL {
        let bound: Vec<_> = keys.keys_for(WindowKey::Overlay(overlay)).collect();
        assert_eq!(bound.len(), 1, "{}", overlay.name());
        assert_eq!(keys.of(bound[0]).count(), 1, "{} alone", bound[0]);
    }
}

#[test]
fn every_bound_key_is_described() {
    let all = described_keys(&KeyMap::default());
    // And the key that ends the program.
    assert_eq!(all.len(), Action::ALL.len() + WindowKey::all().count() + 1);
    let row = |words: &str| all.iter().find(|(_, w)| w.starts_with(words)).map(|(key, _)| &**key);
    assert!(row("jump (player 2: F").is_some_and(|keys| keys.starts_with("Space")));
    assert_eq!(row("these keys"), Some("F1"));
}

#[test]
fn every_key_has_its_own_short_label() {
    let names = || [KEY_NAMES].into_iter().chain(PAD_KEYS).flat_map(|names| names.split(' '));
    let labels: BTreeSet<_> = names().map(key_label).collect();
    assert_eq!(labels.len(), names().count());
    assert!(labels.iter().all(|label| label.len() <= 17), "{labels:?}");
    assert_eq!(key_label("PadSouth"), "pad South");
    assert_eq!(key_label("PadR1"), "pad R1");
    assert_eq!(key_label("Pad2L2"), "pad 2 L2");
    assert_eq!(key_label("Pad4RightStick"), "pad 4 Right stick");
    assert_eq!(key_label("KeyA"), "A");
    assert_eq!(key_label("ShiftRight"), "R Shift");
}

/// The tables of keys and overlays that `docs/workbench.md` should have.
fn tables() -> [String; 2] {
    let keys = KeyMap::default();
    let mut tables = ["| key | name in `[keys]` | what it does |\n|---|---|---|\n"; 2].map(String::from);
    for key in WindowKey::all() {
        let (table, words) = match key {
            WindowKey::Overlay(overlay) => (1, overlay.words().to_string()),
            key => (0, key.words()),
        };
        let labels: Vec<_> = keys.keys_for(key).filter(|key| !key.starts_with("Pad")).map(key_label).collect();
        tables[table] += &format!("| {} | `{}` | {words} |\n", labels.join(", "), key.name());
    }
    tables
}

#[test]
fn the_page_of_the_workbench_lists_every_key_and_overlay() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/workbench.md");
    let mut page = std::fs::read_to_string(&path).expect("the page");
    if std::env::var_os("HANGTIME_WRITE_DOCS").is_some() {
        for (table, which) in tables().iter().zip(["keys", "overlays"]) {
            let (begin, end) = (format!("<!-- {which} -->\n"), format!("<!-- end of {which} -->"));
            let from = page.find(&begin).expect("a mark") + begin.len();
            let to = page.find(&end).expect("a mark");
            page.replace_range(from..to, table);
        }
        std::fs::write(&path, &page).expect("docs can be written");
    }
    for table in tables() {
        assert!(
            page.contains(&table),
            "run `HANGTIME_WRITE_DOCS=1 cargo test -p hangtime-workbench -- the_page`\n{table}"
        );
    }
}

#[test]
fn a_rebound_key_is_described_under_its_new_name() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("config")).expect("a folder");
    let help = |bound: &str| {
        std::fs::write(folder.path().join("config/hangtime.toml"), format!("[keys]\nhelp = {bound}\n"))
            .expect("written");
        let keys = Project::load(folder.path()).expect("a game").keys();
        let row = described_keys(&keys).into_iter().find(|(_, words)| words == "these keys");
        row.map(|(keys, _)| keys)
    };
    assert_eq!(help("[]"), None);
    assert_eq!(help("\"Slash\"").as_deref(), Some("/"));
}
