//! A client: its messages, and where each request is carried out.

use super::*;

/// A client, on the thread that reads its messages.
pub struct Client {
    /// What it shares with the threads that work for it.
    pub link: Arc<ClientLink>,
    /// The number of the last world that a request was to create. A request that fails takes a number, too, because clients
    /// count them.
    last_world: u64,
    /// Whether the client has sent more after the message that is being carried out.
    has_more: bool,
    desk: SideThread<DeskRequest>,
    watching: SideThread<WatchParams>,
    page: SideThread<PageMessage>,
    /// The engine of the page, once it has sent a message.
    engine: Arc<Mutex<Option<PageEngine>>>,
}

/// The longest parameters of requests other than `world.restore`, in bytes. Read, they take many times that.
const MOST_PARAMS: usize = 4 << 20;

/// The most worlds that an error lists.
const MOST_NAMED: usize = 20;

impl Client {
    /// A client without worlds.
    pub fn new(link: &Arc<ClientLink>) -> Self {
        Self {
            link: link.clone(),
            last_world: 0,
            has_more: false,
            desk: SideThread::new("desk", &link.service, desk::carry_out),
            watching: SideThread::new("watch", &link.service, watch),
            page: SideThread::new("page", &link.service, play),
            engine: Arc::default(),
        }
    }

    /// Waits until the client has read enough for its next message to be read. Breaks off if it has not shown the token
    /// and does not read.
    pub fn wait_for_room(&self) -> ControlFlow<()> {
        if self.link.admission.gives_up(self.link.outbox.unwritten()) {
            return ControlFlow::Break(());
        }
        self.link.outbox.wait_for_room();
        ControlFlow::Continue(())
    }

    /// The longest message that the client may send now, in bytes.
    pub fn longest_message(&self) -> usize {
        self.link.admission.longest_message(&self.link.service.limits)
    }

    /// Carries out a message, or lets other threads do that. `has_more` says that the client has sent more after it.
    /// Breaks off if the client is to be served no longer.
    pub fn receive(&mut self, message: &[u8], has_more: bool) -> ControlFlow<()> {
        let Incoming { requests, is_batch } = read_message(message);
        if is_batch && !self.link.admission.is_granted() {
            let message = "this service needs a token: send `initialize` with it first, alone and not in a batch";
            self.refuse(ErrorKind::Token.error(message));
            return ControlFlow::Continue(());
        }
        self.has_more = has_more || is_batch;
        let batch = is_batch.then(|| BatchAnswers::of(requests.len()));
        let mut flow = ControlFlow::Continue(());
        for RpcRequest { id, call } in requests {
            let params = call.as_ref().ok().and_then(|(_, params)| *params);
            let reply = Reply::open(&self.link, batch.as_ref(), id, params.map_or(0, |params| params.get().len()));
            match call.and_then(|(name, params)| Ok((Method::find(&name)?, params))) {
                Ok((method, _)) if flow.is_continue() => flow = self.request(method, params, reply),
                Ok(_) => {
                    let message = "not carried out, because an earlier request of the batch ends the connection";
                    reply.fail(ErrorKind::Canceled.error(message));
                }
                Err(error) => reply.fail(error),
            }
        }
        flow
    }

    /// Takes a message of the page to its engine.
    pub fn receive_page(&mut self, bytes: Vec<u8>) {
        if !self.link.service.web || !self.link.admission.is_granted() {
            return self.refuse(ErrorKind::Request.error("messages are text frames; this is a binary one"));
        }
        let reply = Reply::open(&self.link, None, None, bytes.len());
        self.page.submit(PageMessage { engine: self.engine.clone(), bytes }, reply);
    }

    /// Answers something that is not even a message.
    pub fn refuse(&self, error: RpcError) {
        Reply::open(&self.link, None, Some(RequestId::null()), 0).fail(error);
    }

    /// Tells a client why its connection is closed while it is silent, unless it knows.
    pub fn end_silence(&self) {
        if !self.link.admission.is_granted() {
            let message = "this service needs a token, and there was none in time; the connection is closed";
            self.refuse(ErrorKind::Token.error(message));
        }
    }

    fn request(&mut self, method: &Method, params: Option<&RawValue>, reply: Reply) -> ControlFlow<()> {
        self.last_world += u64::from(method.makes_world());
        let length = params.map_or(0, |params| params.get().len());
        let read = if length > MOST_PARAMS && method.name != "world.restore" {
            let message = format!("`params` has {length} bytes; only `world.restore` takes more than {MOST_PARAMS}");
            Err(ErrorKind::Limit.error(message).at("params"))
        } else if !self.link.admission.is_granted() && method.name != "initialize" {
            Err(ErrorKind::Token.error("this service needs a token: send `initialize` with it first"))
        } else if method.needs_web() && !self.link.service.web {
            let message = format!("`{}` needs a service with `--web`", method.name);
            Err(ErrorKind::Method.error(message).at("method"))
        } else {
            (method.read)(params)
        };
        match read {
            Err(error) => reply.fail(error),
            Ok(Request::Client(request)) => return self.carry_out(request, reply),
            Ok(Request::World(number, request)) => self.submit(number, WorldWork::Request(request), reply),
            Ok(Request::Desk(request)) => self.desk.submit(request, reply),
            Ok(Request::Watch(params)) => self.watching.submit(params, reply),
        }
        ControlFlow::Continue(())
    }

    fn carry_out(&mut self, request: ClientRequest, reply: Reply) -> ControlFlow<()> {
        match request {
            ClientRequest::Initialize(params) => return self.initialize(&params, reply),
            ClientRequest::Discover(_) => reply.send(Ok(Answer::of(&protocol_openrpc()))),
            ClientRequest::Create(params) => match self.place() {
                Ok((slot, share)) => slot.submit(WorldWork::Create(params, share), reply, false),
                Err(error) => reply.fail(error),
            },
            ClientRequest::StepWorlds(params) => self.step_worlds(params, reply),
            ClientRequest::Fork(params) => {
                if !self.link.worlds.lock().contains_key(&params.world) {
                    reply.fail(self.no_world(params.world));
                    return ControlFlow::Continue(());
                }
                let fork = WorldSlot::new(self.last_world, &self.link, true);
                self.link.worlds.lock().insert(self.last_world, fork.clone());
                self.submit(params.world, WorldWork::Fork(fork), reply);
            }
            ClientRequest::Destroy(params) => {
                self.submit(params.world, WorldWork::Destroy, reply);
                self.link.worlds.lock().remove(&params.world);
            }
            ClientRequest::List(_) => {
                let worlds = self.link.service.showcase.list(&self.link);
                reply.send(Ok(Answer::of(&WorldListResult { worlds })));
            }
            ClientRequest::Cancel(params) => reply.send(self.cancel(&params)),
            ClientRequest::Shutdown(params) => {
                // Its own request is the one that is left.
                self.end_worlds(1);
                reply.send(Ok(Answer::of(&Done {})));
                if params.service {
                    self.link.service.end();
                }
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    fn initialize(&self, params: &InitializeParams, reply: Reply) -> ControlFlow<()> {
        let (service, admission) = (&self.link.service, &self.link.admission);
        if !admission.is_granted() && !service.admits(params.token.as_deref()) {
            let message = match params.token {
                Some(_) => "this is not the token of the service; the connection is closed",
                None => "this service needs a token; the connection is closed",
            };
            reply.fail(ErrorKind::Token.error(message).at("params.token"));
            return ControlFlow::Break(());
        }
        admission.grant();
        reply.send(Ok(Answer::of(&describe(service, self.link.outbox.framing()))));
        ControlFlow::Continue(())
    }

    fn cancel(&self, params: &CancelParams) -> RequestResult {
        let Ok(id) = RequestId::read(&params.id.to_string()) else {
            return Err(RpcError::parameter("id", "takes the id of a request").allowing(RequestId::ALLOWED));
        };
        self.link.requests.cancel(&id);
        Ok(Answer::of(&Done {}))
    }

    /// A slot and a share for the world that has the last number.
    fn place(&self) -> Result<(Arc<WorldSlot>, WorldShare), RpcError> {
        let service = &self.link.service;
        let share = WorldShare::take(&service.used, &service.limits)?;
        service.pool.start().map_err(|error| no_thread(&error))?;
        let slot = WorldSlot::new(self.last_world, &self.link, false);
        self.link.worlds.lock().insert(self.last_world, slot.clone());
        Ok((slot, share))
    }

    /// Carries out a request about a world: here if it is short and the client waits for the answer, or in the pool.
    fn submit(&self, number: u64, work: WorldWork, reply: Reply) {
        let slot = self.link.worlds.lock().get(&number).cloned();
        let Some(slot) = slot else {
            return reply.fail(self.no_world(number));
        };
        let here = self.waits() && work.is_short();
        slot.submit(work, reply, here);
    }

    /// Whether the client waits for the answer to the request that is being carried out, and has sent no other.
    fn waits(&self) -> bool {
        !self.has_more && self.link.requests.count() == 1
    }

    fn step_worlds(&self, params: StepWorldsParams, reply: Reply) {
        match self.slots_of(&params.worlds) {
            Ok(slots) => JointStep::submit(params, slots, reply, self.waits()),
            Err(error) => reply.fail(error),
        }
    }

    /// The slots of these worlds.
    ///
    /// # Errors
    /// The first number that the client does not have, or that is there twice.
    fn slots_of(&self, numbers: &[u64]) -> Result<Vec<Arc<WorldSlot>>, RpcError> {
        let at = |place: usize| format!("params.worlds[{place}]");
        let found = {
            let worlds = self.link.worlds.lock();
            let slots = numbers.iter().map(|number| worlds.get(number).cloned());
            slots
                .collect::<Option<Vec<_>>>()
                .ok_or_else(|| numbers.iter().position(|n| !worlds.contains_key(n)))
        };
        let slots = found.map_err(|place| {
            let place = place.unwrap_or_default();
            self.no_world(numbers[place]).at(at(place))
        })?;
        let mut sorted: Vec<(u64, usize)> = numbers.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        let twice = sorted.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| (pair[1].1, pair[0].1));
        match twice.min() {
            None => Ok(slots),
            Some((place, first)) => {
                let message = format!("is {}, as `worlds[{first}]` is; a world can be there once", numbers[place]);
                Err(RpcError::parameter(&format!("worlds[{place}]"), message))
            }
        }
    }

    fn no_world(&self, number: u64) -> RpcError {
        let worlds = self.link.worlds.lock();
        no_such_world(number).allowing(worlds.keys().take(MOST_NAMED).map(u64::to_string))
    }

    /// Ends all worlds once at most `left` requests are open.
    pub fn end_worlds(&self, left: usize) {
        self.link.requests.wait(left, Duration::MAX);
        let worlds = mem::take(&mut *self.link.worlds.lock());
        for slot in worlds.into_values() {
            slot.world.lock().take();
        }
    }
}
