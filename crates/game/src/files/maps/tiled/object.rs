//! The objects of a map of Tiled, with what their templates, tiles and layers add.

use super::*;

/// The tile that an object shows.
pub struct ShownTile<'a> {
    pub source: Rc<TileSource<'a>>,
    pub name: TileName,
}

/// The element of an object, and the object of its template, which has what the element lacks.
#[derive(Clone, Copy)]
pub struct ObjectTags<'a> {
    pub tag: XmlTag<'a>,
    pub template: Option<XmlTag<'a>>,
}

/// The class of an object, and the place that names it.
pub fn class_of(tag: XmlTag<'_>) -> Option<(String, Place)> {
    let named = |key| Some((tag.get(key).filter(|class| !class.is_empty())?, key));
    let (class, key) = named("class").or_else(|| named("type"))?;
    // Every object of a layer gets a copy. No kind has a longer name.
    let class = class.chars().take(LONGEST_NAME).collect();
    Some((class, tag.place_of(key)))
}

impl<'a> ObjectTags<'a> {
    /// The elements, the object's own first.
    fn all(self) -> impl Iterator<Item = XmlTag<'a>> {
        [Some(self.tag), self.template].into_iter().flatten()
    }

    fn number(self, name: &str) -> Option<f64> {
        self.all().find_map(|tag| tag.number(name))
    }

    /// Its class, or else the class of its template, tile or layer.
    fn class(self, tile: Option<&ShownTile<'a>>, of_layer: Option<&(String, Place)>) -> Option<(String, Place)> {
        let tile = tile.and_then(|tile| tile.source.tile(tile.name.id));
        self.all().chain(tile).find_map(class_of).or_else(|| of_layer.cloned())
    }

    /// The element that says which shape it has.
    fn shape(self) -> Option<(XmlTag<'a>, ShapeKind)> {
        let kind = |tag: XmlTag<'a>| {
            let kind = match tag.name() {
                "ellipse" => ShapeKind::Ellipse,
                "polygon" => ShapeKind::Polygon,
                "polyline" => ShapeKind::Polyline,
                "point" => ShapeKind::Point,
                "text" => ShapeKind::Text,
                "capsule" => ShapeKind::Capsule,
                _ => return None,
            };
            Some((tag, kind))
        };
        self.all().flat_map(|tag| tag.children()).find_map(kind)
    }

    /// The object in a layer with this style.
    pub fn object(self, tile: Option<ShownTile<'a>>, style: &LayerStyle, properties: Vec<Property>) -> MapObject<'a> {
        let (tag, shape) = (self.tag, self.shape());
        let kind = match (&tile, shape) {
            (Some(_), _) => ShapeKind::Tile,
            (None, Some((_, kind))) => kind,
            (None, None) => ShapeKind::Rectangle,
        };
        let is_listed = matches!(kind, ShapeKind::Polygon | ShapeKind::Polyline);
        let usual = tile.as_ref().map_or(DVec2::ZERO, |tile| tile.source.size_of(tile.name.id));
        let side = |name, usual| self.number(name).unwrap_or(usual);
        let size = DVec2::new(side("width", usual.x), side("height", usual.y));
        let name = self.all().find_map(|tag| tag.get("name"));
        MapObject {
            id: tag.whole("id").unwrap_or(0),
            place: tag.place(),
            name: name.filter(|name| !name.is_empty()).map(|name| (name.into(), tag.place_of("name"))),
            class: self.class(tile.as_ref(), style.class.as_ref()),
            kind,
            at: style.offset + DVec2::new(side("x", 0.0), side("y", 0.0)),
            size,
            corner: tile.as_ref().map_or(DVec2::ZERO, |tile| size * -tile.source.alignment),
            rotation: side("rotation", 0.0),
            listed: shape.filter(|_| is_listed).map(|(tag, _)| listed_points(tag)).unwrap_or_default(),
            tile: tile.map(|tile| ObjectTile { set: tile.source, name: tile.name }),
            properties,
            of_layer: Rc::clone(&style.properties),
        }
    }
}

fn listed_points(tag: XmlTag<'_>) -> PlacedPoints {
    let mut start = 0;
    let mut points = Vec::new();
    for text in tag.get("points").unwrap_or_default().split(' ') {
        let (x, y) = text.split_once(',').unwrap_or((text, ""));
        let number = |text: &str| text.parse().unwrap_or(f64::NAN);
        if !text.is_empty() {
            let place = tag.part_of("points", start..start + text.len());
            points.push((DVec2::new(number(x), number(y)), place));
        }
        start += text.len() + 1;
    }
    points
}
