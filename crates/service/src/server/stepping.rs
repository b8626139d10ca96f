//! `world.step`.

use super::*;
use hangtime_script::{FaultQueue, RecordedPrints};

/// The most events in an answer.
const MOST_EVENTS: usize = 10_000;

/// How long a turn may make ticks. A step that takes longer is carried out in several.
const SLICE: Duration = Duration::from_millis(1);

/// The most lines that scripts printed in an answer about many worlds, and the most of their errors.
const MOST_OF_MANY: usize = 1_000;

/// What each of many worlds may have of each in an answer, however many worlds there are.
const LEAST_SHARE: usize = 4;

/// The room that an answer has for what happens in a world.
#[derive(Clone, Copy)]
pub struct ReportRoom {
    events: usize,
    /// For lines that scripts printed and, on their own, for their errors; `None` for as many as a tick reports.
    lines: Option<usize>,
}

impl ReportRoom {
    /// All of an answer about one world.
    const ALL: Self = Self { events: MOST_EVENTS, lines: None };

    /// The share of each of this many worlds in an answer.
    pub fn of_each(worlds: usize) -> Self {
        let share = |most: usize| (most / worlds.max(1)).max(LEAST_SHARE);
        Self { events: share(MOST_EVENTS), lines: Some(share(MOST_OF_MANY)) }
    }
}

/// What has happened in the ticks of a step.
#[derive(Default)]
pub struct StepReports {
    /// The first events.
    pub events: Vec<Event>,
    /// The number of the others.
    pub events_left_out: u64,
    /// What scripts printed.
    pub printed: RecordedPrints,
    /// The errors of scripts.
    pub faults: FaultQueue,
}

impl StepReports {
    /// Whether nothing has happened.
    pub fn is_empty(&self) -> bool {
        let printed = self.printed.lines.is_empty() && self.printed.left_out == 0;
        self.events.is_empty() && self.events_left_out == 0 && printed && self.faults.is_empty()
    }

    /// Notes what has happened in the last tick, for which the filter [follows](ObservationFilter::follow) the world.
    pub fn note(&mut self, live: &Live, filter: &ObservationFilter, room: ReportRoom) {
        let StepReport { printed, faults, .. } = live.report();
        if !printed.lines.is_empty() || printed.left_out > 0 {
            self.printed.append(printed.clone());
            leave_out(&mut self.printed.lines, &mut self.printed.left_out, room.lines);
        }
        if !faults.is_empty() {
            self.faults.append(faults.clone());
            leave_out(&mut self.faults.first, &mut self.faults.left_out, room.lines);
        }
        if !live.world().events().is_empty() {
            for event in filter.events(live) {
                if self.events.len() < room.events {
                    self.events.push(event.clone())
                } else {
                    self.events_left_out += 1
                }
            }
        }
    }
}

/// Keeps at most this many items, and counts the others.
fn leave_out<T>(items: &mut Vec<T>, left_out: &mut u64, most: Option<usize>) {
    if let Some(most) = most.filter(|most| items.len() > *most) {
        *left_out += (items.len() - most) as u64;
        items.truncate(most);
    }
}

/// A step that is being made.
pub struct RunningStep {
    /// The number of ticks that are left.
    ticks: u64,
    /// One of these ends the step.
    until: Option<Vec<StepCondition>>,
    view: StepView,
    warnings: Vec<DiagnosticLine>,
    reports: StepReports,
    /// Whether the next tick waits until the client has read lines of a subscription.
    pub is_blocked: bool,
}

/// How long a turn makes ticks.
pub struct StepPace {
    /// Until this moment.
    pub until: Instant,
    /// Or until the request is canceled.
    pub cancellation: Cancellation,
}

impl StepPace {
    /// A slice that begins now, of a request with this cancellation.
    pub fn slice(cancellation: Cancellation) -> Self {
        Self { until: Instant::now() + SLICE, cancellation }
    }

    /// Whether its time is over.
    pub fn is_over(&self) -> bool {
        Instant::now() >= self.until
    }
}

/// Which tick of a step is recorded, in worlds that record the last tick of steps for explanations.
#[derive(Clone, Copy)]
pub enum RecordedTick {
    /// The one after which none is left.
    Last,
    /// All, because any may be the last.
    Any,
    /// None: that takes longer than a short tick, and clients rarely ask thousands of worlds why they moved.
    None,
}

/// Why a slice of a step ends before its last tick.
pub enum SliceEnd {
    /// What the step waits for has happened.
    Until,
    /// The client has canceled the request, or is gone.
    Canceled,
    /// The answer would be too long.
    TooLong,
    /// Its time is over.
    Time,
    /// A subscription waits for the client.
    Blocked,
}

impl RunningStep {
    fn new(running: &mut RunningWorld, params: &StepParams, takes_binary: bool) -> Result<Self, RpcError> {
        check_ticks(params.ticks, &running.link.service.limits)?;
        let live = running.world.live();
        let conditions = |until: &UntilParam| until.all().iter().map(|one| StepCondition::new(one, live)).collect();
        let until = params.until.as_ref().map(conditions).transpose()?;
        let mut view = StepView::new(params.observe.as_ref(), live, params.ticks, takes_binary)?;
        view.filter.follow(live);
        // The last thing that can fail, because it changes the world.
        let mut warnings = Vec::new();
        if let Some(given) = &params.inputs {
            let (inputs, about) = StepInputs::read(InputsPlace(None), given, &running.world)?;
            inputs.play(&mut running.world, params.ticks);
            warnings = about;
        }
        Ok(Self {
            ticks: params.ticks,
            until,
            view,
            warnings: warnings.iter().map(DiagnosticLine::of).collect(),
            reports: StepReports::default(),
            is_blocked: false,
        })
    }

    /// Looks at the world after a tick.
    fn look(&mut self, live: &Live) -> ControlFlow<SliceEnd> {
        self.view.filter.follow(live);
        self.reports.note(live, &self.view.filter, ReportRoom::ALL);
        self.view.look_after_tick(live);
        if self.until.iter().flatten().any(|condition| condition.holds(live)) {
            return ControlFlow::Break(SliceEnd::Until);
        }
        if self.view.is_full() {
            ControlFlow::Break(SliceEnd::TooLong)
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Checks that a request may make this many ticks.
///
/// # Errors
/// If it may not.
pub fn check_ticks(ticks: u64, limits: &ServiceLimits) -> Result<(), RpcError> {
    let most = limits.ticks;
    if ticks <= most {
        return Ok(());
    }
    let message = format!("`ticks` is {ticks}; a request makes at most {most}");
    Err(ErrorKind::Limit.error(message).at("params.ticks"))
}

impl RunningWorld {
    /// Makes ticks.
    pub fn step(&mut self, params: &StepParams, reply: &Reply) -> Outcome {
        match RunningStep::new(self, params, reply.takes_binary()) {
            Ok(step) => self.proceed(Box::new(step), reply),
            Err(error) => ControlFlow::Break(Err(error)),
        }
    }

    /// Makes the ticks that are left, or some of them.
    pub fn proceed(&mut self, mut step: Box<RunningStep>, reply: &Reply) -> Outcome {
        let end = self.play(&mut step, reply);
        step.is_blocked = matches!(end, Some(SliceEnd::Blocked));
        match end {
            Some(SliceEnd::Time | SliceEnd::Blocked) => ControlFlow::Continue(step),
            end => ControlFlow::Break(self.end_step(*step, end)),
        }
    }

    /// Plays the ticks of a slice.
    fn play(&mut self, step: &mut RunningStep, reply: &Reply) -> Option<SliceEnd> {
        let recorded = if step.until.is_some() { RecordedTick::Any } else { RecordedTick::Last };
        let mut left = step.ticks;
        let end = self.make_ticks(&mut left, recorded, &StepPace::slice(reply.cancellation()), |live| step.look(live));
        step.ticks = left;
        end
    }

    /// Makes the ticks that are left of a step, or a slice of them, and calls `look` after each.
    pub fn make_ticks(
        &mut self,
        left: &mut u64,
        recorded: RecordedTick,
        pace: &StepPace,
        mut look: impl FnMut(&Live) -> ControlFlow<SliceEnd>,
    ) -> Option<SliceEnd> {
        if pace.cancellation.is_asked() {
            return Some(SliceEnd::Canceled);
        }
        let recorded = match (self.why, recorded) {
            (WhyRecording::Last, RecordedTick::Last) => (*left).min(1),
            (WhyRecording::Last, RecordedTick::Any) | (WhyRecording::All, _) => *left,
            (WhyRecording::Last, RecordedTick::None) | (WhyRecording::Off, _) => 0,
        };
        let (unrecorded, mut made) = (*left - recorded, 0_u64);
        let Self { number, link, world, subscriptions, .. } = self;
        let has_patience = subscriptions.iter().any(|subscription| subscription.waits);
        let mut each = |live: &mut Live| {
            (*left, made) = (*left - 1, made + 1);
            for subscription in subscriptions.iter_mut() {
                subscription.follow(*number, live, &link.outbox);
            }
            look(live)?;
            if pace.cancellation.is_asked() {
                return ControlFlow::Break(SliceEnd::Canceled);
            }
            if *left > 0 && has_patience && link.outbox.is_full_of_lines() {
                return ControlFlow::Break(SliceEnd::Blocked);
            }
            // Looking at the clock takes long, compared to a short tick, so this does it ever less often; a slice takes at
            // most about twice its time.
            if *left > 0 && made.is_power_of_two() && pace.is_over() {
                ControlFlow::Break(SliceEnd::Time)
            } else {
                ControlFlow::Continue(())
            }
        };
        if unrecorded > 0 {
            world.live_mut().watch(Watch::Off);
            if let Some(end) = world.step(unrecorded, &mut each) {
                return Some(end);
            }
        }
        if recorded > 0 && world.live().world().watched() != Watch::All {
            world.live_mut().watch(Watch::All);
        }
        world.step(recorded, &mut each)
    }

    fn end_step(&mut self, mut step: RunningStep, end: Option<SliceEnd>) -> RequestResult {
        self.measure();
        if end.is_some() {
            // What is held is held during this step alone.
            self.world.let_go();
        }
        step.view.look_at_end(self.world.live());
        let world = self.world.live().world();
        let reached = |error: RpcError| Err(error.reached(world.ticks(), world.hash()));
        match end {
            Some(SliceEnd::Canceled) => {
                return reached(ErrorKind::Canceled.error("the step was canceled after a whole tick"));
            }
            Some(SliceEnd::TooLong) => return reached(StepView::too_long()),
            _ => {}
        }
        let (columns, binary) = step.view.columns();
        let result = StepAnswer {
            tick: world.ticks(),
            hash: format!("{:016x}", world.hash()),
            until: step.until.map(|_| matches!(end, Some(SliceEnd::Until))),
            events: step.reports.events.iter().map(EventLine).collect(),
            events_left_out: step.reports.events_left_out,
            inputs_left: self.world.inputs().left(world.ticks()),
            faults: step.reports.faults.first.iter().map(FaultLine::of).collect(),
            faults_left_out: step.reports.faults.left_out,
            printed: step.reports.printed.lines,
            printed_left_out: step.reports.printed.left_out,
            warnings: step.warnings,
            observations: step.view.take_lines(),
            columns,
        };
        Ok(Answer::with_binary(&result, binary))
    }
}
