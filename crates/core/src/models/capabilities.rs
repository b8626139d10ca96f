//! The capability to swing on a grappling hook.

use super::*;

/// A model whose bodies have a grappling hook. `S` is its state, `T` its tuning.
///
/// After `drive`, each attached hook states its [`Strain`]. Once a rule has decided, exactly one
/// of [`pull`](Self::pull) and [`snap`](Self::snap) follows.
pub trait Hooked<S, T: ModelTuning> {
    /// Whether the hook holds on to something, so that its rope can be strained.
    fn is_attached(&self, state: &S) -> bool;

    /// How hard the motion of a tick strains the rope, with `pace` ticks in a second of the body; `None` if no rope can be strained.
    fn strain(
        &self,
        state: &S,
        body: &Body,
        intent: &Intent,
        motion: &Motion,
        loadout: &Loadout<T>,
        pace: f64,
    ) -> Option<Strain>;

    /// Lets the rope pull on the motion.
    fn pull(&self, state: &mut S, body: &mut Body, motion: &mut Motion, step: &Step<T>, report: &Report);

    /// The way that its tip has flown out in this tick of `dt` seconds, if it can attach to entities.
    fn flown(&self, state: &S, body: &Body, loadout: &Loadout<T>, report: &Report, dt: f64) -> Option<Flown>;

    /// Attaches it to an entity, or moves it along with that, on a rope of this length, px.
    fn hold(&self, state: &mut S, tip: DVec2, length: f64);

    /// How fast it winds in its rope while it is attached to an entity, px/s; `None` if it is not.
    fn winds(&self, state: &S, loadout: &Loadout<T>) -> Option<f64>;

    /// Snaps the rope.
    fn snap(&self, state: &mut S, report: &mut Report);

    /// Carries out a script's order.
    fn order(&self, state: &mut S, body: &Body, order: HookOrder, report: &mut Report);

    /// Moves the hook to another terrain: a reloaded one, in which platforms have other numbers than in the `old` one, or
    /// one that scripts have changed. Returns whether it lost its hold.
    fn adopt(&self, state: &mut S, old: Option<&Terrain>, new: &Scenery) -> bool;

    /// The hook as scripts, traces and pictures show it.
    fn view(&self, state: &S) -> HookView;
}

/// The way on which the tip of a hook has flown out in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flown {
    /// Where it began and ended, px.
    pub way: [DVec2; 2],
    /// How long it took, and how long the tick lasted afterward, s.
    pub times: [f64; 2],
}

named! {
    /// What a hook is doing.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub enum HookState, as_str {
        /// Not fired: the hook is with its owner.
        #[default]
        Idle = "idle",
        /// Flying out.
        Firing = "firing",
        /// Holding on to something.
        Attached = "attached",
        /// Flying back.
        Returning = "returning",
    }
}

/// How hard the rope of an attached hook is strained in a tick, after all forces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strain {
    /// Speed against the hook's pull: `hook_pull_speed` minus the body's speed toward the tip,
    /// px/s.
    pub pull_away: f64,
    /// Distance from the body's center to the tip, px.
    pub length: f64,
    /// Position of the tip, px.
    pub tip: DVec2,
    /// Whether the direction key away from the hook is held.
    pub away_held: bool,
    /// Whether the rope snaps according to its tuning; a rule may decide otherwise.
    pub snaps: bool,
}

/// A script's order to a hook.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HookOrder {
    /// Fires the hook at a point. It holds until it is released.
    Fire(DVec2),
    /// Releases the hook.
    Release,
}

/// A hook as scripts, traces and pictures show it. The default is an idle one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HookView {
    /// What it is doing.
    pub state: HookState,
    /// Position of its tip, px.
    pub tip: DVec2,
    /// Length of the rope, px.
    pub length: f64,
}

/// A model whose bodies grab walls and roofs. `S` is its state, `T` its tuning.
///
/// Its `travel` stops at something that can be grabbed and leaves that in
/// [`ReportDetails::grasp`](super::ReportDetails::grasp). Once a rule has decided, exactly one of [`grab`](Self::grab)
/// and [`pass`](Self::pass) ends the motion.
pub trait Climbing<S, T: ModelTuning> {
    /// Grabs the surface that the motion stopped at.
    fn grab(&self, state: &mut S, body: &mut Body, step: &Step<T>, report: &mut Report);

    /// Continues along the surface that the motion stopped at, without grabbing it.
    fn pass(&self, state: &mut S, body: &mut Body, motion: &Motion, step: &Step<T>, report: &mut Report);

    /// Lets go of what the body holds. Keys that are held then do not grab it again until they are pressed again.
    fn let_go(&self, state: &mut S, intent: &Intent);

    /// Why the wall in front of the body is not grabbed; `None` if there is no wall, or if it is
    /// grabbed.
    fn refusal(&self, state: &S, body: &Body, motion: &Motion, step: &Step<T>) -> Option<Refusal>;
}

/// A model's reason to refuse something, such as grabbing a wall.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The reason, as a sentence without a period.
    pub text: String,
    /// Names of the tunables that decided.
    pub keys: &'static [&'static str],
}

/// A model whose bodies collide as pieces that turn, some of them sprung feet. `S` is its state,
/// `T` its tuning. Bodies of the other models stay upright.
pub trait Rigid<S, T: ModelTuning> {
    /// The pieces, in the body's own frame.
    fn pieces<'l>(&self, loadout: &'l Loadout<T>) -> &'l Arc<[Piece]>;

    /// A place near `at` where the body, turned by `angle` (radians), overlaps nothing; `None` if
    /// there is no such place.
    fn fit(&self, loadout: &Loadout<T>, scenery: &Scenery, at: DVec2, angle: f64) -> Option<DVec2>;

    /// The normal of what the body touches that is most in the way of a motion; `None` if nothing is.
    fn blocked(&self, state: &S, loadout: &Loadout<T>, scenery: &Scenery, body: &Body, way: DVec2) -> Option<DVec2>;

    /// Distance from the center down to the lowest point at this angle, px.
    fn depth(&self, loadout: &Loadout<T>, angle: f64) -> f64;

    /// Compression of each foot, in the order of the pieces: 1 fully pressed in, −1 fully out.
    fn feet(&self, state: &S) -> Vec<f64>;

    /// How far a foot can be pressed in, px.
    fn foot_travel(&self, loadout: &Loadout<T>) -> f64;

    /// How hard the engine pushes, as a share of full thrust: 0..=1.
    fn thrust(&self, intent: &Intent) -> f64;
}

/// A model whose bodies follow a planned flight. `S` is its state.
pub trait Flying<S> {
    /// Starts a flight. The caller has already placed the body at its origin.
    fn launch(&self, state: &mut S, flight: &Flight);
}
