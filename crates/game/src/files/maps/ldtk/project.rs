//! A project and its levels.

use super::{entities::EntityWalk, grids::GridWalk, *};

/// The version of the format that is read, without what follows its first point.
const VERSION: &str = "1";

/// The largest number of levels of a project.
const MOST_LEVELS: usize = 1_000;

struct ProjectFile<'a> {
    all: Members<'a>,
    /// The levels and their names.
    levels: Vec<(String, Part<'a>)>,
}

impl<'a> ProjectFile<'a> {
    fn read(file: &'a Arc<SourceFile>) -> Read<Self> {
        let all = Part::all_of(file)?.object()?;
        let Some(version) = all.get("jsonVersion") else {
            let message = "this is not a project of LDtk: it has no `jsonVersion`";
            return Err(Diagnostic::error(Place::new(file, 0..1), message));
        };
        if version.string()?.split('.').next() != Some(VERSION) {
            return Err(version.error(format!(
                "this project is of version {} of LDtk's format; versions {VERSION}.x are read, which LDtk {VERSION} saves",
                version.shown()
            )));
        }
        let mut levels = Vec::new();
        let mut add = |level: Part<'a>| {
            let name = level.object()?.need("identifier")?;
            if levels.len() == MOST_LEVELS {
                return Err(name.error(format!("a project can have at most {MOST_LEVELS} levels")));
            }
            levels.push((name.string()?, level));
            Ok(())
        };
        all.need("levels")?.each(&mut add)?;
        // The levels of a project with several worlds are in these.
        all.each("worlds", &mut |world| world.object()?.need("levels")?.each(&mut add))?;
        Ok(Self { all, levels })
    }

    /// The level with this name; without a name, the first one.
    fn level(&self, name: Option<&str>) -> Option<Part<'a>> {
        let mut levels = self.levels.iter();
        levels.find(|(known, _)| name.is_none_or(|name| known == name)).map(|(_, level)| *level)
    }

    fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.levels.iter().map(|(name, _)| name.as_str())
    }
}

/// The path of the file with a whole level, if it is not in the project.
fn path_of(level: Part<'_>) -> Read<Option<(String, Part<'_>)>> {
    let path = level.object()?.get("externalRelPath");
    path.map(|path| Ok((path.string()?, path))).transpose()
}

/// The names of the levels of a project; none if it cannot be read.
pub fn level_names(file: &Arc<SourceFile>) -> Vec<String> {
    ProjectFile::read(file).iter().flat_map(ProjectFile::names).map(String::from).collect()
}

/// The paths of the files of a project's levels.
pub fn level_files(file: &Arc<SourceFile>, parts: MapParts<'_>) -> Vec<String> {
    let Ok(project) = ProjectFile::read(file) else {
        return Vec::new();
    };
    let levels = match parts {
        MapParts::All => project.levels.iter().map(|(_, level)| *level).collect(),
        MapParts::Level(name) => Vec::from_iter(project.level(name)),
    };
    levels.into_iter().filter_map(|level| Some(path_of(level).ok()??.0)).collect()
}

/// Reads a level of a project. None if it cannot be read.
pub fn read_level(
    sources: MapSources<'_>,
    file: &Arc<SourceFile>,
    name: Option<&str>,
    out: &mut Mistakes,
) -> Option<MapLevel> {
    read(sources, file, name, out).unwrap_or_else(|wrong| {
        out.push(wrong);
        None
    })
}

fn read(
    sources: MapSources<'_>,
    file: &Arc<SourceFile>,
    name: Option<&str>,
    out: &mut Mistakes,
) -> Read<Option<MapLevel>> {
    let project = ProjectFile::read(file)?;
    let Some(mut level) = project.level(name) else {
        let message = match name {
            Some(name) => format!("this project has no level `{name}`{}", suggestion(name, project.names())),
            None => "this project has no level".into(),
        };
        return Err(Diagnostic::error(Place::new(file, 0..1), message));
    };
    if let Some((path, at)) = path_of(level)? {
        let name = resolve_name(&file.name, &path);
        let Some(file) = sources.files.get(&name) else {
            let is_reported = sources.unreadable.iter().any(|wrong| wrong.file_name() == name);
            return if is_reported { Ok(None) } else { Err(at.error(no_file(&path))) };
        };
        level = Part::all_of(file)?;
    }
    let definitions = Definitions::read(&project.all, sources)?;
    let parts = level.object()?;
    let name = parts.need("identifier")?;
    let Some(layers) = parts.get("layerInstances") else {
        return Err(name.error("this level has no layers, and names no file that has them"));
    };
    let mut grids = GridWalk::new(&definitions);
    let layers = grids.layers(layers, out)?;
    let mut items = grids.solids(&layers, out)?;
    let mut entities = EntityWalk::new(&definitions, parts.get("iid"), &layers)?;
    for layer in layers.iter().rev() {
        items.extend(grids.tiles(layer, items.len(), out)?);
        items.extend(entities.objects(layer, out)?);
    }
    let mut properties = Vec::new();
    parts.need("fieldInstances")?.each(&mut |field| {
        properties.extend(entities.fields.property(field, None, out)?);
        Ok(())
    })?;
    let map = DrawnMap { place: name.place(), properties, sets: grids.sets(), items };
    Ok(Some(map.convert(sources.kinds, out)))
}
