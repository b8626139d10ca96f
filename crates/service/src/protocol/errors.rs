//! Errors: their codes, and what comes with them.

use super::*;
use jsonrpsee_types::ErrorObjectOwned;

/// The most names that an error lists.
const MOST_ALLOWED: usize = 100;

/// Declares the kinds of errors: when they occur, their names and codes.
macro_rules! error_kinds {
    ($($(#[doc = $line:literal])+ $kind:ident = $code:literal;)+) => {
        /// What kind of error it is, by its code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(i32)]
        pub enum ErrorKind {
            $($(#[doc = $line])+ $kind = $code,)+
        }

        impl ErrorKind {
            /// All kinds, each with when it occurs.
            pub const ALL: [(Self, &str); [$($code),+].len()] = [$((Self::$kind, prose!($(#[doc = $line])+))),+];
        }
    };
}

error_kinds! {
    /// the line is not JSON; `id` is null
    Parse = -32700;
    /// the JSON is not a request of JSON-RPC 2.0
    Request = -32600;
    /// no method has this name; the message suggests the nearest one
    Method = -32601;
    /// a parameter is missing, unknown, of the wrong type or out of range
    Params = -32602;
    /// a bug of hangtime; the world that it happened in has ended
    Internal = -32603;
    /// the client has canceled the request, or the service ends; a step that has begun has made whole ticks
    Canceled = -32800;
    /// a level, a file, an input or a setting has mistakes, which `diagnostics` lists
    Files = -32001;
    /// the snapshot is damaged, of another level or version, or does not fit the files
    Snapshot = -32002;
    /// the client has no such world, or it has ended
    World = -32003;
    /// a limit of the service is reached
    Limit = -32004;
    /// the service needs a token: send `initialize` with it first
    Token = -32005;
}

impl ErrorKind {
    /// The kinds that any request can have.
    pub const GENERAL: [Self; 7] =
        [Self::Parse, Self::Request, Self::Method, Self::Params, Self::Internal, Self::Canceled, Self::Token];

    /// Its code.
    pub const fn code(self) -> i32 {
        self as i32
    }

    /// An error of this kind with this message.
    pub fn error(self, message: impl Into<String>) -> RpcError {
        RpcError { kind: self, message: message.into(), data: Box::default() }
    }
}

/// An error as an answer.
pub struct RpcError {
    kind: ErrorKind,
    message: String,
    data: Box<ErrorData>,
}

/// What comes with an error. Members that do not apply are left out.
#[derive(Default, PartialEq, Serialize, JsonSchema)]
pub struct ErrorData {
    /// The place of the mistake: `line 1 column 7` of the message, or a parameter such as `params.inputs[0].held`.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    /// What is allowed there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    allowed: Vec<String>,
    /// The mistakes in the files of the game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    diagnostics: Vec<DiagnosticLine>,
    /// The tick that the world has reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    tick: Option<u64>,
    /// The hash of the world then.
    #[serde(skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
    /// The ticks that the worlds of `worlds.step` have reached, in the order of the request; null for a world that has
    /// ended.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ticks: Vec<Option<u64>>,
    /// The hashes of these worlds then.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<Option<String>>")]
    hashes: Vec<Option<HashText>>,
}

impl RpcError {
    /// A parameter that cannot have its value.
    pub fn parameter(place: &str, message: impl Into<String>) -> Self {
        ErrorKind::Params
            .error(format!("`{place}` {}", message.into()))
            .at(format!("params.{place}"))
    }

    /// An unknown name, with the nearest known one and a list of all.
    pub fn unknown<'a>(place: &str, (what, name): (&str, &str), known: impl Iterator<Item = &'a str> + Clone) -> Self {
        let name = cut_name(name);
        let near = suggestion(&name, known.clone());
        let message = format!("there is no {what} `{}`{near}", printable_name(&name));
        ErrorKind::Params
            .error(message)
            .at(format!("params.{place}"))
            .allowing(known.take(MOST_ALLOWED))
    }

    /// The same error with its place.
    pub fn at(mut self, place: impl Into<String>) -> Self {
        self.data.place = Some(place.into());
        self
    }

    /// The same error with what is allowed.
    pub fn allowing(mut self, allowed: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.data.allowed = allowed.into_iter().map(Into::into).collect();
        self
    }

    /// The same error with what the world has reached.
    pub fn reached(mut self, tick: u64, hash: u64) -> Self {
        self.data.tick = Some(tick);
        self.data.hash = Some(format!("{hash:016x}"));
        self
    }

    /// The same error with what each of many worlds has reached; `None` for one that has ended.
    pub fn all_reached(mut self, reached: &[Option<(u64, u64)>]) -> Self {
        self.data.ticks = reached.iter().map(|reached| reached.map(|(tick, _)| tick)).collect();
        self.data.hashes = reached.iter().map(|reached| reached.map(|(_, hash)| HashText(hash))).collect();
        self
    }

    /// The same error about one of many worlds, which has this place in the request.
    pub fn about_world(mut self, place: usize, number: u64) -> Self {
        self.message = format!("world {number}: {}", self.message);
        self.at(format!("params.worlds[{place}]"))
    }

    /// The mistakes in the files of the game.
    pub fn into_diagnostics(self) -> Vec<DiagnosticLine> {
        self.data.diagnostics
    }

    /// The error object of the answer.
    pub fn object(self) -> ErrorObjectOwned {
        let data = (*self.data != ErrorData::default()).then_some(self.data);
        ErrorObjectOwned::owned(self.kind.code(), self.message, data)
    }
}

impl From<Error> for RpcError {
    fn from(error: Error) -> Self {
        let mut answer = ErrorKind::Files.error(error.to_string());
        answer.data.diagnostics = error.diagnostics().iter().map(DiagnosticLine::of).collect();
        answer
    }
}

impl From<ServiceError> for RpcError {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::Files(error) => error.into(),
            ServiceError::Level { error } => Self::from(error).at("params.level"),
            ServiceError::Parameter { place, message } => {
                ErrorKind::Params.error(format!("`{place}`: {message}")).at(format!("params.{place}"))
            }
            ServiceError::Snapshot(message) => ErrorKind::Snapshot.error(message).at("params.snapshot"),
            ServiceError::Limit(message) => ErrorKind::Limit.error(message),
        }
    }
}
