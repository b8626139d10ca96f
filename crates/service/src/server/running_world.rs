//! What requests do to a world.

use super::*;
use base64::Engine as _;
use hangtime_game::summary;

/// The most changes of files that are listed.
const MOST_CHANGES: usize = 4;

/// The most subscriptions to a world.
const MOST_SUBSCRIPTIONS: usize = 16;

/// The most operations of a tick that is made where its request was read: a tenth of a second's.
const MOST_OF_QUICK: u32 = 2_000_000;

/// A world of a client, with the client's subscriptions to it.
pub struct RunningWorld {
    /// The number by which the client knows it.
    pub number: u64,
    /// The client.
    pub link: Arc<ClientLink>,
    /// The world.
    pub world: ServedWorld,
    /// Which ticks are recorded for explanations.
    pub why: WhyRecording,
    /// The client's subscriptions.
    pub subscriptions: Vec<Subscription>,
    last_subscription: u64,
    /// Whether the files had mistakes when they were last read.
    has_mistakes: bool,
    share: WorldShare,
    /// Whether its next tick fails, as a bug does.
    #[cfg(test)]
    pub panics: bool,
    /// Its place in the showcase, if clients may watch.
    _watched: Option<WatchedPlace>,
}

fn lines(warnings: &[Diagnostic]) -> Vec<DiagnosticLine> {
    warnings.iter().map(DiagnosticLine::of).collect()
}

fn answer<R: Serialize>(result: Result<R, RpcError>) -> RequestResult {
    result.map(|result| Answer::of(&result))
}

impl RunningWorld {
    /// A new world for a slot.
    pub fn create(slot: &Arc<WorldSlot>, params: CreateParams, share: WorldShare) -> Result<Self, RpcError> {
        if params.reload == ReloadWhen::Saved {
            FileWatch::follow(&slot.link.service, slot)?;
        }
        let start = WorldStart { level: params.level, seed: params.seed, settings: settings(params.settings)? };
        let world = ServedWorld::create(&slot.link.service.game, &start)?;
        Self::enter(slot, world, params.why, share)
    }

    /// A copy of the world for another slot.
    pub fn fork(&self, slot: &Arc<WorldSlot>) -> Result<Self, RpcError> {
        let service = &self.link.service;
        let share = WorldShare::take(&service.used, &service.limits)?;
        Self::enter(slot, self.world.fork(), self.why, share)
    }

    fn enter(
        slot: &Arc<WorldSlot>,
        world: ServedWorld,
        why: WhyRecording,
        mut share: WorldShare,
    ) -> Result<Self, RpcError> {
        let service = &slot.link.service;
        share.measure(&world);
        share.check(&service.limits)?;
        let level = &world.live().revision().stage.level.name;
        Ok(Self {
            number: slot.number,
            link: slot.link.clone(),
            _watched: service.web.then(|| service.showcase.enter(level.to_string(), slot)),
            world,
            why,
            subscriptions: Vec::new(),
            last_subscription: 0,
            has_mistakes: false,
            share,
            #[cfg(test)]
            panics: false,
        })
    }

    /// The answer to the request that has created it.
    pub fn answer_created(&self) -> Answer {
        let (tick, hash) = self.reached();
        let warnings = lines(&self.world.live().revision().warnings);
        Answer::of(&CreateResult { world: self.number, tick, hash, tick_hz: self.world.hz(), warnings })
    }

    /// The tick and the hash of the world.
    pub fn reached(&self) -> (u64, String) {
        let (tick, hash) = self.reached_numbers();
        (tick, format!("{hash:016x}"))
    }

    /// The tick and the hash of the world, as a number.
    pub fn reached_numbers(&self) -> (u64, u64) {
        let world = self.world.live().world();
        (world.ticks(), world.hash())
    }

    /// Whether no tick takes long. While the thread that reads the client's messages makes one, it hears no cancellation.
    pub fn is_quick(&self) -> bool {
        self.world.live().revision().config.scripts.tick_operations <= MOST_OF_QUICK
    }

    /// Notes how large the world is now.
    pub fn measure(&mut self) {
        self.share.measure(&self.world);
    }

    /// Carries out a request.
    pub fn carry_out(&mut self, request: WorldRequest, reply: &Reply) -> Outcome {
        let live = self.world.live();
        ControlFlow::Break(match request {
            WorldRequest::Step(params) => return self.step(&params, reply),
            WorldRequest::Observe(params) => self.observe(&params, reply.takes_binary()),
            WorldRequest::Scene(params) => Ok(Answer::of(&scene_of(live).answer(params.stage_id.as_deref()))),
            WorldRequest::Snapshot(SnapshotParams { .. }) => answer(self.snapshot()),
            WorldRequest::Restore(params) => answer(self.restore(&params)),
            WorldRequest::Reload(ReloadParams { .. }) => answer(self.reload()),
            WorldRequest::Set(params) => answer(self.set(params)),
            WorldRequest::Place(params) => answer(self.place(&params)),
            WorldRequest::Emit(params) => answer(self.emit(&params)),
            WorldRequest::Why(params) => answer(self.explain(&params)),
            WorldRequest::Judge(params) => answer(self.judge(&params)),
            WorldRequest::Subscribe(params) => answer(self.subscribe(&params)),
            WorldRequest::Unsubscribe(params) => answer(self.unsubscribe(&params)),
            WorldRequest::Sweep(params) => answer(queries::sweep(live, &params)),
            WorldRequest::Cast(params) => answer(queries::cast(live, &params)),
            WorldRequest::Overlap(params) => answer(queries::overlap(live, &params)),
            WorldRequest::RestPositions(params) => answer(queries::rest_positions(live, &params)),
            WorldRequest::PlanJump(params) => answer(queries::plan_jump(live, &params)),
        })
    }

    fn observe(&self, request: &ObserveRequest, takes_binary: bool) -> RequestResult {
        let (live, observe) = (self.world.live(), &request.observe);
        if observe.every.is_some() {
            let message = "is for `world.step` and subscriptions; this shows the present tick";
            return Err(RpcError::parameter("observe.every", message));
        }
        let mut view = StepView::new(Some(observe), live, 0, takes_binary)?;
        view.look(live);
        let (columns, binary) = view.columns();
        let result = match columns {
            Some(columns) => ObserveResult::Columns(columns),
            None => ObserveResult::Line(view.take_lines().pop().unwrap_or_default()),
        };
        Ok(Answer::with_binary(&result, binary))
    }

    fn snapshot(&self) -> Result<SnapshotResult, RpcError> {
        Ok(SnapshotResult { snapshot: STANDARD.encode(self.world.snapshot()?) })
    }

    fn restore(&mut self, params: &RestoreParams) -> Result<RestoreResult, RpcError> {
        let bytes = STANDARD.decode(params.snapshot.as_bytes()).map_err(|error| {
            let message = format!("this is not a snapshot: it is not base64 ({error})");
            ErrorKind::Snapshot.error(message).at("params.snapshot")
        })?;
        let before = self.world.fork();
        self.world.restore(&bytes)?;
        self.measure();
        if let Err(error) = self.share.check(&self.link.service.limits) {
            self.world = before;
            self.measure();
            return Err(error);
        }
        // What was recorded is of another tick.
        self.world.live_mut().watch(Watch::Off);
        let (tick, hash) = self.reached();
        Ok(RestoreResult { tick, hash, tick_hz: self.world.hz() })
    }

    fn reload(&mut self) -> Result<ReloadResult, RpcError> {
        let before = self.world.live().revision().clone();
        let changed = self.world.reload()?;
        self.measure();
        let (tick, hash) = self.reached();
        let revision = self.world.live().revision();
        let what = if changed.is_empty() {
            String::new()
        } else {
            summary(&revision.changes_from(&before), MOST_CHANGES)
        };
        Ok(ReloadResult { revision: revision.number, changed, what, tick, hash, warnings: lines(&revision.warnings) })
    }

    /// Reads files that were saved, and reports it if they are files of this level.
    pub fn follow_files(&mut self) {
        let had_mistakes = self.has_mistakes;
        let read = self.reload();
        self.has_mistakes = read.is_err();
        let (tick, hash) = self.reached();
        let revision = self.world.live().revision().number;
        let unchanged =
            FilesNotice { world: self.number, adopted: false, revision, tick, hash, ..FilesNotice::default() };
        let notice = match read {
            Ok(result) if result.changed.is_empty() && !had_mistakes => return,
            Ok(result) => FilesNotice {
                adopted: !result.changed.is_empty(),
                changed: result.changed,
                what: result.what,
                diagnostics: result.warnings,
                ..unchanged
            },
            Err(error) => FilesNotice { diagnostics: error.into_diagnostics(), ..unchanged },
        };
        let notice = Notification::new("world.files".into(), notice);
        // A client that reads slowly receives it, too.
        self.link.outbox.offer(serde_json::to_vec(&notice).unwrap_or_default(), true);
    }

    fn set(&mut self, params: SetParams) -> Result<SetResult, RpcError> {
        let warnings = lines(&self.world.set(settings(params.settings)?)?);
        self.measure();
        let (tick, hash) = self.reached();
        Ok(SetResult { revision: self.world.live().revision().number, tick, hash, warnings })
    }

    fn place(&mut self, params: &PlaceParams) -> Result<PlaceResult, RpcError> {
        let PlaceParams { entity: name, at, velocity, .. } = params;
        let &Entity { id, .. } = queries::entity(self.world.live(), name)?;
        if !self.world.place(id, at, velocity.as_deref())? {
            let Bounds { min, max } = self.world.live().revision().stage.level.bounds;
            let message = format!(
                "is {at:?}, but `{name}` has no room there; the level reaches from ({}, {}) to ({}, {})",
                min.x, min.y, max.x, max.y
            );
            return Err(RpcError::parameter("at", message));
        }
        let (tick, hash) = self.reached();
        let body = self.world.live().world().body(queries::entity(self.world.live(), name)?);
        let (pos, vel) = ([body.pos.x, body.pos.y, body.z], [body.vel.x, body.vel.y, body.vel_z]);
        Ok(PlaceResult { pos, vel, tick, hash })
    }

    fn emit(&mut self, params: &EmitParams) -> Result<EmitResult, RpcError> {
        self.world.emit(&params.event, event_data(&params.data)?)?;
        self.measure();
        let (tick, hash) = self.reached();
        Ok(EmitResult { tick, hash })
    }

    fn explain(&self, params: &WhyParams) -> Result<WhyResult, RpcError> {
        let live = self.world.live();
        queries::entity(live, &params.entity)?;
        Ok(WhyResult {
            tick: live.world().ticks(),
            recorded: live.world().why_of(&params.entity).is_some(),
            reasons: why_lines(live, &params.entity),
        })
    }

    fn judge(&mut self, params: &JudgeParams) -> Result<JudgeResult, RpcError> {
        let &Entity { id, .. } = queries::entity(self.world.live(), &params.entity)?;
        let live = self.world.live_mut();
        let judgement = live.judge(id);
        let StepReport { printed, faults, .. } = live.report().clone();
        Ok(JudgeResult {
            reward: judgement.reward,
            done: judgement.done,
            faults: faults.first.iter().map(FaultLine::of).collect(),
            printed: printed.lines,
            printed_left_out: printed.left_out,
        })
    }

    fn subscribe(&mut self, params: &SubscribeParams) -> Result<SubscribeResult, RpcError> {
        if self.subscriptions.len() >= MOST_SUBSCRIPTIONS {
            let message = format!("a world has at most {MOST_SUBSCRIPTIONS} subscriptions");
            return Err(ErrorKind::Limit.error(message));
        }
        if params.observe.columns.is_some() {
            let message = "are for `world.step` and `world.observe`; subscriptions send lines";
            return Err(RpcError::parameter("observe.columns", message));
        }
        let every = params.observe.every.unwrap_or(1);
        let filter = ObservationFilter::new(&params.observe, self.world.live())?;
        self.last_subscription += 1;
        let waits = params.when_full == WhenFull::Wait;
        self.subscriptions.push(Subscription::new(self.last_subscription, filter, every, waits));
        Ok(SubscribeResult { subscription: self.last_subscription })
    }

    /// Sends the first line of a new subscription: like a trace, it begins with the state before anything moves.
    pub fn begin_subscriptions(&mut self) {
        for subscription in self.subscriptions.iter_mut().filter(|subscription| !subscription.has_begun) {
            subscription.begin(self.number, self.world.live(), &self.link.outbox);
        }
    }

    fn unsubscribe(&mut self, params: &UnsubscribeParams) -> Result<Done, RpcError> {
        let before = self.subscriptions.len();
        self.subscriptions.retain(|s| s.number != params.subscription);
        if self.subscriptions.len() == before {
            let message = format!("is {}, which this world does not have", params.subscription);
            return Err(RpcError::parameter("subscription", message));
        }
        Ok(Done {})
    }
}
