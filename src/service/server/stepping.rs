//! `world.step`.

use super::filter::ObservationFilter;
use super::inputs::{condition, held_inputs};
use super::reply::Reply;
use super::room::Room;
use crate::playtest::EventLine;
use crate::project::Live;
use crate::script::rhai::recording_prints;
use crate::service::protocol::{
    ColumnData, ColumnFormat, DiagnosticLine, ErrorKind, FaultLine, InputsParam, ObserveParams,
    RpcError, StepAnswer, StepParams, WhyRecording,
};
use crate::service::{Column, ColumnReader, StepCondition};
use crate::sim::Event;
use crate::sim::why::Watch;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::value::RawValue;
use std::ops::ControlFlow;

/// The most events in an answer.
const MOST_EVENTS: usize = 10_000;

/// The most lines in an answer.
const MOST_LINES: u64 = 10_000;

/// The most numbers in an answer.
const MOST_NUMBERS: u64 = 1 << 22;

/// What a step does, ready to be played.
struct PreparedStep {
    ticks: u64,
    until: Option<StepCondition>,
    view: StepView,
    warnings: Vec<DiagnosticLine>,
}

/// What a step shows.
pub(super) struct StepView {
    filter: ObservationFilter,
    /// Every nth tick, or only the last one.
    every: Option<u64>,
    shown: ShownForm,
    /// The numbers of the observed ticks.
    numbers: Vec<f64>,
    ticks: Vec<u64>,
    lines: Vec<Box<RawValue>>,
}

/// The form in which ticks are shown.
enum ShownForm {
    /// Not at all.
    Nothing,
    Lines,
    Columns(Box<ColumnReader>, ColumnFormat),
}

/// Why a step ends early.
enum StepEnd {
    Until,
    Canceled,
}

impl StepView {
    /// What a request about `ticks` ticks of this world wants to see.
    ///
    /// # Errors
    /// If it asks for what is not there, or for too much.
    pub fn new(
        params: Option<&ObserveParams>,
        live: &Live,
        ticks: u64,
        takes_binary: bool,
    ) -> Result<Self, RpcError> {
        let filter = params.map(|params| ObservationFilter::new(params, live));
        let filter = filter.transpose()?.unwrap_or_default();
        let every = params.and_then(|params| params.every);
        if every == Some(0) {
            return Err(RpcError::parameter(
                "observe.every",
                "is 0; it must be at least 1",
            ));
        }
        let shown = match params {
            None => ShownForm::Nothing,
            Some(params) => match &params.columns {
                None => ShownForm::Lines,
                Some(names) => {
                    if params.format == ColumnFormat::Binary && !takes_binary {
                        let message = "is `binary`, which only WebSocket has, outside of batches; use `base64`";
                        return Err(RpcError::parameter("observe.format", message));
                    }
                    let columns = names.iter().map(|name| Column::parse(name));
                    let columns = columns.collect::<Result<Vec<_>, _>>()?;
                    let reader = ColumnReader::new(columns, live, |e| filter.shows(e));
                    ShownForm::Columns(Box::new(reader), params.format)
                }
            },
        };
        let observed = every.map_or(1, |every| ticks / every + 1);
        let (count, most, what) = match &shown {
            ShownForm::Nothing => (0, MOST_LINES, "lines"),
            ShownForm::Lines => (observed, MOST_LINES, "lines"),
            ShownForm::Columns(reader, _) => {
                let each = reader.len() as u64;
                (observed.saturating_mul(each), MOST_NUMBERS, "numbers")
            }
        };
        if count > most {
            let message = format!(
                "asks for up to {count} {what}; an answer has at most {most}: make fewer ticks, or show fewer of them with `every`"
            );
            return Err(
                RpcError::new(ErrorKind::Limit, format!("`observe` {message}"))
                    .at("params.observe"),
            );
        }
        Ok(Self {
            filter,
            every,
            shown,
            numbers: Vec::new(),
            ticks: Vec::new(),
            lines: Vec::new(),
        })
    }

    /// Looks at the world after a tick.
    fn look_after_tick(&mut self, live: &Live) {
        if let Some(every) = self.every
            && live.world().ticks().is_multiple_of(every)
        {
            self.look(live);
        }
    }

    /// Looks at the world after the last tick.
    fn look_at_end(&mut self, live: &Live) {
        if self.every.is_none() {
            self.look(live);
        }
    }

    /// Looks at the world as it is now.
    pub fn look(&mut self, live: &Live) {
        match &mut self.shown {
            ShownForm::Nothing => {}
            ShownForm::Lines => self
                .lines
                .push(self.filter.line(live, live.world().events())),
            ShownForm::Columns(reader, _) => {
                let from = self.numbers.len();
                self.numbers.resize(from + reader.len(), 0.0);
                reader.read(live, &mut self.numbers[from..]);
                self.ticks.push(live.world().ticks());
            }
        }
    }

    /// The lines that it has seen.
    pub fn take_lines(&mut self) -> Vec<Box<RawValue>> {
        std::mem::take(&mut self.lines)
    }

    /// The numbers that it has seen, and the binary frame with them.
    pub fn columns(&self) -> (Option<ColumnData>, Option<Vec<u8>>) {
        let ShownForm::Columns(reader, format) = &self.shown else {
            return (None, None);
        };
        let bytes: Vec<u8> = self.numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        let columns = reader.columns().iter();
        let mut data = ColumnData {
            ticks: self.ticks.clone(),
            columns: columns.map(|column| column.name().to_string()).collect(),
            rows: reader.rows().map(str::to_string).collect(),
            data: None,
            binary: None,
        };
        match format {
            ColumnFormat::Base64 => {
                data.data = Some(STANDARD.encode(bytes));
                (Some(data), None)
            }
            ColumnFormat::Binary => {
                data.binary = Some(bytes.len());
                (Some(data), Some(bytes))
            }
        }
    }
}

impl PreparedStep {
    fn new(room: &mut Room, params: &StepParams, takes_binary: bool) -> Result<Self, RpcError> {
        let most = room.limits.ticks;
        if params.ticks > most {
            let message = format!(
                "`ticks` is {}; a request makes at most {most}",
                params.ticks
            );
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
        Ok(Self {
            ticks: params.ticks,
            until,
            view,
            warnings: warnings.iter().map(DiagnosticLine::of).collect(),
        })
    }
}

/// Makes ticks, and answers.
pub(super) fn step(room: &mut Room, params: StepParams, reply: Reply) {
    let mut step = match PreparedStep::new(room, &params, reply.takes_binary()) {
        Ok(step) => step,
        Err(error) => return reply.fail(error),
    };
    let mut events = StepEvents::default();
    let (end, printed) = recording_prints(|| play(room, &mut step, &mut events, &reply));
    room.measure();
    let live = room.world.live_mut();
    let faults: Vec<FaultLine> = live.take_faults().iter().map(FaultLine::of).collect();
    let faults_left_out = live.take_left_out_faults();
    // Those of all worlds with the same scripts. What this one printed was recorded.
    drop(live.take_printed());
    step.view.look_at_end(room.world.live());
    let world = room.world.live().world();
    if let Some(StepEnd::Canceled) = end {
        let error = RpcError::new(
            ErrorKind::Canceled,
            "the step was canceled after a whole tick",
        );
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
        printed,
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
        for event in live.world().events() {
            if !filter.shows_event(live, event) {
                continue;
            }
            match self.first.len() < MOST_EVENTS {
                true => self.first.push(event.clone()),
                false => self.left_out += 1,
            }
        }
    }
}

/// Plays the ticks of a step. The last one, or each if it is not known which is the last, is recorded for explanations.
fn play(
    room: &mut Room,
    step: &mut PreparedStep,
    events: &mut StepEvents,
    reply: &Reply,
) -> Option<StepEnd> {
    let (number, outbox) = (room.number, room.outbox.clone());
    let subscriptions = &mut room.subscriptions;
    let PreparedStep {
        ticks, until, view, ..
    } = step;
    let mut each = |live: &mut Live| {
        if !live.world().events().is_empty() {
            events.note(live, &view.filter);
        }
        view.look_after_tick(live);
        for subscription in subscriptions.iter_mut() {
            subscription.follow(number, live, &outbox);
        }
        if until.as_ref().is_some_and(|until| until.holds(live)) {
            return ControlFlow::Break(StepEnd::Until);
        }
        match reply.is_canceled() {
            true => ControlFlow::Break(StepEnd::Canceled),
            false => ControlFlow::Continue(()),
        }
    };
    let recorded = match (room.why, until.is_some()) {
        (WhyRecording::Last, false) => 1,
        (WhyRecording::Last, true) | (WhyRecording::All, _) => *ticks,
        (WhyRecording::Off, _) => 0,
    };
    let world = &mut room.world;
    if reply.is_canceled() {
        return Some(StepEnd::Canceled);
    }
    let recorded = recorded.min(*ticks);
    if recorded < *ticks {
        world.watch(Watch::Off);
        if let Some(end) = world.step(*ticks - recorded, &mut each) {
            return Some(end);
        }
    }
    if recorded > 0 && world.live().world().watched() != Watch::All {
        world.watch(Watch::All);
    }
    world.step(recorded, &mut each)
}
