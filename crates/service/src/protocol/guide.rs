//! What the page of the protocol says about each method.

use super::errors::ErrorKind;
use super::methods::Method;

impl Method {
    /// What it does.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Initialize => {
                "Describes the service and the game. Required only to show the token; then it comes first."
            }
            Self::Create => {
                "Creates a world: a level at tick 0, from the files as they are now. Worlds of the same level and settings share what is built from them."
            }
            Self::Step => {
                "Makes ticks with the queued inputs. `inputs` is the text of an input file, played from the present tick on: later steps play the lines that this step does not reach, and a new text replaces the rest of an earlier one. Or it is an array of what each player holds during this step; nothing is held afterward."
            }
            Self::Observe => {
                "Shows the world as it is: the line of a trace. With `observe.columns`, the result is a [ColumnData](#columndata) instead."
            }
            Self::Scene => "Shows the world as data to paint, as the page of `--web` does.",
            Self::Snapshot => {
                "Saves the world, with its settings and the inputs that it has yet to play. Any world that was created with the same level can restore it, in any process of the same version and on any machine."
            }
            Self::Restore => {
                "Continues from a snapshot: its state, settings and inputs. Files stay as this world has read them last, and the snapshot has to fit them; with other settings than the world's, they are read again."
            }
            Self::Fork => {
                "Creates a copy of the world under another number, with its state, settings and inputs, but without subscriptions. From then on, the two are independent."
            }
            Self::Reload => {
                "Reads the files again and continues under what they say now. All state stays, as in hot reload. If they have mistakes, the world continues as it was."
            }
            Self::Set => {
                "Changes settings in the running world, as the tuning panel does. All state stays. `simulation.tick_hz` cannot change."
            }
            Self::Why => {
                "Explains why an entity moved in the last tick: phases, rules and refusals, with the lines of the files that decided."
            }
            Self::Judge => {
                "Asks the rules `reward(me)` and `done(me)` of an entity's script how well it does, as the environments for Python do after each step. What the rules change is dropped, so the world plays the same with and without it."
            }
            Self::Subscribe => {
                "Sends lines of traces, beginning with the present tick: see [Subscriptions](#subscriptions)."
            }
            Self::Unsubscribe => "Ends a subscription.",
            Self::Destroy => "Ends a world, once the requests before this one are done.",
            Self::List => "Lists all worlds of the service. Only with [`--web`](#watching).",
            Self::Watch => {
                "Shows a world of any client, as `world.scene` does, by its number in `world.list`. The answer comes with the next picture that the world makes, at most 30 a second. Nothing about the world changes, and it never waits. Only with `--web`: see [Watching](#watching)."
            }
            Self::Sweep | Self::Cast | Self::Overlap | Self::RestPositions | Self::PlanJump => self.about_query(),
            Self::Check => "Checks files without running them, as `hangtime check` does.",
            Self::TestsList => "Lists the tests of the game, as `hangtime test --list` does.",
            Self::TestsRun => "Runs tests, as `hangtime test` does, and answers when all have ended.",
            Self::Cancel => {
                "Cancels the open requests of this client with an id. It is usually sent as a notification. They are answered with the error -32800, unless they have ended in the meantime."
            }
            Self::Shutdown => {
                "Ends all worlds of the client and its connection, once its other requests are answered. Over stdin and stdout, the program ends."
            }
        }
    }

    /// What a query about the terrain does.
    const fn about_query(self) -> &'static str {
        match self {
            Self::Sweep => {
                "Moves a shape in a straight line through the terrain as it is now, and answers with its first hit. It must start outside of solids. Entities are not hit. In a top view, all solids count, however high they are."
            }
            Self::Cast => "Casts a ray through the terrain as it is now. One-way platforms stop it from above.",
            Self::Overlap => {
                "Answers whether a shape overlaps a solid, and the nearest place where it does not. One-way platforms are lines and overlap nothing."
            }
            Self::RestPositions => {
                "All places in an area where a body of this kind can come to rest: see `rest_spacing` in [tunables.md](tunables.md#platformer). None in a top view, or with a `rest_spacing` of 0."
            }
            _ => {
                "Plans a jump of an entity from where it is now: a ballistic flight, as `me.plan_jump` does, or with `own` the keys with which its own model makes it, as `me.plan_own_jump` does. Nothing moves."
            }
        }
    }

    /// The errors that it can have, in addition to those that all methods have.
    pub const fn errors(self) -> &'static [ErrorKind] {
        use ErrorKind::{Canceled, Files, Limit, Params, Snapshot, Token, World};
        match self {
            Self::Initialize => &[Params, Token],
            Self::Create => &[Params, Files, Limit],
            Self::Step => &[Params, Files, World, Limit, Canceled],
            Self::Observe | Self::RestPositions | Self::Subscribe => &[Params, World, Limit],
            Self::Restore => &[Params, Snapshot, Files, World, Limit],
            Self::Fork => &[Params, World, Limit],
            Self::Reload | Self::Set => &[Params, Files, World],
            Self::List => &[Params],
            Self::Watch => &[Params, World, Canceled],
            Self::Scene
            | Self::Snapshot
            | Self::Why
            | Self::Judge
            | Self::Unsubscribe
            | Self::Destroy
            | Self::Sweep
            | Self::Cast
            | Self::Overlap
            | Self::PlanJump => &[Params, World],
            Self::Check | Self::TestsList => &[Params, Files],
            Self::TestsRun => &[Params, Files, Canceled],
            Self::Cancel | Self::Shutdown => &[Params],
        }
    }

    /// The parameters of its examples on the page, which are one session with the game of `hangtime new hop`. `SNAPSHOT`
    /// is the snapshot that was taken last.
    pub const fn examples(self) -> &'static [&'static str] {
        match self {
            Self::Initialize => &["{}"],
            Self::Create => &[
                r#"{"level":"first","seed":1,"settings":{"platformer.jump_speed":600}}"#,
                r#"{"level":"first","seed":-1}"#,
            ],
            Self::Step => &[
                r#"{"world":1,"ticks":30,"inputs":"40 right\n1 right jump\n60 right"}"#,
                r#"{"world":1,"ticks":200,"until":{"event":"land","entity":"hero"},"observe":{"fields":["pos","vel","mode"]}}"#,
                r#"{"world":1,"ticks":4,"inputs":[{"held":["left"],"move":[0.5,0]}],"observe":{"columns":["pos.x","pos.y"],"every":2}}"#,
                r#"{"world":1,"ticks":4,"inputs":[{"held":["lfet"]}]}"#,
            ],
            Self::Observe => &[r#"{"world":1}"#],
            Self::Snapshot | Self::Fork | Self::Reload => &[r#"{"world":1}"#],
            Self::Scene => &[r#"{"world":1}"#],
            Self::List => &["{}"],
            Self::Watch => &[r#"{"watched":1}"#, r#"{"watched":7}"#],
            Self::Restore => &[r#"{"world":1,"snapshot":"SNAPSHOT"}"#, r#"{"world":1,"snapshot":"aGVsbG8="}"#],
            Self::Set => &[
                r#"{"world":1,"settings":{"platformer.jump_speed":540}}"#,
                r#"{"world":1,"settings":{"platformer.jump_sped":540}}"#,
            ],
            Self::Why => &[r#"{"world":3,"entity":"hero"}"#],
            Self::Judge => &[r#"{"world":1,"entity":"hero"}"#, r#"{"world":1,"entity":"heroe"}"#],
            Self::Subscribe => &[r#"{"world":3,"observe":{"fields":["pos"],"every":60}}"#],
            Self::Unsubscribe => &[r#"{"world":3,"subscription":1}"#],
            Self::Destroy => &[r#"{"world":3}"#, r#"{"world":3}"#],
            Self::Sweep => &[r#"{"world":1,"kind":"hero","from":[100,200],"to":[100,-200]}"#],
            Self::Cast => &[r#"{"world":1,"from":[700,100],"to":[900,100]}"#],
            Self::Overlap => &[r#"{"world":1,"half":[10,19],"at":[100,10]}"#],
            Self::RestPositions => &[r#"{"world":1,"kind":"hero","from":[0,0],"to":[100,60]}"#],
            Self::PlanJump => &[
                r#"{"world":1,"entity":"hero","to":[250,0],"clearance":40}"#,
                r#"{"world":1,"entity":"hero","to":[700,0],"own":true}"#,
            ],
            Self::Check => &["{}"],
            Self::TestsList => &[r#"{"filter":["gap"]}"#],
            Self::TestsRun => &[r#"{"filter":["=test_falling_into_the_gap_returns_to_the_start"]}"#],
            Self::Cancel => &[r#"{"id":1}"#],
            Self::Shutdown => &["{}"],
        }
    }
}
