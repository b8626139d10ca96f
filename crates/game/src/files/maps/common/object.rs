//! The objects of a map.

use super::*;
use libm::{cos, sin};
use std::f64::consts::TAU;

/// The tile that an object shows.
pub struct ObjectTile<'a> {
    pub set: Rc<dyn TileSet + 'a>,
    pub name: TileName,
}

/// An object of a map.
pub struct MapObject<'a> {
    /// Its number in the map.
    pub id: u32,
    pub place: Place,
    /// Its name, which is not empty, and the place that names it.
    pub name: Option<(String, Place)>,
    /// What it is, and the place that says so.
    pub class: Option<(String, Place)>,
    /// What it is drawn as.
    pub kind: ShapeKind,
    /// Where it is in the map, px.
    pub at: DVec2,
    /// Its width and height, px.
    pub size: DVec2,
    /// The top left corner of its box, from its position, before it is rotated.
    pub corner: DVec2,
    /// Its clockwise rotation around its position, in degrees.
    pub rotation: f64,
    /// The points of a polygon or polyline, from its position, before it is rotated.
    pub listed: PlacedPoints,
    pub tile: Option<ObjectTile<'a>>,
    pub properties: Vec<Property>,
    /// The properties that its layer adds to solids.
    pub of_layer: Rc<Vec<Property>>,
}

impl MapObject<'_> {
    pub fn has_class(&self, name: &str) -> bool {
        self.class.as_ref().is_some_and(|(class, _)| class == name)
    }

    /// One of its properties.
    pub fn property(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|property| property.key.name == name)
    }

    /// How many properties it has, where long values count as several. The properties of its template, tile and layer
    /// count, too: they are not written for each object, but each gets a copy. Stops counting beyond `most`.
    fn weight(&self, most: usize) -> usize {
        let weight = |property: &Property| property.node.weight(most);
        let own: usize = self.properties.iter().map(weight).sum();
        let of_layer: usize = self.of_layer.iter().map(|property| weight(property) - 1).sum();
        own + of_layer + self.name.as_ref().map_or(0, |(name, _)| name.len() / 64)
    }

    /// The points of its shape from its position, before it is rotated.
    pub fn points(&self) -> PlacedPoints {
        let points = match self.kind {
            ShapeKind::Rectangle | ShapeKind::Tile => corners(self.corner, self.size).to_vec(),
            ShapeKind::Ellipse => ellipse(self.size),
            ShapeKind::Polygon | ShapeKind::Polyline => return self.listed.clone(),
            ShapeKind::Point | ShapeKind::Text | ShapeKind::Capsule => Vec::new(),
        };
        points.into_iter().map(|p| (p, self.place.clone())).collect()
    }

    /// Where a point of its shape is in the level, where y points up.
    pub fn to_level(&self, point: DVec2) -> DVec2 {
        up(self.at + rotated(point, self.rotation))
    }
}

/// The largest number of properties of all objects of a map together.
const MOST_PROPERTIES: usize = 300_000;

/// The number of properties of all objects so far.
#[derive(Default)]
pub struct PropertyCount(usize);

impl PropertyCount {
    /// Whether a map may have more.
    pub fn has_room(&self) -> bool {
        self.0 <= MOST_PROPERTIES
    }

    /// Counts an object, and reports the first one that has too many.
    pub fn add(&mut self, object: &MapObject<'_>, out: &mut Mistakes) {
        self.0 += object.weight(MOST_PROPERTIES);
        if !self.has_room() {
            let message = format!(
                "up to this object, objects have more than {MOST_PROPERTIES} properties together, including \
                 their tiles and templates; long values count as several"
            );
            out.error(&object.place, message);
        }
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
