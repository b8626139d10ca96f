//! `body = …`: an ellipse, a box, a capsule, or convex pieces.

use super::*;
use crate::files::tables::{points::points_of, reader::out_of_range};
use hangtime_core::{
    geometry::{
        convex::{first_inward_corner, mass_center},
        polygon,
    },
    models::{Piece, vessel::MOST_CORNERS},
};

const EXPECTED: &str = "`body` takes { ellipse = [half_width, half_height] }, { box = [width, height] }, \
                     { capsule = [width, height] } or { pieces = [{ points = [[x, y], …] }, …] }";

/// Valid half-widths and widths, px.
const SIZE: Range = range(0.1, 10_000.0);

/// The largest number of pieces in a body.
const MAX_PIECES: usize = 16;

/// The largest gap between a foot and the hull, px.
const FOOT_GAP: f64 = 0.5;

/// Reads a body.
pub(crate) fn read_body(node: &Node, out: &mut Mistakes) -> Option<BodyShape> {
    let Some(table) = node.table() else {
        out.error(&node.place, format!("{EXPECTED}, not {}", node.kind()));
        return None;
    };
    let mut reader = TableReader::new(table, out);
    let shapes = ["ellipse", "box", "capsule", "pieces"];
    let given: Vec<&'static str> = shapes.into_iter().filter(|shape| reader.get(shape).is_some()).collect();
    let shape = match given[..] {
        ["ellipse"] => read_size(&mut reader, "ellipse", "half the width and half the height, [x, y]", SIZE)
            .map(|[x, y]| Collider::ellipse(x, y).into()),
        ["box"] => read_size(&mut reader, "box", "full widths, [w, h]", SIZE).map(|[w, h]| BodyShape::of_box(w, h)),
        ["capsule"] => read_size(&mut reader, "capsule", "full widths, [w, h]", SIZE)
            .map(|[w, h]| Collider::new(ColliderForm::Capsule, DVec2::new(w * 0.5, h * 0.5)).into()),
        ["pieces"] => read_pieces(&mut reader),
        _ => {
            let before = reader.out.count();
            reader.finish();
            if given.len() > 1 || out.count() == before {
                out.error(&node.place, EXPECTED);
            }
            return None;
        }
    };
    reader.finish();
    shape
}

/// Reads two lengths; `right` says which.
pub(crate) fn read_size(
    reader: &mut TableReader<'_, '_>,
    key: &'static str,
    right: &str,
    valid: Range,
) -> Option<[f64; 2]> {
    let node = reader.get(key)?;
    let size = reader.numbers_of::<2>(key, node, right)?;
    let wrong = size.into_iter().find(|x| !(valid.min..=valid.max).contains(x));
    if let Some(x) = wrong {
        reader.error(&node.place, out_of_range(key, x, valid, "px"));
        return None;
    }
    Some(size)
}

fn read_pieces(reader: &mut TableReader<'_, '_>) -> Option<BodyShape> {
    let place = reader.get("pieces")?.place.clone();
    let tables = reader.tables("pieces");
    let count = tables.len();
    if count > MAX_PIECES {
        reader.error(&place, format!("a body has at most {MAX_PIECES} pieces, not {count}"));
        return None;
    }
    let mut pieces = Vec::new();
    let mut places = Vec::new();
    for table in tables {
        if let Some(piece) = read_piece(table, reader.out) {
            pieces.push(piece);
            places.push(table.place_of("points").clone());
        }
    }
    if pieces.len() < count {
        return None;
    }
    check_feet(&pieces, &places, &place, reader)?;
    let outlines: Vec<Vec<DVec2>> = pieces.iter().map(|p| p.points.clone()).collect();
    let (_, center, _) = mass_center(&outlines);
    Some(BodyShape::of_pieces(pieces, center))
}

fn read_piece(table: &Table, out: &mut Mistakes) -> Option<Piece> {
    let mut reader = TableReader::new(table, out);
    let foot = reader.flag("foot") == Some(true);
    let node = reader.require("points", "a piece");
    let points = node.and_then(|node| points_of(&mut reader, node));
    let checked = points.zip(node).and_then(|(points, node)| {
        let outline = polygon::outline(&points);
        let message = match &outline {
            Err(fault) => fault.to_string(),
            Ok(wound) if first_inward_corner(wound).is_some() => {
                let corner = first_inward_corner(wound).map(|i| wound[i]).unwrap_or_default();
                let (x, y) = (corner.x, corner.y);
                format!("this piece is not convex at [{x}, {y}]; split it into convex pieces")
            }
            Ok(wound) if wound.len() > MOST_CORNERS => {
                format!("a piece has at most {MOST_CORNERS} corners, not {}", wound.len())
            }
            Ok(_) => return outline.ok(),
        };
        reader.error(&node.place, message);
        None
    });
    reader.finish();
    Some(Piece { points: checked?, foot })
}

/// Reports a body without a hull, and feet that do not touch it. `places` has a place for each piece.
fn check_feet(pieces: &[Piece], places: &[Place], whole: &Place, reader: &mut TableReader<'_, '_>) -> Option<()> {
    let hull: Vec<&Piece> = pieces.iter().filter(|p| !p.foot).collect();
    if hull.is_empty() {
        reader.error(whole, "a body needs at least one piece that is not a foot");
        return None;
    }
    let loose = pieces
        .iter()
        .position(|foot| foot.foot && !hull.iter().any(|piece| touch(&foot.points, &piece.points)));
    if let Some(loose) = loose {
        let message = "this foot does not touch the hull; let it touch or overlap a piece that is not a foot";
        reader.error(&places[loose], message);
        return None;
    }
    Some(())
}

/// Whether the gap between two convex outlines is at most [`FOOT_GAP`].
fn touch(a: &[DVec2], b: &[DVec2]) -> bool {
    let apart = |a: &[DVec2], b: &[DVec2]| {
        (0..a.len()).any(|i| {
            let along = (a[(i + 1) % a.len()] - a[i]).normalize_or_zero();
            let normal = DVec2::new(along.y, -along.x);
            b.iter().all(|p| (*p - a[i]).dot(normal) > FOOT_GAP)
        })
    };
    !apart(a, b) && !apart(b, a)
}
