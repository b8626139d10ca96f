//! Checks of calls: whether the function exists, takes these arguments, and may be called here.

use super::*;

/// Calls that are an error in rules with a second parameter, which run in the middle of a tick.
const NOT_IN_RULES: &str = "create emit jump_to keep set_solid";

/// A call with the types of its receiver, if it has one, and of its arguments.
struct CallSite<'e> {
    call: &'e FnCallExpr,
    at: Position,
    on: Option<Type>,
    types: Vec<Type>,
}

impl Scope<'_> {
    /// A call such as `abs(x)`.
    pub fn check_call(&self, call: &FnCallExpr, at: Position) {
        let file = self.file;
        let (name, arguments) = (call.name.as_str(), call.args.as_slice());
        if let ("play", ApiSet::Test, [_, Expr::Map(map, _)]) = (name, file.vocabulary.api_set, arguments) {
            for (key, _) in &map.0 {
                self.add_found(key.pos, check_named(Names::Setting, &key.name, "play", self.file.known));
            }
        }
        if let ("Fn", [pointed]) = (name, arguments) {
            return self.check_pointer(pointed);
        }
        let own = file.script.function(name, arguments.len());
        if own.is_some_and(|own| own.uses_this) && file.role != ScriptRole::Test {
            let variable = |argument: &Expr| source_text(argument).filter(|_| matches!(argument, Expr::Variable(..)));
            let arguments = arguments.iter().map(|argument| variable(argument).unwrap_or_else(|| "…".into()));
            let arguments = arguments.collect::<Vec<String>>().join(", ");
            let message =
                format!("`{name}` uses `this`, which a plain call does not pass; write `this.{name}({arguments})`");
            return self.error(at, message);
        }
        self.check_target(&CallSite { call, at, on: None, types: self.types_of(arguments) });
    }

    /// A call such as `me.jump()`.
    pub fn check_method(&self, on: Type, call: &FnCallExpr, at: Position) {
        if on == Type::Test && call.name == "run_until" {
            call.args
                .first()
                .and_then(closure)
                .iter()
                .for_each(|closure| self.check_level_closure(closure));
        }
        let mut types = self.types_of(&call.args);
        types.insert(0, on);
        if let (Type::Array(each), "contains", [value]) = (on, call.name.as_str(), call.args.as_slice())
            && !self.file.script.has_function("contains")
        {
            self.check_compared(*each, value);
        }
        self.check_target(&CallSite { call, at, on: Some(on), types });
    }

    /// `Fn("name")`.
    fn check_pointer(&self, pointed: &Expr) {
        if let Some((name, at)) = self.text(pointed)
            && name.contains("::")
        {
            self.error(at, format!("`Fn` cannot point to a module's function; write a closure: `|| {name}()`"));
        }
    }

    /// `world.emit(…)` or `camera.zoom = 2` instead of `world::emit(…)`; whether that is what the chain is.
    pub fn is_module_as_value(&self, root: &Expr, steps: &[ChainStep]) -> bool {
        let member = match steps.first() {
            Some(ChainStep::Method(call, _)) => call.name.as_str(),
            Some(ChainStep::Property(name, _)) => name,
            _ => return false,
        };
        let Expr::Variable(variable, _, at) = root else {
            return false;
        };
        let name = variable.1.as_str();
        let declared = variable.0.is_some() || self.is_local(name) || self.is_constant(name);
        let module = Owner::module(name).is_some() && !declared && self.file.in_behavior();
        if module {
            self.error(*at, format!("`{name}` is a module; write `{name}::{member}(…)`"));
        }
        module
    }

    fn check_target(&self, site: &CallSite) {
        let vocabulary = self.file.vocabulary;
        let name = site.call.name.as_str();
        let message = match self.resolve(name, &site.types, site.on) {
            CallTarget::Script | CallTarget::Language => return,
            CallTarget::Variable if vocabulary.knows(name) || self.file.script.has_function(name) => return,
            CallTarget::Variable => {
                format!("`{name}` is a variable; call the function in it with `{name}.call(…)`")
            }
            CallTarget::Unknown => match self.unknown_call(site) {
                Some(message) => message,
                None => return,
            },
            CallTarget::NotOn(owner) => {
                let own: Vec<&ApiEntry> = vocabulary.calls(name).filter(|e| Some(e.owner) == owner).collect();
                if own.is_empty() {
                    let right = owner.and_then(|owner| vocabulary.property(owner, name));
                    self.not_callable(site, right.or_else(|| vocabulary.calls(name).next()))
                } else {
                    self.wrong_arguments(site, &own)
                }
            }
            CallTarget::Mismatch(named) => self.wrong_arguments(site, &named),
            CallTarget::ApiEntry(entry, _) => {
                self.check_called_here(name, entry.owner, site.at);
                let skipped = site.call.args.len().saturating_sub(entry.parameters.len());
                let arguments = &site.call.args[skipped..];
                if entry.owner == Owner::Me {
                    let first = arguments.first().and_then(|it| self.text(it));
                    let script = &self.file.script;
                    if ["start", "stop", "running"].contains(&name)
                        && let Some((text, at)) = first.as_ref().filter(|(text, _)| !script.has_function(text))
                    {
                        let hint = did_you_mean(nearest(text, script.functions.keys().map(|(name, _)| name.as_str())));
                        self.warn(*at, format!("this script has no function `{text}`{hint}"));
                    }
                    let first = first.as_ref().map(|(text, _)| text.as_str());
                    let why = check_moved(&script.file.name, name, first, self.file.known);
                    let why = why.filter(|_| self.file.role == ScriptRole::Behavior);
                    self.add_found(site.at, why.map(|why| (Severity::Warning, why)));
                }
                return self.check_arguments(entry, arguments);
            }
        };
        self.error(site.at, message);
    }

    /// A call that needs a body, or that a rule cannot make.
    fn check_called_here(&self, name: &str, owner: Owner, at: Position) {
        if owner == Owner::Me && self.file.role == ScriptRole::Level && !is_level_member(name) {
            self.error(at, no_level_member(name));
        }
        if self.function.rule.is_some_and(|rule| rule.about.is_some())
            && self.closures == 0
            && is_among(name, NOT_IN_RULES)
            && (owner == Owner::Me || owner.is_module())
        {
            self.error(at, not_in_rules(name));
        }
    }

    /// The message about a function that does not exist, or not with this number of arguments.
    fn unknown_call(&self, site: &CallSite) -> Option<String> {
        let (file, name) = (self.file, site.call.name.as_str());
        if let Some(takes) = file.script.parameters_of(name).next() {
            return Some(wrong_count(name, takes, site.call.args.len()));
        }
        // A map may hold a function, which is called as if it were a method.
        let map = |on| matches!(on, Type::Any | Type::Data | Type::Map(_));
        if site.on.is_some_and(map) && file.may_be_own_method(name) {
            return None;
        }
        if !file.vocabulary.knows(name) {
            let hint = self.call_hint(name, site.on);
            return Some(format!("there is no function `{name}`{hint}"));
        }
        let called = |e: &&ApiEntry| !e.owner.is_module();
        let named: Vec<&ApiEntry> = file.vocabulary.calls(name).filter(called).collect();
        if named.is_empty() && site.on.is_some() {
            return Some(format!("`{name}` takes a different number of arguments"));
        }
        Some(self.wrong_arguments(site, &named))
    }

    fn call_hint(&self, name: &str, on: Option<Type>) -> String {
        let vocabulary = self.file.vocabulary;
        let receiver = on.map_or("", receiver_name);
        let habit = || elsewhere::call(name, receiver, vocabulary.api_set);
        if !receiver.is_empty()
            && let Some(right) = habit()
        {
            return format!("; use {right}");
        }
        let mut exact = vocabulary.all.iter().filter(|e| e.name == name && e.kind != EntryKind::Operator);
        if let Some(entry) = exact.clone().find(|e| e.api_set.is_in(vocabulary.api_set)) {
            return did_you_mean(Some(entry.signature()));
        }
        if let Some(entry) = exact.next() {
            let api_set = if entry.api_set == ApiSet::Test { "tests" } else { "behaviors" };
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
        let functions = self.file.script.functions.keys();
        let own = functions.map(|(name, _)| name.as_str());
        did_you_mean(nearest(name, own.chain(vocabulary.names())))
    }

    /// A call such as `world::tick()` or `tools::walk(me)`.
    pub fn check_module_call(&self, call: &FnCallExpr, at: Position) {
        let [module] = call.namespace.path.as_slice() else {
            return;
        };
        if let Some(owner) = self.own_module(&module.name) {
            return self.check_own_module_call(owner, call, at);
        }
        if module.name == BASE && !self.is_module(BASE) {
            return self.check_base_call(call, module.pos);
        }
        if !self.is_module(&module.name) {
            return self.error(module.pos, self.no_module(&module.name));
        }
        let (module, name) = (module.name.as_str(), call.name.as_str());
        let Some(imported) = self.imported(module) else {
            return;
        };
        let given = call.args.len();
        let message = match imported.function(name, given) {
            Some(function) if function.private => format!("`{module}::{name}` is private to its file"),
            Some(function) if !function.uses_this => return,
            Some(_) => format!(
                "`{name}` uses `this`, which functions of modules do not receive; pass what it needs as an argument"
            ),
            None => match imported.parameters_of(name).next() {
                Some(takes) => wrong_count(&format!("{module}::{name}"), takes, given),
                None => {
                    let names = imported.functions.keys().map(|(name, _)| name.as_str());
                    let hint = did_you_mean(nearest(name, names).map(|right| format!("{module}::{right}")));
                    format!("there is no function `{name}` in {}{hint}", imported.file.name)
                }
            },
        };
        self.error(at, message);
    }

    /// A call of a function of the layer below. What is there is checked when the scripts of a kind are compiled.
    fn check_base_call(&self, call: &FnCallExpr, at: Position) {
        let message = match self.file.role {
            ScriptRole::Behavior => return,
            ScriptRole::Library => {
                "only the script that a mod's `scripts` names has a layer below; pass what this function needs as an argument"
            }
            _ => "there is no layer below; only the `scripts` of a mod have one",
        };
        self.error(at, format!("`base::{}` cannot be called here: {message}", call.name));
    }

    fn check_own_module_call(&self, owner: Owner, call: &FnCallExpr, at: Position) {
        let (name, vocabulary) = (call.name.as_str(), self.file.vocabulary);
        let types = self.types_of(&call.args);
        match self.resolve_in(owner, name, &types) {
            Ok(entry) => {
                self.check_called_here(name, owner, at);
                self.check_arguments(entry, &call.args);
            }
            Err(named) if named.is_empty() => {
                let prefix = owner.prefix();
                let right = match nearest(name, vocabulary.names_of(owner)) {
                    Some(right) => Some(format!("{prefix}{right}")),
                    None => vocabulary.entries(name).next().map(ApiEntry::signature),
                };
                let hint = did_you_mean(right);
                self.error(at, format!("there is no function `{prefix}{name}`{hint}"));
            }
            Err(named) => self.error(at, self.wrong_arguments(&CallSite { call, at, on: None, types }, &named)),
        }
    }

    /// A variable of a module, such as `world::tick` or `tools::SPEED`.
    pub fn check_module_variable(&self, namespace: &Namespace, name: &str, at: Position) {
        let [module] = namespace.path.as_slice() else {
            return;
        };
        let (module, place) = (module.name.as_str(), module.pos);
        if let Some(owner) = self.own_module(module) {
            let mut named = self.file.vocabulary.entries(name);
            let message = match named.find(|e| e.owner == owner) {
                Some(entry) => format!("`{name}` is a function; write `{}`", entry.signature()),
                None => format!("there is no `{module}::{name}`"),
            };
            self.error(at, message);
        } else if !self.is_module(module) {
            self.error(place, self.no_module(module));
        } else if self.imported(module).is_some_and(|imported| !imported.exports_variables()) {
            let message = format!(
                "`{module}::{name}` is not visible; an imported file shares only its functions, so add one that returns it"
            );
            self.error(at, message);
        }
    }

    /// Whether a module has this name. Compiling reports imports of missing files.
    fn is_module(&self, name: &str) -> bool {
        name == "global" || self.file.script.imports.contains_key(name)
    }

    fn imported(&self, name: &str) -> Option<&ParsedScript> {
        let script = self.file.script;
        let path = script.imports.get(name)?.as_ref()?;
        let mut keys = import_keys(&script.file.name, &with_ending(path));
        keys.find_map(|key| self.file.game.scripts.get(&key))
    }

    fn no_module(&self, name: &str) -> String {
        if Owner::module(name).is_some() {
            return format!("there is no module `{name}` in tests; it exists only in behaviors");
        }
        let own = self.file.script.imports.keys().map(String::as_str);
        let modules = Owner::MODULES.iter().map(|module| module.name());
        let known = own.chain(modules.filter(|_| self.file.in_behavior()));
        let hint = match nearest(name, known) {
            Some(right) => format!("did you mean `{right}`?"),
            None => "import it at the top of the file: `import \"lib/…\" as …;`".into(),
        };
        format!("there is no module `{name}`; {hint}")
    }

    fn not_callable(&self, site: &CallSite, right: Option<&ApiEntry>) -> String {
        let name = site.call.name.as_str();
        let whose = site.on.map_or_else(String::new, spoken);
        if right.is_some_and(|e| e.owner == Owner::Me) && whose == Type::Entity.spoken() {
            return format!(
                "`{name}` cannot be called on {whose}: a script acts on its own entity alone; emit an event with \
                 `world::emit(\"NAME\", data)`, which the other one's script answers with `fn on_NAME(me, event)`"
            );
        }
        let hint = match elsewhere::call(name, site.on.map_or("", receiver_name), self.file.vocabulary.api_set) {
            Some(right) => format!("; use {right}"),
            None => right.map_or_else(String::new, |e| format!("; write `{}`", e.signature())),
        };
        format!("`{name}` cannot be called on {whose}{hint}")
    }

    /// The message about arguments that no function with this name takes.
    fn wrong_arguments(&self, site: &CallSite, named: &[&ApiEntry]) -> String {
        let name = site.call.name.as_str();
        let types: Vec<String> = site.types.iter().map(|t| short_name(*t)).collect();
        let given = types[usize::from(site.on.is_some())..].join(", ");
        let mut right: Vec<String> = named.iter().map(|e| e.signature()).collect();
        right.dedup();
        let receiver = site.on.map(receiver_name).filter(|receiver| !receiver.is_empty());
        let habit = receiver.and_then(|receiver| elsewhere::call(name, receiver, self.file.vocabulary.api_set));
        cannot_call(name, &format!("{name}({given})"), &types.join(", "), habit, &right)
    }
}

/// The name that Rhai has for the type of the value that a function is called on; empty if it is not known.
fn receiver_name(of: Type) -> &'static str {
    match of.present() {
        Type::Text | Type::Name(_) => "string",
        Type::Array(_) => "array",
        Type::Map(_) => "map",
        Type::Any | Type::Data | Type::Either(_) => "",
        other => owner(other).map_or("other", Owner::name),
    }
}

/// The message about a script's function that takes another number of arguments.
fn wrong_count(name: &str, takes: usize, passed: usize) -> String {
    let passed = if passed == 0 { "none".into() } else { passed.to_string() };
    format!("`{name}` takes {}, but this call passes {passed}", counted(takes, "argument"))
}

/// A type as it appears between the parentheses of a call.
fn short_name(of: Type) -> String {
    let name = match of.present() {
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
