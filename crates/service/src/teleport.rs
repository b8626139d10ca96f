//! Where programs teleport entities to.

use super::*;
use hangtime_core::{level::View, sim::Teleport, tuning::MOST};

/// Reads where an entity goes, px, and its velocity from then on, px/s: each has two numbers, or three in a top view, as
/// `pos` and `vel` of traces do. In a side view, the third must be 0.
///
/// # Errors
/// If a script could not set them.
pub fn teleport(live: &Live, at: &[f64], velocity: Option<&[f64]>) -> Result<Teleport, ServiceError> {
    let view = live.revision().stage.level.view;
    let (at, z) = vector(("at", "px"), at, view)?;
    if let Some(z) = z.filter(|z| *z < 0.0) {
        let message = format!("the height is {z}; it must be 0, the ground plane, or more");
        return Err(ServiceError::parameter("at", message));
    }
    let velocity = match velocity {
        Some(numbers) => {
            let (velocity, up) = vector(("velocity", "px/s"), numbers, view)?;
            Some((velocity, up.unwrap_or(0.0)))
        }
        None => None,
    };
    Ok(Teleport { at, z, velocity })
}

fn vector((name, unit): (&str, &str), numbers: &[f64], view: View) -> Result<(DVec2, Option<f64>), ServiceError> {
    let wrong = |message: String| Err(ServiceError::parameter(name, message));
    let (x, y, z) = match *numbers {
        [x, y] => (x, y, None),
        [x, y, z] => (x, y, Some(z)),
        _ => return wrong(format!("takes two numbers, or three in a top view, not {}", numbers.len())),
    };
    // NaN is neither.
    if !numbers.iter().all(|number| number.abs() <= MOST) {
        return wrong(format!("must have finite numbers of at most {MOST} {unit}, not {numbers:?}"));
    }
    if view == View::Side && z.is_some_and(|z| z != 0.0) {
        return wrong("the third number is always 0 in a side view".into());
    }
    Ok((DVec2::new(x, y), z))
}
