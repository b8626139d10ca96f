//! `body = …`: an ellipse, a box, or pieces.

use super::level::points_of;
use super::reader::{Fields, out_of_range};
use super::tree::{Data, Node, Table};
use crate::geometry::convex::{is_convex, mass_center};
use crate::geometry::{Ellipse, polygon};
use crate::models::vessel::MOST_CORNERS;
use crate::models::{BodyShape, Piece};
use crate::script::host::{Diagnostic, Place};
use crate::tuning::{Range, range};
use glam::DVec2;

const RIGHT: &str = "`body` takes { ellipse = [half_width, half_height] }, { box = [width, height] } or \
                     { pieces = [{ points = [[x, y], …] }, …] }";

/// Half-widths and widths of bodies, px.
const SIZE: Range = range(0.1, 10_000.0);

/// Most pieces of a body.
const MOST_PIECES: usize = 16;

/// How near a foot has to be to the hull, px.
const NEAR: f64 = 0.5;

/// Reads a body.
pub(super) fn read_body(node: &Node, out: &mut Vec<Diagnostic>) -> Option<BodyShape> {
    let Data::Table(table) = &node.value else {
        let why = format!("{RIGHT}, not {}", node.kind());
        out.push(Diagnostic::error(node.place.clone(), why));
        return None;
    };
    let mut fields = Fields::new(table, out);
    let shapes = ["ellipse", "box", "pieces"];
    let given: Vec<&'static str> = shapes
        .into_iter()
        .filter(|shape| fields.get(shape).is_some())
        .collect();
    let figure = match given[..] {
        ["ellipse"] => read_size(&mut fields, "ellipse", "half-widths, [x, y]")
            .map(|[x, y]| Ellipse::new(x, y).into()),
        ["box"] => read_size(&mut fields, "box", "full widths, [w, h]")
            .map(|[w, h]| BodyShape::of_box(w, h)),
        ["pieces"] => read_pieces(&mut fields),
        _ => {
            let before = fields.out.len();
            fields.finish();
            if given.len() > 1 || out.len() == before {
                out.push(Diagnostic::error(node.place.clone(), RIGHT));
            }
            return None;
        }
    };
    fields.finish();
    figure
}

fn read_size(fields: &mut Fields<'_, '_>, key: &'static str, right: &str) -> Option<[f64; 2]> {
    let node = fields.get(key)?;
    let size = fields.numbers_of::<2>(key, node, right)?;
    let wrong = size
        .into_iter()
        .find(|x| !(SIZE.min..=SIZE.max).contains(x));
    if let Some(x) = wrong {
        fields.wrong(&node.place, out_of_range(key, x, SIZE, "px"));
        return None;
    }
    Some(size)
}

fn read_pieces(fields: &mut Fields<'_, '_>) -> Option<BodyShape> {
    let place = fields.get("pieces")?.place.clone();
    let tables = fields.tables("pieces");
    let count = tables.len();
    if count > MOST_PIECES {
        let why = format!("a body has at most {MOST_PIECES} pieces, not {count}");
        fields.wrong(&place, why);
        return None;
    }
    let mut pieces = Vec::new();
    let mut places = Vec::new();
    for table in tables {
        if let Some(piece) = read_piece(table, fields.out) {
            pieces.push(piece);
            places.push(table.get("points").map_or(&place, |n| &n.place).clone());
        }
    }
    if pieces.len() < count {
        return None;
    }
    check_feet(&pieces, &places, &place, fields)?;
    let outlines: Vec<Vec<DVec2>> = pieces.iter().map(|p| p.points.clone()).collect();
    let (_, center, _) = mass_center(&outlines);
    Some(BodyShape::of_pieces(pieces, center))
}

fn read_piece(table: &Table, out: &mut Vec<Diagnostic>) -> Option<Piece> {
    let mut fields = Fields::new(table, out);
    let foot = fields.flag("foot") == Some(true);
    let node = fields.require("points", "a piece");
    let points = node.and_then(|node| points_of(&mut fields, node));
    let checked = points.zip(node).and_then(|(points, node)| {
        let outline = polygon::outline(&points);
        let why = match &outline {
            Err(fault) => fault.to_string(),
            Ok(wound) if is_convex(wound).is_some() => {
                let corner = is_convex(wound).map(|i| wound[i]).unwrap_or_default();
                let (x, y) = (corner.x, corner.y);
                format!("this piece bends inwards at [{x}, {y}]; make two convex pieces of it")
            }
            Ok(wound) if wound.len() > MOST_CORNERS => {
                format!(
                    "a piece has at most {MOST_CORNERS} corners, not {}",
                    wound.len()
                )
            }
            Ok(_) => return outline.ok(),
        };
        fields.wrong(&node.place, why);
        None
    });
    fields.finish();
    Some(Piece {
        points: checked?,
        foot,
    })
}

/// Every foot has to touch a piece of the hull, and there has to be a hull.
fn check_feet(
    pieces: &[Piece],
    places: &[Place],
    whole: &Place,
    fields: &mut Fields<'_, '_>,
) -> Option<()> {
    let hull: Vec<&Piece> = pieces.iter().filter(|p| !p.foot).collect();
    if hull.is_empty() {
        fields.wrong(whole, "a body needs at least one piece that is no foot");
        return None;
    }
    let loose = pieces
        .iter()
        .position(|foot| foot.foot && !hull.iter().any(|piece| touch(&foot.points, &piece.points)));
    if let Some(loose) = loose {
        let why = "this foot does not touch the hull: its outline has to meet that of a piece that \
                   is no foot";
        fields.wrong(&places[loose], why);
        return None;
    }
    Some(())
}

/// Whether two convex outlines meet, or nearly.
fn touch(a: &[DVec2], b: &[DVec2]) -> bool {
    let apart = |a: &[DVec2], b: &[DVec2]| {
        (0..a.len()).any(|i| {
            let along = (a[(i + 1) % a.len()] - a[i]).normalize_or_zero();
            let normal = DVec2::new(along.y, -along.x);
            b.iter().all(|p| (*p - a[i]).dot(normal) > NEAR)
        })
    };
    !apart(a, b) && !apart(b, a)
}
