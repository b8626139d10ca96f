//! The server: reads messages of the editor, one after another, and answers them.

use super::wire::EditorWire;
use super::*;
use hangtime_game::GameFolder;
use hangtime_play::calls::calls_of_tests;
use hangtime_script::{Diagnostic, Severity};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{
    self, DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, Notification as _,
    PublishDiagnostics,
};
use lsp_types::request::{self, Completion, GotoDefinition, HoverRequest, Request as _};
use lsp_types::{
    CompletionResponse, DiagnosticSeverity, GotoDefinitionResponse, Hover, HoverContents, InitializeParams,
    MarkupContent, MarkupKind, PublishDiagnosticsParams, Range, TextDocumentPositionParams, TextDocumentSyncKind, Uri,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;

/// What ends the server early.
pub type ServerFailure = Box<dyn Error + Send + Sync>;

/// Serves the editor on stdin and stdout until it asks to stop.
///
/// # Errors
/// When the editor breaks the protocol, or a message cannot be read or written.
pub fn serve(folder: &GameFolder) -> Result<(), ServerFailure> {
    let (connection, wire) = EditorWire::open()?;
    let served = serve_on(&connection, folder);
    drop(connection);
    if let Some(why) = wire.lost() {
        return Err(why.to_string().into());
    }
    // Otherwise, the editor may send nothing more, and never end.
    served?;
    Ok(wire.close()?)
}

/// Serves an editor on a connection until it asks to stop.
///
/// # Errors
/// As for [`serve`].
pub fn serve_on(connection: &Connection, folder: &GameFolder) -> Result<(), ServerFailure> {
    let (id, params) = connection.initialize_start()?;
    let params: InitializeParams = serde_json::from_value(params)?;
    // Editors name files by their absolute paths. The game is the folder that is open, unless another one is named.
    let opened = opened_folder(&params).filter(|_| folder.path() == Path::new("."));
    let path = opened.unwrap_or_else(|| folder.path().into());
    let folder = folder.clone().at(std::path::absolute(path)?);
    let started = json!({
        "capabilities": {
            "textDocumentSync": { "openClose": true, "change": TextDocumentSyncKind::FULL, "save": {} },
            "completionProvider": { "triggerCharacters": [".", ":", "\""] },
            "hoverProvider": true,
            "definitionProvider": true,
        },
        "serverInfo": { "name": "hangtime", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, started)?;
    let mut server = EditorServer {
        connection,
        folder: &folder,
        game: GameCheck::new(&folder, &calls_of_tests()),
        open: BTreeMap::new(),
        reported: BTreeSet::new(),
        changed: BTreeSet::new(),
        is_saved: false,
    };
    server.check_all()?;
    server.run()
}

/// The folder that is open in the editor.
fn opened_folder(params: &InitializeParams) -> Option<PathBuf> {
    let folders = params.workspace_folders.as_deref().unwrap_or_default();
    #[allow(deprecated, reason = "some editors send nothing else")]
    let root = params.root_uri.as_ref();
    path_of(folders.first().map(|folder| &folder.uri).or(root)?)
}

struct EditorServer<'a> {
    connection: &'a Connection,
    folder: &'a GameFolder,
    /// The game as it was last saved.
    game: GameCheck<'a>,
    /// The texts of open files, which may not be saved.
    open: BTreeMap<PathBuf, String>,
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
            self.check_all()?;
        }
        changed.iter().try_for_each(|path| self.check_open(path))
    }

    fn answer(&self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let answer = match method.as_str() {
            Completion::METHOD => answer_to::<Completion>(params, |params| {
                let items = self.at_cursor(&params.text_document_position, completions);
                Some(CompletionResponse::Array(items.unwrap_or_default()))
            }),
            HoverRequest::METHOD => answer_to::<HoverRequest>(params, |params| {
                let value = self.at_cursor(&params.text_document_position_params, hover)??;
                let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
                Some(Hover { contents, range: None })
            }),
            GotoDefinition::METHOD => answer_to::<GotoDefinition>(params, |params| {
                let found = self.at_cursor(&params.text_document_position_params, definitions);
                Some(GotoDefinitionResponse::Array(found.unwrap_or_default()))
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
                let document = read::<DidOpenTextDocument>(params)?.text_document;
                self.put(&document.uri, document.text);
            }
            DidChangeTextDocument::METHOD => {
                let mut params = read::<DidChangeTextDocument>(params)?;
                if let Some(text) = params.content_changes.pop() {
                    self.put(&params.text_document.uri, text.text);
                }
            }
            DidSaveTextDocument::METHOD => self.is_saved = true,
            DidCloseTextDocument::METHOD => {
                // What was not saved no longer counts.
                let path = path_of(&read::<DidCloseTextDocument>(params)?.text_document.uri);
                self.is_saved |= path.is_some_and(|path| self.open.remove(&path).is_some());
            }
            _ => {}
        }
        Ok(())
    }

    /// Keeps the text of a file that is opened or changed.
    fn put(&mut self, uri: &Uri, text: String) {
        if let Some(path) = path_of(uri) {
            self.open.insert(path.clone(), text);
            self.changed.insert(path);
        }
    }

    /// Reads the game again and reports the messages of all files.
    fn check_all(&mut self) -> Result<(), ServerFailure> {
        self.game = GameCheck::new(self.folder, &calls_of_tests());
        let mut found = hangtime_game::check(self.folder.clone(), &[], &calls_of_tests())?.diagnostics;
        // The texts in the editor count, not those on disk.
        for (path, text) in &self.open {
            if self.game.saved(path).is_some_and(|disk| disk == *text) {
                continue;
            }
            if let Some(typed) = self.game.check_text(path, text.clone()) {
                let name = self.game.name_of(path);
                found.retain(|d| d.file_name() != name);
                found.extend(typed);
            }
        }
        let mut files = std::mem::take(&mut self.reported);
        let with_messages: BTreeSet<String> = found.iter().map(|d| d.file_name().to_string()).collect();
        files.extend(with_messages.iter().cloned());
        for name in &files {
            let about: Vec<Diagnostic> = found.iter().filter(|d| d.file_name() == name).cloned().collect();
            self.publish(&self.path_of(name), &about)?;
        }
        self.reported = with_messages;
        Ok(())
    }

    /// The path of a file, as the editor has it if it is open there.
    fn path_of(&self, name: &str) -> PathBuf {
        let open = self.open.keys().find(|path| self.game.name_of(path) == name);
        open.cloned().unwrap_or_else(|| self.folder.path().join(name))
    }

    /// Reports the messages of a file as it is in the editor.
    fn check_open(&mut self, path: &Path) -> Result<(), ServerFailure> {
        let text = self.open.get(path);
        let Some(mut found) = text.and_then(|text| self.game.check_text(path, text.clone())) else {
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
        let params = PublishDiagnosticsParams::new(uri, found.iter().map(shown).collect(), None);
        let message = Notification::new(PublishDiagnostics::METHOD.into(), params);
        Ok(self.connection.sender.send(message.into())?)
    }

    /// What `find` finds at the cursor.
    fn at_cursor<R>(&self, at: &TextDocumentPositionParams, find: fn(&EditedFile<'_>) -> R) -> Option<R> {
        let path = path_of(&at.text_document.uri)?;
        let text = match self.open.get(&path) {
            Some(text) => text.clone(),
            None => self.game.saved(&path)?,
        };
        let offset = offset_at(&text, at.position);
        Some(find(&EditedFile { path: &path, text: &text, offset, game: &self.game }))
    }
}

/// A message of `hangtime check` as an editor shows it.
fn shown(found: &Diagnostic) -> lsp_types::Diagnostic {
    let place = found.place.as_ref();
    lsp_types::Diagnostic {
        range: place.map_or_else(Range::default, |place| range_in(&place.file.text, place.span.clone())),
        severity: Some(match found.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        source: Some("hangtime".into()),
        message: found.message.clone(),
        ..lsp_types::Diagnostic::default()
    }
}

/// The parameters of a notification.
fn read<N: notification::Notification>(params: Value) -> serde_json::Result<N::Params> {
    serde_json::from_value(params)
}

/// The answer to a request with these parameters.
fn answer_to<R: request::Request>(
    params: Value,
    answer: impl FnOnce(R::Params) -> R::Result,
) -> serde_json::Result<Value> {
    serde_json::to_value(answer(serde_json::from_value(params)?))
}
