//! Maps of the Tiled editor, and projects of LDtk if they begin with a brace. The input is the text of the level; a tileset and
//! a template are fixed.

use super::{
    games::{Played, file},
    messages,
};
use hangtime::{
    project::{Revision, SourceSet},
    sim::Inputs,
};
use std::sync::Arc;

/// The ticks that an accepted game is played.
const TICKS: u64 = 3;

/// The other files of the game.
const FILES: [(&str, &str); 4] = [
    ("config/surfaces.toml", "[stone]\n[ice]\ngrip = 0.1\n"),
    ("config/entities/hero.toml", ""),
    (
        "levels/set.tsx",
        "<tileset version=\"1.10\" name=\"set\" tilewidth=\"16\" tileheight=\"16\" tilecount=\"3\" columns=\"3\">\n\
         <image source=\"set.png\" width=\"48\" height=\"16\"/>\n\
         <tile id=\"0\"><objectgroup><object id=\"1\" x=\"0\" y=\"0\" width=\"16\" height=\"16\"/></objectgroup></tile>\n\
         <tile id=\"1\"><objectgroup><object id=\"1\" type=\"one_way\" x=\"0\" y=\"4\"><polyline points=\"0,0 16,0\"/>\
         </object></objectgroup></tile>\n\
         <tile id=\"2\" type=\"hero\"/>\n</tileset>\n",
    ),
    (
        "levels/hero.tx",
        "<template>\n<tileset firstgid=\"1\" source=\"set.tsx\"/>\n\
         <object name=\"tall\" type=\"hero\" gid=\"3\" width=\"20\" height=\"38\"/>\n</template>\n",
    ),
];

fn build(text: &str) -> Option<Arc<Revision>> {
    let mut sources = SourceSet::default();
    let is_project = text.trim_start().starts_with('{');
    sources.level = if is_project { "levels/level.ldtk" } else { "levels/level.tmx" }.into();
    for (name, text) in FILES {
        sources.files.insert(name.into(), file(name, text));
    }
    let level = file(&sources.level, text);
    sources.files.insert(sources.level.clone(), level);
    match Revision::build(&sources, &[], 1, None) {
        Ok(revision) => {
            messages::check(&revision.warnings);
            Some(Arc::new(revision))
        }
        Err(error) => {
            messages::check_refusal(&error.diagnostics());
            None
        }
    }
}

/// Reads a map as part of a game, twice, and plays the game if it is accepted.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Some(revision) = build(&text) else {
        return;
    };
    let again = build(&text).expect("it was accepted before");
    assert_eq!(revision.warnings, again.warnings);
    let mut played = Played::new(revision, again);
    for tick in 0..TICKS {
        played.step(&Inputs::default());
        if tick == TICKS / 2 {
            played.reload();
        }
    }
}
