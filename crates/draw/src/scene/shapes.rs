//! What a picture shows of the things that scripts draw.

use super::*;
use hangtime_core::sim::{Drawn, DrawnAlign, DrawnForm, DrawnSpace};

/// Something that a script draws.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SceneDrawing {
    /// What its place is relative to.
    pub space: SceneSpace,
    /// The id of the entity that draws it; 0 for the level's script.
    pub owner: u32,
    /// Its place, px.
    pub at: [f64; 2],
    /// What it is.
    pub form: SceneForm,
    /// Its lines, with line breaks between them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// How many times as large as usual its letters are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<u8>,
    /// How much of it is filled, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// Its size, px.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<[f64; 2]>,
    /// Where it ends, relative to the same as its place, px.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<[f64; 2]>,
    /// Its corners, relative to its place, px.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<Vec<[f64; 2]>>,
    /// Its radius, px.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// Its path below `pictures/`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
    /// The number of its frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame: Option<u32>,
    /// Its color as `#rrggbbaa`; null is the default color of its shape.
    pub color: Option<String>,
    /// The width of its line, px; null fills circles, rectangles and polygons.
    pub width: Option<f64>,
    /// Which end of it is at its position: `left`, `center` or `right`; null is the default of its space.
    pub align: Option<&'static str>,
}

/// What the place of a drawn thing is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SceneSpace {
    /// The level.
    Level,
    /// The center of its owner.
    Entity,
    /// The upper left corner of the picture; y points down. Negative numbers are relative to the right and the lower edge.
    Screen,
}

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SceneForm {
    /// Text: `text` and `times`.
    Text,
    /// A bar that is partly filled: `share` and `size`.
    Bar,
    /// A line: `to`.
    Line,
    /// A circle around its place: `radius`.
    Circle,
    /// A rectangle: `size`.
    Rect,
    /// A polygon: `points`.
    Polygon,
    /// A picture of the game folder: `picture` and `frame`.
    Sprite,
}

impl SceneDrawing {
    /// Everything that scripts draw in a picture, except what belongs to hidden entities.
    pub(super) fn all(picture: &Picture<'_>) -> Vec<Self> {
        let owners = picture.show.drawing.iter();
        let owners = owners.flat_map(|drawing| drawing.owners());
        let things = owners.flat_map(|(id, by)| {
            let things = by.things().iter();
            let shown = things.filter(|thing| !by.hidden || thing.space != DrawnSpace::Entity);
            shown.map(move |thing| Self::of(id, thing))
        });
        things.collect()
    }

    fn of(owner: EntityId, thing: &Drawn) -> Self {
        let color = thing
            .style
            .color
            .map(|DrawnColor([red, green, blue, cover])| format!("#{red:02x}{green:02x}{blue:02x}{cover:02x}"));
        let align = thing.style.align.map(|align| match align {
            DrawnAlign::Left => "left",
            DrawnAlign::Center => "center",
            DrawnAlign::Right => "right",
        });
        let space = match thing.space {
            DrawnSpace::Level => SceneSpace::Level,
            DrawnSpace::Entity => SceneSpace::Entity,
            DrawnSpace::Screen => SceneSpace::Screen,
        };
        let mut drawing = Self {
            space,
            owner: owner.0,
            at: thing.at.into(),
            form: SceneForm::Text,
            text: None,
            times: None,
            share: None,
            size: None,
            to: None,
            points: None,
            radius: None,
            picture: None,
            frame: None,
            color,
            width: thing.style.width,
            align,
        };
        drawing.take_form(&thing.shape);
        drawing
    }

    fn take_form(&mut self, form: &DrawnForm) {
        self.form = match form {
            DrawnForm::Text(text, times) => {
                (self.text, self.times) = (Some(text.to_string()), Some(*times));
                SceneForm::Text
            }
            DrawnForm::Bar(share, size) => {
                (self.share, self.size) = (Some(*share), Some((*size).into()));
                SceneForm::Bar
            }
            DrawnForm::Line(to) => {
                self.to = Some((*to).into());
                SceneForm::Line
            }
            DrawnForm::Circle(radius) => {
                self.radius = Some(*radius);
                SceneForm::Circle
            }
            DrawnForm::Rect(size) => {
                self.size = Some((*size).into());
                SceneForm::Rect
            }
            DrawnForm::Polygon(points) => {
                self.points = Some(corners(points.iter().copied()));
                SceneForm::Polygon
            }
            DrawnForm::Sprite(sprite) => {
                self.picture = Some(sprite.picture.to_string());
                self.frame = Some(sprite.frame);
                SceneForm::Sprite
            }
        };
    }
}
