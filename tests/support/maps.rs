//! Games with a map of the Tiled editor.

use crate::folder::Folder;
use hangtime_core::{level::Level, sim::Inputs};
use hangtime_game::{Live, Revision};
use std::sync::Arc;

/// A map with these elements. Its cells are 16 px wide and high.
pub fn map(inner: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map version=\"1.10\" tiledversion=\"1.11.2\" \
         orientation=\"orthogonal\" renderorder=\"right-down\" width=\"4\" height=\"3\" tilewidth=\"16\" \
         tileheight=\"16\" infinite=\"0\" nextlayerid=\"5\" nextobjectid=\"9\">\n{inner}</map>\n"
    )
}

/// Objects in a layer.
pub fn layer(objects: &str) -> String {
    format!(" <objectgroup id=\"1\" name=\"things\">\n{objects} </objectgroup>\n")
}

/// A tileset: a whole block, a slope, a one-way plank, an icy block, and a picture of the hero.
pub const TILESET: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.11.2" name="set" tilewidth="16" tileheight="16" tilecount="5" columns="5">
 <image source="set.png" width="80" height="16"/>
 <tile id="0">
  <objectgroup draworder="index" id="2"><object id="1" x="0" y="0" width="16" height="16"/></objectgroup>
 </tile>
 <tile id="1">
  <objectgroup draworder="index" id="2"><object id="1" x="0" y="16"><polygon points="0,0 16,-16 16,0"/></object></objectgroup>
 </tile>
 <tile id="2">
  <objectgroup draworder="index" id="2"><object id="1" type="one_way" x="0" y="4"><polyline points="0,0 16,0"/></object></objectgroup>
 </tile>
 <tile id="3">
  <properties><property name="surface" value="ice"/><property name="damage" type="int" value="3"/></properties>
  <objectgroup draworder="index" id="2"><object id="1" x="0" y="0" width="16" height="16"/></objectgroup>
 </tile>
 <tile id="4" type="hero"/>
</tileset>
"#;

/// A game with this map as `levels/level.tmx`.
pub fn game(text: &str) -> Folder {
    game_of("levels/level.tmx", text)
}

/// A game with a level that is drawn in an editor.
pub fn game_of(level: &str, text: &str) -> Folder {
    let folder = Folder::with_script("fn on_tick(me) { this.n += 1; }");
    std::fs::remove_file(folder.path("levels/level.toml")).expect("the level");
    folder.write(level, text);
    folder.write("levels/set.tsx", TILESET);
    folder
}

/// Everything that decides how a level plays, as text.
pub fn described(revision: &Revision) -> String {
    let stage = &revision.stage;
    let level: &Level = &stage.level;
    let solids: Vec<_> = level
        .terrain
        .solids()
        .iter()
        .map(|s| (&s.name, level.surface_name(s.surface), &s.points, s.one_way, &s.path, s.present, s.top))
        .collect();
    let zones = level.zones.list();
    format!(
        "{:?} {:?} {solids:#?} {zones:#?} {:?} {:#?} {:#?} {:?} {:?} {:?}",
        level.view, level.bounds, level.surfaces, stage.starts, stage.profiles, stage.vars, stage.script, stage.gravity
    )
}

/// The hash after this many ticks without input.
pub fn hash_after(revision: Revision, ticks: usize) -> u64 {
    let mut live = Live::new(Arc::new(revision), 0);
    for _ in 0..ticks {
        live.step(&Inputs::default());
    }
    live.world().hash()
}
