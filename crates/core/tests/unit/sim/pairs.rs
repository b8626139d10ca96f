//! Tests of `src/sim/pairs.rs`.

use super::*;
use crate::{
    models::{BodyShape, ModelTunings},
    sim::backward::Backward,
    tuning::{SimulationTuning, SurfaceTuning},
};
use glam::dvec2;
use proptest::prelude::*;

/// The half-widths of the kinds. A huge body is next to hundreds of small ones.
const SIZES: [(f64, f64); 4] = [(10.0, 10.0), (1.0, 3.0), (10.0, 19.0), (300.0, 200.0)];

/// A kind of each size that pushes, and one that does not; and a vessel.
fn profiles() -> Vec<Profile> {
    let kind = |model, shape: BodyShape, pushes| {
        let loadouts = Loadouts::new(ModelTunings::default(), |_| shape.clone());
        Profile { pushes, ..Profile::new("kind", model, loadouts) }
    };
    let upright = SIZES.into_iter().flat_map(|(x, y)| {
        [true, false].map(|pushes| kind(ModelName::topdown, Collider::ellipse(x, y).into(), pushes))
    });
    upright.chain([kind(ModelName::vessel, BodyShape::of_box(24.0, 16.0), true)]).collect()
}

/// A body: its kind, where it is, and a number that makes its name.
type Placed = (usize, (i32, i32), f64, u16);

/// Bodies on the corners of cells of 10 px around the origin, many in one place, and anywhere.
fn field() -> impl Strategy<Value = Vec<Placed>> {
    let corners = |far: i32| (-far..far, -far..far).prop_map(|(x, y)| (10 * x, 10 * y));
    let at = prop_oneof![
        corners(40),
        corners(3),
        Just((-40, 20)),
        (-900..900_i32, -900..900_i32),
        (Just(5), -9999..9999_i32)
    ];
    let kind = prop_oneof![9 => 0..6_usize, 1 => 6..9_usize];
    prop::collection::vec((kind, at, 0.0..60.0_f64, any::<u16>()), 2..260)
}

fn stage(view: View, field: &[Placed]) -> Stage {
    let starts = field.iter().enumerate().map(|(i, (kind, (x, y), z, name))| {
        let at = dvec2(f64::from(*x), f64::from(*y));
        let z = if view == View::Top { *z } else { 0.0 };
        // Vessels are for side views.
        let kind = if view == View::Top { *kind % (2 * SIZES.len()) } else { *kind };
        Start { z, ..Start::new(&format!("{name} {i}"), kind, at) }
    });
    let level = Level::new("field", view, vec![], vec!["stone".into()]);
    let surfaces = vec![SurfaceTuning::default()];
    Stage::new(level, &SimulationTuning::default(), None, surfaces, profiles(), starts.collect())
}

/// The pairs that a search has to find, by its definition.
fn expected(world: &World, stage: &Stage, search: PairSearch) -> Vec<(u32, u32)> {
    let Population { entities, lanes, .. } = &world.population;
    let places = (0..entities.len() as u32).map(|index| place(index, entities, lanes, stage, search));
    let mut places: Vec<EntityPlace> = places.filter(|place| place.counts).collect();
    let name = |place: &EntityPlace| &entities[place.index as usize].name;
    places.sort_by(|a, b| {
        let [x, other] = [a, b].map(|place| place.extents.area.min.x);
        x.total_cmp(&other).then_with(|| name(a).cmp(name(b)))
    });
    let to_the_right = |i: usize| {
        let (a, others) = (&places[i], &places[i + 1..]);
        let near = others.iter().filter(|b| a.extents.meets(&b.extents));
        near.map(|b| (a.index.min(b.index), a.index.max(b.index)))
            .take(search.most)
            .collect::<Vec<_>>()
    };
    let all: Vec<Vec<(u32, u32)>> = (0..places.len()).map(to_the_right).collect();
    let most = search.most_in_all.max(entities.len());
    let each = (1..=search.most)
        .rev()
        .find(|each| all.iter().map(|pairs| pairs.len().min(*each)).sum::<usize>() <= most);
    let each = each.unwrap_or(1);
    let mut pairs: Vec<_> = all.iter().flat_map(|pairs| pairs.iter().take(each).copied()).collect();
    pairs.sort_unstable();
    pairs
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn the_pairs_are_those_that_comparing_all_finds(
        field in field(),
        top in any::<bool>(),
        moves in prop::collection::vec((0..260_usize, (-300.0..300.0_f64, -40.0..40.0_f64)), 0..40),
        leave in prop::collection::vec(0..260_usize, 0..4),
    ) {
        let stage = stage(if top { View::Top } else { View::Side }, &field);
        let mut world = World::new(&stage, 0);
        let pushes = PairSearch { margin: 0.0, most: 8, most_in_all: 500, pushing: true };
        let touches = PairSearch { margin: 0.5, most: 32, most_in_all: 2000, pushing: false };
        let executors: [&dyn Executor; 4] = [&Serial, &Backward(1), &Backward(5), &Backward(1000)];
        let mut finders = executors.map(|executor| (executor, PairFinder::default()));
        for round in 0..3 {
            for search in [pushes, touches] {
                let expected = expected(&world, &stage, search);
                for (executor, finder) in &mut finders {
                    let Population { entities, lanes, .. } = &world.population;
                    finder.find(*executor, entities, lanes, &stage, search);
                    finder.sort_by_name(*executor, entities);
                    let name = |index: u32| &entities[index as usize].name;
                    let names: Vec<_> = finder.pairs.iter().map(|(a, b)| (name(*a), name(*b))).collect();
                    prop_assert!(names.iter().all(|(a, b)| a < b), "round {round}");
                    prop_assert!(names.is_sorted());
                    finder.sort_by_index();
                    prop_assert_eq!(&finder.pairs, &expected, "round {}", round);
                }
            }
            // Then some move, and in the end some leave.
            let population = &mut world.population;
            let count = population.entities.len();
            for (index, (x, y)) in moves.iter().filter(|(index, _)| *index < count) {
                population.body_at_mut(*index).pos += dvec2(*x, *y);
            }
            for index in leave.iter().filter(|_| round == 1) {
                if *index < population.entities.len() && population.entities.len() > 2 {
                    population.remove(*index);
                }
            }
        }
    }
}

#[test]
fn a_crowd_that_has_shrunk_is_thinned_out_as_a_new_one_is() {
    let on_one_spot: Vec<Placed> = (0..85).map(|i| (0, (0, 0), 0.0, i)).collect();
    let stage = stage(View::Top, &on_one_spot);
    let mut world = World::new(&stage, 0);
    let search = PairSearch { margin: 0.5, most: 32, most_in_all: 500, pushing: false };
    let mut finder = PairFinder::default();
    // First in many pieces, then in one.
    for count in [85, 75] {
        while world.population.entities.len() > count {
            world.population.remove(0);
        }
        let Population { entities, lanes, .. } = &world.population;
        assert_eq!(is_crowd(entities, &Backward(5)), count == 85);
        finder.find(&Backward(5), entities, lanes, &stage, search);
        finder.sort_by_index();
        assert_eq!(finder.pairs, expected(&world, &stage, search), "{count} bodies");
    }
}

#[test]
fn a_world_with_other_names_gets_their_order() {
    let field: Vec<Placed> = (0..40).map(|i| (0, (i, 0), 0.0, (i * 7 % 40) as u16)).collect();
    let other: Vec<Placed> = (0..40).map(|i| (0, (i, 0), 0.0, (i * 9 % 40) as u16)).collect();
    let mut finder = PairFinder::default();
    for field in [&field, &other, &field] {
        let stage = stage(View::Side, field);
        let entities = &World::new(&stage, 0).population.entities;
        finder.pairs = (0..39).map(|i| (i, i + 1)).collect();
        finder.sort_by_name(&Backward(1), entities);
        let name = |index: u32| &entities[index as usize].name;
        assert!(finder.pairs.iter().map(|(a, b)| (name(*a), name(*b))).is_sorted());
    }
}
