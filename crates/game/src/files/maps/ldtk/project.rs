//! A project and its levels.

use super::{
    entities::EntityWalk,
    grids::{GridWalk, Layer},
    *,
};

/// The version of the format that is read, without what follows its first point.
const VERSION: &str = "1";

/// The largest number of levels of a project.
const MOST_LEVELS: usize = 1_000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Version<'a> {
    #[serde(borrow)]
    json_version: Option<PlacedPart<'a, String>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ProjectFile<'a> {
    #[serde(default)]
    identifier_style: IdentifierStyle,
    #[serde(borrow)]
    defs: Raw<'a>,
    #[serde(borrow)]
    levels: Vec<PlacedPart<'a, LevelHead<'a>>>,
    #[serde(borrow, default)]
    worlds: Vec<ProjectWorld<'a>>,
}

/// A part of a project with many levels.
#[derive(Deserialize)]
struct ProjectWorld<'a> {
    #[serde(borrow)]
    levels: Vec<PlacedPart<'a, LevelHead<'a>>>,
}

/// A level, as far as it is always in the project itself.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LevelHead<'a> {
    #[serde(borrow)]
    identifier: PlacedPart<'a, String>,
    /// The file with all of it.
    #[serde(borrow)]
    external_rel_path: Option<PlacedPart<'a, String>>,
}

/// A whole level.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LevelInstance<'a> {
    #[serde(borrow)]
    identifier: PlacedPart<'a, String>,
    #[serde(default)]
    iid: String,
    #[serde(borrow)]
    field_instances: Vec<FieldInstance<'a>>,
    /// The first one is in front.
    #[serde(borrow)]
    layer_instances: Option<Vec<Layer<'a>>>,
}

impl<'a> ProjectFile<'a> {
    fn read(file: &'a Arc<SourceFile>, out: &mut Mistakes) -> Option<Self> {
        let start = Place::new(file, 0..1);
        let version = read::<Version<'_>>(file, &file.text, out)?.json_version;
        let Some(version) = version else {
            out.error(&start, "this is not a project of LDtk: it has no `jsonVersion`");
            return None;
        };
        if version.value.split('.').next() != Some(VERSION) {
            let message = format!(
                "this project is of version {} of LDtk's format; versions {VERSION}.x are read, which LDtk {VERSION} saves",
                version.text
            );
            out.error(&version.place(file), message);
            return None;
        }
        let mut project: Self = read(file, &file.text, out)?;
        project
            .levels
            .extend(std::mem::take(&mut project.worlds).into_iter().flat_map(|world| world.levels));
        if let Some(level) = project.levels.get(MOST_LEVELS) {
            let message = format!("a project can have at most {MOST_LEVELS} levels");
            out.error(&level.value.identifier.place(file), message);
            return None;
        }
        Some(project)
    }

    /// The level with this name; without a name, the first one.
    fn level(&self, name: Option<&str>) -> Option<&PlacedPart<'a, LevelHead<'a>>> {
        let mut levels = self.levels.iter();
        levels.find(|level| name.is_none_or(|name| level.value.identifier.value == name))
    }

    fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.levels.iter().map(|level| level.value.identifier.value.as_str())
    }
}

/// The names of the levels of a project; none if it cannot be read.
pub fn level_names(file: &Arc<SourceFile>) -> Vec<String> {
    let project = ProjectFile::read(file, &mut Mistakes::new());
    project.iter().flat_map(ProjectFile::names).map(String::from).collect()
}

/// The paths of the files of a project's levels.
pub fn level_files(file: &Arc<SourceFile>, parts: MapParts<'_>) -> Vec<String> {
    let Some(project) = ProjectFile::read(file, &mut Mistakes::new()) else {
        return Vec::new();
    };
    let path = |level: &PlacedPart<'_, LevelHead<'_>>| Some(level.value.external_rel_path.as_ref()?.value.clone());
    match parts {
        MapParts::All => project.levels.iter().filter_map(path).collect(),
        MapParts::Level(name) => project.level(name).and_then(path).into_iter().collect(),
    }
}

/// Reads a level of a project. None if it cannot be read.
pub fn read_level(
    sources: MapSources<'_>,
    file: &Arc<SourceFile>,
    name: Option<&str>,
    out: &mut Mistakes,
) -> Option<MapLevel> {
    let project = ProjectFile::read(file, out)?;
    let Some(head) = project.level(name) else {
        let message = match name {
            Some(name) => format!("this project has no level `{name}`{}", suggestion(name, project.names())),
            None => "this project has no level".into(),
        };
        out.error(&Place::new(file, 0..1), message);
        return None;
    };
    let (level_file, text) = match &head.value.external_rel_path {
        None => (file, head.text),
        Some(path) => {
            let name = resolve_name(&file.name, &path.value);
            let Some(level_file) = sources.files.get(&name) else {
                if sources.unreadable.iter().all(|wrong| wrong.file_name() != name) {
                    let message =
                        format!("there is no file `{}`; its path starts at the folder of this file", path.value);
                    out.error(&path.place(file), message);
                }
                return None;
            };
            (level_file, &*level_file.text)
        }
    };
    let definitions = Definitions::read(file, project.defs.get(), project.identifier_style, sources, out)?;
    let level: LevelInstance<'_> = read(level_file, text, out)?;
    let place = level.identifier.place(level_file);
    let Some(layers) = &level.layer_instances else {
        out.error(&place, "this level has no layers, and names no file that has them");
        return None;
    };
    let mut grids = GridWalk::new(&definitions, level_file);
    if !grids.check(layers, out) {
        return None;
    }
    let mut items = grids.solids(layers, out);
    let mut entities = EntityWalk::new(&definitions, level_file, &level.iid, layers);
    for layer in layers.iter().rev() {
        items.extend(grids.tiles(layer, items.len(), out));
        items.extend(entities.objects(layer, out));
    }
    let fields = level.field_instances.iter();
    let properties = fields.filter_map(|field| entities.fields.property(field, None, out)).collect();
    let map = DrawnMap { place, properties, sets: grids.sets(), items };
    Some(map.convert(sources.kinds, out))
}
