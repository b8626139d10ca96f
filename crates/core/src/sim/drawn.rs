//! What scripts draw: texts, bars, shapes and pictures. They are for people who watch, and no part of the simulation.

use super::entity::Entity;
use glam::DVec2;
use std::fmt;
use std::sync::Arc;

/// A text that needs no memory elsewhere if it is short: most names, and most of what is shown.
pub type ShortText = smartstring::SmartString<smartstring::LazyCompact>;

/// Something that a script draws. It stays until it is drawn again, erased, or its owner is gone.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// What its place is relative to.
    pub space: DrawnSpace,
    /// Its name, by which its owner changes it.
    pub name: ShortText,
    /// Its place, px.
    pub at: DVec2,
    /// What it is.
    pub shape: DrawnForm,
    /// How it looks.
    pub style: DrawnStyle,
}

/// What the place of a drawn thing is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawnSpace {
    /// The level; y points up.
    Level,
    /// The center of the entity that draws it, which it follows; y points up.
    Entity,
    /// The upper left corner of the picture, below the status line; y points down. Negative numbers are relative to the
    /// right and the lower edge.
    Screen,
}

/// What is drawn. Lengths are in px.
#[derive(Clone, Debug, PartialEq)]
pub enum DrawnForm {
    /// Text, perhaps of several lines, with letters this many times as large as those of the status line.
    Text(ShortText, u8),
    /// A bar of this size that is filled by a share, 0..=1.
    Bar(f64, DVec2),
    /// A line to this point, relative to the same as the place where it begins.
    Line(DVec2),
    /// A circle with this radius around its place.
    Circle(f64),
    /// A rectangle of this size.
    Rect(DVec2),
    /// A picture of the game folder.
    Sprite(DrawnSprite),
}

/// A frame of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnSprite {
    /// The picture's path below `pictures/`.
    pub picture: Box<str>,
    /// The number of the frame; after the last comes the first again.
    pub frame: u32,
    /// Width and height of a frame, px; `None` for those of the picture.
    pub frame_size: [Option<u32>; 2],
    /// How many times as large it is shown, at least 1.
    pub times: u8,
    /// Whether left and right are exchanged.
    pub flip: bool,
}

/// How a drawn thing looks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DrawnStyle {
    /// Its color; `None` for that of its shape.
    pub color: Option<DrawnColor>,
    /// Width of a line or an outline, px; `None` fills circles and rectangles.
    pub width: Option<f64>,
    /// Where it is at its place; `None` for that of its space.
    pub align: Option<DrawnAlign>,
}

impl Drawn {
    /// About how much memory it takes, bytes.
    pub(super) fn memory(&self) -> u64 {
        let text = match &self.shape {
            DrawnForm::Text(text, _) => text.len(),
            _ => 0,
        };
        (size_of::<Self>() + self.name.len() + text) as u64
    }
}

/// A color with an opacity: red, green, blue and opacity, 0 to 255 each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawnColor(pub [u8; 4]);

/// Which part of a drawn thing is at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawnAlign {
    /// Its left end.
    Left,
    /// Its middle. On the screen, places are then relative to the middle of the picture.
    Center,
    /// Its right end.
    Right,
}

/// What a script changes about what is on the screen.
#[derive(Clone, Debug, PartialEq)]
pub enum DrawOrder {
    /// Draws something, in place of what has its name.
    Draw(Arc<Drawn>),
    /// Erases what has this name.
    Erase(DrawnSpace, ShortText),
    /// Paints the entity in this color; `None` for that of its kind.
    Tint(Option<DrawnColor>),
    /// Paints the entity or hides it.
    Show(bool),
    /// Shows this frame of the entity's sprite; `None` for that of its mode.
    Frame(Option<u32>),
}

/// A thing that is not drawn, because there are too many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawRefusal {
    /// The tick in which it was refused.
    pub tick: u64,
    /// Who wanted to draw it.
    pub owner: String,
    /// Its name.
    pub name: ShortText,
    /// How many things its owner may draw, or all owners together.
    pub most: usize,
    /// Whether its owner has drawn that many alone.
    pub alone: bool,
}

impl fmt::Display for DrawRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { owner, name, most, .. } = self;
        let all = match self.alone {
            true => format!("{owner} can draw at most {most} things"),
            false => format!("at most {most} things can be drawn in a level"),
        };
        write!(
            f,
            "{owner} does not draw `{name}` and what follows it: {all} at once; use a name again to change what has it, \
             or erase what is no longer needed"
        )
    }
}

/// How messages name the owner of a drawn thing; `None` is the level.
pub(super) fn owner_name(entity: Option<&Entity>) -> String {
    entity.map_or_else(|| "the level's script".into(), |entity| format!("`{}`", entity.name))
}
