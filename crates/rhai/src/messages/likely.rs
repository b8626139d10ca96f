//! Suggestions for names that do not exist: of the same kind, and of the same type.

use super::*;

/// The names that a script may have meant.
pub(super) struct KnownNames<'a> {
    pub catalog: &'static Catalog,
    /// Where the script is used.
    pub api_set: ApiSet,
    /// The source of the script.
    pub source: &'a str,
}

impl KnownNames<'_> {
    /// The entries that are available.
    fn entries(&self) -> impl Iterator<Item = &'static ApiEntry> {
        self.catalog.entries.iter().filter(|e| e.api_set.is_in(self.api_set))
    }

    /// Whether an available entry has this name.
    pub fn has(&self, name: &str) -> bool {
        self.entries().any(|e| e.name == name && e.kind != EntryKind::Operator)
    }

    /// The signatures of a name: those on values of the type `first` if there are any, else all.
    pub fn signatures_of(&self, name: &str, first: &str) -> Vec<String> {
        let named: Vec<&ApiEntry> = self.entries().filter(|e| e.name == name).collect();
        let of_first = |e: &ApiEntry| e.owner != Owner::Free && e.owner.name() == first;
        let owned = named.iter().any(|e| of_first(e));
        let mut signatures: Vec<String> = Vec::new();
        for entry in named.into_iter().filter(|e| !owned || of_first(e)) {
            let signature = entry.signature();
            if !signatures.contains(&signature) {
                signatures.push(signature);
            }
        }
        signatures
    }

    /// The entries on values of the type `kind`; none for the language's own types.
    fn members(&self, kind: &str) -> impl Iterator<Item = &'static ApiEntry> {
        self.entries().filter(move |e| e.owner.of_type().is_some() && e.owner.name() == kind)
    }

    /// The functions with a name such as `world::tick`.
    pub fn of_module(&self, name: &str) -> Vec<&'static ApiEntry> {
        let named = in_module(name);
        self.entries().filter(|e| named == Some((e.owner, e.name))).collect()
    }

    /// The message for a property that values of the type `kind` do not have; `written` if it was assigned to.
    pub fn property(&self, name: &str, kind: &str, written: bool) -> String {
        let calls = self.members(kind).filter(|e| e.name == name && e.kind == EntryKind::Function);
        let calls: Vec<String> = calls.map(ApiEntry::signature).collect();
        if !calls.is_empty() {
            return format!("`{name}` is a function; write `{}`", calls.join("` or `"));
        }
        if kind == "array" && matches!(name, "x" | "y" | "z") {
            return format!(
                "an array has no `{name}`; read `[0]` or `[1]`, or make it a vec: `vec(x, y)`, in TOML `{{ vec = [x, y] }}`"
            );
        }
        if matches!(kind, "array" | "string") && is_among(name, LENGTHS) {
            return format!("there is no property `{name}` here; write `.len()`");
        }
        // A function cannot be assigned to, so it is not what was meant.
        let fitting = || self.members(kind).filter(|e| !written || e.kind != EntryKind::Function);
        let right = nearest(name, fitting().map(|e| e.name));
        let right = fitting().find(|e| Some(e.name) == right);
        // Entities have the same type in behaviors and tests.
        let owners = match self.api_set {
            ApiSet::Test => [Owner::Live, Owner::Test],
            _ => [Owner::Me, Owner::Entity],
        };
        let owner = owners.into_iter().find(|owner| owner.name() == kind);
        if let Some(right) = owner.and_then(|owner| elsewhere::property(name, owner, right.is_some())) {
            return format!("there is no property `{name}` here; use {right}");
        }
        let right = right.map(|entry| match entry.kind {
            EntryKind::Function => entry.signature(),
            _ => entry.name.to_string(),
        });
        let hint = did_you_mean(right);
        format!("there is no property `{name}` here{hint}")
    }

    /// The hint for a function that does not exist; `first` is the type of its first argument.
    pub fn function(&self, name: &str, first: &str) -> String {
        let functions = |owner: Owner| {
            let of_owner = move |e: &&ApiEntry| e.owner == owner && e.kind == EntryKind::Function;
            self.entries().filter(of_owner).map(|e| e.name)
        };
        if let Some((owner, name)) = in_module(name) {
            let prefix = owner.prefix();
            if self.source.contains(&format!("Fn(\"{prefix}{name}\")")) {
                return format!("; `Fn` cannot point to a module's function; write a closure: `|| {prefix}{name}()`");
            }
            let right = nearest(name, functions(owner));
            return did_you_mean(right.map(|right| format!("{prefix}{right}")));
        }
        if name.contains("::") {
            return String::new();
        }
        if let Some(right) = elsewhere::call(name, first, self.api_set) {
            return format!("; use {right}");
        }
        if names_after(self.source, "let ").any(|known| known == name) {
            return format!("; to call the function in a variable, write `{name}.call(…)`");
        }
        let mut candidates: Vec<&str> =
            self.members(first).filter(|e| e.kind == EntryKind::Function).map(|e| e.name).collect();
        // The language's own functions take at least one value.
        if candidates.is_empty() && !first.is_empty() {
            candidates.extend(self.catalog.language.keys().map(String::as_str));
        }
        candidates.extend(functions(Owner::Free));
        candidates.extend(names_after(self.source, "fn "));
        did_you_mean(nearest(name, candidates))
    }

    /// The message for a function that exists but does not take these arguments; none if there is no function of this
    /// name. For the language's own functions the value that one is called on counts as an argument, as in `shown`.
    pub fn miscounted(&self, name: &str, given: usize, on_value: bool, shown: &str) -> Option<String> {
        let own = parameters_of(name, self.source);
        if let [first, ..] = own.as_slice() {
            let given = given - usize::from(on_value && given > 0);
            let text = format!("`{name}` takes {}, but this call passes {given}", counted(*first, "argument"));
            return (!own.contains(&given)).then_some(text);
        }
        let counts = self.catalog.language.get(name)?;
        let last = counts.last()?;
        let text = format!("`{name}` cannot be called as `{shown}`");
        let hint = of_arguments(name, arguments(shown));
        Some(match last {
            _ if !hint.is_empty() => format!("{text}{hint}"),
            _ if counts.contains(&given) => format!("{text}; an argument has the wrong type"),
            1 => format!("{text}; it takes 1 value"),
            _ => {
                let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
                format!("{text}; it takes {} values", counts.join(" or "))
            }
        })
    }

    /// The message for a variable that does not exist. It suggests only what the source itself defines: locals are not
    /// known when a script runs, and a function is never what was meant.
    pub fn variable(&self, name: &str, after: &str) -> String {
        let missing = format!("there is no variable `{name}`");
        match (name, self.api_set) {
            ("me", ApiSet::Behavior) => {
                return "`me` is not available here; pass it to the helper, as in `fn helper(me)`".into();
            }
            (_, ApiSet::Test) if Owner::module(name).is_some() => return no_module(name),
            _ if Owner::module(name).is_some() => return format!("{missing}; {}", as_module(name, after)),
            _ => {}
        }
        let member = after.strip_prefix(name).unwrap_or_default();
        let member = word(member.strip_prefix('.').unwrap_or_default());
        let known = |name: &str| self.has(name) || self.catalog.language.contains_key(name);
        if let Some(right) = elsewhere::variable(name, member, self.api_set, known) {
            return format!("{missing}; use {right}");
        }
        let called = |e: &&ApiEntry| e.name == name && e.owner == Owner::Free && e.kind == EntryKind::Function;
        if let Some(entry) = self.catalog.entries.iter().find(called) {
            return format!("{missing}; call it as `{}`", entry.signature());
        }
        if let Some(entry) = self.of_module(name).first() {
            return format!("`{name}` is a function; write `{}`", entry.signature());
        }
        if name.contains("::") {
            return format!(
                "`{name}` is not visible; an imported file shares only its functions, so add one that returns it"
            );
        }
        if names_after(self.source, "const ").any(|known| known == name) {
            let top = self.source.lines().any(|line| {
                let named = line.strip_prefix("const ");
                named.is_some_and(|rest| word(rest.trim_start()) == name)
            });
            return if top {
                format!("`{name}` is used before it is defined; move its `const` up")
            } else {
                format!("{missing} here: its `const` is visible only in its own block")
            };
        }
        if let Some(right) = nearest(name, names_after(self.source, "const ")) {
            return format!("{missing}; did you mean `{right}`?");
        }
        let right = nearest(name, names_after(self.source, "this."));
        let next = after.strip_prefix(name).unwrap_or_default().trim_start();
        let hint = match right {
            None if next.starts_with('=') && !next.starts_with("==") => not_declared(name),
            right => did_you_mean(right.map(|right| format!("this.{right}"))),
        };
        format!("{missing}{hint}")
    }
}

/// The module and the name in it, for a name such as `world::tick`.
fn in_module(name: &str) -> Option<(Owner, &str)> {
    let (module, name) = name.split_once("::")?;
    Some((Owner::module(module)?, name))
}

/// What is between the parentheses of a signature.
pub(super) fn arguments(signature: &str) -> &str {
    let (_, rest) = signature.split_once('(').unwrap_or_default();
    rest.strip_suffix(')').unwrap_or(rest)
}

/// How many parameters each function of this name has in a source.
fn parameters_of(name: &str, source: &str) -> Vec<usize> {
    let written = source.match_indices("fn ").filter_map(|(at, _)| {
        let rest = source[at + 3..].trim_start().strip_prefix(name)?;
        let (list, _) = rest.trim_start().strip_prefix('(')?.split_once(')')?;
        let list = list.split(',').filter(|parameter| !parameter.trim().is_empty());
        Some(list.count())
    });
    written.collect()
}

/// The message for arguments that no function of this name takes. `shown` is the call, `given` names the types of its
/// arguments, `habit` is what to use instead of another engine's call, and `right` are signatures.
pub(crate) fn cannot_call(name: &str, shown: &str, given: &str, habit: Option<String>, right: &[String]) -> String {
    let hint = match of_arguments(name, given) {
        "" if let Some(right) = habit => format!("; use {right}"),
        "" if name == "print" => "; it takes one value, as in print(`${a} ${b}`)".into(),
        "" if right.is_empty() => String::new(),
        "" => format!("; write `{}`", right.join("` or `")),
        hint => hint.into(),
    };
    format!("`{name}` cannot be called as `{shown}`{hint}")
}

/// The hint for arguments that other languages allow here; `given` names their types, as messages do.
fn of_arguments(name: &str, given: &str) -> &'static str {
    match (name, given) {
        ("to_int", "text") => "; to parse text, use `parse_int(text)`",
        ("to_float", "text") => "; to parse text, use `parse_float(text)`",
        ("range", "number") => "; for 0, 1 and 2, write `0..3`",
        ("round", _) if given.ends_with(", number") => "; for one decimal, write `round(x * 10) / 10`",
        ("remove", "array, text") => "; to remove a value, write `list.retain(|it| it != value)`",
        ("lerp", _) if !given.starts_with("vec") => "; for numbers, write `a + (b - a) * share`",
        ("append", _) if given.starts_with("array, ") => "; to add one element, use `.push(…)`",
        ("after", _) if given.contains("function") => {
            "; an event has a name in quotes: `me.after(0.5, \"boom\")` calls `fn on_boom(me)`"
        }
        ("send" | "world::send", "text, text" | "text, vec" | "text, number, number") => {
            "; `point` is the place of a point in the platform's `path`, from 0"
        }
        _ => "",
    }
}

/// How to call what a module has, for a script that uses it as an object.
fn as_module(name: &str, after: &str) -> String {
    let called = after.strip_prefix(name);
    let called = called.and_then(|rest| rest.strip_prefix('.')).map_or("", word);
    if !called.is_empty() {
        return format!("write `{name}::{called}(…)`");
    }
    let example = match name {
        "hud" => "hud::erase(\"title\")",
        "camera" => "camera::reset()",
        _ => "world::tick()",
    };
    format!("write `{name}::`, as in `{example}`")
}

/// The hint for an assignment to a variable that is declared nowhere.
pub(crate) fn not_declared(name: &str) -> String {
    format!("; declare it with `let {name} = …`, or store it as `this.{name}`")
}

/// The message for a module of behaviors in a test.
pub(super) fn no_module(name: &str) -> String {
    let instead = match name {
        "world" => "; in a test use `t.entity(name)`, `t.events(name)` or `t.tick`",
        _ => "; tests cannot read the screen",
    };
    format!("`{name}::` is for behaviors{instead}")
}

/// The names that follow `before` in a source, wherever it is a word by itself.
fn names_after<'a>(source: &'a str, before: &'static str) -> impl Iterator<Item = &'a str> {
    source
        .match_indices(before)
        .filter(move |(at, _)| !source[..*at].ends_with(in_word))
        .map(move |(at, _)| word(source[at + before.len()..].trim_start()))
        .filter(|name| !name.is_empty())
}
