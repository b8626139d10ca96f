//! Checks of the functions that a script declares, from names and texts alone, so that they are the same in every language.

use crate::{
    DeclaredFunction, Diagnostic, EVENTS, GameNames, Place, RULES, ScriptHook, ScriptRole, SourceFile, Sources,
    check_moved, elsewhere, find_hook, hooks,
    names::{did_you_mean, nearest, suggestion},
    text::quoted_in,
    variable_checks::{check_variables, never_kept, unknown_vars},
};
use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// Checks the functions of a file with all that `check` knows of the game. `uses` and `any_event` are those of
/// [`check_hooks`].
pub fn check_functions(
    (file, role): (&Arc<SourceFile>, ScriptRole),
    functions: &[DeclaredFunction],
    (sources, known): (&Sources, &GameNames),
    uses: impl Fn(&str) -> bool,
    any_event: impl Fn() -> bool,
) -> Vec<Diagnostic> {
    if role == ScriptRole::Test && file.name.starts_with("levels/") {
        let mut found = uncalled_tests(functions, uses);
        found.extend(unchecked_tests(file, functions));
        found.extend(unknown_vars(file, sources, known));
        return found;
    }
    let mut found = match role {
        ScriptRole::Test | ScriptRole::TestLibrary => Vec::new(),
        _ => casts_to_offsets(file),
    };
    if !role.has_hooks() {
        return found;
    }
    found.extend(idle_cancels(file, sources));
    found.extend(never_kept(file, sources, known));
    found.extend(check_variables(file, sources, known));
    found.extend(idle_sequences((file, sources), functions, known, &any_event));
    found.extend(check_hooks(functions, sources, Some(known), uses, any_event));
    let hooks = functions.iter().filter(|function| find_hook(&function.name).is_some());
    for hook in hooks {
        let why = match role {
            ScriptRole::Level => hook_of_all(hook, text_of(hook, functions)),
            _ => check_moved(&file.name, &hook.name, None, known),
        };
        found.extend(why.map(|why| Diagnostic::warning(hook.place.clone(), why)));
        let rule = RULES.iter().find(|rule| role == ScriptRole::Level && rule.name == hook.name);
        found.extend(rule.map(|rule| Diagnostic::error(hook.place.clone(), rule.not_of_levels())));
    }
    let swapped = functions
        .iter()
        .filter(|it| it.name.starts_with("on_") && it.parameters.get(1).is_some_and(|p| p == "me"));
    found.extend(swapped.map(|it| {
        let why = format!("`me` comes first: write `{}(me, event)`", it.name);
        Diagnostic::error(it.place.clone(), why)
    }));
    let emitted = EmittedFields::of(sources);
    for function in functions {
        let text = text_of(function, functions);
        emitted.check(function, text, known, &mut found);
        found.extend(wasted(function, text).map(|why| Diagnostic::warning(function.place.clone(), why)));
    }
    found
}

/// What follows the name of a function, up to the next one of its file.
fn text_of<'f>(function: &'f DeclaredFunction, functions: &[DeclaredFunction]) -> &'f str {
    let Place { file, span } = &function.place;
    let next = functions
        .iter()
        .map(|other| other.place.span.start)
        .filter(|start| *start > span.start)
        .min();
    &file.text[span.end..next.unwrap_or(file.text.len())]
}

/// Where a text reads members of a value, and their names; `of` is the value's name with a point. Comments are left out.
pub(crate) fn members<'t>(text: &'t str, of: &'t str) -> impl Iterator<Item = (usize, &'t str)> {
    text.match_indices(of).filter_map(move |(start, _)| {
        let (before, at) = (&text[..start], start + of.len());
        let name = words(&text[at..]).next()?;
        let is_whole = !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.'));
        (is_whole && !is_comment(text, start) && !name.is_empty()).then_some((at, name))
    })
}

/// The names in a text.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// The events that the game emits not for an entity but once.
const ONCE: [&str; 7] =
    ["on_start", "on_tick", "on_arrive", "on_depart", "on_joint_lost", "on_quarantine", "on_reload"];

/// Why a hook in a level's own script, with this text, most likely runs too often.
fn hook_of_all(hook: &DeclaredFunction, text: &str) -> Option<String> {
    let name = hook.name.as_str();
    let asks = match (hook.parameters.get(1), name) {
        (None, _) => false,
        // Most scripts want the start of the level itself.
        (Some(event), "on_birth") => words(text).filter(|word| word == event).count() > 1,
        _ => true,
    };
    let is_event = EVENTS.iter().any(|hook| hook.name == name) && !ONCE.contains(&name);
    let own = if name == "on_birth" {
        ", or `on_start(me)`, which runs once, when the level starts"
    } else {
        ""
    };
    (is_event && !asks).then(|| {
        format!(
            "in a level's script `{name}` runs for every entity; write `{name}(me, event)` and ask `event.entity`{own}"
        )
    })
}

/// What a hook with this text does without any effect.
fn wasted(hook: &DeclaredFunction, text: &str) -> Option<&'static str> {
    let holds = |key| ['"', '\''].iter().any(|quote| text.contains(&format!("hold({quote}{key}{quote})")));
    let once = hook.name == "on_birth" && !text.contains("wait");
    let keys = ["left", "right", "up", "down"];
    let waits = || {
        let held = texts_in(text, "hold(").filter(|(_, key)| keys.contains(key));
        let mut then = held.map(|(start, key)| text[start + key.len() + 1..].trim_start_matches(')').trim_start());
        then.any(|then| {
            let seconds = then.trim_start_matches(';').trim_start().strip_prefix("wait(");
            seconds
                .and_then(|it| it.split(')').next()?.parse().ok())
                .is_some_and(|seconds: f64| seconds > 0.1)
        })
    };
    match once && keys.into_iter().any(holds) {
        true => Some("`hold` holds a key for one tick; call it in `on_tick`"),
        false => waits().then_some(
            "`hold` holds a key for one tick, not while this waits; in a loop, call it before each `wait_ticks(1)`",
        ),
    }
}

/// Whether a place in a text is in a comment.
pub(crate) fn is_comment(text: &str, at: usize) -> bool {
    let before = &text[..at];
    let line = before.rsplit('\n').next().unwrap_or_default();
    let is_open = |[open, close]: [&str; 2]| before.rfind(open) > before.rfind(close);
    line.contains("--") || line.contains("//") || [["/*", "*/"], ["--[[", "]]"]].into_iter().any(is_open)
}

/// Where calls in a text begin with a text in quotes, and that text; `call` ends with a bracket. Comments are left out.
pub(crate) fn texts_in<'t>(text: &'t str, call: &str) -> impl Iterator<Item = (usize, &'t str)> {
    text.match_indices(call).filter_map(move |(at, call)| {
        let start = at + call.len() + 1;
        let name = text[start - 1..].strip_prefix(['"', '\''])?.split(['"', '\'']).next()?;
        let is_whole = !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        (is_whole && !is_comment(text, at)).then_some((start, name))
    })
}

/// Timers that a script with timers cancels and nothing sets: no script has their names a second time.
fn idle_cancels(file: &Arc<SourceFile>, sources: &Sources) -> Vec<Diagnostic> {
    let idle = texts_in(&file.text, "cancel(").filter_map(|(start, name)| {
        let named: usize = sources.values().map(|file| file.text.matches(name).count()).sum();
        let place = Place::new(file, start..start + name.len());
        (named == 1 && file.text.contains("after("))
            .then(|| Diagnostic::warning(place, format!("no script sets a timer `{name}`, so this cancels nothing")))
    });
    idle.collect()
}

/// Sequences that begin again in each tick, and events that are waited for and never come.
fn idle_sequences(
    (file, sources): (&Arc<SourceFile>, &Sources),
    functions: &[DeclaredFunction],
    known: &GameNames,
    any_event: impl Fn() -> bool,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut warn = |(at, name): (usize, &str), why: String| {
        found.push(Diagnostic::warning(Place::new(file, at..at + name.len()), why));
    };
    for on_tick in functions.iter().filter(|function| function.name == "on_tick") {
        let text = text_of(on_tick, functions);
        let begun = ["me.start(", "me:start("].into_iter().flat_map(|call| texts_in(text, call));
        for (at, name) in begun.filter(|(at, _)| is_always_done(text, *at)) {
            let why = format!("this begins `{name}` again in each tick; ask whether it is `running` first");
            warn((on_tick.place.span.end + at, name), why);
        }
    }
    let quoted = |name: &str| sources.values().flat_map(|file| quoted_in(&file.text)).filter(|it| *it == name).count();
    let awaited = |name: &str| {
        let each = sources.values().flat_map(|file| texts_in(&file.text, "wait_for("));
        each.filter(|(_, it)| *it == name).count()
    };
    for (at, name) in texts_in(&file.text, "wait_for(") {
        let events = || EVENTS.iter().filter_map(ScriptHook::event);
        // What a script of a mod waits for may come from a mod that is not here.
        let comes = !file.name.starts_with("scripts/")
            || events().any(|event| event == name)
            || known.quoted_in_tests.contains(name)
            // Its checker says what is wrong with the name of a hook.
            || name.starts_with("on_");
        if !comes && quoted(name) == awaited(name) && !any_event() {
            warn((at, name), format!("nothing emits `{name}`{}", did_you_mean(nearest(name, events()))));
        }
    }
    found
}

/// Whether a function with this text does in each call what is at a place: in no block of it, and after no `return`.
fn is_always_done(text: &str, at: usize) -> bool {
    let body = text.find(')').map_or(0, |end| end + 1);
    // The blocks of one language are in braces.
    let is_braced = text[body..].trim_start().starts_with('{');
    let (mut depth, mut rest) = (0, &text[body..at.max(body)]);
    while let Some(next) = rest.find(|c: char| c.is_alphanumeric() || "\"'`{}-/".contains(c)) {
        rest = &rest[next..];
        let word = words(rest).next().unwrap_or_default();
        match (word, rest.as_bytes()[0]) {
            ("", quote @ (b'"' | b'\'' | b'`')) => {
                let inside = &rest[1..];
                rest = &inside[inside.find(char::from(quote)).map_or(inside.len(), |end| end + 1)..];
                continue;
            }
            ("", b'-' | b'/') if rest.starts_with("--") || rest.starts_with("//") => {
                rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
                continue;
            }
            ("", b'{') => depth += i32::from(is_braced),
            ("", b'}') => depth -= i32::from(is_braced),
            ("return" | "wait" | "wait_for" | "wait_until" | "wait_ticks" | "running", _) => return false,
            ("if" | "do" | "repeat" | "function", _) => depth += i32::from(!is_braced),
            ("end" | "until", _) => depth -= i32::from(!is_braced),
            _ => {}
        }
        // The function has ended.
        if depth < 0 || is_braced && depth == 0 {
            return false;
        }
        rest = &rest[word.len().max(1)..];
    }
    depth == i32::from(is_braced)
}

/// The events that a function with this text waits for, each with the variable that holds it and is set once.
fn awaited_events(text: &str) -> impl Iterator<Item = (&str, &str)> {
    texts_in(text, "wait_for(").filter_map(|(start, event)| {
        let before = text[..start - "wait_for(\"".len()].trim_end().strip_suffix('=')?.trim_end();
        let variable = &before[before.rfind(|c: char| !c.is_alphanumeric() && c != '_')? + 1..];
        let is_set = |(at, _): &(usize, &str)| {
            let after = text[at + variable.len()..].trim_start();
            !text[..*at].ends_with(|c: char| c.is_alphanumeric() || "_.".contains(c))
                && after.starts_with('=')
                && !after.starts_with("==")
        };
        let once = !variable.is_empty() && text.match_indices(variable).filter(is_set).count() == 1;
        (once && text[start + event.len() + 1..].trim_start().starts_with([')', ','])).then_some((event, variable))
    })
}

/// The fields of the data that scripts emit with their own events.
struct EmittedFields<'s>(BTreeMap<&'s str, EmittedEvent<'s>>);

/// An event of scripts.
#[derive(Default)]
struct EmittedEvent<'s> {
    fields: BTreeSet<&'s str>,
    /// How often it is emitted with fields that are known, and how often its name is in quotes.
    emitted: usize,
    named: usize,
}

impl<'s> EmittedFields<'s> {
    /// Reads the maps that are literals.
    fn of(sources: &'s Sources) -> Self {
        let mut found: BTreeMap<&str, EmittedEvent<'_>> = BTreeMap::new();
        for text in sources.values().map(|file| file.text.as_str()) {
            for (at, _) in text.match_indices("emit(") {
                let call = text[at + "emit(".len()..].trim_start();
                let name = call.strip_prefix(['"', '\'']).and_then(|rest| rest.split(['"', '\'']).next());
                let Some(name) = name else {
                    // Its name is computed.
                    return Self(BTreeMap::new());
                };
                let data = call.get(name.len() + 2..).unwrap_or_default().trim_start();
                let map = data.strip_prefix(',').map(str::trim_start);
                let map = map.and_then(|data| data.strip_prefix('#').unwrap_or(data).strip_prefix('{'));
                let event = found.entry(name).or_default();
                if let Some(fields) = map.and_then(fields_of) {
                    event.fields.extend(fields);
                    event.emitted += 1;
                }
            }
        }
        for text in sources.values().map(|file| &file.text) {
            for name in quoted_in(text) {
                if let Some(event) = found.get_mut(name) {
                    event.named += 1;
                }
            }
            for (_, name) in texts_in(text, "wait_for(") {
                if let Some(event) = found.get_mut(name) {
                    event.named -= 1;
                }
            }
        }
        Self(found)
    }

    /// Warns of fields of the `data` of events that are never emitted with them, in a function with this text: of the event
    /// of a hook, and of those that it waits for.
    fn check(&self, function: &DeclaredFunction, text: &str, known: &GameNames, found: &mut Vec<Diagnostic>) {
        let own = function.name.strip_prefix("on_").zip(function.parameters.get(1).map(String::as_str));
        for (name, variable) in own.into_iter().chain(awaited_events(text)) {
            let event = self.0.get(name).filter(|event| event.emitted == event.named);
            let Some(event) = event.filter(|_| !known.quoted_in_tests.contains(name)) else {
                continue;
            };
            for (at, field) in members(text, &format!("{variable}.data.")) {
                let is_call = text[at + field.len()..].starts_with('(');
                if !event.fields.contains(field) && !is_call {
                    let hint = suggestion(field, event.fields.iter().copied());
                    let why = format!("`{name}` is never emitted with `{field}`{hint}");
                    let start = function.place.span.end + at;
                    let place = Place::new(&function.place.file, start..start + field.len());
                    found.push(Diagnostic::warning(place, why));
                }
            }
        }
    }
}

/// Warns of rays that begin at a body and end at what looks like an offset from it: whole numbers, constants and the side that
/// the body faces. A number with a decimal point is taken as it is.
fn casts_to_offsets(file: &Arc<SourceFile>) -> Vec<Diagnostic> {
    let casts = ["world::cast(", "world.cast("]
        .into_iter()
        .flat_map(|call| file.text.match_indices(call).map(move |(at, _)| at + call.len()));
    let is_place = |text: &str| text.ends_with(".x") || text.ends_with(".y");
    let is_offset = |text: &str| {
        let mut words = text.replace("me.facing", "1");
        words.retain(|c| !c.is_whitespace() && !matches!(c, '-' | '+' | '*' | '(' | ')'));
        !words.is_empty() && words.chars().all(|c| c.is_ascii_digit() || c.is_ascii_uppercase() || c == '_')
    };
    let wrong = casts.filter_map(|start| {
        let rest = &file.text[start..];
        let end = rest.find([';', '\n']).unwrap_or(rest.len());
        let end = rest[..end].rfind(')')?;
        let parts: Vec<&str> = rest[..end].splitn(4, ',').map(str::trim).collect();
        let [x, y, dx, dy] = parts[..] else { return None };
        let dy = dy.split_once([',', ')']).map_or(dy, |(dy, _)| dy);
        if !(is_place(x) && is_place(y) && is_offset(dx) && is_offset(dy)) {
            return None;
        }
        let sum = |at: &str, offset: &str| match (offset, offset.strip_prefix('-')) {
            ("0", _) => at.to_string(),
            (_, Some(less)) => format!("{at} - {less}"),
            _ => format!("{at} + {offset}"),
        };
        let why = format!(
            "a ray ends at a place, and this looks like an offset; write `{}, {}`, or with a decimal point if it is a place",
            sum(x, dx),
            sum(y, dy)
        );
        let from = dx.as_ptr() as usize - file.text.as_ptr() as usize;
        let to = dy.as_ptr() as usize - file.text.as_ptr() as usize + dy.len();
        Some(Diagnostic::warning(Place::new(file, from..to), why))
    });
    wrong.collect()
}

/// The keys of a map with this text, which begins after its `{`. None if it does not end.
fn fields_of(map: &str) -> Option<Vec<&str>> {
    let (mut fields, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, sign) in map.char_indices() {
        match sign {
            '(' | '[' | '{' => depth += 1,
            '}' if depth == 0 => return Some(fields),
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => start = at + 1,
            ':' | '=' if depth == 0 && start < at => {
                fields.push(map[start..at].trim().trim_matches(['"', '\'', '[', ']']));
                start = map.len();
            }
            _ => {}
        }
    }
    None
}

/// Functions that are called like a hook but have a wrong number of parameters, and functions that nothing calls although
/// their names are close to a hook's, or begin with `on_`. `uses` says whether the file itself uses a function with a
/// name, `any_event` whether scripts compute the names of events. With the names of the whole game, as `check` knows them,
/// slips are errors, and events that nothing emits are found, too; without them, slips are warnings.
pub fn check_hooks(
    functions: &[DeclaredFunction],
    sources: &Sources,
    known: Option<&GameNames>,
    uses: impl Fn(&str) -> bool,
    any_event: impl Fn() -> bool,
) -> Vec<Diagnostic> {
    // Parsing all scripts takes time, and most have no such function.
    let computed = OnceCell::new();
    let any_event = || *computed.get_or_init(&any_event);
    // Some script has the name of this hook's event in quotes, as a script that emits it does.
    let mentioned: OnceCell<BTreeSet<&str>> = OnceCell::new();
    let quoted = || sources.values().flat_map(|file| quoted_in(&file.text)).collect();
    let in_tests = |event: &str| known.is_some_and(|known| known.quoted_in_tests.contains(event));
    let mut wrong = Vec::new();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for function in functions {
        let (name, parameters) = (function.name.as_str(), function.parameters.len());
        let event = name.strip_prefix("on_");
        // A function that the file itself uses may well exist twice.
        let own = uses(name);
        let slip = hooks().find(|hook| is_slip(name, hook.name));
        let (sure, why) = if is_hook(function) && !own && !seen.insert(name) {
            (true, format!("`{name}` is defined twice, and only one of the two is called"))
        } else if let Some(hook) = find_hook(name) {
            if hook.takes(parameters) {
                continue;
            }
            let has = match parameters {
                0 => "no parameters".into(),
                1 => "1 parameter".into(),
                n => format!("{n} parameters"),
            };
            (true, format!("`{name}` has {has}; write `{}`", hook.signature()))
        } else if own || event.is_some_and(|it| mentioned.get_or_init(quoted).contains(it) || in_tests(it)) {
            continue;
        } else if let Some(hook) = slip {
            let computed = event.is_some() && any_event();
            (known.is_some() && !computed, format!("nothing calls `{name}`; did you mean `{}`?", hook.signature()))
        } else if event.is_some() && any_event() {
            continue;
        } else if let Some(right) = hook_for(name).filter(|_| parameters <= 2) {
            (false, format!("nothing calls `{name}`; did you mean the hook `{right}`?"))
        } else if known.is_none() || event.is_none() || !function.place.file.name.starts_with("scripts/") {
            // Tests may emit it, and what a script of a mod answers may come from a mod that is not here.
            continue;
        } else {
            let near = nearest(name, hooks().map(|hook| hook.name)).and_then(find_hook);
            let hint = did_you_mean(near.map(ScriptHook::signature));
            (false, format!("nothing calls `{name}`, as no event has this name{hint}"))
        };
        let new = if sure { Diagnostic::error } else { Diagnostic::warning };
        wrong.push(new(function.place.clone(), why));
    }
    wrong
}

/// Calls that may fail a test.
const CHECKING: [&str; 6] = ["expect", "run_until", "known_failure", "throw", "error", "assert"];

/// Warns of tests that check nothing, neither themselves nor in a function of the file that they name. What other files do
/// is not known.
fn unchecked_tests(file: &Arc<SourceFile>, functions: &[DeclaredFunction]) -> Vec<Diagnostic> {
    let imports = words(&file.text).any(|word| word == "import" || word == "require");
    // What is outside of global functions may be called from any of them.
    let begins = functions.iter().map(|it| it.place.span.start).min().unwrap_or_default();
    let texts = || functions.iter().map(|it| text_of(it, functions));
    if imports || words(&file.text[..begins]).any(|word| CHECKING.contains(&word)) {
        return Vec::new();
    }
    let mut checking: BTreeSet<&str> = CHECKING.into_iter().collect();
    loop {
        let before = checking.len();
        let checks = functions
            .iter()
            .zip(texts())
            // What a module does is not known.
            .filter(|(_, text)| text.contains("::") || words(text).any(|word| checking.contains(word)));
        let names: Vec<&str> = checks.map(|(it, _)| it.name.as_str()).collect();
        checking.extend(names);
        if checking.len() == before {
            break;
        }
    }
    let idle = functions
        .iter()
        .filter(|it| it.name.starts_with("test_") && !checking.contains(it.name.as_str()));
    let warning = |it: &DeclaredFunction| {
        let message = format!("`{}` has no `expect`, so it passes whatever the level does", it.name);
        Diagnostic::warning(it.place.clone(), message)
    };
    idle.filter(|it| it.parameters.is_empty()).map(warning).collect()
}

/// Whether a name is a hook's with two letters swapped, one missing or one doubled.
fn is_slip(name: &str, hook: &str) -> bool {
    let (a, b) = (name.as_bytes(), hook.as_bytes());
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    match a.len() as isize - b.len() as isize {
        -1 => a[same..] == b[same + 1..],
        0 if same + 1 < a.len() => [a[same], a[same + 1]] == [b[same + 1], b[same]] && a[same + 2..] == b[same + 2..],
        1 => same > 0 && a[same] == a[same - 1] && a[same + 1..] == b[same..],
        _ => false,
    }
}

/// Warns of functions of a test script that nothing calls, and that are no tests because of their names. `uses` says whether
/// the file itself uses a function with a name.
fn uncalled_tests(functions: &[DeclaredFunction], uses: impl Fn(&str) -> bool) -> Vec<Diagnostic> {
    let own = |name: &str| name.starts_with("test_") || name.starts_with("cases_") || uses(name);
    let still = functions.iter().filter(|it| {
        let text = text_of(it, functions);
        let has = |calls: &[&str]| calls.iter().any(|call| text.contains(call));
        it.name.starts_with("test_")
            && has(&["t.hold(", "t:hold("])
            && !has(&["run", "tick", "(t)", "(t,", " t)", " t,"])
    });
    let uncalled = functions.iter().filter(|it| it.parameters.is_empty() && !own(&it.name));
    let warning = |it: &DeclaredFunction| {
        let message = format!("nothing calls `{}`; the name of a test starts with `test_`", it.name);
        Diagnostic::warning(it.place.clone(), message)
    };
    uncalled
        .map(warning)
        .chain(still.map(|it| Diagnostic::warning(it.place.clone(), "no time passes in this test; play it with `run`")))
        .collect()
}

/// Whether hangtime may call it.
fn is_hook(function: &DeclaredFunction) -> bool {
    match find_hook(&function.name) {
        Some(hook) => hook.takes(function.parameters.len()),
        None => function.name.starts_with("on_") && (1..=2).contains(&function.parameters.len()),
    }
}

/// Names that other engines have for some hooks.
const IN_OTHER_ENGINES: [(&str, &str); 4] = [
    ("update process physics_process physics_update fixed_update late_update step frame main loop", "on_tick"),
    ("init ready start awake setup create load begin", "on_birth` or, in a level's own script, `on_start"),
    ("collide collision collision_enter trigger_enter", "on_touch"),
    ("die dead dying destroy destroyed remove removed", "on_death"),
];

/// The hook that a function was probably meant to be.
fn hook_for(name: &str) -> Option<&'static str> {
    let plain = snake_case(name);
    let plain = plain.trim_start_matches('_');
    let plain = plain.strip_prefix("on_").unwrap_or(plain);
    let event = || EVENTS.iter().map(|hook| hook.name).find(|name| name.strip_prefix("on_") == Some(plain));
    elsewhere::found(plain, &IN_OTHER_ENGINES).or_else(event)
}

/// A name in lower case, with `_` between its words.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() && !snake.ends_with('_') {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}
