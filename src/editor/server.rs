//! The server: reads messages of the editor, one after another, and answers them.

use super::definition::Definition;
use super::documents::OpenDocuments;
use super::location::{offset_at, path_of, position_at, uri_of};
use super::{completion, definition, diagnostics, hover};
use crate::project::{GameCheck, GameFolder};
use crate::script::host::Diagnostic;
use crate::script::host::api::ApiSet;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument,
    Notification as _, PublishDiagnostics,
};
use lsp_types::request::{Completion, GotoDefinition, HoverRequest, Request as _};
use lsp_types::{
    CompletionOptions, CompletionParams, CompletionResponse, DidChangeTextDocumentParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams,
    GotoDefinitionParams, GotoDefinitionResponse, Hover, HoverContents, HoverParams,
    HoverProviderCapability, InitializeParams, Location, MarkupContent, MarkupKind, OneOf,
    PublishDiagnosticsParams, Range, SaveOptions, ServerCapabilities, ServerInfo,
    TextDocumentPositionParams, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, TextDocumentSyncSaveOptions,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};

/// What ends the server early.
type ServerFailure = Box<dyn Error + Send + Sync>;

/// Serves the editor on stdin and stdout until it asks to stop.
///
/// # Errors
/// When the editor breaks the protocol, or a message cannot be read or written.
pub fn serve(folder: &GameFolder) -> Result<(), ServerFailure> {
    let (connection, threads) = Connection::stdio();
    let (id, params) = connection.initialize_start()?;
    let params: InitializeParams = serde_json::from_value(params)?;
    // Editors name files by their absolute paths. The game is the folder that is open, unless another one is named.
    let opened = opened_folder(&params).filter(|_| folder.path() == Path::new("."));
    let path = opened.unwrap_or_else(|| folder.path().into());
    let folder = folder.clone().at(std::path::absolute(path)?);
    let info = ServerInfo {
        name: "hangtime".into(),
        version: Some(env!("CARGO_PKG_VERSION").into()),
    };
    let started = json!({ "capabilities": capabilities(), "serverInfo": info });
    connection.initialize_finish(id, started)?;
    let mut server = EditorServer {
        connection: &connection,
        folder: &folder,
        game: GameCheck::new(&folder),
        open: OpenDocuments::default(),
        reported: BTreeSet::new(),
    };
    server.check_all()?;
    server.run()?;
    drop(server);
    drop(connection);
    threads.join()?;
    Ok(())
}

/// The folder that is open in the editor.
fn opened_folder(params: &InitializeParams) -> Option<PathBuf> {
    let folders = params.workspace_folders.as_deref().unwrap_or_default();
    #[allow(deprecated, reason = "all that some editors send")]
    let root = params.root_uri.as_ref();
    path_of(folders.first().map(|folder| &folder.uri).or(root)?)
}

fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(
            TextDocumentSyncOptions {
                open_close: Some(true),
                change: Some(TextDocumentSyncKind::FULL),
                save: Some(TextDocumentSyncSaveOptions::SaveOptions(
                    SaveOptions::default(),
                )),
                ..TextDocumentSyncOptions::default()
            },
        )),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some([".", ":", "\""].map(String::from).to_vec()),
            ..CompletionOptions::default()
        }),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        ..ServerCapabilities::default()
    }
}

struct EditorServer<'a> {
    connection: &'a Connection,
    folder: &'a GameFolder,
    /// The game as it was last saved.
    game: GameCheck<'a>,
    open: OpenDocuments,
    /// The files that the editor shows messages about.
    reported: BTreeSet<PathBuf>,
}

impl EditorServer<'_> {
    fn run(&mut self) -> Result<(), ServerFailure> {
        let messages = self.connection.receiver.clone();
        for message in messages {
            match message {
                Message::Request(request) => {
                    if self.connection.handle_shutdown(&request)? {
                        return Ok(());
                    }
                    let answer = self.answer(request);
                    self.connection.sender.send(Message::Response(answer))?;
                }
                Message::Notification(notification) => self.notice(notification)?,
                Message::Response(_) => {}
            }
        }
        Ok(())
    }

    fn answer(&self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let answer = match method.as_str() {
            Completion::METHOD => answer_to(params, |params: CompletionParams| {
                let items = self.complete(&params.text_document_position);
                CompletionResponse::Array(items.unwrap_or_default())
            }),
            HoverRequest::METHOD => answer_to(params, |params: HoverParams| {
                self.hover(&params.text_document_position_params)
            }),
            GotoDefinition::METHOD => answer_to(params, |params: GotoDefinitionParams| {
                let found = self.define(&params.text_document_position_params);
                GotoDefinitionResponse::Array(found.unwrap_or_default())
            }),
            _ => {
                let message = format!("hangtime does not know `{method}`");
                return Response::new_err(id, ErrorCode::MethodNotFound as i32, message);
            }
        };
        match answer {
            Ok(value) => Response::new_ok(id, value),
            Err(wrong) => Response::new_err(id, ErrorCode::InvalidParams as i32, wrong.to_string()),
        }
    }

    fn notice(&mut self, notification: Notification) -> Result<(), ServerFailure> {
        let Notification { method, params } = notification;
        match method.as_str() {
            DidOpenTextDocument::METHOD => {
                let params: DidOpenTextDocumentParams = serde_json::from_value(params)?;
                let document = params.text_document;
                if let Some(path) = self.open.put(&document.uri, document.text) {
                    self.check_open(&path)?;
                }
            }
            DidChangeTextDocument::METHOD => {
                let params: DidChangeTextDocumentParams = serde_json::from_value(params)?;
                let text = params.content_changes.into_iter().next_back();
                if let Some(text) = text
                    && let Some(path) = self.open.put(&params.text_document.uri, text.text)
                {
                    self.check_open(&path)?;
                }
            }
            DidSaveTextDocument::METHOD => {
                let _: DidSaveTextDocumentParams = serde_json::from_value(params)?;
                self.check_all()?;
            }
            DidCloseTextDocument::METHOD => {
                let params: DidCloseTextDocumentParams = serde_json::from_value(params)?;
                // What was not saved no longer counts.
                if self.open.close(&params.text_document.uri).is_some() {
                    self.check_all()?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Reads the game again and reports the messages of all files.
    fn check_all(&mut self) -> Result<(), ServerFailure> {
        self.game = GameCheck::new(self.folder);
        let mut found = crate::project::check(self.folder.clone(), &[])?.diagnostics;
        // The texts in the editor count, not those on disk.
        let unsaved: Vec<(PathBuf, String)> = self
            .open
            .all()
            .filter(|(path, text)| self.game.saved(path).is_some_and(|disk| disk != *text))
            .map(|(path, text)| (path.into(), text.into()))
            .collect();
        for (path, text) in unsaved {
            found.retain(|d| self.folder.path().join(d.file_name()) != path);
            found.extend(self.game.check_text(&path, text));
        }
        let mut files: BTreeSet<PathBuf> = std::mem::take(&mut self.reported);
        let with_messages = found.iter().map(|d| self.folder.path().join(d.file_name()));
        let with_messages: BTreeSet<PathBuf> = with_messages.collect();
        files.extend(with_messages.iter().cloned());
        for path in &files {
            let about = |d: &&Diagnostic| self.folder.path().join(d.file_name()) == *path;
            let about: Vec<Diagnostic> = found.iter().filter(about).cloned().collect();
            self.publish(path, &about)?;
        }
        self.reported = with_messages;
        Ok(())
    }

    /// Reports the messages of a file as it is in the editor.
    fn check_open(&mut self, path: &Path) -> Result<(), ServerFailure> {
        let Some(text) = self.open.text(path) else {
            return Ok(());
        };
        let mut found = self.game.check_text(path, text.into());
        found.retain(|d| self.folder.path().join(d.file_name()) == path);
        self.reported.insert(path.into());
        self.publish(path, &found)
    }

    fn publish(&self, path: &Path, found: &[Diagnostic]) -> Result<(), ServerFailure> {
        let Some(uri) = uri_of(path) else {
            return Ok(());
        };
        let params = PublishDiagnosticsParams::new(uri, diagnostics::shown(found), None);
        let method = PublishDiagnostics::METHOD.to_string();
        let message = Notification::new(method, params);
        Ok(self.connection.sender.send(message.into())?)
    }

    /// The file at the cursor, its text, and the byte of the cursor.
    fn at_cursor(&self, at: &TextDocumentPositionParams) -> Option<(PathBuf, String, usize)> {
        let path = path_of(&at.text_document.uri)?;
        let text = match self.open.text(&path) {
            Some(text) => text.into(),
            None => self.game.saved(&path)?,
        };
        let offset = offset_at(&text, at.position);
        Some((path, text, offset))
    }

    fn complete(&self, at: &TextDocumentPositionParams) -> Option<Vec<lsp_types::CompletionItem>> {
        let (path, text, offset) = self.at_cursor(at)?;
        if is_toml(&path) {
            return Some(completion::in_toml(&text, offset));
        }
        let source = completion::CompletionSource {
            api_set: self.api_set(&path, &text),
            text: &text,
            game: &self.game,
        };
        Some(completion::in_script(&source, offset))
    }

    fn hover(&self, at: &TextDocumentPositionParams) -> Option<Hover> {
        let (path, text, offset) = self.at_cursor(at)?;
        let value = if is_toml(&path) {
            hover::in_toml(&text, offset)
        } else {
            hover::in_script(&text, offset, self.api_set(&path, &text))
        };
        let contents = HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value: value?,
        });
        Some(Hover {
            contents,
            range: None,
        })
    }

    fn define(&self, at: &TextDocumentPositionParams) -> Option<Vec<Location>> {
        let (path, text, offset) = self.at_cursor(at)?;
        let found = if is_toml(&path) {
            definition::in_toml(&text, offset, &self.game)
        } else {
            definition::in_script(&text, offset, &path, &self.game)
        };
        let location = |found: Definition| {
            let text = found.text.as_deref().unwrap_or(&text);
            let (start, end) = (found.span.start, found.span.end);
            let range = Range::new(position_at(text, start), position_at(text, end));
            Some(Location::new(uri_of(&found.path)?, range))
        };
        Some(found.into_iter().filter_map(location).collect())
    }

    /// What a script can call.
    fn api_set(&self, path: &Path, text: &str) -> ApiSet {
        let in_levels = path.starts_with(self.folder.path().join("levels"));
        if in_levels || text.contains("fn test_") {
            ApiSet::Test
        } else {
            ApiSet::Behavior
        }
    }
}

fn is_toml(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "toml")
}

/// The answer to a request with these parameters.
fn answer_to<P: DeserializeOwned, A: Serialize>(
    params: Value,
    answer: impl FnOnce(P) -> A,
) -> serde_json::Result<Value> {
    serde_json::to_value(answer(serde_json::from_value(params)?))
}
