//! The methods of the protocol: one declaration each, from which requests are read and the page and the schema are made.

use super::*;
use ErrorKind::{Canceled, Files, Limit, Params, Snapshot, Token, World};

/// A request with its parameters, by where it is carried out.
pub enum Request {
    /// On the thread that reads the client's messages.
    Client(ClientRequest),
    /// On the client's thread for checks and tests.
    Desk(DeskRequest),
    /// On the client's thread that waits for pictures.
    Watch(WatchParams),
    /// At the world with this number: a short request where it is read, any other in the pool.
    World(u64, Box<WorldRequest>),
}

/// Declares requests that are carried out in the same place, and how parameters become a [`Request`].
macro_rules! requests {
    (
        $(#[$about:meta])* $place:ident { $($name:ident($type:ty)),* $(,)? }
        |$params:ident, $wrap:ident| $request:expr
    ) => {
        $(#[$about])*
        pub enum $place { $($name($type)),* }

        $(impl From<$type> for Request {
            fn from($params: $type) -> Self {
                let $wrap = $place::$name;
                $request
            }
        })*
    };
}

requests!(
    /// Requests about the client itself and about which worlds it has.
    ClientRequest {
        Initialize(InitializeParams),
        Discover(DiscoverParams),
        Create(CreateParams),
        StepWorlds(StepWorldsParams),
        Fork(ForkParams),
        Destroy(DestroyParams),
        List(WorldListParams),
        Cancel(CancelParams),
        Shutdown(ShutdownParams),
    }
    |params, wrap| Self::Client(wrap(params))
);

requests!(
    /// Requests about the game. They can take minutes.
    DeskRequest { Check(CheckParams), TestsList(TestListParams), TestsRun(TestRunParams) }
    |params, wrap| Self::Desk(wrap(params))
);

requests!(
    /// Requests about a world.
    WorldRequest {
        Step(StepParams),
        Observe(ObserveRequest),
        Scene(SceneParams),
        Snapshot(SnapshotParams),
        Restore(RestoreParams),
        Reload(ReloadParams),
        Set(SetParams),
        Place(PlaceParams),
        Emit(EmitParams),
        Why(WhyParams),
        Judge(JudgeParams),
        Subscribe(SubscribeParams),
        Unsubscribe(UnsubscribeParams),
        Sweep(SweepParams),
        Cast(CastParams),
        Overlap(OverlapParams),
        RestPositions(RestParams),
        PlanJump(PlanParams),
    }
    |params, wrap| Self::World(params.world, Box::new(wrap(params)))
);

impl From<WatchParams> for Request {
    fn from(params: WatchParams) -> Self {
        Self::Watch(params)
    }
}

impl WorldRequest {
    /// Whether it takes so little time that the thread that reads it can carry it out. A step hands over what takes
    /// longer.
    pub fn is_short(&self) -> bool {
        !matches!(
            self,
            Self::Snapshot(_)
                | Self::Restore(_)
                | Self::Reload(_)
                | Self::Set(_)
                | Self::RestPositions(_)
                | Self::PlanJump(_)
        )
    }
}

/// A method, as the page of the protocol describes it.
pub struct Method {
    /// Its name in messages.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// The errors that it can have, in addition to those that all methods have.
    pub errors: &'static [ErrorKind],
    /// Reads the parameters of a request.
    pub read: fn(Option<&RawValue>) -> Result<Request, RpcError>,
    /// The schemas of its parameters and its result.
    pub schemas: fn(params: &mut SchemaGenerator, results: &mut SchemaGenerator) -> (Value, Value),
}

impl Method {
    /// The method with this name.
    ///
    /// # Errors
    /// If there is none: the nearest one.
    pub fn find(name: &str) -> Result<&'static Self, RpcError> {
        let found = METHODS.iter().find(|method| method.name == name);
        found.ok_or_else(|| no_method(name, METHODS.iter().map(|method| method.name)))
    }

    /// Whether only services with a page have it, because it shows the worlds of other clients.
    pub fn needs_web(&self) -> bool {
        matches!(self.name, "world.list" | "world.watch")
    }

    /// Whether its requests take the next number of a world.
    pub fn makes_world(&self) -> bool {
        matches!(self.name, "world.create" | "world.fork")
    }
}

/// Declares the methods: what they do, their names with the types of their parameters and results, and their errors.
macro_rules! methods {
    ($($(#[doc = $line:literal])+ $name:literal($Params:ty) -> $Result:ty, $errors:expr;)+) => {
        /// All methods, as the page of the protocol lists them.
        pub static METHODS: [Method; [$($name),+].len()] = [$(Method {
            name: $name,
            about: prose!($(#[doc = $line])+),
            errors: &$errors,
            read: |params| read_params::<$Params>(params).map(Into::into),
            schemas: |params, results| {
                (params.subschema_for::<$Params>().to_value(), results.subschema_for::<$Result>().to_value())
            },
        }),+];
    };
}

methods! {
    /// Describes the service and the game. Required only to show the token; then it comes first.
    "initialize"(InitializeParams) -> InitializeResult, [Params, Token];
    /// Describes all methods in [OpenRPC](https://spec.open-rpc.org): the document
    /// [protocol.openrpc.json](protocol.openrpc.json). `world.list` and `world.watch` are in it, also without `--web`.
    "rpc.discover"(DiscoverParams) -> OpenRpcDocument, [Params];
    /// Creates a world: a level at tick 0, from the files as they are now. Worlds of the same level and settings share
    /// what is built from them.
    "world.create"(CreateParams) -> CreateResult, [Params, Files, Limit];
    /// Makes ticks with the queued inputs. `inputs` is the text of an input file, played from the present tick on:
    /// later steps play the lines that this step does not reach, and a new text replaces the rest of an earlier one. Or
    /// it is an array of what each player holds during this step; nothing is held afterward.
    "world.step"(StepParams) -> StepAnswer<'static>, [Params, Files, World, Limit, Canceled];
    /// Shows the world as it is: the line of a trace. With `observe.columns`, the result is a [ColumnData](#columndata)
    /// instead.
    "world.observe"(ObserveRequest) -> ObserveResult, [Params, World, Limit];
    /// Shows the world as data to paint.
    "world.scene"(SceneParams) -> SceneResult, [Params, World];
    /// Saves the world, with its settings and the inputs that it has yet to play. Any world that was created with the
    /// same level can restore it, in any process of the same version and on any machine.
    "world.snapshot"(SnapshotParams) -> SnapshotResult, [Params, World];
    /// Continues from a snapshot: its state, settings and inputs. Files stay as this world has read them last, and the
    /// snapshot has to fit them; with other settings than the world's, they are read again.
    "world.restore"(RestoreParams) -> RestoreResult, [Params, Snapshot, Files, World, Limit];
    /// Creates a copy of the world under another number, with its state, settings and inputs, but without
    /// subscriptions. From then on, the two are independent.
    "world.fork"(ForkParams) -> CreateResult, [Params, World, Limit];
    /// Makes the same number of ticks in many worlds at once, on all processors, and answers lists with an item for
    /// each world: see [Many worlds](#many-worlds).
    "worlds.step"(StepWorldsParams) -> StepWorldsAnswer<'static>, [Params, Files, World, Limit, Canceled];
    /// Reads the files again and continues under what they say now. All state stays, as in hot reload. If they have
    /// mistakes, the world continues as it was.
    "world.reload"(ReloadParams) -> ReloadResult, [Params, Files, World];
    /// Changes settings in the running world, as the tuning panel does. All state stays. `simulation.tick_hz` cannot
    /// change.
    "world.set"(SetParams) -> SetResult, [Params, Files, World];
    /// Teleports an entity between two ticks, pushed out of any solid, as a script's `me.place` does: it lets go of its
    /// hook and of walls. Points outside of the level, or without room for the body, are refused.
    "world.place"(PlaceParams) -> PlaceResult, [Params, World];
    /// Emits an event between two ticks, like `world::emit` in a script. In the next tick, `fn on_NAME` runs in every
    /// script that defines it. Its `entity` is `level`. The limits are the same as for scripts, and at most 1,024
    /// events wait for a tick. `hash` changes with what scripts do then.
    "world.emit"(EmitParams) -> EmitResult, [Params, World, Limit];
    /// Explains why an entity moved in the last tick: phases, rules and refusals, with the lines of the files that
    /// decided.
    "world.why"(WhyParams) -> WhyResult, [Params, World];
    /// Asks the rules `reward(me)` and `done(me)` of an entity's script how well it does, as the environments for
    /// Python do after each step. What the rules change is dropped, so the world plays the same with and without it.
    "world.judge"(JudgeParams) -> JudgeResult, [Params, World];
    /// Sends lines of traces, beginning with the present tick: see [Subscriptions](#subscriptions).
    "world.trace.subscribe"(SubscribeParams) -> SubscribeResult, [Params, World, Limit];
    /// Ends a subscription.
    "world.trace.unsubscribe"(UnsubscribeParams) -> Done, [Params, World];
    /// Ends a world, once the requests before this one are done.
    "world.destroy"(DestroyParams) -> Done, [Params, World];
    /// Lists all worlds of the service. Only with [`--web`](#watching).
    "world.list"(WorldListParams) -> WorldListResult, [Params];
    /// Shows a world of any client, as `world.scene` does, by its number in `world.list`. The answer comes with the
    /// next picture that the world makes, at most 30 a second. Nothing about the world changes, and it never waits.
    /// Only with `--web`: see [Watching](#watching).
    "world.watch"(WatchParams) -> SceneResult, [Params, World, Canceled];
    /// Moves a shape in a straight line through the terrain as it is now, and answers with its first hit. It must start
    /// outside of solids. Entities are not hit. In a top view, all solids count, however high they are.
    "query.sweep"(SweepParams) -> HitResult, [Params, World];
    /// Casts a ray through the terrain as it is now. One-way platforms stop it from above.
    "query.cast"(CastParams) -> HitResult, [Params, World];
    /// Answers whether a shape overlaps a solid, and the nearest place where it does not. One-way platforms are lines
    /// and overlap nothing.
    "query.overlap"(OverlapParams) -> OverlapResult, [Params, World];
    /// All places in an area where a body of this kind can come to rest: see `rest_spacing` in
    /// [tunables.md](tunables.md#platformer). None in a top view, or with a `rest_spacing` of 0.
    "query.rest_positions"(RestParams) -> RestResult, [Params, World, Limit];
    /// Plans a jump of an entity from where it is now: a ballistic flight, as `me.plan_jump` does, or with `own` the
    /// keys with which its own model makes it, as `me.plan_own_jump` does. Nothing moves.
    "plan.jump"(PlanParams) -> PlanResult, [Params, World];
    /// Checks files without running them, as `hangtime check` does.
    "check"(CheckParams) -> CheckAnswer, [Params, Files];
    /// Lists the tests of the game, as `hangtime test --list` does.
    "tests.list"(TestListParams) -> TestListResult, [Params, Files];
    /// Runs tests, as `hangtime test` does, and answers when all have ended.
    "tests.run"(TestRunParams) -> TestRunResult, [Params, Files, Canceled];
    /// Cancels the open requests of this client with an id. It is usually sent as a notification. They are answered
    /// with the error -32800, unless they have ended in the meantime.
    "$/cancelRequest"(CancelParams) -> Done, [Params];
    /// Ends all worlds of the client and its connection, once its other requests are answered. Over stdin and stdout,
    /// the program ends.
    "shutdown"(ShutdownParams) -> Done, [Params];
}
