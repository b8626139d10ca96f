//! A drawn jump: the path as it is, the points that can be dragged and where they are wished, and the path of an answer.

use super::*;

/// A point of a path that can be dragged.
#[derive(Clone, Debug, PartialEq)]
pub struct WishHandle {
    /// Where it is, px.
    pub at: DVec2,
    /// Where it is wished, px; `None` if it may go anywhere.
    pub to: Option<DVec2>,
    /// Its name.
    pub name: String,
}

/// What is painted while a jump is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WishPicture {
    /// The path as it is, px.
    pub path: Vec<DVec2>,
    /// The path of the chosen answer, px; empty without one.
    pub answer: Vec<DVec2>,
    /// The points that can be dragged.
    pub handles: Vec<WishHandle>,
    /// What is written in the corner.
    pub rows: Vec<NoteRow>,
}

/// Width of a path, px.
const WIDTH: f64 = 2.0;

/// Opacity of the path as it is.
const OPACITY: f32 = 0.75;

/// Radius of a handle, px, and of the hole in one that may go anywhere.
const RADIUS: f64 = 5.0;
const HOLE: f64 = 3.0;

/// How far right of a handle and above it its name begins, pixels.
const NAME: (i32, i32) = (9, -16);

/// Paints a drawn jump over a picture that has been painted.
pub fn paint(brush: &mut Brush<'_>, picture: &Picture<'_>, wishes: &WishPicture) {
    brush.stroke(wishes.path.iter().copied(), WIDTH, Ink::faint(palette::DRAWN, OPACITY));
    brush.stroke(wishes.answer.iter().copied(), WIDTH, palette::NEW_PATH);
    for WishHandle { at, to, name } in &wishes.handles {
        let shown = to.unwrap_or(*at);
        let color = if to.is_some() { palette::PARTED } else { palette::DRAWN };
        if to.is_some_and(|to| to != *at) {
            brush.dashes([*at, shown], false, color.into());
            brush.ring(*at, DVec2::splat(HOLE), 1.0, color);
        }
        brush.oval(shown, DVec2::splat(RADIUS), color);
        brush.ring(shown, DVec2::splat(RADIUS), 1.0, palette::DARK);
        if to.is_none() {
            brush.oval(shown, DVec2::splat(HOLE), palette::DARK);
        }
        let (x, y) = brush.lens.at(shown);
        text::paint_line(brush.canvas, name, x as i32 + NAME.0, y as i32 + NAME.1, color);
    }
    panels::paint_rows(brush.canvas, picture, &wishes.rows);
}
