//! `[camera]` of a level or a kind: how it is looked at.

use super::{level::read_bounds, *};
use hangtime_core::{
    level::{CAMERA_ZOOM, CameraAim, CameraSettings, CameraTarget, LOOK_AHEAD, MOST_TARGETS},
    sim::{MOST_PLAYERS, Start},
};
use std::ops::RangeInclusive;

/// The camera of a level, and the places that name what it follows.
#[derive(Default)]
pub(crate) struct CameraTable {
    pub settings: CameraSettings,
    targets: Vec<(CameraTarget, Place)>,
}

/// Reads `[camera]` of a level.
pub(crate) fn read_camera(level: &mut TableReader<'_, '_>) -> CameraTable {
    let Some(table) = level.table("camera") else {
        return CameraTable::default();
    };
    let mut reader = TableReader::new(table, level.out);
    let mut camera = CameraTable { settings: read_settings(&mut reader), targets: Vec::new() };
    if let Some(node) = reader.get("follow") {
        camera.targets = read_targets(&mut reader, node).unwrap_or_default();
        let targets = camera.targets.iter().map(|(target, _)| target.clone());
        camera.settings.aim = Some(CameraAim::Follow(targets.collect()));
    }
    if let Some(at) = reader.point("look_at") {
        if camera.settings.aim.is_some() {
            let place = table.place_of("look_at");
            reader.error(place, "a camera looks at a point or follows something; leave out `look_at` or `follow`");
        }
        camera.settings.aim = Some(CameraAim::At(at));
    }
    if reader.get("bounds").is_some() {
        camera.settings.bounds = read_bounds(&mut reader);
    }
    reader.finish();
    camera
}

/// Reads `[camera]` of a kind, which applies while an entity of the kind is followed.
pub(crate) fn read_kind_camera(table: &Table, out: &mut Mistakes) -> Option<CameraSettings> {
    let table = TableReader::new(table, out).table("camera")?;
    let mut reader = TableReader::new(table, out);
    let settings = read_settings(&mut reader);
    let of_level = |key: &str| {
        let belongs = ["follow", "look_at", "bounds"].contains(&key);
        belongs.then(|| "; it belongs to the `[camera]` of a level".to_string())
    };
    reader.finish_with(of_level);
    Some(settings)
}

/// What levels and kinds can both choose.
fn read_settings(reader: &mut TableReader<'_, '_>) -> CameraSettings {
    let between = |of: RangeInclusive<f64>| range(*of.start(), *of.end());
    let dead_zone = reader.point("dead_zone");
    if dead_zone.is_some_and(|size| size.min_element() < 0.0) {
        let place = reader.table.place_of("dead_zone");
        reader.error(place, "`dead_zone` takes a width and a height, [w, h], of at least 0 px");
    }
    CameraSettings {
        dead_zone,
        look_ahead: reader.number("look_ahead", between(LOOK_AHEAD), "s"),
        zoom: reader.number("zoom", between(CAMERA_ZOOM), ""),
        ..CameraSettings::default()
    }
}

/// Reads a target of `follow`, or a list of them, each with its place.
fn read_targets(reader: &mut TableReader<'_, '_>, node: &Node) -> Option<Vec<(CameraTarget, Place)>> {
    let nodes = node.list().unwrap_or(std::slice::from_ref(node));
    let target = |node: &Node| match &node.value {
        Data::Text(name) => Some(CameraTarget::Named(name.as_str().into())),
        Data::Int(player) => {
            let player = u8::try_from(*player).ok()?;
            (1..=MOST_PLAYERS).contains(&player).then_some(CameraTarget::Player(player))
        }
        _ => None,
    };
    let targets = nodes.iter().map(|node| Some((target(node)?, node.place.clone())));
    let targets: Option<Vec<_>> = targets.collect();
    let fits = targets.as_ref().is_some_and(|targets| (1..=MOST_TARGETS).contains(&targets.len()));
    if !fits {
        let message = format!(
            "`follow` takes the name of an entity or a kind, the number of a player, or a list of up to {MOST_TARGETS} of these"
        );
        reader.error(&node.place, message);
    }
    targets.filter(|_| fits)
}

impl CameraTable {
    /// Reports targets that are neither among these entities nor these kinds.
    pub(crate) fn check<'k>(
        &self,
        starts: &'k [Start],
        kinds: impl Iterator<Item = &'k str> + Clone,
        out: &mut Mistakes,
    ) {
        for (target, place) in &self.targets {
            match target {
                CameraTarget::Named(name) => {
                    let names = || starts.iter().map(|start| &*start.name).chain(kinds.clone());
                    if names().all(|known| *known != **name) {
                        let hint = suggestion(name, names());
                        out.error(place, format!("there is no entity and no kind `{name}`{hint}"));
                    }
                }
                CameraTarget::Player(player) => {
                    if starts.iter().all(|start| start.player != Some(*player)) {
                        out.error(place, format!("no entity of this level has `player = {player}`"));
                    }
                }
            }
        }
    }
}
