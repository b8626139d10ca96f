//! Joining outlines again where some solids of a terrain are gone and others are new.
//!
//! Only the outlines near them can differ. Rings of neighbors around them follow from their boxes: the nearest ones are joined
//! again, with the next ones around them, and pieces are linked again up to the third ring.

use super::{
    join::{JoinWork, Joined, OutlinePiece, join, link},
    *,
};

/// If more than one solid in this many is to be joined again, all are.
const MOST_SHARE: usize = 4;

/// Joins the `still` ones of `solids`, of which all but a few are those of `base`, with the same indices.
pub fn rejoin(base: &Terrain, solids: &[Solid], still: &[u32]) -> Joined {
    near_changes(base, solids, still).unwrap_or_else(|| join_all(solids, still))
}

/// Joins all of these solids.
pub fn join_all(solids: &[Solid], which: &[u32]) -> Joined {
    let listed: Vec<&Solid> = which.iter().map(|i| &solids[*i as usize]).collect();
    let Joined { mut pieces, tangled } = join(&listed);
    for piece in &mut pieces {
        piece.solid = which[piece.solid as usize];
    }
    Joined { pieces, tangled: tangled.map(|i| which[i as usize]) }
}

/// The rings around what has changed: each solid's is at its place, 0 for those farther away.
struct Rings<'a> {
    base: &'a Terrain,
    solids: &'a [Solid],
    of: Vec<u8>,
}

impl Rings<'_> {
    /// Adds the solids near these boxes that are in no ring yet, and returns their boxes.
    fn add(&mut self, ring: u8, boxes: &[Bounds]) -> Vec<Bounds> {
        let mut found = Vec::new();
        for area in boxes {
            let area = area.grown(DVec2::splat(NEAR));
            self.base.solid_grid.visit(&area, |index| {
                let solid = &self.solids[*index as usize];
                if self.of[*index as usize] == 0 && !solid.is_gone() && solid.bounds.meets(&area) {
                    self.of[*index as usize] = ring;
                    found.push(solid.bounds);
                }
            });
        }
        found
    }
}

/// Solids whose boxes are this far apart do not touch, px.
const NEAR: f64 = 1e-3;

/// Joins only what is near changes. `None` if that is too much.
fn near_changes(base: &Terrain, solids: &[Solid], still: &[u32]) -> Option<Joined> {
    if base.tangled().is_some() {
        return None;
    }
    let known = base.solids.len();
    let mut rings = Rings { base, solids, of: vec![0; solids.len()] };
    let new = still.iter().filter(|index| **index as usize >= known);
    let mut boxes: Vec<Bounds> = new.map(|index| solids[*index as usize].bounds).collect();
    let gone = base.solids.iter().zip(solids).filter(|(was, now)| now.is_gone() && !was.is_gone());
    boxes.extend(gone.map(|(was, _)| was.bounds));
    for index in still.iter().filter(|index| **index as usize >= known) {
        rings.of[*index as usize] = 1;
    }
    for ring in 1..=3 {
        let found = rings.add(ring, &boxes);
        boxes.extend(found);
    }
    let near: Vec<u32> = still.iter().copied().filter(|index| matches!(rings.of[*index as usize], 1 | 2)).collect();
    if near.len() * MOST_SHARE > still.len() {
        return None;
    }
    let Joined { pieces: again, tangled } = join_all(solids, &near);
    if tangled.is_some() {
        return None;
    }
    let ring_of = |solid: u32| rings.of[solid as usize];
    // The pieces of solids farther away stay as they are.
    let ground = &base.edges[..base.ground_edges()];
    let mut places = vec![None; ground.len()];
    let mut pieces: Vec<OutlinePiece> = Vec::with_capacity(ground.len() + again.len());
    for (edge, place) in ground.iter().zip(&mut places) {
        let stays = edge.side == Side::Solid && ring_of(edge.solid) != 1 && !solids[edge.solid as usize].is_gone();
        if stays {
            *place = Some(pieces.len() as u32);
            let after = Some(edge.after);
            pieces.push(OutlinePiece { solid: edge.solid, start: edge.face.start, end: edge.end, after });
        }
    }
    for (own, piece) in (0..).zip(&mut pieces) {
        piece.after = piece.after.and_then(|after| places[after as usize]).filter(|after| *after != own);
    }
    pieces.extend(again.into_iter().filter(|piece| ring_of(piece.solid) == 1));
    let linked: Vec<u32> = (0..)
        .zip(&pieces)
        .filter(|(_, piece)| ring_of(piece.solid) != 0)
        .map(|(i, _)| i)
        .collect();
    let mut near: Vec<OutlinePiece> = linked.iter().map(|i| pieces[*i as usize]).collect();
    let mut work = JoinWork::new(near.len());
    link(&mut near, &mut work);
    if work.exceeded.is_some() {
        return None;
    }
    for (index, piece) in linked.iter().zip(near) {
        if ring_of(piece.solid) < 3 {
            pieces[*index as usize].after = piece.after.map(|after| linked[after as usize]);
        }
    }
    Some(Joined { pieces, tangled: None })
}
