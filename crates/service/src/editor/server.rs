//! The server: reads messages of the editor, one after another, and answers them.

use super::*;
use hangtime_script::Severity;
use lsp_server::{ErrorCode, Notification, Response};
use lsp_types::{
    CodeActionKind, CodeActionParams, DiagnosticSeverity, DocumentFormattingParams, DocumentSymbolParams,
    FormattingOptions, Hover, HoverContents, InitializeParams, InlayHintParams, PublishDiagnosticsParams, Range,
    RenameParams, TextDocumentPositionParams, TextDocumentSyncKind, WorkspaceSymbolParams, notification,
    notification::{
        DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, Notification as _,
        PublishDiagnostics,
    },
    request::{
        CodeActionRequest, Completion, DocumentSymbolRequest, Formatting, GotoDefinition, HoverRequest,
        InlayHintRequest, PrepareRenameRequest, References, Rename, Request as _, SignatureHelpRequest,
        WorkspaceSymbolRequest,
    },
};
use serde::de::DeserializeOwned;
use serde_json::Value;
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
            "signatureHelpProvider": { "triggerCharacters": ["(", ","] },
            "referencesProvider": true,
            "renameProvider": { "prepareProvider": true },
            "codeActionProvider": { "codeActionKinds": [CodeActionKind::QUICKFIX] },
            "documentSymbolProvider": true,
            "workspaceSymbolProvider": true,
            "documentFormattingProvider": true,
            "inlayHintProvider": true,
        },
        "serverInfo": { "name": "hangtime", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, started)?;
    let workspace = params.capabilities.workspace.as_ref();
    let refreshes = workspace.and_then(|it| it.inlay_hint.as_ref()?.refresh_support).unwrap_or_default();
    let _moment = refreshes.then(|| refresh_hints(connection, &folder)).transpose()?;
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
        let changed = mem::take(&mut self.changed);
        if mem::take(&mut self.is_saved) {
            self.check_all()?;
        }
        changed.iter().try_for_each(|path| self.check_open(path))
    }

    fn answer(&self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let answer = match method.as_str() {
            Completion::METHOD => self.answer_at(params, completions),
            HoverRequest::METHOD => self.answer_at(params, |file| {
                let contents = HoverContents::Markup(markdown(hover(file)?));
                Some(Hover { contents, range: None })
            }),
            GotoDefinition::METHOD => self.answer_at(params, definitions),
            SignatureHelpRequest::METHOD => self.answer_at(params, signatures),
            References::METHOD => self.answer_at(params, references),
            PrepareRenameRequest::METHOD => {
                self.answer_at(params, |file| name_at(file).map(|(_, span)| range_in(file.text, span)))
            }
            Rename::METHOD => {
                let read = serde_json::from_value(params);
                let renamed = read.map(|RenameParams { text_document_position: at, new_name, .. }| {
                    self.at_cursor(&at, |file| rename(file, &new_name)).transpose()
                });
                match renamed {
                    Ok(Err(why)) => return Response::new_err(id, ErrorCode::RequestFailed as i32, why),
                    Ok(Ok(edit)) => serde_json::to_value(edit),
                    Err(wrong) => Err(wrong),
                }
            }
            CodeActionRequest::METHOD => answer_to(params, |params: CodeActionParams| self.actions(&params)),
            DocumentSymbolRequest::METHOD => answer_to(params, |params: DocumentSymbolParams| {
                self.in_file(&params.text_document.uri, symbols_of_file).unwrap_or_default()
            }),
            WorkspaceSymbolRequest::METHOD => answer_to(params, |params: WorkspaceSymbolParams| {
                symbols_of_game(&self.game, &self.open, &params.query)
            }),
            InlayHintRequest::METHOD => answer_to(params, |params: InlayHintParams| {
                let moment = ShownMoment::read(self.folder)?;
                self.in_file(&params.text_document.uri, |file| inlay_hints(file, params.range, &moment))
            }),
            Formatting::METHOD => answer_to(params, |params: DocumentFormattingParams| {
                let FormattingOptions { tab_size, insert_spaces, .. } = params.options;
                let unit = if insert_spaces {
                    " ".repeat(tab_size.clamp(1, 16) as usize)
                } else {
                    "\t".into()
                };
                self.in_file(&params.text_document.uri, |file| formatted(file, &unit)).unwrap_or_default()
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

    /// The fixes for the messages that the editor shows at a place.
    fn actions(&self, params: &CodeActionParams) -> Vec<Value> {
        let uri = &params.text_document.uri;
        let of_message = |file: &EditedFile<'_>, shown: &lsp_types::Diagnostic| -> Vec<Value> {
            let span = offset_at(file.text, shown.range.start)..offset_at(file.text, shown.range.end);
            let all = fixes(file.text, span, &shown.message);
            let is_only = all.len() == 1;
            let action = |fix: NameFix| {
                let edit = TextEdit::new(range_in(file.text, fix.span.clone()), fix.text.clone());
                json!({
                    "title": format!("Replace `{}` with `{}`", &file.text[fix.span], fix.text),
                    "kind": CodeActionKind::QUICKFIX,
                    "diagnostics": [shown],
                    "isPreferred": is_only,
                    "edit": { "changes": { uri.as_str(): [edit] } },
                })
            };
            all.into_iter().map(action).collect()
        };
        let messages = &params.context.diagnostics;
        let found = self.in_file(uri, |file| messages.iter().flat_map(|it| of_message(file, it)).collect());
        found.unwrap_or_default()
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
        let mut files = mem::take(&mut self.reported);
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

    /// The answer to a request about a place: what `find` finds there.
    fn answer_at<R: Serialize + Default>(
        &self,
        params: Value,
        find: impl FnOnce(&EditedFile<'_>) -> R,
    ) -> serde_json::Result<Value> {
        answer_to(params, |at: TextDocumentPositionParams| self.at_cursor(&at, find).unwrap_or_default())
    }

    /// What `find` finds at the cursor.
    fn at_cursor<R>(&self, at: &TextDocumentPositionParams, find: impl FnOnce(&EditedFile<'_>) -> R) -> Option<R> {
        self.in_file(&at.text_document.uri, |file| {
            find(&EditedFile { offset: offset_at(file.text, at.position), ..*file })
        })
    }

    /// What `find` finds in a file as it is in the editor.
    fn in_file<R>(&self, uri: &Uri, find: impl FnOnce(&EditedFile<'_>) -> R) -> Option<R> {
        let path = path_of(uri)?;
        let saved = if self.open.contains_key(&path) { None } else { Some(self.game.saved(&path)?) };
        let text = saved.as_ref().or_else(|| self.open.get(&path))?;
        Some(find(&EditedFile::new(&path, text, &self.game, &self.open)))
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
fn answer_to<P: DeserializeOwned, R: Serialize>(
    params: Value,
    answer: impl FnOnce(P) -> R,
) -> serde_json::Result<Value> {
    serde_json::to_value(answer(serde_json::from_value(params)?))
}
