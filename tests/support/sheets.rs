//! A game that draws, and sheets of sprites for it.

use crate::folder::Folder;

/// A top view without anything but a hero at (0, 0), whose script draws in its first tick and in every tick.
pub fn folder(first: &str, every: &str) -> Folder {
    let folder = Folder::empty();
    folder.write(
        "levels/level.toml",
        "view = \"top\"\nsurface = \"stone\"\n[[entity]]\nkind = \"hero\"\nat = [0, 0]\nplayer = 1\n",
    );
    folder.write(
        "config/entities/hero.toml",
        "script = \"hero.rhai\"\nmodel = \"topdown\"\nbody = { ellipse = [8.0, 6.0] }\nvars = { n = 0 }\n",
    );
    let script = format!("fn on_birth(me) {{ {first} }}\nfn on_tick(me) {{ this.n += 1; {every} }}\n");
    folder.write("scripts/hero.rhai", &script);
    folder
}

/// A pixel that no other place of a sheet has, and no picture without it.
pub fn color_at(x: u32, y: u32) -> [u8; 4] {
    [(201 + 2 * x) as u8, (3 + 5 * y) as u8, 255, 255]
}

/// A sheet in which all pixels differ.
pub fn sheet(width: u32, height: u32) -> Vec<[u8; 4]> {
    let rows = (0..height).flat_map(|y| (0..width).map(move |x| color_at(x, y)));
    rows.collect()
}
