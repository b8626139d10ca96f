//! Checks before a map is read: what the reader of maps would refuse without a place, and sizes that
//! would take too much memory or time.

use super::{tileset::ALIGNMENTS, *};

/// The largest number of tiles in a tileset.
const MOST_IN_TILESET: f64 = 65_536.0;

/// The largest width and height of a tile, px, and of a layer or chunk, tiles.
const MOST_WIDE: f64 = 10_000.0;

/// The types of custom properties.
const TYPES: [&str; 9] = ["string", "int", "float", "bool", "color", "file", "object", "class", "list"];

/// The sizes in which the tiles of a tileset can be drawn.
const SIZES: [&str; 2] = ["tile", "grid"];

/// What a file is, which decides what may be in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TiledFile {
    /// A map, `.tmx`.
    Map,
    /// A tileset, `.tsx`.
    Tileset,
    /// A template of objects, `.tx`.
    Template,
}

impl TiledFile {
    const fn root(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::Tileset => "tileset",
            Self::Template => "template",
        }
    }
}

/// A walk through all elements of a file.
struct Guard<'o> {
    out: &'o mut Mistakes,
    kind: TiledFile,
    tilesets: usize,
}

/// Checks a file. If it returns false, reading the map must not be tried.
pub fn check_file(tree: &XmlTree<'_>, kind: TiledFile, out: &mut Mistakes) -> bool {
    let before = out.count();
    let root = tree.root();
    if root.name() != kind.root() {
        let (wanted, found) = (kind.root(), root.name());
        let message = format!("this is not a {wanted} of Tiled: it begins with `<{found}>` instead of `<{wanted}>`");
        out.error(&root.place(), message);
        return false;
    }
    let mut guard = Guard { out, kind, tilesets: 0 };
    if kind == TiledFile::Map {
        guard.check_map(root);
    }
    guard.walk(root, kind == TiledFile::Tileset);
    out.count() == before
}

impl Guard<'_> {
    fn error(&mut self, tag: XmlTag<'_>, attribute: &str, message: impl Into<String>) {
        self.out.error(&tag.place_of(attribute), message);
    }

    fn require(&mut self, tag: XmlTag<'_>, names: &[&str]) {
        for name in names {
            if tag.get(name).is_none() {
                let element = tag.name();
                self.error(tag, "", format!("`<{element}>` needs the attribute `{name}`"));
            }
        }
    }

    fn check_map(&mut self, map: XmlTag<'_>) {
        self.require(map, &["version", "orientation", "width", "height", "tilewidth", "tileheight"]);
        if let Some(other) = map.get("orientation").filter(|o| *o != "orthogonal") {
            let message = format!("levels are orthogonal maps; this one is `{other}`");
            self.error(map, "orientation", message);
        }
    }

    /// Checks an element and all elements in it. The depth of a tree is limited.
    fn walk(&mut self, tag: XmlTag<'_>, in_tileset: bool) {
        for (name, value) in tag.attributes() {
            if let Some(range) = range_of(tag.name(), name) {
                self.check_number(tag, name, value, range);
            }
        }
        match tag.name() {
            "tileset" => self.check_tileset(tag),
            "property" | "item" => self.check_property(tag),
            "layer" => self.require(tag, &["width", "height"]),
            "chunk" => self.require(tag, &["x", "y", "width", "height"]),
            "image" => self.require(tag, &["source", "width", "height"]),
            "template" if tag.child("object").is_none() => self.error(tag, "", "this template has no object"),
            "object" if tag.get("template").is_some() && (in_tileset || self.kind != TiledFile::Map) => {
                let message = "only objects in the layers of a map can have a template";
                self.error(tag, "template", message);
            }
            _ => {}
        }
        let in_tileset = in_tileset || tag.name() == "tileset";
        for child in tag.children() {
            self.walk(child, in_tileset);
        }
    }

    fn check_number(&mut self, tag: XmlTag<'_>, name: &str, value: &str, range: NumberRange) {
        let number: Option<f64> = value.parse().ok().filter(|x: &f64| x.is_finite());
        // The reader takes no other spelling of whole numbers.
        let whole = || value.strip_prefix('-').unwrap_or(value).bytes().all(|b| b.is_ascii_digit());
        let NumberRange { min, max, is_whole } = range;
        let message = match number {
            Some(x) if is_whole && !whole() => format!("`{name}` takes a whole number, not {x}"),
            Some(x) if x < min || x > max => format!("`{name}` is {x}; it must be between {min} and {max}"),
            Some(_) => return,
            None => format!("`{name}` takes a number, not \"{value}\""),
        };
        self.error(tag, name, message);
    }

    fn check_tileset(&mut self, tag: XmlTag<'_>) {
        self.tilesets += 1;
        if self.tilesets == MOST_TILESETS + 1 {
            let message = format!("a map can have at most {MOST_TILESETS} tilesets");
            self.error(tag, "", message);
        }
        let in_file = self.kind == TiledFile::Tileset;
        if !in_file {
            self.require(tag, &["firstgid"]);
        }
        for (attribute, known) in
            [("objectalignment", &ALIGNMENTS.map(|(name, _)| name)[..]), ("tilerendersize", &SIZES)]
        {
            if let Some(value) = tag.get(attribute).filter(|value| !known.contains(value)) {
                let hint = suggestion(value, known.iter().copied());
                self.error(tag, attribute, format!("`{attribute}` cannot be `{value}`{hint}"));
            }
        }
        if tag.get("source").is_none() {
            self.require(tag, &["tilecount", "tilewidth", "tileheight", "columns"]);
            for tile in tag.all("tile") {
                self.require(tile, &["id"]);
            }
            if tag.child("image").is_some() && tag.vector("tilewidth", "tileheight").min_element() < 1.0 {
                self.error(tag, "tilewidth", "the tiles of a picture are at least 1 px wide and high");
            }
        } else if in_file || tag.get("tilecount").is_some() {
            let message = "a tileset is either in this file or in another one, not both";
            self.error(tag, "source", message);
        }
    }

    fn check_property(&mut self, tag: XmlTag<'_>) {
        if tag.name() == "property" {
            self.require(tag, &["name"]);
        }
        let kind = tag.get("type").unwrap_or("string");
        if !TYPES.contains(&kind) {
            let hint = suggestion(kind, TYPES);
            self.error(tag, "type", format!("there is no type `{kind}` of properties{hint}"));
            return;
        }
        let value = tag.get("value").unwrap_or_else(|| tag.text());
        let fits = match kind {
            "bool" => value.parse::<bool>().is_ok(),
            "int" => value.parse::<i32>().is_ok(),
            "object" => value.parse::<u32>().is_ok(),
            "float" => value.parse::<f64>().is_ok_and(f64::is_finite),
            "color" => is_color(value),
            _ => true,
        };
        if !fits {
            let name = tag.get("name").unwrap_or_default();
            let message = format!("the property `{name}` has the type `{kind}`, but its value is \"{value}\"");
            self.error(tag, "value", message);
        }
    }
}

/// The numbers that an attribute accepts.
#[derive(Clone, Copy)]
struct NumberRange {
    min: f64,
    max: f64,
    is_whole: bool,
}

/// The numbers that an attribute of an element accepts; none if it is not a number, or is not read.
fn range_of(element: &str, attribute: &str) -> Option<NumberRange> {
    let whole = |min, max| NumberRange { min, max, is_whole: true };
    let element = match element {
        "objectgroup" | "imagelayer" | "group" => "layer",
        other => other,
    };
    let range = match (element, attribute) {
        ("map" | "tileset", "tilewidth" | "tileheight") => whole(0.0, MOST_WIDE),
        ("map" | "layer" | "chunk", "width" | "height") => whole(0.0, MOST_WIDE),
        ("chunk", "x" | "y") => whole(-FARTHEST_TILE, FARTHEST_TILE),
        ("tileset", "firstgid") => whole(1.0, f64::from(i32::MAX)),
        ("tileset", "tilecount") => whole(0.0, MOST_IN_TILESET),
        ("tileset", "columns" | "spacing" | "margin") => whole(0.0, MOST_IN_TILESET),
        ("tile", "id") => whole(0.0, f64::from(i32::MAX)),
        ("tile" | "image", "x" | "y" | "width" | "height") => whole(-1e6, 1e6),
        ("tileoffset", "x" | "y") => whole(-1e6, 1e6),
        ("object" | "layer", "id") | ("object", "gid") => whole(0.0, f64::from(u32::MAX)),
        ("object" | "layer", "visible") => whole(0.0, 1.0),
        ("object", "x" | "y" | "width" | "height" | "rotation" | "opacity")
        | ("layer", "offsetx" | "offsety" | "parallaxx" | "parallaxy" | "opacity") => {
            NumberRange { min: -1e9, max: 1e9, is_whole: false }
        }
        _ => return None,
    };
    Some(range)
}

/// Whether a text is a color of Tiled, such as `#ff8000` or `#80ff8000`; an empty one is none.
fn is_color(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or(text);
    matches!(digits.len(), 6 | 8) && digits.bytes().all(|b| b.is_ascii_hexdigit())
}
