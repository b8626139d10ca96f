//! The routes that scripts ask for: each tick does a share of the search, and what was found is kept.
//!
//! How far a search has come is state, as the number of its steps, so a world that was saved continues where it was. The
//! search itself is not: it follows from the question, the stage and that number, and is made again where it is missing.

use super::*;

/// The most routes that a world searches for or keeps.
pub const MOST_ROUTES: usize = 16;

/// The work that a tick may do to find routes, about half a millisecond. The last move of a tick may take more.
pub const ROUTE_WORK_OF_TICK: u64 = 20_000;

/// For how long a route is searched for that no script asks for any more, s.
const PATIENCE: f64 = 1.0;

/// The routes that scripts have asked for, the oldest question first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Routes {
    asked: Vec<AskedRoute>,
    /// The solids and zones that are off in the level of these routes.
    absent: Absent,
    zones_off: Absent,
}

/// A route that a script has asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct AskedRoute {
    order: RouteOrder,
    /// The tick in which it was last asked for.
    last: u64,
    /// How many steps of the search are done.
    steps: u64,
    found: Option<Arc<Result<Route, RouteError>>>,
}

/// A search that continues in the next tick, and its question.
pub type PendingSearch = Option<Arc<(RouteOrder, RouteSearch)>>;

impl Routes {
    /// Whether no route was asked for.
    pub fn is_empty(&self) -> bool {
        self.asked.is_empty()
    }

    /// What was found; `None` while it is searched for.
    pub fn found(&self, order: &RouteOrder) -> Option<&Arc<Result<Route, RouteError>>> {
        let asked = self.asked.iter().find(|asked| asked.order == *order)?;
        asked.found.as_ref()
    }

    /// Asks for a route in tick `now`.
    pub(super) fn ask(&mut self, order: &RouteOrder, now: u64) {
        if let Some(asked) = self.asked.iter_mut().find(|asked| asked.order == *order) {
            asked.last = now;
            return;
        }
        if self.asked.len() == MOST_ROUTES {
            let found = self.asked.iter().position(|asked| asked.found.is_some());
            self.asked.remove(found.unwrap_or(0));
        }
        self.asked.push(AskedRoute { order: order.clone(), last: now, steps: 0, found: None });
    }

    /// Forgets what was found in a level that has changed.
    pub(super) fn search_again(&mut self) {
        for asked in &mut self.asked {
            (asked.steps, asked.found) = (0, None);
        }
    }

    /// Searches on, in tick `now`. In a level with other switches, all routes are searched for again.
    pub(super) fn search(&mut self, pending: &mut PendingSearch, stage: &Stage, changes: &LevelChanges, now: u64) {
        if self.absent != changes.absent || self.zones_off != changes.zones_off {
            self.absent.copy_from(&changes.absent);
            self.zones_off.copy_from(&changes.zones_off);
            self.search_again();
            *pending = None;
        }
        let patience = (PATIENCE * f64::from(stage.hz)) as u64;
        self.asked
            .retain(|asked| asked.found.is_some() || now.saturating_sub(asked.last) <= patience);
        let Some(asked) = self.asked.iter_mut().find(|asked| asked.found.is_none()) else {
            *pending = None;
            return;
        };
        let mut shared = match pending.take() {
            Some(shared) if shared.0 == asked.order && shared.1.steps == asked.steps => shared,
            _ => {
                let mut search = RouteSearch::new(stage, changes, &asked.order);
                while search.steps < asked.steps && search.found.is_none() {
                    search.step(stage);
                }
                Arc::new((asked.order.clone(), search))
            }
        };
        let search = &mut Arc::make_mut(&mut shared).1;
        let until = search.work + ROUTE_WORK_OF_TICK;
        while search.work < until && search.found.is_none() {
            search.step(stage);
        }
        asked.steps = search.steps;
        match search.found.take() {
            Some(found) => asked.found = Some(Arc::new(found)),
            None => *pending = Some(shared),
        }
    }

    /// Checks routes that were saved.
    pub(super) fn check(&self, stage: &Stage, now: u64) -> Checked {
        let Self { asked, .. } = self;
        ensure!(asked.len() <= MOST_ROUTES, "asked", "has {} routes; the most are {MOST_ROUTES}", asked.len());
        each("asked", asked, |asked| {
            let RouteOrder { kind, from, to } = &asked.order;
            ensure!(stage.kinds.contains_key(kind), "order.kind", "is `{kind}`, but the game has no such kind");
            ensure!(from.is_finite() && to.is_finite(), "order", "has a number that is not finite");
            ensure!(asked.last <= now, "last", "is {}; the tick of the world is {now}", asked.last);
            let most = 2 * MOST_ROUTE_WORK;
            ensure!(asked.steps <= most, "steps", "is {}; the most are {most}", asked.steps);
            let Some(Ok(route)) = asked.found.as_deref() else { return Ok(()) };
            ensure!(route.is_finite(), "found", "has a number that is not finite");
            Ok(())
        })
    }

    /// Feeds them into a hash.
    pub(super) fn digest(&self, digest: &mut Digest) {
        digest.word(self.asked.len() as u64);
        for AskedRoute { order, last, steps, found } in &self.asked {
            digest.text(&order.kind);
            let RouteOrder { from, to, .. } = order;
            digest.words(&[from.x, from.y, to.x, to.y].map(f64::to_bits));
            digest.words(&[*last, *steps]);
            match found.as_deref() {
                None => digest.word(0),
                Some(Err(why)) => digest.text(&why.to_string()),
                Some(Ok(route)) => digest.words(&[1 + route.moves.len() as u64, route.time().to_bits()]),
            }
        }
    }
}
