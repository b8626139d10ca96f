//! A client: its messages, its worlds, and where each request is carried out.

use super::admission::Admission;
use super::client_rooms::ClientRooms;
use super::describe::describe;
use super::desk;
use super::job_thread::{Job, JobThread};
use super::outbox::Outbox;
use super::reply::{BatchAnswers, OpenRequests, Reply, ReplyTarget};
use super::shared::ServiceShared;
use super::waiting::{REQUEST_BYTES, WaitingMessages, WaitingShare};
use super::watching::Watching;
use crate::ServedGame;
use crate::protocol::{
    CancelParams, Done, ErrorKind, Incoming, InitializeParams, Method, RefusedRequest, RequestId, RpcError, RpcRequest,
    ShutdownParams, read_message, read_params,
};
use serde_json::value::{RawValue, to_raw_value};
use std::ops::ControlFlow;
use std::sync::Arc;

/// What belongs to one client. All of it ends with the client.
pub(super) struct Client {
    shared: Arc<ServiceShared>,
    outbox: Arc<Outbox>,
    requests: Arc<OpenRequests>,
    /// Those of its messages that have not been answered.
    waiting: Arc<WaitingMessages>,
    rooms: ClientRooms,
    /// Whether it has sent more after the message that is being carried out.
    has_more: bool,
    /// Does what is not about a world.
    desk: Option<JobThread<Arc<ServedGame>>>,
    /// Waits for pictures of worlds.
    watching: Watching,
    /// Whether it has shown that it knows the token.
    admission: Arc<Admission>,
}

impl Client {
    /// A client without worlds.
    pub fn new(
        shared: Arc<ServiceShared>,
        outbox: Arc<Outbox>,
        requests: Arc<OpenRequests>,
        admission: Arc<Admission>,
    ) -> Self {
        Self {
            admission,
            waiting: WaitingMessages::new(shared.limits.message.saturating_mul(MESSAGES_WAITING)),
            rooms: ClientRooms::new(&shared, &outbox),
            has_more: false,
            shared,
            outbox,
            requests,
            desk: None,
            watching: Watching::default(),
        }
    }

    /// Carries out a message, or lets other threads do that. `has_more` says that the client has sent more after it.
    /// Breaks off if the client is to be served no longer.
    pub fn receive(&mut self, message: &[u8], has_more: bool) -> ControlFlow<()> {
        let waiting = Arc::new(self.waiting.enter(message.len()));
        self.has_more = has_more;
        match read_message(message) {
            Incoming::Dropped => ControlFlow::Continue(()),
            Incoming::One(request) => {
                let target = ReplyTarget::Client(self.outbox.clone());
                self.request(request, target, &waiting)
            }
            Incoming::Batch(requests) => {
                let target = ReplyTarget::Batch(BatchAnswers::new(self.outbox.clone()));
                let mut flow = ControlFlow::Continue(());
                self.has_more = true;
                for request in requests {
                    match flow {
                        ControlFlow::Continue(()) => {
                            flow = self.request(request, target.clone(), &waiting);
                        }
                        ControlFlow::Break(()) => self.skip(request, target.clone()),
                    }
                }
                flow
            }
        }
    }

    /// Answers a request of a batch after the one that has ended the client. It is not carried out.
    fn skip(&self, request: Result<RpcRequest<'_>, RefusedRequest>, target: ReplyTarget) {
        let (id, error) = match request {
            Ok(request) => {
                let message = "not carried out, because an earlier request of the batch ends the connection";
                (request.id, RpcError::new(ErrorKind::Canceled, message))
            }
            Err((id, error)) => (Some(id), error),
        };
        Reply::new(target, id, &self.requests).fail(error);
    }

    /// Answers something that is not even a message.
    pub fn refuse(&self, error: RpcError) {
        let target = ReplyTarget::Client(self.outbox.clone());
        Reply::new(target, Some(RequestId::Null), &self.requests).fail(error);
    }

    /// Whether it has shown the token, or needs none.
    pub fn is_admitted(&self) -> bool {
        self.admission.is_granted()
    }

    /// Whether the service ends.
    pub fn service_ends(&self) -> bool {
        self.shared.ends()
    }

    /// Tells a client why its connection is closed while it is silent, unless it knows.
    pub fn end_silence(&self) {
        if !self.is_admitted() {
            let message = "this service needs a token, and there was none in time; the connection is closed";
            self.refuse(RpcError::new(ErrorKind::Token, message));
        }
    }

    fn request(
        &mut self,
        request: Result<RpcRequest<'_>, RefusedRequest>,
        target: ReplyTarget,
        message: &Arc<WaitingShare>,
    ) -> ControlFlow<()> {
        let RpcRequest { id, method, params } = match request {
            Ok(request) => request,
            Err((id, error)) => {
                Reply::new(target, Some(id), &self.requests).fail(error);
                return ControlFlow::Continue(());
            }
        };
        if matches!(method, Method::Create | Method::Fork) {
            self.rooms.take_number();
        }
        let own = self.waiting.enter(REQUEST_BYTES);
        let reply = Reply::new(target, id, &self.requests).holding(message, own);
        let length = params.map_or(0, |params| params.get().len());
        if length > MOST_PARAMS && method != Method::Restore {
            let message =
                format!("`params` has {length} bytes; only those of `world.restore` can have more than {MOST_PARAMS}");
            reply.fail(RpcError::new(ErrorKind::Limit, message).at("params"));
            return ControlFlow::Continue(());
        }
        if !self.admission.is_granted() && method != Method::Initialize {
            let message = "this service needs a token: send `initialize` with it first";
            reply.fail(RpcError::new(ErrorKind::Token, message));
            return ControlFlow::Continue(());
        }
        match method {
            Method::Initialize => return self.initialize(params, reply),
            Method::Shutdown => return self.shut_down(params, reply),
            Method::Cancel => reply.send(self.cancel(params)),
            Method::Create => self.rooms.create(params, reply),
            Method::Fork => self.rooms.fork(params, reply, self.waits()),
            Method::Destroy => self.rooms.destroy(params, reply),
            Method::Check | Method::TestsList | Method::TestsRun => {
                self.at_desk(method, params, reply);
            }
            Method::List | Method::Watch => {
                let request = (method, params);
                self.watching.carry_out(&self.shared, &self.outbox, request, reply);
            }
            _ => self.rooms.carry_out(method, params, reply, self.waits()),
        }
        ControlFlow::Continue(())
    }

    /// Whether the client waits for the answer to the present request, so that this thread need not hear it meanwhile.
    fn waits(&self) -> bool {
        !self.has_more && self.requests.count() == 1
    }

    fn initialize(&mut self, params: Option<&RawValue>, reply: Reply) -> ControlFlow<()> {
        let params: InitializeParams = match read_params(params) {
            Ok(params) => params,
            Err(error) => {
                reply.fail(error);
                return ControlFlow::Continue(());
            }
        };
        if !self.admission.is_granted() && !self.shared.admits(params.token.as_deref()) {
            let message = match params.token {
                Some(_) => "this is not the token of the service; the connection is closed",
                None => "this service needs a token; the connection is closed",
            };
            reply.fail(RpcError::new(ErrorKind::Token, message).at("params.token"));
            return ControlFlow::Break(());
        }
        self.admission.grant();
        let framing = self.outbox.framing();
        reply.send(Ok(describe(&self.shared, framing)));
        ControlFlow::Continue(())
    }

    fn shut_down(&mut self, params: Option<&RawValue>, reply: Reply) -> ControlFlow<()> {
        let params: ShutdownParams = match read_params(params) {
            Ok(params) => params,
            Err(error) => {
                reply.fail(error);
                return ControlFlow::Continue(());
            }
        };
        self.end_threads();
        reply.send(Ok(Done {}));
        if params.service {
            self.shared.end();
        }
        ControlFlow::Break(())
    }

    fn cancel(&self, params: Option<&RawValue>) -> Result<Done, RpcError> {
        let params: CancelParams = read_params(params)?;
        let json = to_raw_value(&params.id).ok();
        let Some(Ok(id)) = json.as_deref().map(RequestId::read) else {
            return Err(RpcError::parameter("id", "takes the id of a request").allowing(RequestId::ALLOWED));
        };
        self.requests.cancel(&id.key());
        Ok(Done {})
    }

    /// Carries out a request about the game on the client's desk.
    fn at_desk(&mut self, method: Method, params: Option<&RawValue>, reply: Reply) {
        if self.desk.is_none() {
            let game = self.shared.game.clone();
            match JobThread::start("desk", game) {
                Ok(desk) => self.desk = Some(desk),
                Err(error) => {
                    let message = format!("the system starts no more threads: {error}");
                    return reply.fail(RpcError::new(ErrorKind::Limit, message));
                }
            }
        }
        let params = params.map(RawValue::to_owned);
        let job: Job<Arc<ServedGame>> = Box::new(move |game: &mut Arc<ServedGame>| {
            desk::carry_out(game, method, params.as_deref(), reply);
        });
        let sent = self.desk.as_ref().map(|desk| desk.jobs().send(job));
        if sent != Some(true) {
            // It has failed; the next request gets a new one.
            self.desk = None;
        }
    }

    /// Lets all threads finish what they have begun, and waits for them.
    pub fn end_threads(&mut self) {
        self.rooms.end();
        if let Some(desk) = self.desk.take() {
            desk.end();
        }
        self.watching.end();
    }
}

/// How many of the longest messages may wait before a client's next one is read.
const MESSAGES_WAITING: usize = 4;

/// The longest parameters of requests other than `world.restore`, in bytes. Read, they take many times that.
const MOST_PARAMS: usize = 4 << 20;
