//! Completion: what fits at the cursor.

use super::cursor::{CursorWord, QuotedArgument, hook_around, owner_of};
use super::names::{functions_of, model_around, texts_of, variables_of};
use hangtime_game::GameCheck;
use hangtime_rhai::{api_entries, reference};
use hangtime_script::api::{ApiEntry, ApiSet, EntryKind, Owner, Type};
use hangtime_script::hooks;
use lsp_types::{CompletionItem, CompletionItemKind, Documentation, InsertTextFormat, MarkupContent, MarkupKind};

/// A file that is completed, and its game.
pub(super) struct CompletionSource<'a> {
    pub text: &'a str,
    /// The name of the file.
    pub name: &'a str,
    pub api_set: ApiSet,
    pub game: &'a GameCheck<'a>,
}

/// What fits at a byte of a script.
pub(super) fn in_script(source: &CompletionSource<'_>, offset: usize) -> Vec<CompletionItem> {
    let text = source.text;
    if let Some(quoted) = QuotedArgument::at(text, offset) {
        return of_quoted(&quoted, source);
    }
    let cursor = CursorWord::at(text, offset);
    let line = text[..cursor.at].rfind('\n').map_or(0, |at| at + 1);
    let before_word = text[line..cursor.at].trim_start();
    let items = if before_word == "fn " {
        if source.api_set == ApiSet::Test {
            return Vec::new();
        }
        hook_items()
    } else if cursor.module {
        match cursor.before {
            "world" => of_owner(Owner::World, source),
            module => of_module(module, source),
        }
    } else if cursor.is_member(text) {
        of_member(&cursor, source)
    } else {
        of_nothing(source)
    };
    let fits = |item: &CompletionItem| item.label.starts_with(cursor.start);
    items.into_iter().filter(fits).collect()
}

/// The keys that fit at a byte of a TOML file: the tunables of the model whose table it is in.
pub(super) fn in_toml(text: &str, offset: usize) -> Vec<CompletionItem> {
    let line = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let start = text[line..offset].trim_start();
    let word = start.chars().all(|c| c.is_alphanumeric() || c == '_');
    let Some(model) = model_around(text, offset).filter(|_| word) else {
        return Vec::new();
    };
    let tunables = model.tunables().into_iter();
    let fitting = tunables.filter(|tunable| tunable.name.starts_with(start));
    let item = |tunable: hangtime_core::tuning::Tunable| {
        let full = format!("{}.{}", model.as_str(), tunable.name);
        CompletionItem {
            kind: Some(CompletionItemKind::PROPERTY),
            detail: Some(format!("{} {}", tunable.default, tunable.unit)),
            documentation: described(&full),
            insert_text: Some(format!("{} = ", tunable.name)),
            ..plain(tunable.name)
        }
    };
    fitting.map(item).collect()
}

fn plain(label: &str) -> CompletionItem {
    CompletionItem { label: label.into(), ..CompletionItem::default() }
}

/// The text of the reference about a name.
fn described(name: &str) -> Option<Documentation> {
    let found = reference::find(name).ok()?;
    let text: Vec<String> = found.iter().map(|item| item.markdown()).collect();
    Some(Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value: text.join("\n\n---\n\n") }))
}

/// All hooks, as functions to fill in.
fn hook_items() -> Vec<CompletionItem> {
    let item = |hook: &'static hangtime_script::ScriptHook| {
        let signature = hook.signature();
        let signature = signature.split('`').next_back().unwrap_or_default();
        CompletionItem {
            kind: Some(CompletionItemKind::FUNCTION),
            detail: Some(signature.into()),
            documentation: described(hook.name),
            insert_text: Some(format!("{signature} {{\n    $0\n}}")),
            insert_text_format: Some(InsertTextFormat::SNIPPET),
            ..plain(hook.name)
        }
    };
    hooks().map(item).collect()
}

/// What can be written after a value or `world::`.
fn of_owner(owner: Owner, source: &CompletionSource<'_>) -> Vec<CompletionItem> {
    let mut items: Vec<CompletionItem> = Vec::new();
    let fitting = api_entries()
        .iter()
        .filter(|e| e.owner == owner && e.api_set.is_in(source.api_set) && e.kind != EntryKind::Operator);
    for entry in fitting {
        // Overloads have the same text of the reference.
        if items.iter().all(|item| item.label != entry.name) {
            items.push(of_entry(entry));
        }
    }
    items
}

fn of_entry(entry: &ApiEntry) -> CompletionItem {
    let full = format!("{}{}", entry.owner.prefix(), entry.name);
    let is_call = entry.kind == EntryKind::Function;
    let text = match (is_call, entry.parameters.is_empty()) {
        (false, _) => entry.name.to_string(),
        (true, true) => format!("{}()", entry.name),
        (true, false) => format!("{}($0)", entry.name),
    };
    let (unit, returns) = (entry.unit, entry.returns.spoken());
    let detail = match (entry.returns, unit) {
        (Type::Nothing, _) => entry.signature(),
        (_, "") => format!("{}: {returns}", entry.signature()),
        _ => format!("{}: {returns} ({unit})", entry.signature()),
    };
    CompletionItem {
        kind: Some(match is_call {
            true => CompletionItemKind::METHOD,
            false => CompletionItemKind::PROPERTY,
        }),
        detail: Some(detail),
        documentation: described(&full),
        insert_text: Some(text),
        insert_text_format: Some(InsertTextFormat::SNIPPET),
        ..plain(entry.name)
    }
}

/// The members of the value before the dot.
fn of_member(cursor: &CursorWord<'_>, source: &CompletionSource<'_>) -> Vec<CompletionItem> {
    let text = source.text;
    if cursor.before == "this" && source.api_set != ApiSet::Test {
        return of_this(source);
    }
    if let Some((hook, parameter)) = hook_around(text, cursor.at)
        && cursor.before == parameter
    {
        let fields = hook.about.into_iter().flat_map(|shape| shape.fields());
        let item = |field: &hangtime_script::api::Field| CompletionItem {
            kind: Some(CompletionItemKind::FIELD),
            detail: Some(field.described()),
            ..plain(field.name)
        };
        return fields.map(item).collect();
    }
    let owner = owner_of(cursor.before, text, source.api_set);
    owner.map_or_else(Vec::new, |owner| of_owner(owner, source))
}

/// Variables, and the script's own functions, which `this.` calls.
fn of_this(source: &CompletionSource<'_>) -> Vec<CompletionItem> {
    let variables = variables_of(source.text, source.game).into_iter();
    let variables = variables.map(|name| CompletionItem {
        kind: Some(CompletionItemKind::VARIABLE),
        detail: Some("a variable of this script".into()),
        ..plain(&name)
    });
    variables.chain(own_functions(source.text)).collect()
}

fn own_functions(text: &str) -> Vec<CompletionItem> {
    let functions = functions_of(text).into_iter();
    let own = functions.filter(|(name, _)| hangtime_script::find_hook(name).is_none());
    own.map(|(name, parameters)| CompletionItem {
        kind: Some(CompletionItemKind::FUNCTION),
        detail: Some(format!("fn {name}({parameters})")),
        insert_text: Some(format!("{name}($0)")),
        insert_text_format: Some(InsertTextFormat::SNIPPET),
        ..plain(name)
    })
    .collect()
}

/// The functions of an imported file.
fn of_module(module: &str, source: &CompletionSource<'_>) -> Vec<CompletionItem> {
    let path = imported_path(module, source.text);
    let file = path.and_then(|path| source.game.imported(source.name, path));
    file.map_or_else(Vec::new, |file| own_functions(&file.text))
}

/// The path that a script imports as a module.
pub(super) fn imported_path<'t>(module: &str, text: &'t str) -> Option<&'t str> {
    let mut imports = text.lines().filter_map(|line| {
        let rest = line.trim().strip_prefix("import \"")?;
        let (path, rest) = rest.split_once('"')?;
        let name = rest.trim().strip_prefix("as ")?.trim_end_matches(';');
        (name.trim() == module).then_some(path)
    });
    imports.next_back()
}

/// What can begin an expression.
fn of_nothing(source: &CompletionSource<'_>) -> Vec<CompletionItem> {
    let mut items = of_owner(Owner::Free, source);
    items.extend(own_functions(source.text));
    let words: &[&str] = match source.api_set {
        ApiSet::Test => &["t"],
        _ => &["me", "this", "world"],
    };
    items.extend(
        words
            .iter()
            .map(|word| CompletionItem { kind: Some(CompletionItemKind::KEYWORD), ..plain(word) }),
    );
    items
}

/// The names that fit in an argument of a call.
fn of_quoted(quoted: &QuotedArgument<'_>, source: &CompletionSource<'_>) -> Vec<CompletionItem> {
    let named = api_entries().iter();
    let mut named = named.filter(|e| e.name == quoted.call && e.api_set.is_in(source.api_set));
    let names = named.find_map(|e| match e.parameters.get(quoted.number)?.takes {
        Type::Name(names) => Some(names),
        _ => None,
    });
    let Some(names) = names else {
        return Vec::new();
    };
    let texts = texts_of(names, source.game).into_iter();
    let fitting = texts.filter(|text| text.starts_with(quoted.start));
    fitting
        .map(|text| CompletionItem {
            kind: Some(CompletionItemKind::VALUE),
            detail: Some(names.what().into()),
            ..plain(&text)
        })
        .collect()
}
