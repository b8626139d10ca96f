//! What a body in a test can reach.

use super::*;
use crate::{ReachAnswer, ReachOrder, ReachSearch};

/// How many ticks a search plays at most.
const MOST_TICKS: u64 = 200_000;

const GOAL: Param = param("goal", Type::Text, "");

/// Adds `reachable`.
pub fn add(table: &mut ObjectCalls) {
    add_calls! { table;
        /// Whether an entity with a player can get from where it is to a zone, an entity, a solid to stand on, or a level that a
        /// script plays: a search plays walks, jumps, falls and swings from all places that it finds, as `hangtime reachable` does.
        /// Fails if 200,000 ticks do not tell. The level itself stays as it is.
        call reachable(ENTITY_NAME, GOAL) -> Type::Flag;
        "expect(t.reachable(\"hero\", \"ledge\")).equals(true);";
        reachable;
    }
}

fn reachable<'a>(level: &'a TestLevel, args: Args<'a>) -> Answered<'a> {
    let (entity, goal) = (args.text(0)?, args.text(1)?);
    if cfg!(not(feature = "disk")) {
        // The page lists calls and plays no tests.
        return refuse("what can be reached is searched by the program alone");
    }
    level.require_entity(entity)?;
    level.session.check_ticks(MOST_TICKS)?;
    let (revision, world) = {
        let live = &level.lock().game.live;
        (live.revision().clone(), live.world().clone())
    };
    let order = ReachOrder { entity: Some(entity.into()), must: vec![goal.into()], presses: Vec::new() };
    let mut search = ReachSearch::new(revision, &world, &order).or_else(refuse)?;
    search.advance(MOST_TICKS, 1, &|| false);
    level.session.check_wanted()?;
    level.session.record().played += search.ticks();
    let found = search.missing().next().is_none();
    let known = search.answers().find(|(known, ..)| &*known.name == goal);
    match known {
        Some((_, ReachAnswer::Unknown, _)) if !found => {
            let ticks = search.ticks();
            refuse(format!("{ticks} ticks do not tell whether `{entity}` can reach `{goal}`; ask from nearer to it"))
        }
        _ => Ok(CallAnswer::Flag(found)),
    }
}
