//! A session: messages in, answers out.

use super::*;
use jsonrpsee_types::ErrorObjectOwned;
use std::{
    io::Write as _,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        OnceLock,
        mpsc::{Sender, channel},
    },
    thread::Builder,
};

/// The versions of the protocol that are answered, newest first. Requests of the first say in `_meta` that they are of it;
/// the others begin with `initialize`.
pub const MCP_VERSIONS: [&str; 4] = ["2026-07-28", "2025-11-25", "2025-06-18", "2024-11-05"];

/// The longest message, in bytes.
const LONGEST_MESSAGE: usize = 8 << 20;

/// The most bytes of calls that wait, and of the one that is carried out. Nothing more is read then.
const MOST_WAITING: usize = 2 * LONGEST_MESSAGE;

/// The code for a version that is not answered.
const UNSUPPORTED_VERSION: i32 = -32022;

/// How long a client may keep lists, in ms. They are the same until the program ends.
const LISTS_LAST: u32 = 60_000;

/// What every client is to know of the tools together.
const INSTRUCTIONS: &str = "hangtime runs 2D games of physics whose rules are scripts. Numbers are in config/, rules in \
    scripts/, levels and tests in levels/. Look up calls and tunables with search_reference before you write them. Change \
    files with propose_edit, which refuses edits with errors and says where they are. Then run_level shows what happens, \
    and run_tests what broke. Distances are px, times s, y points up.";

/// Serves an assistant on stdin and stdout until stdin ends and everything is answered. The calling thread needs a stack of
/// [`STACK`](hangtime_script::STACK) bytes.
///
/// # Errors
/// If the folder cannot be opened, or stdout cannot be written.
pub fn serve(folder: GameFolder, writes: bool) -> io::Result<()> {
    let game = ServedGame::load(folder).map_err(io::Error::other)?.for_clients();
    let game = McpGame { game: Arc::new(game), writes };
    let (open, lost) = (OpenRequests::new(MOST_WAITING), OnceLock::new());
    let session = Arc::new(McpSession { writes, open, lost });
    let (sender, calls) = channel();
    let reading = session.clone();
    // If stdout is lost, it may wait for stdin forever.
    Builder::new().name("assistant".into()).spawn(move || reading.read(&sender))?;
    for call in calls {
        let answer = session.carry_out(&game, &call);
        session.open.close(call.number);
        if answer.is_some_and(|answer| session.send(&answer).is_err()) {
            break;
        }
    }
    match session.lost.get() {
        Some(error) => Err(io::Error::new(error.kind(), error.to_string())),
        None => Ok(()),
    }
}

struct McpSession {
    writes: bool,
    /// The calls that are not answered.
    open: OpenRequests,
    /// Why nothing more can be written.
    lost: OnceLock<io::Error>,
}

/// A call of a tool that waits.
struct ToolCall {
    id: RequestId,
    /// Its number among the open requests.
    number: u64,
    canceled: Arc<AtomicBool>,
    tool: &'static Tool,
    arguments: Option<Box<RawValue>>,
    era: McpEra,
}

/// How a client says which version of the protocol it speaks.
#[derive(Clone, Copy, PartialEq)]
enum McpEra {
    /// Once, with `initialize`.
    Handshake,
    /// In every request.
    Stateless,
}

/// The part of the parameters of any request that says which version it is of.
#[derive(Deserialize)]
struct MetaParams {
    #[serde(rename = "_meta")]
    meta: Option<RequestMeta>,
}

#[derive(Deserialize)]
struct RequestMeta {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<String>,
    #[serde(rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Option<serde_json::Map<String, Json>>,
}

#[derive(Deserialize)]
struct HandshakeParams {
    #[serde(rename = "protocolVersion")]
    version: String,
}

#[derive(Deserialize)]
struct ToolCallParams {
    name: String,
    arguments: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct CanceledParams {
    #[serde(rename = "requestId")]
    id: Json,
}

/// The result of a request.
type McpResult = Result<Json, ErrorObjectOwned>;

/// The methods of requests.
const MCP_METHODS: [&str; 5] = ["initialize", "ping", "server/discover", "tools/call", "tools/list"];

impl McpSession {
    /// Reads messages until stdin ends or nothing can be written.
    fn read(&self, calls: &Sender<ToolCall>) {
        let mut lines = LineReader::new(io::stdin());
        let refuse = |message| {
            let error = ErrorKind::Request.error(message).object();
            self.send(&answer_text(&RequestId::null(), Err(error)))
        };
        loop {
            let sent = match lines.read(LONGEST_MESSAGE) {
                Ok(LineRead::Line) if lines.line.trim_ascii_start().starts_with(b"[") => {
                    refuse("a line has one message; arrays of messages are not answered".into())
                }
                Ok(LineRead::Line) => self.receive(&lines.line, calls),
                Ok(LineRead::TooLong) => refuse(format!("a message has at most {LONGEST_MESSAGE} bytes")),
                Ok(LineRead::Silence) => Ok(()),
                Ok(LineRead::End) | Err(_) => return,
            };
            if sent.is_err() {
                return;
            }
        }
    }

    /// Answers a message, or lets the other thread do that.
    fn receive(&self, line: &[u8], calls: &Sender<ToolCall>) -> io::Result<()> {
        for RpcRequest { id, call } in read_message(line).requests {
            let Some(id) = id else {
                if let Ok((method, params)) = call {
                    self.notice(&method, params);
                }
                continue;
            };
            let answer = call.map_err(RpcError::object);
            let answer = answer.and_then(|(method, params)| self.answer(&id, &method, params, calls));
            if let Some(answer) = answer.transpose() {
                self.send(&answer_text(&id, answer))?;
            }
        }
        Ok(())
    }

    /// The result of a request; none for a call that waits.
    fn answer(
        &self,
        id: &RequestId,
        method: &str,
        params: Option<&RawValue>,
        calls: &Sender<ToolCall>,
    ) -> Result<Option<Json>, ErrorObjectOwned> {
        let MetaParams { meta } = read_params(params).map_err(RpcError::object)?;
        let era = era_of(method, meta)?;
        if method != "tools/call" {
            return self.result(method, params, era).map(Some);
        }
        let ToolCallParams { name, arguments } = read_params(params).map_err(RpcError::object)?;
        let tool = Tool::find(&name).map_err(RpcError::object)?;
        let length = id.json().len() + arguments.as_ref().map_or(0, |json| json.get().len());
        let (number, canceled) = self.open.open(Some(id.clone()), length);
        // It is received until the session ends.
        let _ = calls.send(ToolCall { id: id.clone(), number, canceled, tool, arguments, era });
        Ok(None)
    }

    /// Heeds a notification. One that cannot be read, or is about nothing that runs, has no effect.
    fn notice(&self, method: &str, params: Option<&RawValue>) {
        if method == "notifications/cancelled"
            && let Ok(CanceledParams { id }) = read_params(params)
            && let Ok(id) = RequestId::read(&id.to_string())
        {
            self.open.cancel(&id);
        }
    }

    /// The result of a request that takes no time.
    fn result(&self, method: &str, params: Option<&RawValue>, era: McpEra) -> McpResult {
        let result = match method {
            "initialize" => {
                let HandshakeParams { version } = read_params(params).map_err(RpcError::object)?;
                let handshakes = &MCP_VERSIONS[1..];
                // To a version between two, the older one is closer.
                let version = handshakes.iter().find(|known| **known <= version.as_str()).unwrap_or(&handshakes[0]);
                json!({
                    "protocolVersion": version,
                    "capabilities": { "tools": {} },
                    "serverInfo": server_info(),
                    "instructions": INSTRUCTIONS,
                })
            }
            "server/discover" => json!({
                "supportedVersions": MCP_VERSIONS,
                "capabilities": { "tools": {} },
                "instructions": INSTRUCTIONS,
            }),
            "tools/list" => json!({ "tools": TOOLS.iter().map(|tool| tool.json(self.writes)).collect::<Vec<_>>() }),
            "ping" => json!({}),
            _ => return Err(no_method(method, MCP_METHODS.into_iter()).object()),
        };
        let mut result = complete(result, era);
        if era == McpEra::Stateless && method != "ping" {
            result["ttlMs"] = LISTS_LAST.into();
            result["cacheScope"] = "private".into();
        }
        Ok(result)
    }

    /// The answer to a call; none if it is canceled.
    fn carry_out(&self, game: &McpGame, call: &ToolCall) -> Option<String> {
        let end = CallEnd::new(call.canceled.clone());
        if end.is_canceled() {
            return None;
        }
        let asked = end.clone();
        let run =
            || ending_scripts(move || asked.is_here(), || (call.tool.call)(game, call.arguments.as_deref(), &end));
        let answer = match catch_unwind(AssertUnwindSafe(run)) {
            Ok((Ok(content), _)) => Ok((content, false)),
            Ok((Err(ToolError(text)), _)) => Ok((vec![ToolContent::Text(text)], true)),
            Err(_) => Err(ErrorKind::Internal.error("hangtime itself failed here; please report this bug").object()),
        };
        let result = answer.map(|(content, is_error)| {
            let content: Vec<Json> = content.iter().map(ToolContent::json).collect();
            complete(json!({ "content": content, "isError": is_error }), call.era)
        });
        (!end.is_canceled()).then(|| answer_text(&call.id, result))
    }

    /// Writes a message.
    fn send(&self, message: &str) -> io::Result<()> {
        let mut output = io::stdout().lock();
        let written = writeln!(output, "{message}").and_then(|()| output.flush());
        written.inspect_err(|error| {
            let _ = self.lost.set(io::Error::new(error.kind(), error.to_string()));
        })
    }
}

/// How the client of a request says which version it speaks.
fn era_of(method: &str, meta: Option<RequestMeta>) -> Result<McpEra, ErrorObjectOwned> {
    let wrong = |message: &str| Err(ErrorKind::Params.error(message).at("params._meta").object());
    match meta {
        Some(RequestMeta { version: Some(version), capabilities }) => {
            if version != MCP_VERSIONS[0] {
                let data = json!({ "supported": MCP_VERSIONS, "requested": version });
                let message = "this version of the protocol is not answered in `_meta`";
                return Err(ErrorObjectOwned::owned(UNSUPPORTED_VERSION, message, Some(data)));
            }
            match capabilities {
                Some(_) => Ok(McpEra::Stateless),
                None => wrong("params._meta: missing `io.modelcontextprotocol/clientCapabilities`"),
            }
        }
        _ if method == "server/discover" => wrong("params._meta: missing `io.modelcontextprotocol/protocolVersion`"),
        _ => Ok(McpEra::Handshake),
    }
}

fn server_info() -> Json {
    json!({ "name": "hangtime", "version": env!("CARGO_PKG_VERSION") })
}

/// A result with what the version of the protocol wants in every one.
fn complete(mut result: Json, era: McpEra) -> Json {
    if era == McpEra::Stateless {
        result["resultType"] = "complete".into();
        result["_meta"] = json!({ "io.modelcontextprotocol/serverInfo": server_info() });
    }
    result
}

/// The message with an answer.
fn answer_text(id: &RequestId, answer: McpResult) -> String {
    let (member, value) = match answer {
        Ok(result) => ("result", result.to_string()),
        // An error is plain data.
        Err(error) => ("error", serde_json::to_string(&error).unwrap_or_default()),
    };
    format!(r#"{{"jsonrpc":"2.0","id":{},"{member}":{value}}}"#, id.json())
}
