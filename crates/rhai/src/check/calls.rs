//! Checks of calls: whether the function exists, takes these arguments, and may be called here.

use super::base_calls::BASE;
use super::names::did_you_mean;
use super::scope::Scope;
use super::source::ParsedScript;
use super::syntax::{ChainStep, closure, source_text};
use super::types::{CallTarget, own_module, owner, present, resolve, resolve_in, spoken, types_of};
use super::{flow, names};
use crate::api::entries;
use crate::engine::resolver::with_ending;
use crate::messages::elsewhere;
use crate::messages::likely::of_arguments;
use hangtime_script::api::{ApiEntry, ApiSet, EntryKind, Owner, Type};
use hangtime_script::calls::{is_level_member, no_level_member, not_in_rules};
use hangtime_script::names::nearest;
use hangtime_script::{ScriptRole, import_keys};
use rhai::{Expr, FnCallExpr, Namespace, Position};

/// Calls that are an error in rules with a second parameter, which run in the middle of a tick.
const NOT_IN_RULES: [&str; 5] = ["create", "emit", "jump_to", "keep", "set_solid"];

/// A call with the types of its receiver, if it has one, and of its arguments.
struct CallSite<'e> {
    name: &'e str,
    call: &'e FnCallExpr,
    at: Position,
    on: Option<Type>,
    types: Vec<Type>,
}

impl<'e> CallSite<'e> {
    fn new(call: &'e FnCallExpr, at: Position, on: Option<Type>, types: Vec<Type>) -> Self {
        let name = call.name.as_str();
        Self { name, call, at, on, types }
    }
}

/// A call such as `abs(x)`.
pub(super) fn function_call(call: &FnCallExpr, at: Position, scope: &Scope<'_>) {
    let file = scope.file;
    let (name, arguments) = (call.name.as_str(), call.args.as_slice());
    if let ("play", ApiSet::Test, [_, Expr::Map(map, _)]) = (name, file.vocabulary.api_set, arguments) {
        for (key, _) in &map.0 {
            names::setting(&key.name, key.pos, scope);
        }
    }
    if let ("Fn", [pointed]) = (name, arguments) {
        return function_pointer(pointed, scope);
    }
    let types = types_of(arguments, scope);
    let key = (name.to_string(), arguments.len());
    if file.script.uses_this.contains(&key) && file.role != ScriptRole::Test {
        let variable = |argument: &Expr| match argument {
            Expr::Variable(..) => source_text(argument),
            _ => None,
        };
        let text = |argument| variable(argument).unwrap_or_else(|| "…".into());
        let arguments: Vec<String> = arguments.iter().map(text).collect();
        let arguments = arguments.join(", ");
        let message =
            format!("`{name}` uses `this`, which a plain call does not pass; write `this.{name}({arguments})`");
        return scope.error(at, message);
    }
    check_target(&CallSite::new(call, at, None, types), scope);
}

/// A call such as `me.jump()`.
pub(super) fn method_call(on: Type, call: &FnCallExpr, at: Position, scope: &Scope<'_>) {
    if on == Type::Test && call.name == "run_until" {
        flow::level_closure(call.args.first().and_then(closure), scope);
    }
    let mut types = types_of(&call.args, scope);
    types.insert(0, on);
    if let (Type::Array(each), "contains", [value]) = (on, call.name.as_str(), call.args.as_slice())
        && !scope.file.script.has_function("contains")
    {
        names::compared(*each, value, scope);
    }
    check_target(&CallSite::new(call, at, Some(on), types), scope);
}

/// `Fn("name")`.
fn function_pointer(pointed: &Expr, scope: &Scope<'_>) {
    if let Some((name, at)) = scope.text(pointed)
        && name.contains("::")
    {
        let message = format!("`Fn` cannot point to a module's function; write a closure: `|| {name}()`");
        scope.error(at, message);
    }
}

/// `world.emit(…)` instead of `world::emit(…)`; whether that is what the chain is.
pub(super) fn module_as_value(root: &Expr, steps: &[ChainStep<'_>], scope: &Scope<'_>) -> bool {
    let (Expr::Variable(variable, _, at), Some(ChainStep::Method(call, _))) = (root, steps.first()) else {
        return false;
    };
    let name = variable.1.as_str();
    let declared = variable.0.is_some() || scope.is_local(name) || scope.is_constant(name);
    let module = Owner::module(name).is_some() && !declared && scope.file.in_behavior();
    if module {
        let message = format!("`{name}` is a module; write `{name}::{}(…)`", call.name);
        scope.error(*at, message);
    }
    module
}

fn check_target(site: &CallSite<'_>, scope: &Scope<'_>) {
    let vocabulary = scope.file.vocabulary;
    let name = site.name;
    let message = match resolve(name, &site.types, site.on, scope) {
        CallTarget::Script | CallTarget::Language => return,
        CallTarget::Variable if vocabulary.knows(name) || scope.file.script.has_function(name) => {
            return;
        }
        CallTarget::Variable => {
            format!("`{name}` is a variable; call the function in it with `{name}.call(…)`")
        }
        CallTarget::Unknown => match unknown_call(site, scope) {
            Some(message) => message,
            None => return,
        },
        CallTarget::NotOn(owner) => {
            let own = |e: &&ApiEntry| e.owner == owner;
            let own: Vec<&ApiEntry> = vocabulary.calls(name).filter(own).collect();
            if own.is_empty() {
                let right = vocabulary.property(owner, name);
                let right = right.or_else(|| vocabulary.calls(name).next());
                not_callable(site, owner.of_type(), right, vocabulary.api_set)
            } else {
                wrong_arguments(site, &own, vocabulary.api_set)
            }
        }
        CallTarget::NotOnPlain => {
            let right = vocabulary.calls(name).next();
            not_callable(site, site.on, right, vocabulary.api_set)
        }
        CallTarget::Mismatch(named) => wrong_arguments(site, &named, vocabulary.api_set),
        CallTarget::ApiEntry(entry, _) => {
            called_here(name, entry.owner, site.at, scope);
            let skipped = site.call.args.len().saturating_sub(entry.parameters.len());
            return names::arguments(entry, &site.call.args[skipped..], scope);
        }
    };
    scope.error(site.at, message);
}

fn not_callable(site: &CallSite<'_>, on: Option<Type>, right: Option<&ApiEntry>, api_set: ApiSet) -> String {
    let name = site.name;
    let whose = on.map_or_else(String::new, spoken);
    if right.is_some_and(|e| e.owner == Owner::Me) && whose == Type::Entity.spoken() {
        return format!(
            "`{name}` cannot be called on {whose}: a script acts on its own entity alone; emit an event with \
             `world::emit(\"NAME\", data)`, which the other one's script answers with `fn on_NAME(me, event)`"
        );
    }
    let hint = match elsewhere::call(name, on.map_or("", receiver_name), api_set) {
        Some(right) => format!("; use {right}"),
        None => right.map_or_else(String::new, |e| format!("; write `{}`", e.signature())),
    };
    format!("`{name}` cannot be called on {whose}{hint}")
}

/// A call that needs a body, or that a rule cannot make.
fn called_here(name: &str, owner: Owner, at: Position, scope: &Scope<'_>) {
    if owner == Owner::Me && scope.file.role == ScriptRole::Level && !is_level_member(name) {
        scope.error(at, no_level_member(name));
    }
    let rule = scope.function.rule.filter(|rule| rule.about.is_some());
    if rule.is_some()
        && scope.closures == 0
        && NOT_IN_RULES.contains(&name)
        && (owner == Owner::Me || owner.is_module())
    {
        scope.error(at, not_in_rules(name));
    }
}

/// The message about a function that does not exist, or not with this number of arguments.
fn unknown_call(site: &CallSite<'_>, scope: &Scope<'_>) -> Option<String> {
    let (file, name) = (scope.file, site.name);
    if let Some(takes) = file.script.parameters_of(name).first() {
        return Some(wrong_count(name, *takes, site.call.args.len()));
    }
    // A map may hold a function, which is called as if it were a method.
    let map = |on| matches!(on, Type::Any | Type::Data | Type::Map(_));
    if site.on.is_some_and(map) && file.may_be_own_method(name) {
        return None;
    }
    if !file.vocabulary.knows(name) {
        let hint = call_hint(name, site.on, scope);
        return Some(format!("there is no function `{name}`{hint}"));
    }
    let called = |e: &&ApiEntry| !e.owner.is_module();
    let named: Vec<&ApiEntry> = file.vocabulary.calls(name).filter(called).collect();
    if named.is_empty() && site.on.is_some() {
        return Some(format!("`{name}` takes a different number of arguments"));
    }
    Some(wrong_arguments(site, &named, file.vocabulary.api_set))
}

fn call_hint(name: &str, on: Option<Type>, scope: &Scope<'_>) -> String {
    let vocabulary = scope.file.vocabulary;
    let receiver = on.map_or("", receiver_name);
    let habit = || elsewhere::call(name, receiver, vocabulary.api_set);
    if !receiver.is_empty()
        && let Some(right) = habit()
    {
        return format!("; use {right}");
    }
    let named = |e: &&ApiEntry| e.name == name && e.kind != EntryKind::Operator;
    let mut exact = entries().iter().filter(named);
    if let Some(entry) = exact.clone().find(|e| e.api_set.is_in(vocabulary.api_set)) {
        return did_you_mean(Some(entry.signature()));
    }
    if let Some(entry) = exact.next() {
        let api_set = match entry.api_set {
            ApiSet::Test => "tests",
            _ => "behaviors",
        };
        return format!("; `{}` exists only in {api_set}", entry.signature());
    }
    if let Some(right) = habit() {
        return format!("; use {right}");
    }
    if let Some(owner) = on.and_then(owner)
        && let Some(right) = nearest(name, vocabulary.names_of(owner))
    {
        let entry = vocabulary.entries(right).find(|e| e.owner == owner);
        return did_you_mean(entry.map(ApiEntry::signature));
    }
    let functions = scope.file.script.functions.keys();
    let own = functions.map(|(name, _)| name.as_str());
    did_you_mean(nearest(name, own.chain(vocabulary.names())))
}

/// The name that Rhai has for the type of the value that a function is called on; empty if it is not known.
fn receiver_name(of: Type) -> &'static str {
    match present(of) {
        Type::Text | Type::Name(_) => "string",
        Type::Array(_) => "array",
        Type::Map(_) => "map",
        Type::Any | Type::Data | Type::Either(_) => "",
        other => owner(other).map_or("other", Owner::name),
    }
}

/// The message about arguments that no function with this name takes.
fn wrong_arguments(site: &CallSite<'_>, named: &[&ApiEntry], api_set: ApiSet) -> String {
    let name = site.name;
    let types: Vec<String> = site.types.iter().map(|t| short_name(*t)).collect();
    let given = types[usize::from(site.on.is_some())..].join(", ");
    let mut right: Vec<String> = named.iter().map(|e| e.signature()).collect();
    right.dedup();
    let receiver = site.on.map_or("", receiver_name);
    let habit = (!receiver.is_empty()).then(|| elsewhere::call(name, receiver, api_set));
    let hint = match of_arguments(name, &types.join(", ")) {
        "" if let Some(Some(right)) = habit => format!("; use {right}"),
        "" if name == "print" => "; it takes one value, as in print(`${a} ${b}`)".into(),
        "" if right.is_empty() => String::new(),
        "" => format!("; write `{}`", right.join("` or `")),
        hint => hint.into(),
    };
    format!("`{name}` cannot be called as `{name}({given})`{hint}")
}

/// The message about a script's function that takes another number of arguments.
fn wrong_count(name: &str, takes: usize, passed: usize) -> String {
    let takes = match takes {
        0 => "no arguments".into(),
        1 => "1 argument".into(),
        n => format!("{n} arguments"),
    };
    let passed = match passed {
        0 => "none".into(),
        n => n.to_string(),
    };
    format!("`{name}` takes {takes}, but this call passes {passed}")
}

/// A type as it appears between the parentheses of a call.
fn short_name(of: Type) -> String {
    let name = match present(of) {
        Type::Me => "me",
        Type::Any | Type::Data => "…",
        Type::Whole | Type::Number => "number",
        Type::Text | Type::Name(_) => "text",
        Type::Map(_) => "map",
        Type::Array(_) => "array",
        Type::Vec => "vec",
        Type::Function => "function",
        _ => return of.spoken(),
    };
    name.into()
}

/// A call such as `world::tick()` or `tools::walk(me)`.
pub(super) fn module_call(call: &FnCallExpr, at: Position, scope: &Scope<'_>) {
    let [module] = call.namespace.path.as_slice() else {
        return;
    };
    if let Some(owner) = own_module(&module.name, scope) {
        return own_module_call(owner, call, at, scope);
    }
    if module.name == BASE && !is_module(BASE, scope) {
        return base_call(call, module.pos, scope);
    }
    if !is_module(&module.name, scope) {
        return scope.error(module.pos, no_module(&module.name, scope));
    }
    let (module, name) = (module.name.as_str(), call.name.as_str());
    let Some(imported) = imported(module, scope) else {
        return;
    };
    let key = (name.to_string(), call.args.len());
    if !imported.exports(&key) {
        scope.error(at, not_exported(imported, module, name, call.args.len()));
    } else if imported.uses_this.contains(&key) {
        let message = format!(
            "`{name}` uses `this`, which functions of modules do not receive; pass what it needs as an argument"
        );
        scope.error(at, message);
    }
}

/// A call of a function of the layer below. What is there is checked when the scripts of a kind are compiled.
fn base_call(call: &FnCallExpr, at: Position, scope: &Scope<'_>) {
    let message = match scope.file.role {
        ScriptRole::Behavior => return,
        ScriptRole::Library => {
            "only the script that a mod's `scripts` names has a layer below; pass what this function needs as an argument"
        }
        _ => "there is no layer below; only the `scripts` of a mod have one",
    };
    scope.error(at, format!("`base::{}` cannot be called here: {message}", call.name));
}

fn own_module_call(owner: Owner, call: &FnCallExpr, at: Position, scope: &Scope<'_>) {
    let (name, vocabulary) = (call.name.as_str(), scope.file.vocabulary);
    let types = types_of(&call.args, scope);
    match resolve_in(owner, name, &types, scope) {
        Ok(entry) => {
            called_here(name, owner, at, scope);
            names::arguments(entry, &call.args, scope);
        }
        Err(named) if named.is_empty() => {
            let prefix = owner.prefix();
            let right = match nearest(name, vocabulary.names_of(owner)) {
                Some(right) => Some(format!("{prefix}{right}")),
                None => vocabulary.entries(name).next().map(ApiEntry::signature),
            };
            let hint = did_you_mean(right);
            scope.error(at, format!("there is no function `{prefix}{name}`{hint}"));
        }
        Err(named) => {
            let site = CallSite::new(call, at, None, types);
            scope.error(at, wrong_arguments(&site, &named, vocabulary.api_set));
        }
    }
}

/// A variable of a module, such as `world::tick` or `tools::SPEED`.
pub(super) fn module_variable(namespace: &Namespace, name: &str, at: Position, scope: &Scope<'_>) {
    let [module] = namespace.path.as_slice() else {
        return;
    };
    let (module, place) = (module.name.as_str(), module.pos);
    if let Some(owner) = own_module(module, scope) {
        let mut named = scope.file.vocabulary.entries(name);
        let message = match named.find(|e| e.owner == owner) {
            Some(entry) => format!("`{name}` is a function; write `{}`", entry.signature()),
            None => format!("there is no `{module}::{name}`"),
        };
        scope.error(at, message);
    } else if !is_module(module, scope) {
        scope.error(place, no_module(module, scope));
    } else if imported(module, scope).is_some_and(|imported| !imported.exports_variables()) {
        let message = format!(
            "`{module}::{name}` is not visible; an imported file shares only its functions, so add one that returns it"
        );
        scope.error(at, message);
    }
}

/// Whether a module has this name. Compiling reports imports of missing files.
fn is_module(name: &str, scope: &Scope<'_>) -> bool {
    name == "global" || scope.file.script.imports.contains_key(name)
}

fn imported<'a>(name: &str, scope: &Scope<'a>) -> Option<&'a ParsedScript> {
    let script = scope.file.script;
    let path = script.imports.get(name)?.as_ref()?;
    let mut keys = import_keys(&script.file.name, &with_ending(path));
    keys.find_map(|key| scope.file.game.scripts.get(&key))
}

fn no_module(name: &str, scope: &Scope<'_>) -> String {
    if Owner::module(name).is_some() {
        return format!("there is no module `{name}` in tests; it exists only in behaviors");
    }
    let own = scope.file.script.imports.keys().map(String::as_str);
    let modules = Owner::MODULES.iter().map(|module| module.name());
    let known = own.chain(modules.filter(|_| scope.file.in_behavior()));
    let hint = match nearest(name, known) {
        Some(right) => format!("did you mean `{right}`?"),
        None => "import it at the top of the file: `import \"lib/…\" as …;`".into(),
    };
    format!("there is no module `{name}`; {hint}")
}

/// The message about a function that a module does not export with this number of parameters.
fn not_exported(imported: &ParsedScript, module: &str, name: &str, given: usize) -> String {
    if imported.functions.contains_key(&(name.to_string(), given)) {
        return format!("`{module}::{name}` is private to its file");
    }
    if let Some(takes) = imported.parameters_of(name).first() {
        return wrong_count(&format!("{module}::{name}"), *takes, given);
    }
    let names = imported.functions.keys().map(|(name, _)| name.as_str());
    let right = nearest(name, names).map(|right| format!("{module}::{right}"));
    let (file, hint) = (&imported.file.name, did_you_mean(right));
    format!("there is no function `{name}` in {file}{hint}")
}
