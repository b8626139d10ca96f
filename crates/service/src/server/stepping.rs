//! `world.step`.

use super::*;
use hangtime_core::sim::Event;
use hangtime_core::sim::why::Watch;
use hangtime_game::StepReport;
use hangtime_play::EventLine;
use hangtime_script::{FaultQueue, RecordedPrints};

/// The most events in an answer.
const MOST_EVENTS: usize = 10_000;

/// How long a turn may make ticks. A step that takes longer is carried out in several.
const SLICE: Duration = Duration::from_millis(1);

/// A step that is being made.
pub struct RunningStep {
    /// The number of ticks that are left.
    ticks: u64,
    /// One of these ends the step.
    until: Option<Vec<StepCondition>>,
    view: StepView,
    warnings: Vec<DiagnosticLine>,
    events: Vec<Event>,
    events_left_out: u64,
    printed: RecordedPrints,
    faults: FaultQueue,
    /// Whether the next tick waits until the client has read lines of a subscription.
    pub is_blocked: bool,
}

/// Why a slice of a step ends before its last tick.
enum SliceEnd {
    /// What the step waits for has happened.
    Until,
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
        let most = running.link.service.limits.ticks;
        if params.ticks > most {
            let message = format!("`ticks` is {}; a request makes at most {most}", params.ticks);
            return Err(ErrorKind::Limit.error(message).at("params.ticks"));
        }
        let live = running.world.live();
        let conditions = |until: &UntilParam| until.all().iter().map(|one| StepCondition::new(one, live)).collect();
        let until = params.until.as_ref().map(conditions).transpose()?;
        let mut view = StepView::new(params.observe.as_ref(), live, params.ticks, takes_binary)?;
        view.filter.follow(live);
        // The last thing that can fail, because it changes the world.
        let mut warnings = Vec::new();
        match &params.inputs {
            None => {}
            Some(InputsParam::Text(text)) => {
                let (queue, about) = running.world.read_inputs(text)?;
                check_players(live, &queue)?;
                warnings = about;
                running.world.play(queue);
            }
            Some(InputsParam::Held(held)) => {
                let inputs = held_inputs(held, live)?;
                running.world.hold(inputs, params.ticks);
            }
        }
        Ok(Self {
            ticks: params.ticks,
            until,
            view,
            warnings: warnings.iter().map(DiagnosticLine::of).collect(),
            events: Vec::new(),
            events_left_out: 0,
            printed: RecordedPrints::default(),
            faults: FaultQueue::default(),
            is_blocked: false,
        })
    }

    /// Looks at the world after a tick.
    fn look(&mut self, live: &Live) {
        let StepReport { printed, faults, .. } = live.report();
        self.printed.append(printed.clone());
        self.faults.append(faults.clone());
        self.view.filter.follow(live);
        if !live.world().events().is_empty() {
            for event in self.view.filter.events(live) {
                match self.events.len() < MOST_EVENTS {
                    true => self.events.push(event.clone()),
                    false => self.events_left_out += 1,
                }
            }
        }
        self.view.look_after_tick(live);
    }
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

    /// Plays the ticks of a slice. The last tick of the step, or each if it is not known which is the last, is recorded for
    /// explanations.
    fn play(&mut self, step: &mut RunningStep, reply: &Reply) -> Option<SliceEnd> {
        if reply.is_canceled() {
            return Some(SliceEnd::Canceled);
        }
        let recorded = match (self.why, step.until.is_some()) {
            (WhyRecording::Last, false) => step.ticks.min(1),
            (WhyRecording::Last, true) | (WhyRecording::All, _) => step.ticks,
            (WhyRecording::Off, _) => 0,
        };
        let (unrecorded, mut made, until) = (step.ticks - recorded, 0_u64, Instant::now() + SLICE);
        let Self { number, link, world, subscriptions, .. } = self;
        let has_patience = subscriptions.iter().any(|subscription| subscription.waits);
        let mut each = |live: &mut Live| {
            (step.ticks, made) = (step.ticks - 1, made + 1);
            step.look(live);
            for subscription in subscriptions.iter_mut() {
                subscription.follow(*number, live, &link.outbox);
            }
            if step.until.iter().flatten().any(|condition| condition.holds(live)) {
                return ControlFlow::Break(SliceEnd::Until);
            }
            if step.view.is_full() {
                return ControlFlow::Break(SliceEnd::TooLong);
            }
            if reply.is_canceled() {
                return ControlFlow::Break(SliceEnd::Canceled);
            }
            if step.ticks > 0 && has_patience && link.outbox.is_full_of_lines() {
                return ControlFlow::Break(SliceEnd::Blocked);
            }
            // Looking at the clock takes long, compared to a short tick, so this does it ever less often; a slice takes at
            // most about twice its time.
            match step.ticks > 0 && made.is_power_of_two() && Instant::now() >= until {
                true => ControlFlow::Break(SliceEnd::Time),
                false => ControlFlow::Continue(()),
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
            events: step.events.iter().map(EventLine).collect(),
            events_left_out: step.events_left_out,
            inputs_left: self.world.inputs().left(world.ticks()),
            faults: step.faults.first.iter().map(FaultLine::of).collect(),
            faults_left_out: step.faults.left_out,
            printed: step.printed.lines,
            printed_left_out: step.printed.left_out,
            warnings: step.warnings,
            observations: step.view.take_lines(),
            columns,
        };
        Ok(Answer::with_binary(&result, binary))
    }
}
