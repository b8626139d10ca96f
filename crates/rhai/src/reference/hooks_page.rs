//! The hooks on the reference page.

use super::text::{code, with_unit, write_fields};
use hangtime_script::{EVENT, EVENTS, HookKind, RULES, ScriptHook, api::Field};
use std::fmt::Write as _;

const RULES_INTRO: &str = include_str!("page/rules.md");

const EVENTS_INTRO: &str = include_str!("page/events.md");

const CUSTOM_EVENTS: &str = include_str!("page/custom_events.md");

/// Rules and events as tables, with examples.
pub fn write_hooks(page: &mut String) {
    *page += RULES_INTRO;
    for rule in RULES {
        let returns = rule.answers.describe();
        let _ = writeln!(page, "| `{}` | {} | {returns} |", rule.signature(), rule.doc);
    }
    write_examples(page, RULES);
    for rule in RULES {
        if let (HookKind::RuleAbout(parameter), Some(shape)) = (rule.kind, rule.about) {
            let _ = write!(page, "\nFields of `{parameter}`:\n");
            write_fields(page, shape.fields());
        }
    }
    *page += EVENTS_INTRO;
    for event in EVENTS {
        let fields: Vec<String> = own_fields(event).iter().map(|f| format!("`{}`", f.name)).collect();
        let fields = if fields.is_empty() { "–".into() } else { fields.join(", ") };
        let _ = writeln!(page, "| `{}` | {} | {fields} |", event.name, event.doc);
    }
    *page += CUSTOM_EVENTS;
    write_event_fields(page);
    write_examples(page, EVENTS);
}

fn own_fields(hook: &ScriptHook) -> &'static [Field] {
    hook.about.map_or(&[][..], |shape| shape.own)
}

fn write_examples(page: &mut String, hooks: &[ScriptHook]) {
    let examples: Vec<&str> = hooks.iter().map(|hook| hook.example).collect();
    code(page, &examples.join("\n"));
}

/// The fields of all events; a field that means the same in several events has one row.
fn write_event_fields(page: &mut String) {
    let mut rows: Vec<(&Field, Vec<String>)> = EVENT.iter().map(|field| (field, vec!["all".into()])).collect();
    for hook in EVENTS {
        for field in own_fields(hook) {
            let name = format!("`{}`", hook.name);
            match rows.iter_mut().find(|(known, _)| *known == field) {
                Some((_, hooks)) => hooks.push(name),
                None => rows.push((field, vec![name])),
            }
        }
    }
    for (field, hooks) in rows {
        let of = with_unit(&field.holds, field.unit);
        let hooks = hooks.join(", ");
        let _ = writeln!(page, "| `{}` | {hooks} | {of} | {} |", field.name, field.doc);
    }
    *page +=
        "| `data` | events of `world::emit` and `me.after` | plain data | the data passed to the call, else `()` |\n";
}
