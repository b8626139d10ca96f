//! What places of a stretch depend on: the numbers that it uses are varied a little, and the stretch is played again.

use super::{dependence::joined_slope, editable_number::EditableNumber, in_order::in_order, *};
use hangtime_script::budget::interruptible;

/// By which share of its size a number is varied, up and down.
const STEP: f64 = 0.002;

/// How a place depends on a number.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaceSlope {
    /// The number.
    pub number: EditableNumber,
    /// By how much the place moves for each unit of the number, px.
    pub slope: DVec2,
    /// Whether the place jumps near the value, so that the slope says little.
    pub abrupt: bool,
}

impl PlaceSlope {
    /// How far the place moves if the number changes by 1 %, px.
    pub fn effect(&self) -> f64 {
        self.slope.length() * self.number.size() * 0.01
    }
}

/// What each of some places depends on, the strongest number first. `play` plays the stretch under a revision and returns
/// where the places are then, in the same order; `None` for one that it does not come to. Ends early, with nothing, once
/// `stopped` says so.
pub fn place_slopes(
    revision: &Revision,
    numbers: &[EditableNumber],
    places: &[DVec2],
    threads: usize,
    stopped: &(impl Fn() -> bool + Clone + Sync + 'static),
    play: impl Fn(Arc<Revision>) -> Vec<Option<DVec2>> + Sync,
) -> Option<Vec<Vec<PlaceSlope>>> {
    let slopes = |number: &EditableNumber, by: f64| {
        let change = number.changed(number.value + by)?;
        let tuned = revision.retuned(revision.number, &[change]).ok()?;
        let moved = play(Arc::new(tuned)).into_iter().zip(places);
        Some(moved.map(|(to, at)| Some((to? - *at) / by)).collect::<Vec<_>>())
    };
    let vary = |number: &EditableNumber| {
        let step = number.size() * STEP;
        let [up, down] = [slopes(number, step), slopes(number, -step)];
        let of = |side: &Option<Vec<Option<DVec2>>>, place: usize| *side.as_ref()?.get(place)?;
        let slope = |place: usize| joined_slope([of(&up, place), of(&down, place)], step);
        (0..places.len()).map(slope).collect::<Vec<_>>()
    };
    let work = |index: usize| {
        let (varied, is_cut) = interruptible(stopped.clone(), || vary(&numbers[index]));
        (!is_cut && !stopped()).then_some(varied)
    };
    let mut found: Vec<Vec<PlaceSlope>> = vec![Vec::new(); places.len()];
    let mut varied = numbers.iter();
    in_order(numbers.len(), threads, work, |slopes| {
        if let Some(number) = varied.next() {
            for (found, slope) in found.iter_mut().zip(slopes) {
                let slope = slope.map(|(slope, abrupt)| PlaceSlope { number: number.clone(), slope, abrupt });
                found.extend(slope);
            }
        }
        true
    });
    if varied.next().is_some() {
        return None;
    }
    for found in &mut found {
        found.sort_by(|a, b| b.effect().total_cmp(&a.effect()));
    }
    Some(found)
}
