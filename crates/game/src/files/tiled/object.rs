//! The objects of a map, with what their templates, tiles and layers add.

use super::*;
use libm::{cos, sin};
use std::f64::consts::TAU;

/// The tile that an object shows.
pub struct ObjectTile<'a> {
    pub source: Rc<TileSource<'a>>,
    pub name: TileName,
}

/// An object of a map.
pub struct MapObject<'a> {
    pub tag: XmlTag<'a>,
    /// The object of its template.
    pub template: Option<XmlTag<'a>>,
    pub tile: Option<ObjectTile<'a>>,
    /// How far its layer is moved, px.
    pub offset: DVec2,
    /// Its properties, and those that its template and tile add.
    pub properties: Vec<Property>,
    /// Those that its layer adds to solids.
    pub of_layer: Rc<Vec<Property>>,
    /// The class of its layer.
    pub layer_class: Option<(String, Place)>,
}

/// The longest class, in letters.
const LONGEST_CLASS: usize = 256;

/// The class of an object, and the place that names it.
pub fn class_of(tag: XmlTag<'_>) -> Option<(String, Place)> {
    let named = |key| Some((tag.get(key).filter(|class| !class.is_empty())?, key));
    let (class, key) = named("class").or_else(|| named("type"))?;
    // Every object of a layer gets a copy. No kind has a longer name.
    let class = class.chars().take(LONGEST_CLASS).collect();
    Some((class, tag.place_of(key)))
}

impl<'a> MapObject<'a> {
    /// The value of an attribute; if the object lacks it, its template's value.
    pub fn get(&self, name: &str) -> Option<&'a str> {
        let of_template = || self.template.and_then(|tag| tag.get(name));
        self.tag.get(name).or_else(of_template)
    }

    fn number(&self, name: &str) -> Option<f64> {
        let of_template = || self.template.and_then(|tag| tag.number(name));
        self.tag.number(name).or_else(of_template)
    }

    /// Its class, or else the class of its template, tile or layer.
    pub fn class(&self) -> Option<(String, Place)> {
        let tile = self.tile.as_ref().and_then(|tile| tile.source.tile(tile.name.id));
        let tags = [Some(self.tag), self.template, tile];
        let own = tags.into_iter().flatten().find_map(class_of);
        own.or_else(|| self.layer_class.clone())
    }

    pub fn has_class(&self, name: &str) -> bool {
        self.class().is_some_and(|(class, _)| class == name)
    }

    /// How many properties it has, where long values count as several. The properties of its template, tile and layer
    /// count, too: they are not written for each object, but each gets a copy. Stops counting beyond `most`.
    pub fn weight(&self, most: usize) -> usize {
        let weight = |property: &Property| property.node.weight(most);
        let own: usize = self.properties.iter().map(weight).sum();
        let of_layer: usize = self.of_layer.iter().map(|property| weight(property) - 1).sum();
        own + of_layer + self.name().map_or(0, |name| name.len() / 64)
    }

    /// Its number in the map.
    pub fn id(&self) -> u32 {
        self.tag.whole("id").unwrap_or(0)
    }

    /// Its name; none if that is empty.
    pub fn name(&self) -> Option<&'a str> {
        self.get("name").filter(|name| !name.is_empty())
    }

    /// The place of its tag.
    pub fn place(&self) -> Place {
        self.tag.place()
    }

    /// The place of an attribute, or of its tag if the template has it.
    pub fn place_of(&self, name: &str) -> Place {
        self.tag.place_of(name)
    }

    /// One of its properties.
    pub fn property(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|property| property.key.name == name)
    }

    /// The element that says which shape it has.
    fn shape_tag(&self) -> Option<(XmlTag<'a>, ShapeKind)> {
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
        let tags = [Some(self.tag), self.template].into_iter().flatten();
        tags.flat_map(|tag| tag.children()).find_map(kind)
    }

    /// What it is drawn as.
    pub fn kind(&self) -> ShapeKind {
        match (&self.tile, self.shape_tag()) {
            (Some(_), _) => ShapeKind::Tile,
            (None, Some((_, kind))) => kind,
            (None, None) => ShapeKind::Rectangle,
        }
    }

    /// Its width and height, px.
    pub fn size(&self) -> DVec2 {
        let usual = self.tile.as_ref().map_or(DVec2::ZERO, |tile| tile.source.size_of(tile.name.id));
        let size = |name, usual| self.number(name).unwrap_or(usual);
        DVec2::new(size("width", usual.x), size("height", usual.y))
    }

    /// Its clockwise rotation around its position, in degrees.
    pub fn rotation(&self) -> f64 {
        self.number("rotation").unwrap_or(0.0)
    }

    /// The top left corner of its picture, from its position.
    pub fn box_corner(&self) -> DVec2 {
        self.tile.as_ref().map_or(DVec2::ZERO, |tile| self.size() * -tile.source.alignment)
    }

    /// The points of its shape from its position, before it is rotated.
    pub fn points(&self) -> PlacedPoints {
        let at = self.place();
        let points = match self.kind() {
            ShapeKind::Rectangle | ShapeKind::Tile => corners(self.box_corner(), self.size()).to_vec(),
            ShapeKind::Ellipse => ellipse(self.size()),
            ShapeKind::Polygon | ShapeKind::Polyline => return self.listed_points(),
            ShapeKind::Point | ShapeKind::Text | ShapeKind::Capsule => Vec::new(),
        };
        points.into_iter().map(|p| (p, at.clone())).collect()
    }

    fn listed_points(&self) -> PlacedPoints {
        let Some((tag, _)) = self.shape_tag() else {
            return Vec::new();
        };
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

    /// Where a point of its shape is in the level, where y points up.
    pub fn to_level(&self, point: DVec2) -> DVec2 {
        let own = DVec2::new(self.number("x").unwrap_or(0.0), self.number("y").unwrap_or(0.0));
        up(self.offset + own + rotated(point, self.rotation()))
    }
}

/// A point of a map, where y points down, in the level, where y points up.
pub fn up(point: DVec2) -> DVec2 {
    // Not the negative, which would turn 0 into -0.
    DVec2::new(point.x, 0.0 - point.y)
}

/// The number of corners of the polygon that replaces an ellipse.
pub const ELLIPSE_CORNERS: usize = 32;

/// What a shape is drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeKind {
    Rectangle,
    Ellipse,
    Polygon,
    Polyline,
    Point,
    Text,
    Capsule,
    Tile,
}

/// Points, each with its place in the file.
pub type PlacedPoints = Vec<(DVec2, Place)>;

/// The corners of a rectangle in the order in which Tiled draws them.
pub fn corners(min: DVec2, size: DVec2) -> [DVec2; 4] {
    let max = min + size;
    [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)]
}

/// The corners of an ellipse, clockwise from its top.
pub fn ellipse(size: DVec2) -> Vec<DVec2> {
    let half = size / 2.0;
    let corner = |i: usize| {
        let angle = TAU * i as f64 / ELLIPSE_CORNERS as f64;
        half + DVec2::new(half.x * sin(angle), -half.y * cos(angle))
    };
    (0..ELLIPSE_CORNERS).map(corner).collect()
}

/// Rotates a point around the origin, clockwise as seen where y points down. Quarter turns are exact.
pub fn rotated(point: DVec2, degrees: f64) -> DVec2 {
    let DVec2 { x, y } = point;
    match degrees.rem_euclid(360.0) {
        0.0 => point,
        90.0 => DVec2::new(-y, x),
        180.0 => DVec2::new(-x, -y),
        270.0 => DVec2::new(y, -x),
        other => {
            let (sin, cos) = (sin(other.to_radians()), cos(other.to_radians()));
            DVec2::new(x * cos - y * sin, x * sin + y * cos)
        }
    }
}
