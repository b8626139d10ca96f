//! Platforms that press a body against other solids: when it is crushed, and that it stays where it can be.

use crate::{
    common::RATES,
    ground::{BODY, Ground, Play},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::polygon,
    level::{Path, PathEnd, Solid, SurfaceId},
};

/// Half the width and half the height of the body.
const HALF: DVec2 = BODY.half;

fn rectangle(min: DVec2, max: DVec2) -> [(f64, f64); 4] {
    [(min.x, min.y), (max.x, min.y), (max.x, max.y), (min.x, max.y)]
}

/// A solid that moves once from where it is drawn by `way`.
fn presses(ground: &mut Ground, (min, max): (DVec2, DVec2), way: DVec2, speed: f64) {
    let outline = polygon::outline(&rectangle(min, max).map(DVec2::from)).expect("a polygon");
    let path = Some(Path::new(vec![DVec2::ZERO, way], speed, PathEnd::Once));
    ground.others.push(Solid { path, ..Solid::new("press".into(), SurfaceId(0), outline) });
}

/// A body at rest at the origin of a floor of this thickness, in front of a pillar `room` px to its right.
fn cornered(hz: u32, thick: f64, room: f64) -> Ground {
    Ground::none(hz)
        .tune("rest_spacing", 0.0)
        .solid(&rectangle(dvec2(-2000.0, -thick), dvec2(2000.0, 0.0)))
        .solid(&rectangle(dvec2(HALF.x + room, 0.0), dvec2(HALF.x + room + 40.0, 90.0)))
        .at(0.0, HALF.y)
}

/// Plays until a press that travels `way` px at `speed` has been at its end for half a second.
fn play_out(ground: &Ground, way: f64, speed: f64) -> Play {
    let mut play = ground.play();
    play.run(way / speed + 0.5);
    play
}

#[test]
fn a_ram_that_stops_in_the_tick_in_which_it_takes_the_room_crushes() {
    for hz in RATES {
        for lacks in [1.5, 2.0, 3.0, 9.0] {
            for speed in [100.0, 1000.0, 4000.0, 1e6] {
                // It comes to rest `lacks` px inside of the body.
                let mut ground = cornered(hz, 40.0, 0.0);
                let ram = (dvec2(-HALF.x - 80.0, 0.0), dvec2(-HALF.x - 40.0, 60.0));
                presses(&mut ground, ram, dvec2(40.0 + lacks, 0.0), speed);
                let play = play_out(&ground, 40.0 + lacks, speed);
                assert_eq!(play.told("crush"), 1, "{lacks} px at {speed} px/s and {hz} Hz");
            }
        }
    }
}

#[test]
fn a_ram_that_leaves_room_does_not_crush_however_fast_it_is() {
    for hz in RATES {
        for speed in [100.0, 1000.0, 4000.0, 1e6] {
            for room in [0.5, 10.0, 100.0] {
                let mut ground = cornered(hz, 40.0, room);
                let ram = (dvec2(-HALF.x - 80.0, 0.0), dvec2(-HALF.x - 40.0, 60.0));
                presses(&mut ground, ram, dvec2(40.0 + room, 0.0), speed);
                let play = play_out(&ground, 40.0 + room, speed);
                assert_eq!(play.told("crush"), 0, "{room} px at {speed} px/s and {hz} Hz");
                let at = play.hero().pos;
                assert!((at.x - room).abs() < 0.05 && (at.y - HALF.y).abs() < 1e-3, "{at} at {speed} px/s and {hz} Hz");
            }
        }
    }
}

#[test]
fn no_press_drives_a_body_through_a_floor_or_lets_it_out_on_the_other_side() {
    for hz in RATES {
        for thick in [10.0, 40.0, 200.0] {
            for speed in [60.0, 500.0, 1500.0, 4000.0, 20_000.0, 1e6] {
                for (wide, stops) in [(60.0, 20.0), (60.0, 0.5), (400.0, 10.0)] {
                    let case = format!("{wide} px wide, floor of {thick} px, {speed} px/s, {hz} Hz");
                    let mut ground = cornered(hz, thick, 500.0);
                    let above = 2.0 * HALF.y + 100.0;
                    presses(
                        &mut ground,
                        (dvec2(-0.5 * wide, above), dvec2(0.5 * wide, above + 120.0)),
                        dvec2(0.0, stops - above),
                        speed,
                    );
                    let play = play_out(&ground, above - stops, speed);
                    assert_eq!(play.told("crush"), 1, "{case}");
                    let at = play.hero().pos;
                    assert!(at.y > 0.0 && at.y < HALF.y + 1.0, "{at}: {case}");
                }
            }
        }
    }
}

#[test]
fn a_thin_press_that_ends_beyond_the_body_crushes_it_on_its_way() {
    for hz in RATES {
        for speed in [3000.0, 20_000.0, 1e6] {
            // A plate of 6 px passes the body and the floor in at most four ticks at the lowest of these speeds.
            let mut ground = cornered(hz, 10.0, 500.0);
            let plate = (dvec2(-200.0, 60.0), dvec2(200.0, 66.0));
            presses(&mut ground, plate, dvec2(0.0, -400.0), speed);
            let play = play_out(&ground, 400.0, speed);
            assert_eq!(play.told("crush"), 1, "{speed} px/s at {hz} Hz");
        }
    }
}

#[test]
fn whether_a_press_of_up_to_1000_px_a_second_shoves_or_crushes_is_the_same_at_every_rate() {
    for wide in [12.0, 50.0, 90.0] {
        for speed in [200.0, 500.0, 1000.0] {
            let told = RATES.map(|hz| {
                let mut ground = cornered(hz, 40.0, 500.0);
                presses(&mut ground, (dvec2(-0.5 * wide, 100.0), dvec2(0.5 * wide, 200.0)), dvec2(0.0, -100.0), speed);
                play_out(&ground, 100.0, speed).told("crush")
            });
            // A body that has to give way by more than 20 px has no room.
            let crushed = usize::from(0.5 * wide > 20.0);
            assert_eq!(told, [crushed; 4], "{wide} px wide at {speed} px/s");
        }
    }
}

/// It stood on the lift again in the tick after it was crushed, and rode on it into the ceiling.
#[test]
fn a_lift_does_not_take_what_it_crushes_into_the_ceiling() {
    for hz in RATES {
        for speed in [40.0, 100.0, 700.0] {
            for thick in [20.0, 100.0] {
                let under = 2.0 * HALF.y + 60.0;
                let mut ground = Ground::none(hz)
                    .tune("rest_spacing", 0.0)
                    .solid(&rectangle(dvec2(-300.0, under), dvec2(300.0, under + thick)))
                    .solid(&rectangle(dvec2(-300.0, -60.0), dvec2(300.0, -40.0)))
                    .at(0.0, HALF.y);
                presses(&mut ground, (dvec2(-80.0, -20.0), dvec2(80.0, 0.0)), dvec2(0.0, 300.0), speed);
                let mut play = ground.play();
                for _ in 0..(300.0 / speed * f64::from(hz)) as u32 + hz {
                    let head = play.tick().pos.y + HALF.y;
                    assert!(head < under + 0.05, "{head} of {under} at {speed} px/s and {hz} Hz");
                }
                assert_eq!(play.told("crush"), 1, "{thick} px thick, {speed} px/s, {hz} Hz");
                let hero = play.hero();
                assert!(hero.grounded && (hero.pos.y - HALF.y + 40.0).abs() < 1e-3, "{} at {hz} Hz", hero.pos);
            }
        }
    }
}
