//! What can be edited in a level, over a painted picture: outlines, handles, and the lines that a drag snaps to.

use super::*;
use std::sync::Arc;

/// The things of a level that can be edited by hand.
#[derive(Clone, Debug, Default)]
pub struct EditPicture {
    /// All things. Pictures share them while nothing is edited.
    pub shapes: Arc<Vec<EditShape>>,
    /// The number of the selected thing, where it is dragged to, and its name.
    pub selected: Option<(usize, EditShape, String)>,
    /// Lines of the level that the drag snaps to, px.
    pub guides: Vec<[DVec2; 2]>,
}

impl PartialEq for EditPicture {
    fn eq(&self, other: &Self) -> bool {
        // There may be thousands of shapes.
        let same_shapes = Arc::ptr_eq(&self.shapes, &other.shapes) || self.shapes == other.shapes;
        same_shapes && self.selected == other.selected && self.guides == other.guides
    }
}

/// The outline of a thing.
#[derive(Clone, Debug, PartialEq)]
pub struct EditShape {
    /// What it is.
    pub tone: EditTone,
    /// Its corners, px.
    pub points: Vec<DVec2>,
    /// The points of a platform's path, px.
    pub path: Vec<DVec2>,
}

/// What an outline is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditTone {
    /// The start of an entity: a box around it, which has no corners to drag.
    Entity,
    /// A solid.
    Solid,
    /// The top of a one-way platform: a line from end to end.
    OneWay,
    /// A zone.
    Zone,
}

impl EditTone {
    fn color(self) -> Color {
        match self {
            Self::Entity => palette::WARN,
            Self::Solid => palette::OUTLINE,
            Self::OneWay => palette::NORMAL,
            Self::Zone => palette::FAN,
        }
    }
}

/// How far a handle reaches from its corner, pixels, and how far a name is above its thing.
const HANDLE: i32 = 3;
const ABOVE: i32 = 16;

/// The largest number of outlines that are painted.
const MOST_SHAPES: usize = 4_000;

/// Paints it over a picture that has been painted.
pub fn paint(brush: &mut Brush<'_>, edited: &EditPicture) {
    let shown = brush.lens.shows();
    let selected = edited.selected.as_ref().map(|(index, ..)| *index);
    let others = edited.shapes.iter().enumerate().filter(|(index, _)| Some(*index) != selected);
    let seen = others.filter(|(_, shape)| bounds_of(&shape.points).is_some_and(|it| it.meets(&shown)));
    for (_, shape) in seen.take(MOST_SHAPES) {
        outline(brush, shape, shape.tone.color());
    }
    for [from, to] in &edited.guides {
        brush.line(*from, *to, palette::PARTED);
    }
    let Some((_, shape, name)) = &edited.selected else {
        return;
    };
    outline(brush, shape, palette::PICKED);
    if shape.tone != EditTone::Entity {
        for point in &shape.points {
            brush.dot(*point, HANDLE + 1, palette::DARK);
            brush.dot(*point, HANDLE, palette::PICKED);
        }
    }
    let highest = shape.points.iter().copied().reduce(|a, b| if b.y > a.y { b } else { a });
    if let Some(highest) = highest.filter(|at| at.is_finite()) {
        let (x, y) = brush.lens.at(highest);
        brush.text(name, floor(x), floor(y) - ABOVE, palette::PICKED);
    }
}

fn outline(brush: &mut Brush<'_>, shape: &EditShape, color: Color) {
    let EditShape { tone, points, path } = shape;
    for pair in path.windows(2) {
        brush.line(pair[0], pair[1], color);
        brush.dot(pair[1], 1, color);
    }
    match (tone, points.as_slice()) {
        (EditTone::OneWay, points) => points.windows(2).for_each(|pair| brush.line(pair[0], pair[1], color)),
        (_, points) => brush.closed_line(points.iter().copied(), color),
    }
}

fn bounds_of(points: &[DVec2]) -> Option<Bounds> {
    let min = points.iter().copied().reduce(DVec2::min)?;
    let max = points.iter().copied().reduce(DVec2::max)?;
    Some(Bounds { min, max })
}
