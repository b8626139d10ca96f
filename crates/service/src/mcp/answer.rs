//! What a tool answers, within limits.

use super::*;
use base64::{Engine as _, engine::general_purpose::STANDARD};

/// The most bytes of a part of an answer.
pub const MOST_PART: usize = 24_000;

/// A part of an answer.
pub enum ToolContent {
    Text(String),
    /// A picture, and its type.
    Image(&'static str, Vec<u8>),
}

impl ToolContent {
    /// It as the protocol has it.
    pub fn json(&self) -> Json {
        match self {
            Self::Text(text) => json!({ "type": "text", "text": text }),
            Self::Image(kind, bytes) => json!({ "type": "image", "data": STANDARD.encode(bytes), "mimeType": kind }),
        }
    }
}

/// An error of a tool, as text from which the assistant can correct the call.
pub struct ToolError(pub String);

/// The result of a call.
pub type ToolResult = Result<Vec<ToolContent>, ToolError>;

/// An answer that is only a text.
pub fn text_answer(text: impl Into<String>) -> ToolResult {
    Ok(vec![ToolContent::Text(text.into())])
}

impl ToolError {
    /// The error about a file or folder of the game.
    pub fn about(path: &str, message: &str) -> Self {
        Self(format!("{}: {message}", printable_name(&cut_name(path))))
    }
}

impl From<Error> for ToolError {
    fn from(error: Error) -> Self {
        Self(shown_messages(&error.diagnostics()))
    }
}

impl From<ServiceError> for ToolError {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::Files(error) | ServiceError::Level { error } => error.into(),
            error => Self(error.to_string()),
        }
    }
}

impl From<RpcError> for ToolError {
    fn from(error: RpcError) -> Self {
        // Tools have flat arguments.
        Self(error.object().message().replace("`observe.", "`"))
    }
}

/// Messages with their lines of source.
pub fn shown_messages(messages: &[Diagnostic]) -> String {
    let rendered = messages.iter().map(|message| message.render(false));
    BoundedLines::of(rendered).end("fix these first")
}

/// Lines up to a limit. The others are counted.
#[derive(Default)]
pub struct BoundedLines {
    text: String,
    pub left_out: u64,
}

impl BoundedLines {
    pub fn of(lines: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        let mut bounded = Self::default();
        lines.into_iter().for_each(|line| bounded.push(line.as_ref()));
        bounded
    }

    /// Whether it takes no more lines.
    pub fn is_full(&self) -> bool {
        self.left_out > 0
    }

    pub fn push(&mut self, line: &str) {
        if self.is_full() || self.text.len() + line.len() > MOST_PART {
            self.left_out += 1;
        } else {
            self.text.push_str(line);
            self.text.push('\n');
        }
    }

    /// The lines, and how to get those that are left out.
    pub fn end(mut self, hint: &str) -> String {
        if self.left_out > 0 {
            let (lines, are) = if self.left_out == 1 { ("line", "is") } else { ("lines", "are") };
            self.text += &format!("({} more {lines} {are} left out; {hint})\n", self.left_out);
        }
        self.text
    }

    /// The lines below a title; nothing if there are none.
    pub fn part(self, title: &str, hint: &str) -> String {
        match self.end(hint) {
            text if text.is_empty() => text,
            text => format!("\n{title}:\n{text}"),
        }
    }
}
