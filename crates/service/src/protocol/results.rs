//! The results of the methods.

use super::*;
use hangtime_play::{CaseRecord, TickLine, WhyLine};
use hangtime_script::Fault;

/// A message about a file of the game, as `hangtime check --format json` prints it.
#[derive(PartialEq, Serialize, JsonSchema)]
pub struct DiagnosticLine {
    /// The file, by its path below the game folder.
    file: String,
    /// The line, from 1.
    line: usize,
    /// The column, from 1.
    col: usize,
    /// The line of the end.
    end_line: usize,
    /// The column after the end.
    end_col: usize,
    /// `error` or `warning`.
    severity: &'static str,
    /// What is wrong, and what would be right.
    message: String,
}

impl DiagnosticLine {
    /// The line of a message.
    pub fn of(diagnostic: &Diagnostic) -> Self {
        let place = diagnostic.place.as_ref();
        let (line, col) = place.map_or((1, 1), |p| p.position());
        let (end_line, end_col) = place.map_or((1, 1), |p| p.end_position());
        Self {
            file: diagnostic.file_name().into(),
            line,
            col,
            end_line,
            end_col,
            severity: diagnostic.severity.name(),
            message: diagnostic.message.clone(),
        }
    }
}

/// An error of a script while the world played.
#[derive(Serialize, JsonSchema)]
pub struct FaultLine {
    /// The entity whose script failed, or `level`.
    entity: String,
    /// The hook that failed.
    hook: String,
    /// The tick: in the step from n to n+1 it is n.
    tick: u64,
    /// The error with its place.
    error: DiagnosticLine,
}

impl FaultLine {
    /// The line of a fault.
    pub fn of(fault: &Fault) -> Self {
        Self {
            entity: fault.entity.clone(),
            hook: fault.hook.to_string(),
            tick: fault.tick,
            error: DiagnosticLine::of(&fault.diagnostic),
        }
    }
}

/// The result of `initialize`.
#[derive(Serialize, JsonSchema)]
pub struct InitializeResult {
    /// The version of hangtime.
    pub hangtime: &'static str,
    /// The version of this protocol.
    pub protocol: u32,
    /// The methods that there are.
    pub methods: Vec<&'static str>,
    /// Whether columns can be sent as binary frames.
    pub binary: bool,
    /// What the service allows.
    pub limits: LimitInfo,
    /// What the game has.
    pub game: GameInfo,
}

/// What the service allows.
#[derive(Serialize, JsonSchema)]
pub struct LimitInfo {
    /// The most worlds of all clients.
    pub worlds: usize,
    /// The most memory of all worlds, MB, as it is estimated.
    pub memory: u64,
    /// The longest message, bytes.
    pub message: usize,
    /// The most ticks of a request.
    pub ticks: u64,
    /// After how many seconds of silence a client is disconnected; null means never.
    pub idle: Option<u64>,
    /// The most lines of subscriptions that wait for a client.
    pub waiting: usize,
}

/// What the game has.
#[derive(Serialize, JsonSchema)]
pub struct GameInfo {
    /// The levels, by their paths below the game folder, those in subfolders of `levels/` last.
    pub levels: Vec<String>,
    /// The actions that players can hold.
    pub actions: Vec<String>,
    /// The keys of the window, for programs that let people play.
    pub keys: Vec<BoundKey>,
    /// The models.
    pub models: Vec<&'static str>,
    /// The modes, in the order that the column `mode` counts.
    pub modes: Vec<&'static str>,
    /// The columns that every entity has.
    pub columns: Vec<&'static str>,
}

/// A key of the window.
#[derive(Serialize, JsonSchema)]
pub struct BoundKey {
    /// The key by its position, as `KeyboardEvent.code` of web pages names it, or a button of the mouse or a gamepad.
    pub key: &'static str,
    /// What it does, by its name in `[keys]`: an action, or something about the window, such as `pause`.
    pub does: String,
    /// The player whose action it is, from 1. Left out for what it does about the window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<u8>,
}

/// The result of `world.create` and `world.fork`.
#[derive(Serialize, JsonSchema)]
pub struct CreateResult {
    /// The number of the world, for all requests about it.
    pub world: u64,
    /// The number of ticks made.
    pub tick: u64,
    /// The hash of the world, 16 hexadecimal digits.
    pub hash: String,
    /// Ticks per second.
    pub tick_hz: u32,
    /// Warnings about the files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<DiagnosticLine>,
}

/// The result of `world.step`.
#[derive(Serialize, JsonSchema)]
pub struct StepAnswer<'a> {
    /// The number of ticks made since the beginning.
    pub tick: u64,
    /// The hash of the world, 16 hexadecimal digits.
    pub hash: String,
    /// Whether `until` ended the step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<bool>,
    /// What happened in these ticks, to the entities that are observed or, without `observe`, to all.
    pub events: Vec<EventLine<'a>>,
    /// How many events are left out because there were too many.
    #[serde(skip_serializing_if = "is_zero")]
    pub events_left_out: u64,
    /// How many ticks of queued inputs are left.
    #[serde(skip_serializing_if = "is_zero")]
    pub inputs_left: u64,
    /// The first errors of scripts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FaultLine>,
    /// How many errors of scripts are left out.
    #[serde(skip_serializing_if = "is_zero")]
    pub faults_left_out: u64,
    /// The first lines that scripts printed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub printed: Vec<String>,
    /// How many printed lines are left out.
    #[serde(skip_serializing_if = "is_zero")]
    pub printed_left_out: u64,
    /// Warnings about lines of `inputs` that have no effect.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<DiagnosticLine>,
    /// The lines of the observed ticks: the last one, or every nth.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<TickLine<'static>>")]
    pub observations: Vec<Box<RawValue>>,
    /// The columns of the observed ticks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<ColumnData>,
}

pub fn is_zero(count: &u64) -> bool {
    *count == 0
}

// The result of `world.observe`. Each of its two forms has its own page.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub enum ObserveResult {
    Line(#[schemars(with = "TickLine<'static>")] Box<RawValue>),
    Columns(ColumnData),
}

/// Numbers of entities. They are sorted by tick, then by column, then by row.
#[derive(Serialize, JsonSchema)]
pub struct ColumnData {
    /// The observed ticks.
    pub ticks: Vec<u64>,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The names of the entities, as of the beginning of the request. One that no longer exists is NaN.
    pub rows: Vec<String>,
    /// The numbers in base64: 8 bytes each, little-endian IEEE 754. Omitted if they are in a binary frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    /// The length of the binary frame that follows, bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub binary: Option<usize>,
}

/// The result of `world.snapshot`.
#[derive(Serialize, JsonSchema)]
pub struct SnapshotResult {
    /// The world with its settings and the inputs that it has yet to play, as a text that means nothing to others.
    pub snapshot: String,
}

/// The result of `world.restore`.
#[derive(Serialize, JsonSchema)]
pub struct RestoreResult {
    /// The number of ticks made.
    pub tick: u64,
    /// The hash of the world, 16 hexadecimal digits.
    pub hash: String,
    /// Ticks per second, as in the saved world.
    pub tick_hz: u32,
}

/// The result of `world.reload`.
#[derive(Serialize, JsonSchema)]
pub struct ReloadResult {
    /// The number of the revision that runs.
    pub revision: u64,
    /// The files that are new, gone or different.
    pub changed: Vec<String>,
    /// What is different in them, in a line: `platformer.jump_speed 540 → 600`. Empty if no file has changed.
    pub what: String,
    /// The number of ticks made.
    pub tick: u64,
    /// The hash of the world, 16 hexadecimal digits.
    pub hash: String,
    /// Warnings about the files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<DiagnosticLine>,
}

/// The result of `world.set`.
#[derive(Serialize, JsonSchema)]
pub struct SetResult {
    /// The number of the revision that runs.
    pub revision: u64,
    /// The number of ticks made.
    pub tick: u64,
    /// The hash of the world, 16 hexadecimal digits.
    pub hash: String,
    /// Warnings about the files and settings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<DiagnosticLine>,
}

/// The result of `world.place`.
#[derive(Serialize, JsonSchema)]
pub struct PlaceResult {
    /// Where its center is now, px, out of solids; in a top view, the third number is the height of the feet.
    pub pos: [f64; 3],
    /// Its velocity now, px/s.
    pub vel: [f64; 3],
    /// The number of ticks made.
    pub tick: u64,
    /// The hash of the world, 16 hexadecimal digits.
    pub hash: String,
}

/// The result of `world.emit`.
#[derive(Serialize, JsonSchema)]
pub struct EmitResult {
    /// The number of ticks made.
    pub tick: u64,
    /// The hash of the world, 16 hexadecimal digits.
    pub hash: String,
}

/// The result of `world.why`.
#[derive(Serialize, JsonSchema)]
pub struct WhyResult {
    /// The tick that is explained.
    pub tick: u64,
    /// Whether it was recorded: see `why` of `world.create`. The first tick of a world never is.
    pub recorded: bool,
    /// Why the entity moved in it.
    pub reasons: Vec<WhyLine>,
}

/// The result of `world.judge`.
#[derive(Serialize, JsonSchema)]
pub struct JudgeResult {
    /// What `reward(me)` returns; null if the script has no such rule, or it fails.
    pub reward: Option<f64>,
    /// What `done(me)` returns; null if the script has no such rule, or it fails.
    pub done: Option<bool>,
    /// The first errors of scripts since the last answer that lists them, usually from these rules.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FaultLine>,
    /// The first lines that the rules printed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub printed: Vec<String>,
    /// How many printed lines are left out.
    #[serde(skip_serializing_if = "is_zero")]
    pub printed_left_out: u64,
}

/// The result of `world.trace.subscribe`.
#[derive(Serialize, JsonSchema)]
pub struct SubscribeResult {
    /// The number of the subscription.
    pub subscription: u64,
}

/// Parameters of the notification `world.trace`, which the service sends for a subscription.
#[derive(Serialize, JsonSchema)]
pub struct TraceNotice<'a> {
    /// The world.
    pub world: u64,
    /// The subscription.
    pub subscription: u64,
    /// How many lines were dropped since the last one, because the client reads too slowly.
    #[serde(skip_serializing_if = "is_zero")]
    pub dropped: u64,
    /// The line of the trace.
    #[schemars(with = "TickLine<'static>")]
    pub line: &'a RawValue,
}

/// What a world that follows the files sends when they were saved.
#[derive(Default, Serialize, JsonSchema)]
pub struct FilesNotice {
    /// The world.
    pub world: u64,
    /// Whether it plays a new revision. If not, the last good one continues.
    pub adopted: bool,
    /// The number of the revision that it plays.
    pub revision: u64,
    /// The files that are new, gone or different, by their paths below the game folder.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// What is different, in a line.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub what: String,
    /// The number of ticks made.
    pub tick: u64,
    /// The hash of the world, 16 hexadecimal digits.
    pub hash: String,
    /// The mistakes for which nothing was adopted, or warnings about the new revision.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<DiagnosticLine>,
}

/// A result without content.
#[derive(Serialize, JsonSchema)]
pub struct Done {}

/// Where a sweep or a ray hits.
#[derive(Serialize, JsonSchema)]
pub struct HitLine {
    /// The share of the distance before the hit, 0 to 1.
    pub share: f64,
    /// The center of the shape then, px.
    pub at: [f64; 2],
    /// The point that is hit, px.
    pub point: [f64; 2],
    /// The normal there, length 1, toward the shape.
    pub normal: [f64; 2],
    /// The name of the solid.
    pub solid: String,
    /// Its surface.
    pub surface: String,
}

/// The result of `query.sweep` and `query.cast`.
#[derive(Serialize, JsonSchema)]
pub struct HitResult {
    /// The first hit; null if there is none.
    pub hit: Option<HitLine>,
}

/// The result of `query.overlap`.
#[derive(Serialize, JsonSchema)]
pub struct OverlapResult {
    /// Whether the shape is in a solid.
    pub overlaps: bool,
    /// The nearest free place, px; null if there is none near.
    pub free: Option<[f64; 2]>,
}

/// A place where a body can rest.
#[derive(Serialize, JsonSchema)]
pub struct RestPlace {
    /// The center of the body, px.
    pub at: [f64; 2],
    /// Its mode there: `ground`, `wall` or `roof`.
    pub mode: &'static str,
    /// The name of the solid.
    pub solid: String,
    /// Its surface.
    pub surface: String,
}

/// The result of `query.rest_positions`.
#[derive(Serialize, JsonSchema)]
pub struct RestResult {
    /// The places, from left to right.
    pub places: Vec<RestPlace>,
}

/// The result of `plan.jump`. Members that do not apply are left out.
#[derive(Default, Serialize, JsonSchema)]
pub struct PlanResult {
    /// Whether there is such a jump.
    pub ok: bool,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// How long it takes, s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<f64>,
    /// Ballistic: the velocity at the start, px/s; the third number is up in a top view.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub velocity: Option<[f64; 3]>,
    /// Ballistic: the height of the flight's highest point, px.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub apex: Option<f64>,
    /// Ballistic: how high it passes over obstacles, px.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clearance: Option<f64>,
    /// Own: the direction key, 1 for `right`, -1 for `left`, 0 for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<i8>,
    /// Own: how long to hold it, s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steer: Option<f64>,
    /// Own: how long to hold `jump`, s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hold: Option<f64>,
    /// Own: where the lowest point lands, px.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<[f64; 2]>,
}

/// The result of `check`.
#[derive(Serialize, JsonSchema)]
pub struct CheckAnswer {
    /// The number of files that were checked.
    pub files: usize,
    /// The number of errors.
    pub errors: usize,
    /// The number of warnings.
    pub warnings: usize,
    /// The messages.
    pub diagnostics: Vec<DiagnosticLine>,
}

/// A test.
#[derive(Serialize, JsonSchema)]
pub struct TestLine {
    /// Its name.
    pub name: String,
    /// Its file.
    pub file: String,
    /// Its line, from 1.
    pub line: usize,
}

/// The result of `tests.list`.
#[derive(Serialize, JsonSchema)]
pub struct TestListResult {
    /// The tests, in the order in which they run.
    pub tests: Vec<TestLine>,
}

/// The result of `tests.run`.
#[derive(Serialize, JsonSchema)]
pub struct TestRunResult {
    /// How many passed.
    pub passed: usize,
    /// How many failed.
    pub failed: usize,
    /// Each test, as in a results file of `hangtime test --results`.
    pub cases: Vec<CaseRecord>,
}
