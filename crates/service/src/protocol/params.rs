//! The parameters of all methods except `world.step`.

use super::*;

/// Parameters of `initialize`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct InitializeParams {
    /// The token of the service, if it needs one.
    pub token: Option<String>,
}

/// Parameters of `rpc.discover`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct DiscoverParams {}

/// Which ticks are recorded for `world.why`.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WhyRecording {
    /// The last tick of every `world.step`, and all ticks of those with `until`. `worlds.step` records none.
    #[default]
    Last,
    /// All ticks, which makes them slower. Only so it is known why a press had no effect, which turns out later.
    All,
    /// None.
    Off,
}

/// When a world reads the files of the game again.
#[derive(Clone, Copy, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReloadWhen {
    /// When `world.reload` asks for it.
    #[default]
    Asked,
    /// Also when they are saved, between two requests: see [Saved files](#saved-files). Forks do not.
    Saved,
}

/// Parameters of `world.create`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateParams {
    /// The level, by its name or its path below the game folder.
    pub level: String,
    /// The seed of all random numbers.
    #[serde(default, deserialize_with = "whole")]
    pub seed: u64,
    /// Settings that override the files: dotted keys with their values, as in `--set KEY=VALUE`.
    #[serde(default)]
    pub settings: BTreeMap<String, Value>,
    /// Which ticks are recorded for `world.why`.
    #[serde(default)]
    pub why: WhyRecording,
    /// When it reads the files again.
    #[serde(default)]
    pub reload: ReloadWhen,
}

/// Declares the parameters of methods about a world.
macro_rules! about_a_world {
    ($($name:ident of $method:literal { $($members:tt)* })*) => {$(
        #[doc = concat!("Parameters of `", $method, "`.")]
        #[derive(Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            /// The world.
            #[serde(deserialize_with = "whole")]
            pub world: u64,
            $($members)*
        }
    )*};
}
pub(super) use about_a_world;

about_a_world!(
    ObserveRequest of "world.observe" {
        /// What to show.
        #[serde(default)]
        pub observe: ObserveParams,
    }

    RestoreParams of "world.restore" {
        /// A snapshot of this or another world that was created with the same level.
        pub snapshot: String,
    }

    SetParams of "world.set" {
        /// The settings to change: dotted keys with their values.
        pub settings: BTreeMap<String, Value>,
    }

    PlaceParams of "world.place" {
        /// The name of the entity.
        pub entity: String,
        /// Where its center goes, px, and in a top view the height of its feet: `pos` of a trace. Without a height, that stays.
        #[schemars(length(min = 2, max = 3))]
        pub at: Vec<f64>,
        /// Its velocity from then on, px/s: `vel` of a trace. Without it, that stays.
        #[serde(default)]
        #[schemars(length(min = 2, max = 3))]
        pub velocity: Option<Vec<f64>>,
    }

    EmitParams of "world.emit" {
        /// The name of the event: `alarm` calls `fn on_alarm`.
        pub event: String,
        /// Plain data, which hooks read as `event.data`: at most 64 values and 4 KiB of text.
        #[serde(default)]
        pub data: Value,
    }

    WhyParams of "world.why" {
        /// The name of the entity.
        pub entity: String,
    }

    JudgeParams of "world.judge" {
        /// The name of the entity.
        pub entity: String,
    }

    SubscribeParams of "world.trace.subscribe" {
        /// What to show. Columns are not for subscriptions.
        #[serde(default)]
        pub observe: ObserveParams,
        /// What happens when the client reads more slowly than the world makes ticks.
        #[serde(default)]
        pub when_full: WhenFull,
    }

    UnsubscribeParams of "world.trace.unsubscribe" {
        /// The subscription.
        #[serde(deserialize_with = "whole")]
        pub subscription: u64,
    }

    CastParams of "query.cast" {
        /// Where the ray begins, px.
        pub from: [f64; 2],
        /// Where it ends, px.
        pub to: [f64; 2],
    }

    RestParams of "query.rest_positions" {
        /// The kind that would rest there, with the tuning of its model `platformer`.
        pub kind: String,
        /// A corner of the area, px.
        pub from: [f64; 2],
        /// The opposite corner, px.
        pub to: [f64; 2],
    }

    PlanParams of "plan.jump" {
        /// The name of the entity that jumps.
        pub entity: String,
        /// Where its lowest point comes down, px.
        pub to: [f64; 2],
        /// How high the ballistic flight passes over obstacles and the target, px.
        #[serde(default = "usual_clearance")]
        pub clearance: f64,
        /// The velocity of a target that moves, px/s. Only for ballistic flights.
        #[serde(default)]
        pub velocity: Option<[f64; 2]>,
        /// Whether to look for keys with which the entity's own model makes the jump, instead of a ballistic flight.
        #[serde(default)]
        pub own: bool,
    }

    SnapshotParams of "world.snapshot" {}

    ForkParams of "world.fork" {}

    ReloadParams of "world.reload" {}

    DestroyParams of "world.destroy" {}
);

/// Parameters of `query.sweep`: a `kind`, or the `half` of an ellipse.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SweepParams {
    /// The world.
    #[serde(deserialize_with = "whole")]
    pub world: u64,
    /// The kind whose collider moves.
    #[serde(default)]
    pub kind: Option<String>,
    /// Half of the ellipse's width and height, px.
    #[serde(default)]
    pub half: Option<[f64; 2]>,
    /// Where its center begins, px.
    pub from: [f64; 2],
    /// Where its center would end, px.
    pub to: [f64; 2],
}

/// Parameters of `query.overlap`: a `kind`, or the `half` of an ellipse.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OverlapParams {
    /// The world.
    #[serde(deserialize_with = "whole")]
    pub world: u64,
    /// The kind whose collider it is.
    #[serde(default)]
    pub kind: Option<String>,
    /// Half of the ellipse's width and height, px.
    #[serde(default)]
    pub half: Option<[f64; 2]>,
    /// Its center, px.
    pub at: [f64; 2],
}

fn usual_clearance() -> f64 {
    30.0
}

/// Parameters of `check`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CheckParams {
    /// Files, or folders with their subfolders. Without any, the whole game folder.
    pub paths: Vec<String>,
}

/// Parameters of `tests.list`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TestListParams {
    /// Files, or folders with their subfolders. Without any, `levels/tests`.
    pub paths: Vec<String>,
    /// Only tests that one of these selects, as with `--filter`: a part of the name, `=NAME` or `/PATTERN/`.
    pub filter: Vec<String>,
}

/// Parameters of `tests.run`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TestRunParams {
    /// Files, or folders with their subfolders. Without any, `levels/tests`.
    pub paths: Vec<String>,
    /// Only tests that one of these selects, as with `--filter`: a part of the name, `=NAME` or `/PATTERN/`.
    pub filter: Vec<String>,
    /// How many tests run at the same time, 1 to 64. Without it, one for each processor core.
    #[serde(deserialize_with = "whole_if_any")]
    pub jobs: Option<u16>,
    /// Whether files in `.hangtime` of the game folder are written, as `hangtime test` writes them: the recordings of failed
    /// tests in `failed/`, which `recording` in the results names, and in `feel/` the numbers of kinds whose
    /// contracts hold.
    pub save: bool,
}

/// Parameters of `$/cancelRequest`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CancelParams {
    /// The id of the request to cancel.
    pub id: Value,
}

/// Parameters of `shutdown`.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ShutdownParams {
    /// Whether the whole service ends, for all clients. Over stdin and stdout it always does.
    pub service: bool,
}
