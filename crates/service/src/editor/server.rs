//! The server: reads messages of the editor, one after another, and answers them.

use super::definition::Definition;
use super::documents::OpenDocuments;
use super::location::{offset_at, path_of, position_at, uri_of};
use super::{completion, definition, diagnostics, hover};
use hangtime_game::{GameCheck, GameFolder};
use hangtime_script::Diagnostic;
use hangtime_script::api::ApiSet;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, Notification as _,
    PublishDiagnostics,
};
use lsp_types::request::{Completion, GotoDefinition, HoverRequest, Request as _};
use lsp_types::{
    CompletionOptions, CompletionParams, CompletionResponse, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, GotoDefinitionParams, GotoDefinitionResponse, Hover,
    HoverContents, HoverParams, HoverProviderCapability, InitializeParams, Location, MarkupContent, MarkupKind, OneOf,
    PublishDiagnosticsParams, Range, SaveOptions, ServerCapabilities, ServerInfo, TextDocumentPositionParams,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions, TextDocumentSyncSaveOptions,
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
    let info = ServerInfo { name: "hangtime".into(), version: Some(env!("CARGO_PKG_VERSION").into()) };
    let started = json!({ "capabilities": capabilities(), "serverInfo": info });
    connection.initialize_finish(id, started)?;
    let mut server = EditorServer {
        connection: &connection,
        folder: &folder,
        game: GameCheck::new(&folder),
        open: OpenDocuments::default(),
        reported: BTreeSet::new(),
        changed: BTreeSet::new(),
        is_saved: false,
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
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::FULL),
            save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions::default())),
            ..TextDocumentSyncOptions::default()
        })),
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
    /// The names of the files that the editor shows messages about.
    reported: BTreeSet<String>,
    /// The files whose text has changed in the editor since they were checked.
    changed: BTreeSet<PathBuf>,
    /// Whether files on disk may have changed since all of them were checked.
    is_saved: bool,
}

impl EditorServer<'_> {
    fn run(&mut self) -> Result<(), ServerFailure> {
        let messages = self.connection.receiver.clone();
        for message in &messages {
            match message {
                Message::Request(request) => {
                    if self.connection.handle_shutdown(&request)? {
                        return Ok(());
                    }
                    let answer = self.answer(request);
                    self.connection.sender.send(Message::Response(answer))?;
                }
                // What cannot be read has no answer that could say so.
                Message::Notification(notification) => drop(self.notice(notification)),
                Message::Response(_) => {}
            }
            // Of many changes in a row only the last text is checked.
            if messages.is_empty() {
                self.check_changed()?;
            }
        }
        Ok(())
    }

    /// Checks what has changed since the last time.
    fn check_changed(&mut self) -> Result<(), ServerFailure> {
        let changed = std::mem::take(&mut self.changed);
        if std::mem::take(&mut self.is_saved) {
            return self.check_all();
        }
        changed.iter().try_for_each(|path| self.check_open(path))
    }

    fn answer(&self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let answer = match method.as_str() {
            Completion::METHOD => answer_to(params, |params: CompletionParams| {
                let items = self.complete(&params.text_document_position);
                CompletionResponse::Array(items.unwrap_or_default())
            }),
            HoverRequest::METHOD => {
                answer_to(params, |params: HoverParams| self.hover(&params.text_document_position_params))
            }
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

    /// Notes what an editor reports.
    ///
    /// # Errors
    /// If it cannot be read; it has no effect then.
    fn notice(&mut self, notification: Notification) -> serde_json::Result<()> {
        let Notification { method, params } = notification;
        match method.as_str() {
            DidOpenTextDocument::METHOD => {
                let params: DidOpenTextDocumentParams = serde_json::from_value(params)?;
                let document = params.text_document;
                self.changed.extend(self.open.put(&document.uri, document.text));
            }
            DidChangeTextDocument::METHOD => {
                let params: DidChangeTextDocumentParams = serde_json::from_value(params)?;
                if let Some(text) = params.content_changes.into_iter().next_back() {
                    let uri = &params.text_document.uri;
                    self.changed.extend(self.open.put(uri, text.text));
                }
            }
            DidSaveTextDocument::METHOD => {
                let _: DidSaveTextDocumentParams = serde_json::from_value(params)?;
                self.is_saved = true;
            }
            DidCloseTextDocument::METHOD => {
                let params: DidCloseTextDocumentParams = serde_json::from_value(params)?;
                // What was not saved no longer counts.
                self.is_saved |= self.open.close(&params.text_document.uri).is_some();
            }
            _ => {}
        }
        Ok(())
    }

    /// Reads the game again and reports the messages of all files.
    fn check_all(&mut self) -> Result<(), ServerFailure> {
        self.game = GameCheck::new(self.folder);
        let mut found = hangtime_game::check(self.folder.clone(), &[])?.diagnostics;
        // The texts in the editor count, not those on disk.
        for (path, text) in self.open.all() {
            if self.game.saved(path).is_some_and(|disk| disk == text) {
                continue;
            }
            if let Some(typed) = self.game.check_text(path, text.into()) {
                let name = self.game.name_of(path);
                found.retain(|d| d.file_name() != name);
                found.extend(typed);
            }
        }
        let mut files = std::mem::take(&mut self.reported);
        let with_messages: BTreeSet<String> = found.iter().map(|d| d.file_name().to_string()).collect();
        files.extend(with_messages.iter().cloned());
        for name in &files {
            let about = found.iter().filter(|d| d.file_name() == name);
            let about: Vec<Diagnostic> = about.cloned().collect();
            self.publish(&self.path_of(name), &about)?;
        }
        self.reported = with_messages;
        Ok(())
    }

    /// The path of a file, as the editor has it if it is open there.
    fn path_of(&self, name: &str) -> PathBuf {
        let mut open = self.open.all().map(|(path, _)| path);
        let open = open.find(|path| self.game.name_of(path) == name);
        open.map_or_else(|| self.folder.path().join(name), Path::to_path_buf)
    }

    /// Reports the messages of a file as it is in the editor.
    fn check_open(&mut self, path: &Path) -> Result<(), ServerFailure> {
        let text = self.open.text(path);
        let found = text.and_then(|text| self.game.check_text(path, text.into()));
        let Some(mut found) = found else {
            return Ok(());
        };
        let name = self.game.name_of(path);
        found.retain(|d| d.file_name() == name);
        self.reported.insert(name);
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
            name: &self.game.name_of(&path),
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
        let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: value? });
        Some(Hover { contents, range: None })
    }

    fn define(&self, at: &TextDocumentPositionParams) -> Option<Vec<Location>> {
        let (path, text, offset) = self.at_cursor(at)?;
        let found = if is_toml(&path) {
            definition::in_toml(&text, offset, &path, &self.game)
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
        if self.game.is_in_levels(path) || text.contains("fn test_") {
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
