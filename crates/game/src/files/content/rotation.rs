//! `rotation` of a `[[solid]]`: a mill, a pendulum or a drawbridge.

use super::*;
use hangtime_core::level::{MOST_CORNERS, MOST_REACH, MOST_ROTATING, MOST_TURN, Rotation, RotationLaw, Solid};
use std::f64::consts::TAU;

/// Valid speeds, °/s.
const TURN: Range = range(-MOST_TURN, MOST_TURN);

/// Valid durations of a swing to and fro, s.
const PERIOD: Range = range(0.01, 86_400.0);

/// What `loop` may be.
const LOOPS: [&str; 2] = ["circle", "called"];

/// Reads how a solid rotates.
pub(super) fn read_rotation(table: &Table, solid: &Solid, out: &mut Mistakes) -> Option<Rotation> {
    let mut reader = TableReader::new(table, out);
    let pivot = reader.require("pivot", "a rotation").and_then(|node| reader.point_of("pivot", node));
    let law = read_law(&mut reader);
    reader.finish();
    let rotation = Rotation { pivot: pivot?, law: law? };
    let mut refuse = |message: String| {
        out.error(&table.place, message);
        None
    };
    let reach = solid.reach_from(rotation.pivot);
    if solid.one_way {
        return refuse("a one-way platform cannot rotate: it is solid from above only".into());
    }
    if solid.points.len() > MOST_CORNERS {
        let count = solid.points.len();
        return refuse(format!("a solid that rotates has at most {MOST_CORNERS} corners; this one has {count}"));
    }
    if reach > MOST_REACH {
        return refuse(format!(
            "the corners of a solid that rotates are at most {MOST_REACH} px from its `pivot`, not {reach:.0}; the pivot is a \
             place in the level, like the `points` of the solid"
        ));
    }
    Some(rotation)
}

fn read_law(reader: &mut TableReader<'_, '_>) -> Option<RotationLaw> {
    let table = reader.table;
    // All of them are keys of a rotation, even where they do not go together.
    let [swing, period, speed, end] = ["swing_deg", "period", "speed_deg", "loop"].map(|key| reader.get(key));
    if swing.is_some() {
        for (key, node) in [("speed_deg", speed), ("loop", end)] {
            if let Some(node) = node {
                reader.error(&node.place, format!("a rotation with `swing_deg` takes a `period` and no `{key}`"));
                return None;
            }
        }
        let angle = reader.number("swing_deg", range(-360.0, 360.0), "°")?;
        let period = reader
            .require("period", "a rotation with `swing_deg`")
            .and_then(|_| reader.number("period", PERIOD, "s"))?;
        let fastest = angle.abs() * TAU / period;
        if fastest > MOST_TURN {
            let message = format!("this swings at up to {fastest:.0} °/s; the most are {MOST_TURN} °/s");
            reader.error(table.place_of("period"), message);
            return None;
        }
        return Some(RotationLaw::Swing(angle, period));
    }
    if let Some(node) = period {
        reader.error(&node.place, "a rotation with a `period` takes `swing_deg`, how far it swings to each side");
        return None;
    }
    let speed = reader
        .require("speed_deg", "a rotation")
        .and_then(|_| reader.number("speed_deg", TURN, "°/s"));
    let called = match reader.text("loop") {
        None | Some("circle") => false,
        Some("called") => true,
        Some(name) => {
            let message = format!("there is no loop \"{name}\" of a rotation{}", suggestion(name, LOOPS));
            reader.error(table.place_of("loop"), message);
            return None;
        }
    };
    let speed = speed?;
    if called && speed <= 0.0 {
        let message = "`world::turn_solid` says which way this rotates, so its speed is above 0";
        reader.error(table.place_of("speed_deg"), message);
        return None;
    }
    if speed == 0.0 {
        reader.warn(table.place_of("speed_deg"), "with a speed of 0 °/s this never rotates; leave out the `rotation`");
    }
    Some(if called { RotationLaw::Called(speed) } else { RotationLaw::Steady(speed) })
}

/// Checks how many solids rotate.
pub(super) fn check_rotations(solids: &[Solid], places: &[Place], out: &mut Mistakes) {
    let mut rotating = solids.iter().zip(places).filter(|(solid, _)| solid.rotation.is_some());
    if let Some((_, place)) = rotating.nth(MOST_ROTATING) {
        out.error(place, format!("at most {MOST_ROTATING} solids of a level can rotate"));
    }
}
