//! What all levels of a project share: its layers, entities and tilesets, and what their names mean.

use super::*;
use hangtime_script::PLAIN_SURFACE;
use serde::Deserializer;

/// The largest numbers of tilesets of a project, and of tags of a tileset.
const MOST_TILESETS: usize = 256;
const MOST_TAGS: usize = 128;

/// The largest number of values of an IntGrid.
const MOST_VALUES: usize = 1_000;

/// The names that make cells solid, as those of surfaces do.
const WORDS: [&str; 3] = ["solid", "one_way", PLAIN_SURFACE];

/// The longest name that has a meaning, in bytes.
pub const LONGEST_NAME: usize = 256;

/// How LDtk changes the names that people write. Tags of entities and values of IntGrids are not changed.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub enum IdentifierStyle {
    /// The first letter is a capital.
    #[default]
    Capitalize,
    Uppercase,
    Lowercase,
    Free,
}

impl IdentifierStyle {
    /// A name without the capitals that LDtk has added.
    pub fn plain(self, name: &str) -> String {
        match self {
            Self::Capitalize => {
                let first = name.chars().next().map_or(0, char::len_utf8);
                name[..first].to_lowercase() + &name[first..]
            }
            Self::Uppercase => name.to_lowercase(),
            Self::Lowercase | Self::Free => name.into(),
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DefinitionLists<'a> {
    #[serde(borrow)]
    layers: Vec<LayerDefinition<'a>>,
    entities: Vec<EntityDefinition>,
    #[serde(borrow)]
    tilesets: Vec<PlacedPart<'a, TilesetDefinition<'a>>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LayerDefinition<'a> {
    uid: i64,
    /// The values of an IntGrid.
    #[serde(borrow, default)]
    int_grid_values: Vec<GridValue<'a>>,
    #[serde(borrow, default)]
    int_grid_values_groups: Vec<GridGroup<'a>>,
    /// The layer whose values decide which tiles this one has.
    pub auto_source_layer_def_uid: Option<i64>,
    #[serde(default)]
    pub parallax_factor_x: f64,
    #[serde(default)]
    pub parallax_factor_y: f64,
    /// Which point of a tile, and of its cell, lie on each other, as shares of their sizes.
    #[serde(default, deserialize_with = "share")]
    pub tile_pivot_x: f64,
    #[serde(default, deserialize_with = "share")]
    pub tile_pivot_y: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GridValue<'a> {
    value: u32,
    #[serde(borrow)]
    identifier: Option<PlacedPart<'a, String>>,
    #[serde(default)]
    group_uid: i64,
}

#[derive(Deserialize)]
struct GridGroup<'a> {
    uid: i64,
    #[serde(borrow)]
    identifier: Option<PlacedPart<'a, String>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct EntityDefinition {
    uid: i64,
    #[serde(default)]
    render_mode: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TilesetDefinition<'a> {
    uid: i64,
    #[serde(borrow)]
    pub identifier: PlacedPart<'a, String>,
    /// Its picture; none for one that is a part of LDtk.
    #[serde(borrow)]
    pub rel_path: Option<PlacedPart<'a, String>>,
    #[serde(rename = "__cWid")]
    pub columns: u16,
    #[serde(rename = "__cHei")]
    pub rows: u16,
    pub tile_grid_size: u16,
    #[serde(default)]
    pub spacing: u16,
    #[serde(default)]
    pub padding: u16,
    #[serde(borrow, default)]
    enum_tags: Vec<TileTag<'a>>,
}

/// A tag, and the tiles that have it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TileTag<'a> {
    #[serde(borrow)]
    enum_value_id: PlacedPart<'a, String>,
    tile_ids: BTreeSet<u32>,
}

/// Reads a number from 0 to 1.
pub fn share<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    let share = f64::deserialize(from)?;
    let is_share = (0.0..=1.0).contains(&share);
    is_share
        .then_some(share)
        .ok_or_else(|| serde::de::Error::custom(format!("this is {share}; it must be between 0 and 1")))
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

/// The tags of a tileset that say something.
pub struct TileWords<'a>(Vec<(CellWord, Place, &'a BTreeSet<u32>)>);

impl TileWords<'_> {
    /// What the tags of a tile say.
    pub fn of(&self, id: u32) -> CellWords {
        let mut words = CellWords::default();
        let tags = self.0.iter().filter(|(.., tiles)| tiles.contains(&id));
        tags.for_each(|(word, place, _)| words.add(word, place));
        words
    }
}

/// The definitions of a project.
pub struct Definitions<'a> {
    pub file: &'a Arc<SourceFile>,
    pub style: IdentifierStyle,
    pub kinds: &'a BTreeSet<String>,
    surfaces: &'a BTreeSet<String>,
    layers: BTreeMap<i64, LayerDefinition<'a>>,
    entities: BTreeMap<i64, EntityDefinition>,
    tilesets: BTreeMap<i64, TilesetDefinition<'a>>,
}

impl<'a> Definitions<'a> {
    /// Reads the definitions of a project, which are a part of its file.
    pub fn read(
        file: &'a Arc<SourceFile>,
        text: &'a str,
        style: IdentifierStyle,
        sources: MapSources<'a>,
        out: &mut Mistakes,
    ) -> Option<Self> {
        let lists: DefinitionLists<'_> = read(file, text, out)?;
        if let Some(set) = lists.tilesets.get(MOST_TILESETS) {
            out.error(
                &set.value.identifier.place(file),
                format!("a project can have at most {MOST_TILESETS} tilesets"),
            );
            return None;
        }
        for layer in &lists.layers {
            if let Some(value) = layer.int_grid_values.get(MOST_VALUES) {
                let message = format!("an IntGrid can have at most {MOST_VALUES} values");
                let name = value.identifier.as_ref();
                out.error(&name.map_or_else(|| place_in(file, text), |name| name.place(file)), message);
                return None;
            }
        }
        for set in lists.tilesets.iter().map(|set| &set.value) {
            let place = set.identifier.place(file);
            if set.tile_grid_size == 0 {
                out.error(&place, "the tiles of a picture are at least 1 px wide and high");
                return None;
            }
            if let Some(tag) = set.enum_tags.get(MOST_TAGS) {
                let message = format!("a tileset can have at most {MOST_TAGS} tags");
                out.error(&tag.enum_value_id.place(file), message);
                return None;
            }
        }
        Some(Self {
            file,
            style,
            kinds: sources.kinds,
            surfaces: sources.surfaces,
            layers: lists.layers.into_iter().map(|it| (it.uid, it)).collect(),
            entities: lists.entities.into_iter().map(|it| (it.uid, it)).collect(),
            tilesets: lists.tilesets.into_iter().map(|it| (it.value.uid, it.value)).collect(),
        })
    }

    pub fn layer(&self, uid: i64) -> Option<&LayerDefinition<'a>> {
        self.layers.get(&uid)
    }

    pub fn tileset(&self, uid: i64) -> Option<&TilesetDefinition<'a>> {
        self.tilesets.get(&uid)
    }

    /// Whether LDtk draws entities with this definition as ellipses; none if there is no such definition.
    pub fn is_ellipse(&self, uid: i64) -> Option<bool> {
        Some(self.entities.get(&uid)?.render_mode == "Ellipse")
    }

    /// A name that is known: as it is written, or without the capitals that LDtk has added.
    pub fn known(&self, name: &str, is_known: impl Fn(&str) -> bool) -> Option<String> {
        let names = [name.to_string(), self.style.plain(name)];
        names.into_iter().find(|name| is_known(name))
    }

    /// What a name says; nothing for most names. Those that are nearly known are reported.
    fn word(&self, name: &PlacedPart<'_, String>, out: &mut Mistakes) -> Option<(CellWord, Place)> {
        let (written, place) = (&name.value, name.place(self.file));
        // Each solid gets a copy.
        if written.len() > LONGEST_NAME {
            return None;
        }
        let plain = self.style.plain(written);
        if let Some(top) = plain.strip_prefix("top_").and_then(|top| top.parse::<u32>().ok()) {
            return Some((CellWord::Top(Node::new(Data::Int(top.into()), &place)), place));
        }
        let known = self.known(written, |name| WORDS.contains(&name) || self.surfaces.contains(name));
        let word = match known.as_deref() {
            Some("solid") => CellWord::Solid,
            Some("one_way") => CellWord::OneWay,
            Some(surface) => CellWord::Surface(Node::new(Data::Text(surface.into()), &place)),
            None => {
                let mut names = WORDS.into_iter().chain(self.surfaces.iter().map(String::as_str));
                if let Some(right) = names.find(|right| is_typo_of(&plain, right)) {
                    let message = format!("nothing is solid because of the name `{written}`; did you mean `{right}`?");
                    out.warn(&place, message);
                }
                return None;
            }
        };
        Some((word, place))
    }

    /// What the values of an IntGrid say about their cells, by value.
    pub fn grid_words(&self, layer: &LayerDefinition<'_>, out: &mut Mistakes) -> BTreeMap<u32, CellWords> {
        let groups = layer.int_grid_values_groups.iter();
        let named = groups.filter_map(|it| Some((it.uid, self.word(it.identifier.as_ref()?, out)?)));
        let groups: BTreeMap<i64, _> = named.collect();
        let mut words_of = |value: &GridValue<'_>| {
            let mut words = CellWords::default();
            let own = value.identifier.as_ref().and_then(|name| self.word(name, out));
            let all = own.iter().chain(groups.get(&value.group_uid));
            all.for_each(|(word, place)| words.add(word, place));
            (value.value, words)
        };
        layer.int_grid_values.iter().map(&mut words_of).collect()
    }

    /// What the tags of a tileset say about its tiles.
    pub fn tile_words<'s>(&self, set: &'s TilesetDefinition<'_>, out: &mut Mistakes) -> TileWords<'s> {
        let word = |tag: &'s TileTag<'_>| {
            let (word, place) = self.word(&tag.enum_value_id, out)?;
            Some((word, place, &tag.tile_ids))
        };
        TileWords(set.enum_tags.iter().filter_map(word).collect())
    }
}

/// Whether two words differ in a letter, or in the order of two. Most names that say nothing resemble some surface a little.
fn is_typo_of(word: &str, right: &str) -> bool {
    let (word, right) = (word.as_bytes(), right.as_bytes());
    let start = word.iter().zip(right).take_while(|(a, b)| a == b).count();
    let (word, right) = (&word[start..], &right[start..]);
    let end = word.iter().rev().zip(right.iter().rev()).take_while(|(a, b)| a == b).count();
    match (&word[..word.len() - end], &right[..right.len() - end]) {
        ([a, b], [c, d]) => (a, b) == (d, c),
        (word, right) => word.len().max(right.len()) <= 1,
    }
}
