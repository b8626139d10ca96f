//! `worlds.step`: a step of many worlds.
//!
//! It waits among the requests of each of its worlds and *holds* a world from when it is the next request there until it
//! has answered. Once it holds all of them, it checks names and inputs for every world, so a mistake moves none. Then it
//! divides the worlds into chunks, which threads of the pool take one after another, as does the thread that has read the
//! request if the client waits. A chunk is played world by world. When its slice is over, it goes back to the others, and
//! the thread gives other worlds their turns. The thread that ends the last chunk answers.

use super::*;
use std::sync::atomic::AtomicUsize;

/// The most worlds of a chunk.
const MOST_IN_CHUNK: usize = 32;

/// How many chunks there are at least for each thread, if there are enough worlds: the last ones even out what others take
/// longer.
const CHUNKS_OF_THREAD: usize = 8;

/// Why a world has ended whose scripts were stopped.
const STOPPED: &str = "the request was canceled; scripts were stopped in the middle of a tick, so the world has ended";

/// A step of many worlds.
pub struct JointStep {
    /// The client.
    pub link: Arc<ClientLink>,
    slots: Vec<Arc<WorldSlot>>,
    /// How many worlds it does not hold.
    awaited: AtomicUsize,
    reply: Mutex<Option<Reply>>,
    cancellation: Cancellation,
    /// What is asked for, until it holds all worlds.
    params: Mutex<Option<StepWorldsParams>>,
    /// Set when names and inputs are checked.
    plan: OnceLock<JointPlan>,
    play: Mutex<JointPlay>,
    /// Whether the next turn waits until the client has read lines of a subscription.
    is_blocked: AtomicBool,
}

/// What the worlds of a step have in common.
struct JointPlan {
    ticks: u64,
    view: Option<JointView>,
    /// Which events are reported, for worlds without their own filter.
    filter: ObservationFilter,
    room: ReportRoom,
}

/// The worlds of a step, by who has them.
#[derive(Default)]
struct JointPlay {
    /// For the next threads.
    waiting: VecDeque<Chunk>,
    done: Vec<Chunk>,
    /// How many chunks are not done.
    left: usize,
}

/// Worlds that a thread plays one after another.
#[derive(Default)]
struct Chunk {
    /// Its place among the chunks.
    place: usize,
    members: Vec<JointMember>,
    /// The member that is played now.
    at: usize,
    /// What the members that are done show, one after another.
    numbers: Vec<f64>,
    /// Whether the request was canceled before all have made their ticks.
    is_canceled: bool,
}

/// A world of a step.
struct JointMember {
    slot: Arc<WorldSlot>,
    /// The inputs with which it begins, instead of what is left of earlier ones.
    inputs: Option<StepInputs>,
    /// How many ticks it has yet to make.
    left: u64,
    /// Reads its numbers.
    reader: Option<usize>,
    /// Its own filter, if it needs one.
    filter: Option<Box<ObservationFilter>>,
    warnings: Vec<DiagnosticLine>,
    reports: StepReports,
    /// Its tick and its hash after its last tick; `None` before, and if it has ended.
    reached: Option<(u64, u64)>,
    /// How many ticks of queued inputs are left after that.
    inputs_left: u64,
    /// Why it has ended, if it has.
    ended: Option<&'static str>,
}

impl JointStep {
    /// Carries out a request about the worlds in these slots, after the requests before it: partly `here`, if there are
    /// none, and in the pool.
    pub fn submit(params: StepWorldsParams, slots: Vec<Arc<WorldSlot>>, reply: Reply, here: bool) {
        let link = reply.link().clone();
        let step = Arc::new(Self {
            awaited: AtomicUsize::new(slots.len()),
            cancellation: reply.cancellation(),
            reply: Mutex::new(Some(reply)),
            params: Mutex::new(Some(params)),
            plan: OnceLock::new(),
            play: Mutex::default(),
            is_blocked: AtomicBool::new(false),
            link,
            slots,
        });
        // The step before may have answered and not yet let go of all worlds.
        drop(step.link.letting_go.lock());
        let held = step.slots.iter().filter(|slot| slot.join(&step)).count();
        let awaited = step.awaited.fetch_sub(held, Ordering::AcqRel) - held;
        if awaited > 0 || (held == 0 && !step.slots.is_empty()) {
            // The last world to arrive schedules it.
            return;
        }
        // Without worlds, the pool may have no threads.
        let here = here || step.slots.is_empty();
        let reads_files = step.slots.iter().any(|slot| slot.has_saved_files());
        if !here || reads_files || step.turn(true) {
            step.schedule();
        }
    }

    /// Notes that it holds another world.
    pub fn arrive(self: &Arc<Self>) {
        if self.awaited.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.schedule();
        }
    }

    fn schedule(self: &Arc<Self>) {
        self.link.service.pool.schedule(PoolWork::Joint(self.clone()));
    }

    /// Whether the next turn waits until the client has read more; the outbox schedules it then.
    pub fn parks(self: &Arc<Self>) -> bool {
        let for_lines = self.is_blocked.load(Ordering::Relaxed);
        let parks = self.link.outbox.parks(|| PoolWork::Joint(self.clone()), for_lines);
        if for_lines && !parks {
            self.is_blocked.store(false, Ordering::Relaxed);
        }
        parks
    }

    /// Plays chunks that no other thread has, for a slice. Returns whether some may be left for another turn. A thread that
    /// reads a client's messages is not for long ticks.
    pub fn turn(self: &Arc<Self>, is_reader: bool) -> bool {
        let params = self.params.lock().take();
        if let Some(params) = params {
            match self.begin(params) {
                Err(error) => {
                    self.end(Err(error));
                    return false;
                }
                Ok(begun) => {
                    let others = begun.chunks.saturating_sub(1);
                    let work = PoolWork::Joint(self.clone());
                    self.link.service.pool.schedule_for_many(&work, others);
                    if begun.chunks == 0 {
                        self.end(self.answer(Vec::new()));
                        return false;
                    }
                    if is_reader && !begun.is_quick {
                        return true;
                    }
                }
            }
        }
        let Some(plan) = self.plan.get() else { return false };
        let pace = StepPace::slice(self.cancellation.clone());
        let mut view = EntityView::empty();
        loop {
            let Some(mut chunk) = self.play.lock().waiting.pop_front() else {
                return false;
            };
            let end = self.play_chunk(plan, &mut chunk, &pace, &mut view);
            let mut play = self.play.lock();
            if let Some(end) = end {
                if let SliceEnd::Blocked = end {
                    self.is_blocked.store(true, Ordering::Relaxed);
                }
                play.waiting.push_back(chunk);
                return true;
            }
            play.done.push(chunk);
            play.left -= 1;
            if play.left == 0 {
                let mut done = mem::take(&mut play.done);
                drop(play);
                done.sort_unstable_by_key(|chunk| chunk.place);
                self.end(self.answer(done));
                return false;
            }
            drop(play);
            if pace.is_over() {
                return true;
            }
        }
    }

    /// Checks names and inputs for all worlds, and divides them into chunks.
    ///
    /// # Errors
    /// The first mistake. No world has changed.
    fn begin(&self, params: StepWorldsParams) -> Result<BegunStep, RpcError> {
        let takes_binary = {
            let reply = self.reply.lock();
            let reply = reply.as_ref();
            reply.map_or(Ok(()), Reply::begin)?;
            reply.is_some_and(Reply::takes_binary)
        };
        let StepWorldsParams { worlds: numbers, ticks, inputs, observe } = params;
        check_ticks(ticks, &self.link.service.limits)?;
        if let Some(given) = &inputs
            && given.len() != numbers.len()
        {
            let message = format!("has {} entries; it has one for each of the {} worlds", given.len(), numbers.len());
            return Err(RpcError::parameter("inputs", message));
        }
        let mut view = observe.map(|observe| JointView::new(observe, takes_binary)).transpose()?;
        let mut is_quick = true;
        let mut members = Vec::with_capacity(numbers.len());
        for (place, (slot, number)) in self.slots.iter().zip(&numbers).enumerate() {
            let mut world = slot.world.lock();
            slot.read_saved_files(&mut world);
            let Some(running) = world.as_ref() else {
                slot.forget();
                return Err(no_such_world(*number).at(format!("params.worlds[{place}]")));
            };
            is_quick = is_quick && running.is_quick();
            let mut member = JointMember::new(slot, ticks);
            if let Some(view) = &mut view {
                let live = running.world.live();
                let checked = view.check(live);
                member.reader = Some(checked.map_err(|error| error.about_world(place, *number))?);
                view.check_room()?;
                // Where an entity's kind decides what is shown, the filter follows each world.
                member.filter = view.params.kinds.is_some().then(|| Box::new(view.filter.clone()));
            }
            if let Some(given) = inputs.as_ref().and_then(|inputs| inputs[place].as_ref()) {
                let (inputs, warnings) = StepInputs::read(InputsPlace(Some(place)), given, &running.world)?;
                member.inputs = Some(inputs);
                member.warnings = warnings.iter().map(DiagnosticLine::of).collect();
            }
            members.push(member);
        }
        let length = members.len().div_ceil(self.link.service.pool.threads() * CHUNKS_OF_THREAD);
        let length = length.clamp(1, MOST_IN_CHUNK);
        let mut members = members.into_iter();
        let count = members.len().div_ceil(length);
        let chunks = (0..count).map(|place| {
            let members = members.by_ref().take(length).collect();
            Chunk { place, members, ..Chunk::default() }
        });
        let chunks = chunks.collect();
        // Other threads look for chunks once there are some.
        let room = ReportRoom::of_each(numbers.len());
        let filter = view.as_ref().map(|view| view.filter.clone()).unwrap_or_default();
        self.plan.get_or_init(|| JointPlan { ticks, view, filter, room });
        *self.play.lock() = JointPlay { waiting: chunks, done: Vec::new(), left: count };
        Ok(BegunStep { chunks: count, is_quick })
    }

    /// Plays the members of a chunk that are left. Returns why it has not played all of them to the end.
    fn play_chunk(
        &self,
        plan: &JointPlan,
        chunk: &mut Chunk,
        pace: &StepPace,
        view: &mut EntityView,
    ) -> Option<SliceEnd> {
        let cancellation = self.cancellation.clone();
        let (end, is_stopped) = ending_scripts(
            move || cancellation.is_asked(),
            || {
                let Chunk { members, at, numbers, .. } = chunk;
                while let Some(member) = members.get_mut(*at) {
                    if let Some(end) = member.play(plan, pace, numbers, view) {
                        return Some(end);
                    }
                    *at += 1;
                    if *at < members.len() && pace.is_over() {
                        return Some(SliceEnd::Time);
                    }
                }
                None
            },
        );
        if is_stopped && let Some(member) = chunk.members.get_mut(chunk.at) {
            // It is the one that has kept the others from being played.
            member.end_world(STOPPED);
        }
        match end {
            Some(SliceEnd::Canceled) => {
                let rest = chunk.members.iter_mut().skip(chunk.at);
                rest.for_each(|member| member.give_up(plan));
                chunk.is_canceled = true;
                None
            }
            end => end,
        }
    }

    /// The answer, from all chunks in their order.
    fn answer(&self, done: Vec<Chunk>) -> RequestResult {
        if done.iter().any(|chunk| chunk.is_canceled) {
            let reached = self.slots.iter().map(|slot| {
                let world = slot.world.lock();
                world.as_ref().map(RunningWorld::reached_numbers)
            });
            let reached: Vec<_> = reached.collect();
            let message = if reached.contains(&None) {
                STOPPED_SOME
            } else {
                "the step was canceled; each world has made whole ticks"
            };
            return Err(ErrorKind::Canceled.error(message).all_reached(&reached));
        }
        let members = || done.iter().flat_map(|chunk| &chunk.members);
        let view = self.plan.get().and_then(|plan| plan.view.as_ref());
        let (columns, binary) = match view {
            None => Default::default(),
            Some(view) => {
                let shown = done.iter().flat_map(|chunk| {
                    let mut from = 0;
                    chunk.members.iter().map(move |member| {
                        let reader = member.reader.unwrap_or_default();
                        let numbers = &chunk.numbers[from..from + view.reader(reader).len()];
                        from += numbers.len();
                        (member.slot.number, reader, numbers)
                    })
                });
                view.blocks(shown)
            }
        };
        let inputs_left = if members().any(|member| member.inputs_left > 0) {
            members().map(|member| member.inputs_left).collect()
        } else {
            Vec::new()
        };
        let result = StepWorldsAnswer {
            ticks: members().map(|member| member.reached.map(|(tick, _)| tick)).collect(),
            hashes: members().map(|member| member.reached.map(|(_, hash)| HashText(hash))).collect(),
            inputs_left,
            columns,
            reports: members().filter_map(JointMember::report).collect(),
        };
        Ok(Answer::with_binary(&result, binary))
    }

    /// Answers, and lets go of all worlds.
    fn end(&self, answered: RequestResult) {
        let reply = self.reply.lock().take();
        let _letting_go = self.link.letting_go.lock();
        if let Some(reply) = reply {
            reply.send(answered);
        }
        self.slots.iter().for_each(WorldSlot::leave);
    }
}

/// Why a request ends in which worlds have ended.
const STOPPED_SOME: &str = "the step was canceled; each world has made whole ticks, except those whose scripts were stopped in the middle of one, \
     which have ended";

/// A step that has begun.
struct BegunStep {
    chunks: usize,
    /// Whether no tick of its worlds takes long.
    is_quick: bool,
}

impl JointMember {
    fn new(slot: &Arc<WorldSlot>, ticks: u64) -> Self {
        Self {
            slot: slot.clone(),
            inputs: None,
            left: ticks,
            reader: None,
            filter: None,
            warnings: Vec::new(),
            reports: StepReports::default(),
            reached: None,
            inputs_left: 0,
            ended: None,
        }
    }

    /// Makes the ticks that are left, or some of them. Returns why it has not made all. After the last one, it adds what the
    /// world shows to `numbers`.
    fn play(
        &mut self,
        plan: &JointPlan,
        pace: &StepPace,
        numbers: &mut Vec<f64>,
        view: &mut EntityView,
    ) -> Option<SliceEnd> {
        let reader = self.reader.zip(plan.view.as_ref()).map(|(reader, view)| view.reader(reader));
        let (from, shown) = (numbers.len(), reader.map_or(0, ColumnReader::len));
        let slot = self.slot.clone();
        let mut world = slot.world.lock();
        let played = catch_unwind(AssertUnwindSafe(|| {
            let running = world.as_mut()?;
            #[cfg(test)]
            assert!(!running.panics, "this panic is part of the test");
            let end = self.make_ticks(running, plan, pace);
            if end.is_none() {
                running.measure();
                self.reached = Some(running.reached_numbers());
                self.inputs_left = running.world.inputs().left(running.world.tick());
                numbers.resize(from + shown, f64::NAN);
                if let Some(reader) = reader {
                    reader.read_with(view, running.world.live(), &mut numbers[from..]);
                }
            }
            end
        }));
        drop(world);
        let end = played.unwrap_or_else(|_| {
            numbers.truncate(from);
            self.end_world(FAILED);
            None
        });
        if end.is_none() {
            // A world that has ended shows none.
            numbers.resize(from + shown, f64::NAN);
        }
        end
    }

    fn make_ticks(&mut self, running: &mut RunningWorld, plan: &JointPlan, pace: &StepPace) -> Option<SliceEnd> {
        let Self { left, filter, reports, inputs, .. } = self;
        if let Some(inputs) = inputs.take() {
            inputs.play(&mut running.world, plan.ticks);
        }
        if *left == plan.ticks
            && let Some(filter) = filter
        {
            filter.follow(running.world.live());
        }
        running.make_ticks(left, RecordedTick::None, pace, |live| {
            if let Some(filter) = filter {
                filter.follow(live);
            }
            reports.note(live, filter.as_deref().unwrap_or(&plan.filter), plan.room);
            ControlFlow::Continue(())
        })
    }

    /// Ends the part of a step that was canceled.
    fn give_up(&mut self, plan: &JointPlan) {
        if let Some(running) = self.slot.world.lock().as_mut() {
            if let Some(inputs) = self.inputs.take() {
                inputs.play(&mut running.world, plan.ticks);
            }
            // What is held is held during this step alone.
            running.world.let_go();
            running.measure();
        }
    }

    /// Ends the world, whose state is of no use.
    fn end_world(&mut self, why: &'static str) {
        self.ended = Some(why);
        self.slot.forget();
        let world = self.slot.world.lock().take();
        // The world may be in any state of disorder, and so may dropping it.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(world)));
    }

    /// What has happened, if anything has.
    fn report(&self) -> Option<WorldReport<'_>> {
        let Self { slot, warnings, reports, ended, .. } = self;
        if reports.is_empty() && warnings.is_empty() && ended.is_none() {
            return None;
        }
        let StepReports { events, events_left_out, printed, faults } = reports;
        Some(WorldReport {
            world: slot.number,
            ended: *ended,
            events: events.iter().map(EventLine).collect(),
            events_left_out: *events_left_out,
            faults: faults.first.iter().map(FaultLine::of).collect(),
            faults_left_out: faults.left_out,
            printed: &printed.lines,
            printed_left_out: printed.left_out,
            warnings,
        })
    }
}

#[cfg(test)]
#[path = "../../tests/unit/server/joint_step.rs"]
mod tests;
