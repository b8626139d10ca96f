//! What all levels of a project share: its layers, entities and tilesets, and what their names mean.

use super::*;
use hangtime_script::{PLAIN_SURFACE, is_typo_of};

/// The largest number of layers and of entities that a project defines.
const MOST_DEFINITIONS: usize = 10_000;

/// The largest number of tags of a tileset, and of values of an IntGrid.
const MOST_TAGS: usize = 128;
const MOST_VALUES: usize = 1_000;

/// The names that make cells solid, as those of surfaces do.
const WORDS: [&str; 3] = ["solid", "one_way", PLAIN_SURFACE];

/// How LDtk changes the names that people write. Tags of entities and values of IntGrids are not changed.
#[derive(Clone, Copy)]
pub enum IdentifierStyle {
    /// The first letter is a capital.
    Capitalize,
    Uppercase,
    /// Either as people write them, or in lowercase.
    Plain,
}

impl IdentifierStyle {
    fn read(project: &Members<'_>) -> Read<Self> {
        let style = project.get("identifierStyle");
        let style = style.map(|style| style.one_of(&["Capitalize", "Uppercase", "Lowercase", "Free"]));
        Ok(match style.transpose()? {
            None | Some(0) => Self::Capitalize,
            Some(1) => Self::Uppercase,
            Some(_) => Self::Plain,
        })
    }

    /// A name without the capitals that LDtk has added.
    pub fn plain(self, name: &str) -> String {
        match self {
            Self::Capitalize => {
                let first = name.chars().next().map_or(0, char::len_utf8);
                name[..first].to_lowercase() + &name[first..]
            }
            Self::Uppercase => name.to_lowercase(),
            Self::Plain => name.into(),
        }
    }
}

/// A tileset.
pub struct Tileset {
    pub name: String,
    /// The path of its picture, and the place that names it; none for one that is a part of LDtk.
    pub picture: Option<(String, Place)>,
    pub columns: u32,
    pub rows: u32,
    /// The width and height of a tile, px.
    pub size: u32,
    pub spacing: u32,
    pub padding: u32,
    /// What its tags say, and the tiles that have them.
    words: Vec<(CellWord, Place, BTreeSet<u32>)>,
}

impl Tileset {
    /// What the tags of a tile say.
    pub fn words_of(&self, tile: u32) -> CellWords {
        let mut words = CellWords::default();
        let tags = self.words.iter().filter(|(.., tiles)| tiles.contains(&tile));
        tags.for_each(|(word, place, _)| words.add(word, place));
        words
    }
}

/// What a name says about the cells of a tile, or of a value of an IntGrid.
enum CellWord {
    Solid,
    OneWay,
    Surface(Node),
    Top(Node),
}

/// What all names of a tile or value say.
#[derive(Default)]
pub struct CellWords {
    solid: Option<Place>,
    one_way: bool,
    style: SolidStyle,
}

impl CellWords {
    fn add(&mut self, word: &CellWord, place: &Place) {
        match word {
            CellWord::Solid => {}
            CellWord::OneWay => self.one_way = true,
            CellWord::Surface(name) => self.style.surface = Some(name.clone()),
            CellWord::Top(top) => {
                self.style.top = Some(top.clone());
                return;
            }
        }
        self.solid.get_or_insert_with(|| place.clone());
    }

    /// The shape of a cell of this size; none if it is not solid.
    pub fn shape(&self, size: DVec2) -> Option<TileShape> {
        let place = self.solid.clone()?;
        let mut points = corners(DVec2::ZERO, size).to_vec();
        if self.one_way {
            points.truncate(2);
        }
        Some(TileShape { points, one_way: self.one_way, style: self.style.clone(), place })
    }
}

/// The definitions of a project.
pub struct Definitions<'a> {
    pub style: IdentifierStyle,
    pub kinds: &'a BTreeSet<String>,
    surfaces: &'a BTreeSet<String>,
    layers: BTreeMap<i64, Members<'a>>,
    entities: BTreeMap<i64, Members<'a>>,
    tilesets: BTreeMap<i64, Members<'a>>,
}

impl<'a> Definitions<'a> {
    /// Reads the definitions of a project as far as all levels need them.
    pub fn read(project: &Members<'a>, sources: MapSources<'a>) -> Read<Self> {
        let lists = project.need("defs")?.object()?;
        let by_uid = |key: &str, most: usize| {
            let mut found = BTreeMap::new();
            lists.need(key)?.each(&mut |item| {
                let parts = item.object()?;
                if found.len() == most {
                    let place = parts.need("identifier")?;
                    return Err(place.error(format!("a project can have at most {most} {key}")));
                }
                found.insert(parts.whole("uid", WHOLE)?, parts);
                Ok(())
            })?;
            Ok(found)
        };
        Ok(Self {
            style: IdentifierStyle::read(project)?,
            kinds: sources.kinds,
            surfaces: sources.surfaces,
            layers: by_uid("layers", MOST_DEFINITIONS)?,
            entities: by_uid("entities", MOST_DEFINITIONS)?,
            tilesets: by_uid("tilesets", MOST_TILESETS)?,
        })
    }

    pub fn layer(&self, uid: i64) -> Option<&Members<'a>> {
        self.layers.get(&uid)
    }

    /// Whether LDtk draws entities with this definition as ellipses; none if there is no such definition.
    pub fn is_ellipse(&self, uid: i64) -> Option<bool> {
        let mode = self.entities.get(&uid)?.get("renderMode");
        Some(mode.is_some_and(|mode| mode.text == "\"Ellipse\""))
    }

    /// A name that is known: as it is written, or without the capitals that LDtk has added.
    pub fn known(&self, name: &str, is_known: impl Fn(&str) -> bool) -> Option<String> {
        let names = [name.to_string(), self.style.plain(name)];
        names.into_iter().find(|name| is_known(name))
    }

    /// What a name says; nothing for most names. Those that are nearly known are reported.
    fn word(&self, name: Part<'_>, out: &mut Mistakes) -> Read<Option<(CellWord, Place)>> {
        let (written, place) = (name.string()?, name.place());
        // Each solid gets a copy.
        if written.len() > LONGEST_NAME {
            return Ok(None);
        }
        let plain = self.style.plain(&written);
        if let Some(top) = plain.strip_prefix("top_").and_then(|top| top.parse::<u32>().ok()) {
            return Ok(Some((CellWord::Top(Node::new(Data::Int(top.into()), &place)), place)));
        }
        let known = self.known(&written, |name| WORDS.contains(&name) || self.surfaces.contains(name));
        let word = match known.as_deref() {
            Some("solid") => CellWord::Solid,
            Some("one_way") => CellWord::OneWay,
            Some(surface) => CellWord::Surface(Node::new(Data::Text(surface.into()), &place)),
            None => {
                let mut names = WORDS.into_iter().chain(self.surfaces.iter().map(String::as_str));
                // Most names that say nothing resemble some surface a little.
                if let Some(right) = names.find(|right| is_typo_of(&plain, right)) {
                    let message = format!("nothing is solid because of the name `{written}`; did you mean `{right}`?");
                    out.warn(&place, message);
                }
                return Ok(None);
            }
        };
        Ok(Some((word, place)))
    }

    /// What the values of an IntGrid say about their cells, by value.
    pub fn grid_words(&self, layer: &Members<'_>, out: &mut Mistakes) -> Read<BTreeMap<i64, CellWords>> {
        let mut groups = BTreeMap::new();
        layer.each("intGridValuesGroups", &mut |group| {
            let group = group.object()?;
            if let Some(name) = group.get("identifier") {
                groups.insert(group.whole("uid", WHOLE)?, self.word(name, out)?);
            }
            Ok(())
        })?;
        let mut found = BTreeMap::new();
        layer.each("intGridValues", &mut |value| {
            if found.len() == MOST_VALUES {
                return Err(value.error(format!("an IntGrid can have at most {MOST_VALUES} values")));
            }
            let value = value.object()?;
            let own = value.get("identifier").map(|name| self.word(name, out)).transpose()?;
            let group = value.maybe_whole("groupUid", WHOLE)?.and_then(|uid| groups.get(&uid));
            let mut words = CellWords::default();
            let all = own.iter().chain(group).flatten();
            all.for_each(|(word, place)| words.add(word, place));
            found.insert(value.whole("value", NUMBERS)?, words);
            Ok(())
        })?;
        Ok(found)
    }

    /// A tileset; none if there is none with this uid.
    pub fn tileset(&self, uid: i64, out: &mut Mistakes) -> Read<Option<Tileset>> {
        let Some(set) = self.tilesets.get(&uid) else {
            return Ok(None);
        };
        let name = set.need("identifier")?;
        let side = |key: &str| Ok(set.maybe_whole(key, SIDES)?.unwrap_or(0) as u32);
        let size = side("tileGridSize")?;
        if size == 0 {
            return Err(name.error("the tiles of a picture are at least 1 px wide and high"));
        }
        let mut words = Vec::new();
        let mut tags = 0;
        set.each("enumTags", &mut |tag| {
            let tag = tag.object()?;
            let name = tag.need("enumValueId")?;
            tags += 1;
            if tags > MOST_TAGS {
                return Err(name.error(format!("a tileset can have at most {MOST_TAGS} tags")));
            }
            if let Some((word, place)) = self.word(name, out)? {
                let mut tiles = BTreeSet::new();
                tag.each("tileIds", &mut |tile| {
                    tiles.insert(tile.whole(NUMBERS)? as u32);
                    Ok(())
                })?;
                words.push((word, place, tiles));
            }
            Ok(())
        })?;
        let picture = set.get("relPath").map(|path| Ok((path.string()?, path.place()))).transpose()?;
        let (columns, rows) = (side("__cWid")?, side("__cHei")?);
        let (spacing, padding) = (side("spacing")?, side("padding")?);
        Ok(Some(Tileset { name: name.string()?, picture, columns, rows, size, spacing, padding, words }))
    }
}
