//! Completion: what fits at the cursor.

use super::*;
use lsp_types::{CompletionItem, CompletionItemKind, InsertTextFormat};

/// What fits at the cursor.
pub fn completions(file: &EditedFile<'_>) -> Vec<CompletionItem> {
    let words = Words::of(file);
    if let Some(i) = words.text_at(file.offset) {
        return texts(&words, i);
    }
    if file.is_toml() {
        return keys(file);
    }
    let cursor = file.word();
    let line = file.head();
    let declares = line[..line.len() - cursor.start.len()]
        .trim_start()
        .strip_prefix(file.spelling().function);
    let items = if declares == Some(" ") {
        match file.api_set {
            ApiSet::Test => Vec::new(),
            _ => hook_items(file),
        }
    } else if cursor.module {
        match Owner::module(cursor.before) {
            Some(owner) => of_owner(owner, file),
            None => file
                .imported(cursor.before)
                .map_or_else(Vec::new, |module| function_items(file, file.language().module_functions(&module.text))),
        }
    } else if cursor.is_member {
        of_member(&cursor, file)
    } else {
        of_nothing(file)
    };
    items.into_iter().filter(|item| item.label.starts_with(cursor.start)).collect()
}

fn item(label: &str, kind: CompletionItemKind, detail: impl Into<String>) -> CompletionItem {
    CompletionItem { label: label.into(), kind: Some(kind), detail: Some(detail.into()), ..CompletionItem::default() }
}

/// The same item, with this text to insert, where `$0` is for the cursor.
fn inserting(item: CompletionItem, text: String) -> CompletionItem {
    CompletionItem { insert_text: Some(text), insert_text_format: Some(InsertTextFormat::SNIPPET), ..item }
}

/// The same item, with the text of the reference about a name.
fn documented(file: &EditedFile<'_>, item: CompletionItem, name: &str) -> CompletionItem {
    let text = described(file.language(), name).map(markdown);
    CompletionItem { documentation: text.map(Documentation::MarkupContent), ..item }
}

/// The keys that fit in a TOML file: the tunables of the model whose table the cursor is in.
fn keys(file: &EditedFile<'_>) -> Vec<CompletionItem> {
    let start = file.head().trim_start();
    let is_word = start.chars().all(in_word);
    let Some(model) = file.model().filter(|_| is_word) else {
        return Vec::new();
    };
    let tunables = model.tunables().iter().filter(|tunable| tunable.name.starts_with(start));
    let key = |tunable: &hangtime_core::tuning::Tunable| {
        let detail = format!("{} {}", tunable.default, tunable.unit);
        let key = CompletionItem {
            insert_text: Some(format!("{} = ", tunable.name)),
            ..item(tunable.name, CompletionItemKind::PROPERTY, detail)
        };
        documented(file, key, &format!("{}.{}", model.as_str(), tunable.name))
    };
    tunables.map(key).collect()
}

/// All hooks, as functions to fill in.
fn hook_items(file: &EditedFile<'_>) -> Vec<CompletionItem> {
    let [begin, end] = file.spelling().body;
    let function = |hook: &'static hangtime_script::ScriptHook| {
        let signature = hook.signature();
        let signature = signature.split('`').next_back().unwrap_or_default();
        let function = item(hook.name, CompletionItemKind::FUNCTION, signature);
        documented(file, inserting(function, format!("{signature}{begin}\n    $0\n{end}")), hook.name)
    };
    hooks().map(function).collect()
}

/// What can be written after a value or `world::`.
fn of_owner(owner: Owner, file: &EditedFile<'_>) -> Vec<CompletionItem> {
    let api_set = file.api_set;
    let mut items: Vec<CompletionItem> = Vec::new();
    let fits = |e: &&ApiEntry| e.owner == owner && e.api_set.is_in(api_set) && e.kind != EntryKind::Operator;
    for entry in file.entries().into_iter().filter(fits) {
        // Overloads have the same text of the reference.
        if items.iter().all(|item| item.label != entry.name) {
            items.push(of_entry(file, entry));
        }
    }
    items
}

fn of_entry(file: &EditedFile<'_>, entry: &ApiEntry) -> CompletionItem {
    let (kind, text) = match (entry.kind == EntryKind::Function, entry.parameters.is_empty()) {
        (false, _) => (CompletionItemKind::PROPERTY, entry.name.to_string()),
        (true, true) => (CompletionItemKind::METHOD, format!("{}()", entry.name)),
        (true, false) => (CompletionItemKind::METHOD, format!("{}($0)", entry.name)),
    };
    let returns = entry.returns.spoken();
    let detail = match (entry.returns, entry.unit) {
        (Type::Nothing, _) => entry.signature(),
        (_, "") => format!("{}: {returns}", entry.signature()),
        (_, unit) => format!("{}: {returns} ({unit})", entry.signature()),
    };
    let name = format!("{}{}", entry.owner.prefix(), entry.name);
    documented(file, inserting(item(entry.name, kind, detail), text), &name)
}

/// The members of the value before the dot.
fn of_member(cursor: &CursorWord<'_>, file: &EditedFile<'_>) -> Vec<CompletionItem> {
    if cursor.before == file.spelling().variables && file.api_set != ApiSet::Test {
        let variables = variables_of(file).into_iter();
        let variables = variables.map(|name| item(&name, CompletionItemKind::VARIABLE, "a variable of this script"));
        let called = if file.spelling().own_methods { own_functions(file) } else { Vec::new() };
        return variables.chain(called).collect();
    }
    if let Some((value, "vars")) = cursor.before.rsplit_once('.') {
        let set = match file.script_of(value) {
            Some(key) => file.game.vars_of(key),
            None => file.game.known().vars.clone(),
        };
        return set
            .iter()
            .map(|name| item(name, CompletionItemKind::VARIABLE, "a variable of its script"))
            .collect();
    }
    if let Some((hook, parameter)) = file.hook()
        && cursor.before == parameter
    {
        let fields = hook.about.into_iter().flat_map(|shape| shape.fields());
        return fields
            .map(|field| item(field.name, CompletionItemKind::FIELD, field.described()))
            .collect();
    }
    file.owner_of(cursor.before).map_or_else(Vec::new, |owner| of_owner(owner, file))
}

fn own_functions(file: &EditedFile<'_>) -> Vec<CompletionItem> {
    function_items(file, file.language().functions(file.text))
}

/// Functions, except hooks.
fn function_items(file: &EditedFile<'_>, functions: Vec<TextFunction<'_>>) -> Vec<CompletionItem> {
    let keyword = file.spelling().function;
    let own = functions.into_iter().filter(|function| find_hook(function.name).is_none());
    let function = |TextFunction { name, parameters, .. }: TextFunction<'_>| {
        let function = item(name, CompletionItemKind::FUNCTION, format!("{keyword} {name}({parameters})"));
        inserting(function, format!("{name}($0)"))
    };
    own.map(function).collect()
}

/// What can begin an expression.
fn of_nothing(file: &EditedFile<'_>) -> Vec<CompletionItem> {
    let words: &[&str] = match file.api_set {
        ApiSet::Test => &["t"],
        _ => &["me", file.spelling().variables, "world"],
    };
    let word = |word: &&str| CompletionItem {
        label: word.to_string(),
        kind: Some(CompletionItemKind::KEYWORD),
        ..CompletionItem::default()
    };
    let entries = of_owner(Owner::Free, file).into_iter();
    entries.chain(own_functions(file)).chain(words.iter().map(word)).collect()
}

/// The names that fit in a text.
fn texts(words: &Words<'_>, i: usize) -> Vec<CompletionItem> {
    let file = &words.file;
    let (Some(role), Some(inside)) = (words.role(i), words.all[i].inside()) else {
        return Vec::new();
    };
    let start = &file.text[inside.start..file.offset];
    let what = match role {
        TextRole::Names(names) => names.what(),
        TextRole::Color => "a color",
        TextRole::Script => "a script",
        TextRole::State => "a state",
        TextRole::Plain => "",
    };
    let fitting = texts_that_fit(file, role).into_iter().filter(|text| text.starts_with(start));
    fitting.map(|text| item(&text, CompletionItemKind::VALUE, what)).collect()
}
