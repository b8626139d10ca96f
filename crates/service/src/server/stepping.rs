//! `world.step`.

use super::filter::ObservationFilter;
use super::inputs::{condition, held_inputs};
use super::reply::Reply;
use super::room::{Room, RoomSlot};
use super::step_view::StepView;
use crate::StepCondition;
use crate::protocol::{
    DiagnosticLine, ErrorKind, FaultLine, InputsParam, RpcError, StepAnswer, StepParams, WhyRecording,
};
use hangtime_core::sim::Event;
use hangtime_core::sim::why::Watch;
use hangtime_game::Live;
use hangtime_play::EventLine;
use hangtime_rhai::{RecordedPrints, recording_prints};
use std::ops::ControlFlow;
use std::time::Instant;

/// The most events in an answer.
const MOST_EVENTS: usize = 10_000;

/// What a step does, ready to be played.
struct PreparedStep {
    /// The number of ticks that are left.
    ticks: u64,
    until: Option<StepCondition>,
    view: StepView,
    warnings: Vec<DiagnosticLine>,
}

/// Why a step ends early.
enum StepEnd {
    Until,
    Canceled,
    /// The answer would be too long.
    Full,
    /// The rest is for the world's thread.
    Lent,
}

impl PreparedStep {
    fn new(room: &mut Room, params: &StepParams, takes_binary: bool) -> Result<Self, RpcError> {
        let most = room.limits.ticks;
        if params.ticks > most {
            let message = format!("`ticks` is {}; a request makes at most {most}", params.ticks);
            return Err(RpcError::new(ErrorKind::Limit, message).at("params.ticks"));
        }
        let live = room.world.live();
        let until = params.until.as_ref();
        let until = until.map(|until| condition(&until.0, live)).transpose()?;
        let view = StepView::new(params.observe.as_ref(), live, params.ticks, takes_binary)?;
        // The last thing that can fail, because it changes the world.
        let mut warnings = Vec::new();
        match &params.inputs {
            None => {}
            Some(InputsParam::Text(text)) => {
                warnings = room.world.queue(text)?;
            }
            Some(InputsParam::Held(held)) => {
                let inputs = held_inputs(held, &live.revision().stage.actions)?;
                room.world.hold(inputs, params.ticks);
            }
        }
        Ok(Self { ticks: params.ticks, until, view, warnings: warnings.iter().map(DiagnosticLine::of).collect() })
    }
}

/// A step that is being made.
struct RunningStep {
    step: PreparedStep,
    events: StepEvents,
    printed: RecordedPrints,
    reply: Reply,
}

/// Makes ticks, and answers.
pub(super) fn step(room: &mut Room, params: StepParams, reply: Reply) {
    match PreparedStep::new(room, &params, reply.takes_binary()) {
        Ok(step) => proceed(
            room,
            RunningStep { step, events: StepEvents::default(), printed: RecordedPrints::default(), reply },
        ),
        Err(error) => reply.fail(error),
    }
}

/// Makes the ticks that are left, and answers; or lets the world's thread do that.
fn proceed(room: &mut Room, mut running: RunningStep) {
    let (end, printed) = recording_prints(|| play(room, &mut running));
    running.printed.append(printed);
    if !matches!(end, Some(StepEnd::Lent)) {
        return answer(room, running, end);
    }
    // A client's thread carries out requests while the client is there, and until then the world's thread takes jobs.
    // Otherwise dropping the reply answers.
    if let Some(jobs) = room.jobs.upgrade() {
        jobs.send(Box::new(move |slot: &mut RoomSlot| {
            if let Some(room) = slot {
                proceed(room, running);
            }
        }));
    }
}

fn answer(room: &mut Room, running: RunningStep, end: Option<StepEnd>) {
    let RunningStep { mut step, events, printed, reply } = running;
    room.measure();
    if end.is_some() {
        // What is held is held during this step alone.
        room.world.let_go();
    }
    let live = room.world.live_mut();
    let faults: Vec<FaultLine> = live.take_faults().iter().map(FaultLine::of).collect();
    let faults_left_out = live.take_left_out_faults();
    // Those of all worlds with the same scripts. What this one printed was recorded.
    drop(live.take_printed());
    step.view.look_at_end(room.world.live());
    let world = room.world.live().world();
    let failed = match end {
        Some(StepEnd::Canceled) => Some(RpcError::new(ErrorKind::Canceled, "the step was canceled after a whole tick")),
        Some(StepEnd::Full) => Some(StepView::too_long()),
        Some(StepEnd::Until | StepEnd::Lent) | None => None,
    };
    if let Some(error) = failed {
        return reply.fail(error.reached(world.ticks(), world.hash()));
    }
    let (columns, binary) = step.view.columns();
    let result = StepAnswer {
        tick: world.ticks(),
        hash: format!("{:016x}", world.hash()),
        until: step.until.map(|_| matches!(end, Some(StepEnd::Until))),
        events: events.first.iter().map(EventLine).collect(),
        events_left_out: events.left_out,
        inputs_left: room.world.inputs().left(world.ticks()),
        faults,
        faults_left_out,
        printed: printed.lines,
        printed_left_out: printed.left_out,
        warnings: step.warnings,
        observations: step.view.take_lines(),
        columns,
    };
    reply.succeed(&result, binary);
}

/// The events of a step.
#[derive(Default)]
struct StepEvents {
    first: Vec<Event>,
    left_out: u64,
}

impl StepEvents {
    fn note(&mut self, live: &Live, filter: &ObservationFilter) {
        for event in filter.events(live) {
            match self.first.len() < MOST_EVENTS {
                true => self.first.push(event.clone()),
                false => self.left_out += 1,
            }
        }
    }
}

/// Plays the ticks of a step. The last one, or each if it is not known which is the last, is recorded for explanations.
fn play(room: &mut Room, running: &mut RunningStep) -> Option<StepEnd> {
    let (number, outbox, lent_until) = (room.number, room.outbox.clone(), room.lent_until);
    let RunningStep { step, events, reply, .. } = running;
    step.view.filter.follow(room.world.live());
    let (subscriptions, watched) = (&mut room.subscriptions, &room.watched);
    let PreparedStep { ticks, until, view, .. } = step;
    let all = *ticks;
    let mut each = |live: &mut Live| {
        *ticks -= 1;
        view.filter.follow(live);
        if !live.world().events().is_empty() {
            events.note(live, &view.filter);
        }
        view.look_after_tick(live);
        for subscription in subscriptions.iter_mut() {
            subscription.follow(number, live, &outbox);
        }
        if let Some(watched) = watched {
            watched.show(live);
        }
        if until.as_ref().is_some_and(|until| until.holds(live)) {
            return ControlFlow::Break(StepEnd::Until);
        }
        match (view.is_full(), reply.is_canceled()) {
            (true, _) => ControlFlow::Break(StepEnd::Full),
            (false, true) => ControlFlow::Break(StepEnd::Canceled),
            (false, false) if *ticks > 0 && is_over(lent_until, all - *ticks) => ControlFlow::Break(StepEnd::Lent),
            (false, false) => ControlFlow::Continue(()),
        }
    };
    let recorded = match (room.why, until.is_some()) {
        (WhyRecording::Last, false) => 1,
        (WhyRecording::Last, true) | (WhyRecording::All, _) => all,
        (WhyRecording::Off, _) => 0,
    };
    let world = &mut room.world;
    if reply.is_canceled() {
        return Some(StepEnd::Canceled);
    }
    let recorded = recorded.min(all);
    if recorded < all {
        world.watch(Watch::Off);
        if let Some(end) = world.step(all - recorded, &mut each) {
            return Some(end);
        }
    }
    if recorded > 0 && world.live().world().watched() != Watch::All {
        world.watch(Watch::All);
    }
    world.step(recorded, &mut each)
}

/// Whether the time for which a world is lent is over after this many ticks. Looking at the clock takes long, compared to a
/// short tick, so this does it ever less often; a step takes at most about twice the time.
fn is_over(lent_until: Option<Instant>, ticks: u64) -> bool {
    let look = |until| ticks.is_power_of_two() && Instant::now() >= until;
    lent_until.is_some_and(look)
}
