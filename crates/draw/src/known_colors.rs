//! Every color that pictures of a level can contain, for GIFs.

use super::{
    palette::{
        DARK, EYE, FLAME, FLAME_HEART, GHOST, LEG, NEW_PATH, OLD_PATH, PARTED, PUPIL, ROPE, SHADE, SWIRL, TEXT, block,
        edge_of_model, fill_of_player, floor, ghost, light, shaded, zone,
    },
    *,
};

/// Every color that pictures of a level can contain. A GIF needs its palette before the whole level
/// has been seen.
pub fn all(level: &Level) -> Vec<Color> {
    let mut all: Vec<Color> = (0..4).map(fill_of_player).collect();
    let models = ModelName::ALL.iter().map(|m| edge_of_model(*m));
    all.extend(models);
    all.extend([TEXT, EYE, PUPIL, ROPE, LEG, FLAME, FLAME_HEART]);
    all.extend([NEW_PATH, OLD_PATH, PARTED]);
    match level.view {
        View::Side => {
            all.extend(art::all_colors(level));
            all.push(SWIRL);
            all.extend((0..4).flat_map(|player| shaded(fill_of_player(player))));
        }
        View::Top => {
            let grounds = level.terrain.solids().iter();
            let grounds = grounds.map(|s| block(level.surface_name(s.surface), s.top));
            let floor = floor(level.surface_name(level.plain));
            let lit: Vec<Color> = grounds.clone().map(|g| g.top).chain(floor).collect();
            all.extend(lit.iter().map(|c| c.towards(DARK, SHADE)));
            all.extend(lit);
            all.extend(grounds.flat_map(|g| [g.side, g.edge]));
            all.extend((0..4).map(|player| fill_of_player(player).towards(DARK, 0.4)));
        }
    }
    // Zones are translucent: these are their colors over every background they may cover.
    let below: Vec<Color> = match level.view {
        View::Side => art::SKY.into(),
        View::Top => floor(level.surface_name(level.plain)).into(),
    };
    // Older paths are translucent as well.
    all.extend(below.iter().step_by(2).map(|c| c.towards(OLD_PATH, 0.5)));
    let mut zones: Vec<Color> = level.zones.list().iter().map(zone).collect();
    zones.sort_unstable_by_key(|c| (c.0, c.1, c.2));
    zones.dedup();
    let hinted = |solid: &&Solid| solid.present.is_some();
    let mut hints: Vec<Color> = level.terrain.solids().iter().filter(hinted).map(|solid| ghost(level, solid)).collect();
    hints.sort_unstable_by_key(|c| (c.0, c.1, c.2));
    hints.dedup();
    for hint in hints {
        for below in below.iter().step_by(3) {
            all.extend([GHOST.0, GHOST.1].map(|cover| below.towards(hint, cover)));
        }
    }
    for zone in zones {
        let tints = below.iter().map(|c| c.towards(zone, TINT));
        all.extend(tints.clone());
        // A few shades are enough for hints.
        all.extend(tints.step_by(4).map(|c| c.towards(light(zone), HINT)));
    }
    all.dedup();
    all
}

/// The most colors of pictures.
const MOST_OF_ART: usize = 160;

/// The most frequent colors of the pictures that kinds and the level name; of all pictures, if they name none.
pub fn of_art(art: &Artwork) -> Vec<Color> {
    let mut named: Vec<&str> = art.sprites.values().map(|sprite| &*sprite.sheet).collect();
    named.extend(art.tiles.iter().map(|tiles| &*tiles.sheet));
    let looks = art.layers.iter().flat_map(|layer| &layer.looks);
    named.extend(looks.map(|look| &*look.sheet));
    let sheets = art.sheets.iter();
    let sheets = sheets.filter(|(name, _)| named.is_empty() || named.contains(&&***name));
    let mut counts: BTreeMap<[u8; 3], usize> = BTreeMap::new();
    for [red, green, blue, cover] in sheets.flat_map(|(_, sheet)| sheet.pixels()) {
        if *cover > 0 {
            *counts.entry([*red, *green, *blue]).or_default() += 1;
        }
    }
    let mut all: Vec<([u8; 3], usize)> = counts.into_iter().collect();
    all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let most = all.into_iter().take(MOST_OF_ART);
    most.map(|([red, green, blue], _)| Color(red, green, blue)).collect()
}
