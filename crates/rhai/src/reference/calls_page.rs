//! Properties, calls, and operators on the reference page.

use super::text::{cell, code, parameters, with_unit};
use hangtime_script::api::{Access, ApiEntry, EntryKind, Owner, Param, Topic, Type};
use std::fmt::Write as _;

/// Topics whose calls are short enough for a table.
const TABLES: [Topic; 2] = [Topic::Vectors, Topic::Math];

/// A section with all entries of a topic.
pub fn write_topic(page: &mut String, topic: Topic, entries: &[ApiEntry]) {
    let _ = write!(page, "\n## {}\n\n{}\n", topic.title(), topic.intro());
    let entries: Vec<&ApiEntry> = entries.iter().filter(|e| e.topic == topic).collect();
    write_properties(page, &entries);
    let calls: Vec<&ApiEntry> = entries.iter().copied().filter(|e| e.kind == EntryKind::Function).collect();
    if TABLES.contains(&topic) {
        write_table(page, "call", &calls);
    } else {
        write_calls(page, &calls);
    }
    let operators: Vec<&ApiEntry> = entries.iter().copied().filter(|e| e.kind == EntryKind::Operator).collect();
    if !operators.is_empty() {
        write_table(page, "operator", &operators);
        *page += "\n`+=`, `-=`, `*=`, and `/=` work, too.\n";
    }
}

fn write_properties(page: &mut String, entries: &[&ApiEntry]) {
    // Other entities have the properties of `me`.
    let listed = |e: &&&ApiEntry| match e.owner {
        Owner::Entity => false,
        Owner::Live => matches!(e.name, "vars" | "layers" | "color" | "visible"),
        _ => matches!(e.kind, EntryKind::Property(_)),
    };
    let properties: Vec<&&ApiEntry> = entries.iter().filter(listed).collect();
    if properties.is_empty() {
        return;
    }
    *page += "\n| property | type | meaning | writable |\n|---|---|---|---|\n";
    for entry in properties {
        let of = with_unit(&entry.returns, entry.unit);
        let writable = match entry.kind {
            EntryKind::Property(Access::ReadOnly(why)) => format!("no: {why}"),
            EntryKind::Property(Access::WriteOnly(_)) => {
                format!("yes, but not readable: `{}`", cell(entry.example))
            }
            _ => format!("yes: `{}`", cell(entry.example)),
        };
        let signature = entry.signature();
        let _ = writeln!(page, "| `{signature}` | {of} | {} | {writable} |", entry.doc);
    }
}

/// One row per call or operator.
fn write_table(page: &mut String, what: &str, entries: &[&ApiEntry]) {
    let _ = write!(page, "\n| {what} | returns | meaning | example |\n|---|---|---|---|\n");
    for entry in entries {
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | `{}` |",
            entry.signature(),
            with_unit(&entry.returns, entry.unit),
            entry.doc,
            cell(entry.example)
        );
    }
}

/// One heading per call, with all its overloads.
fn write_calls(page: &mut String, calls: &[&ApiEntry]) {
    let mut done: Vec<(Owner, &str)> = Vec::new();
    for first in calls {
        let call = (first.owner, first.name);
        if done.contains(&call) {
            continue;
        }
        done.push(call);
        let overloads: Vec<&&ApiEntry> = calls.iter().filter(|e| (e.owner, e.name) == call).collect();
        let signatures: Vec<String> = overloads.iter().map(|e| format!("`{}`", e.signature())).collect();
        let _ = write!(page, "\n### {}\n\n{}\n", signatures.join(", "), first.doc);
        write_facts(page, first.parameters, Some((&first.returns, first.unit)));
        code(page, first.example);
        for overload in &overloads[1..] {
            let _ = write!(page, "\n`{}`: {}\n", overload.signature(), overload.doc);
            let known = |p: &&Param| first.parameters.iter().all(|k| k.name != p.name);
            let new: Vec<Param> = overload.parameters.iter().filter(known).copied().collect();
            write_facts(page, &new, None);
            code(page, overload.example);
        }
    }
}

/// Parameters and result, if there are any.
fn write_facts(page: &mut String, takes: &[Param], result: Option<(&Type, &str)>) {
    let mut facts = Vec::new();
    if !takes.is_empty() {
        facts.push(format!("Parameters: {}.", parameters(takes)));
    }
    match result {
        Some((Type::Nothing, _)) | None => {}
        Some((of, unit)) => facts.push(format!("Returns {}.", with_unit(of, unit))),
    }
    if !facts.is_empty() {
        let _ = write!(page, "\n{}\n", facts.join(" "));
    }
}
