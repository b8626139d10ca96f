//! The compiled scripts of a revision, whatever their languages.

use super::rules::WITHIN_TICKS;
use super::{Behavior, BelowScript, Language, LanguageRules, Languages, ScriptRules, Sources};
use crate::calls::Interest;
use crate::{Diagnostic, Execution, Limits, ListedFunction, Place, RULES, SourceFile};
use hangtime_core::sim::{ScriptId, Subscriptions, event_bit};
use std::sync::Arc;

/// What a language has to compile.
pub struct CompileRequest<'a> {
    /// The scripts of the game in all languages.
    pub sources: Arc<Sources>,
    /// The scripts of the revision in all languages. The [`ScriptId`] of each is its index.
    pub behaviors: &'a [Behavior],
    /// The limits of their calls.
    pub limits: Limits,
    /// How their calls are to be executed.
    pub execution: Execution,
}

/// What a language has compiled.
pub struct Compiled {
    /// What is known of each behavior of the request. One in another language has no hooks here.
    pub scripts: Vec<ListedScript>,
    /// What runs them.
    pub program: Arc<dyn Program>,
    /// Whether their constants are plain data, so that runs cannot change what other runs see.
    pub is_plain: bool,
}

/// The compiled scripts of one language. Immutable; games share them.
pub trait Program: Send + Sync {
    /// What calls them in one game.
    fn rules(self: Arc<Self>) -> Box<dyn LanguageRules>;
}

/// What is known of a compiled script without running it.
#[derive(Clone, Debug)]
pub struct ListedScript {
    /// Its file.
    pub file: Arc<SourceFile>,
    /// The names of its hooks: those of rules, then those of events.
    pub hooks: Vec<Arc<str>>,
    /// The functions of its file, in the order in which they are written.
    pub functions: Vec<ListedFunction>,
    /// The tunables that its rules answer instead of their numbers.
    pub answers: Vec<AnsweredTunable>,
    /// All scripts of an entity whose topmost script it is, the lowest one first. Empty if nothing is below it.
    pub layers: Vec<ScriptId>,
    /// When it, or a script below it, is called in the decide phase.
    pub subscriptions: Subscriptions,
}

impl ListedScript {
    /// A script without hooks and functions: one that has errors.
    pub fn without_hooks(file: &Arc<SourceFile>) -> Self {
        Self {
            file: file.clone(),
            hooks: Vec::new(),
            functions: Vec::new(),
            answers: Vec::new(),
            layers: Vec::new(),
            subscriptions: Subscriptions::NONE,
        }
    }

    /// Its path below the game folder.
    pub fn name(&self) -> &str {
        &self.file.name
    }

    /// The names of its hooks.
    pub fn hook_names(&self) -> impl Iterator<Item = &str> + '_ {
        self.hooks.iter().map(|hook| &**hook)
    }

    /// Whether it has a hook, such as `on_land` or `model`.
    pub fn has_hook(&self, name: &str) -> bool {
        self.hook_names().any(|hook| hook == name)
    }

    /// Whether it has a hook for an event.
    pub fn handles(&self, event: &str) -> bool {
        self.events().any(|handled| handled == event)
    }

    fn events(&self) -> impl Iterator<Item = &str> {
        self.hook_names().filter_map(|hook| hook.strip_prefix("on_"))
    }

    /// Sets its hooks, and when it is called because of them.
    pub fn with_hooks(mut self, hooks: Vec<Arc<str>>) -> Self {
        self.hooks = hooks;
        self.subscriptions = Subscriptions {
            ticks: self.handles("tick"),
            rules: self.has_hook("model") || self.has_hook("jump_windows"),
            events: self.events().fold(0, |bits, name| bits | event_bit(name)),
        };
        self
    }

    /// Puts it above another script, as the topmost one of an entity.
    pub fn put_above(&mut self, (id, below): (ScriptId, &Self), own: ScriptId) {
        self.layers = match below.layers.as_slice() {
            [] => vec![id, own],
            layers => layers.iter().copied().chain([own]).collect(),
        };
        let Subscriptions { ticks, rules, events } = below.subscriptions;
        self.subscriptions.ticks |= ticks;
        self.subscriptions.rules |= rules;
        self.subscriptions.events |= events;
    }

    /// The place of a hook's name in the file; none if the script does not have the hook.
    pub fn place_of(&self, hook: &str) -> Option<Place> {
        let function = self.functions.iter().find(|function| function.name == hook);
        function.filter(|_| self.has_hook(hook)).map(|function| function.place.clone())
    }

    /// Errors if it is used as the script of a level: a level has no rules.
    pub fn wrong_for_a_level(&self) -> Vec<Diagnostic> {
        let rules = RULES.iter();
        let asked = rules.filter_map(|rule| Some((self.place_of(rule.name)?, rule)));
        asked.map(|(place, rule)| Diagnostic::error(place, rule.not_of_levels())).collect()
    }
}

/// A tunable that a rule of a script answers.
#[derive(Clone, Debug, PartialEq)]
pub struct AnsweredTunable {
    /// The tunable, such as `coyote_time`.
    pub key: &'static str,
    /// The name of the rule's function.
    pub place: Place,
    /// Whether every answer of the rule has it. Otherwise the tuning decides in some cases.
    pub always: bool,
    /// Whether every value is a literal number.
    pub constant: bool,
}

/// All compiled scripts of a revision. Immutable.
pub struct Scripts {
    all: Vec<ListedScript>,
    languages: Languages,
    programs: Vec<Arc<dyn Program>>,
    /// The place of each script's program among these.
    program_of: Vec<usize>,
    behaviors: Vec<Behavior>,
    sources: Arc<Sources>,
    limits: Limits,
    execution: Execution,
    /// Which parts of the world they use.
    interest: Interest,
    is_plain: bool,
}

impl std::fmt::Debug for Scripts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.all.iter().map(ListedScript::name)).finish()
    }
}

impl Scripts {
    /// Compiles `behaviors`, each in the language of its file. The [`ScriptId`] of each is its index in the list.
    /// Errors and warnings are added to `diagnostics`; a file with errors has no hooks.
    pub fn compile(
        languages: Languages,
        sources: Arc<Sources>,
        behaviors: &[Behavior],
        limits: Limits,
        execution: Execution,
        diagnostics: &mut impl Extend<Diagnostic>,
    ) -> Self {
        let interest = Interest::of(sources.values().map(|file| file.text.as_str()));
        let language_of = |behavior: &Behavior| languages.of(&behavior.key).unwrap_or(languages.first());
        let mut scripts = Self {
            all: Vec::new(),
            languages,
            programs: Vec::new(),
            program_of: Vec::new(),
            behaviors: behaviors.to_vec(),
            sources: sources.clone(),
            limits,
            execution,
            interest,
            is_plain: true,
        };
        let mut used: Vec<&dyn Language> = Vec::new();
        for behavior in behaviors {
            let language = language_of(behavior);
            let known = used.iter().position(|known| known.ending() == language.ending());
            scripts.program_of.push(known.unwrap_or(used.len()));
            if known.is_none() {
                used.push(language);
            }
            if let BelowScript::Script(below) = behavior.below {
                let below = &behaviors[below.0 as usize];
                diagnostics.extend(wrong_layer((behavior, language), (below, language_of(below))));
            }
        }
        let request = CompileRequest { sources, behaviors, limits, execution };
        for (place, language) in used.into_iter().enumerate() {
            let mut found = Vec::new();
            let compiled = language.compile(&request, &mut found);
            diagnostics.extend(found);
            scripts.programs.push(compiled.program);
            scripts.is_plain &= compiled.is_plain;
            match place {
                0 => scripts.all = compiled.scripts,
                _ => {
                    let own = scripts.program_of.iter().zip(&mut scripts.all).zip(compiled.scripts);
                    own.filter(|((of, _), _)| **of == place)
                        .for_each(|((_, script), compiled)| *script = compiled);
                }
            }
        }
        scripts
    }

    /// Whether they are these scripts, with the same limits and execution.
    pub fn are_of(&self, behaviors: &[Behavior], limits: Limits, execution: Execution) -> bool {
        self.behaviors == behaviors && (self.limits, self.execution) == (limits, execution)
    }

    /// The rules of a game that these scripts play.
    pub fn rules(self: &Arc<Self>) -> ScriptRules {
        ScriptRules::new(self.clone())
    }

    /// What calls the scripts of each language.
    pub(super) fn parts(&self) -> Vec<Box<dyn LanguageRules>> {
        self.programs.iter().map(|program| program.clone().rules()).collect()
    }

    /// The place of a script's language among the parts.
    pub(super) fn part_of(&self, id: ScriptId) -> usize {
        self.program_of[id.0 as usize]
    }

    /// The script with this id.
    pub fn get(&self, id: ScriptId) -> &ListedScript {
        &self.all[id.0 as usize]
    }

    /// All scripts of an entity with this topmost one, the lowest one first.
    pub fn layers_of<'s>(&'s self, top: &'s ListedScript) -> impl DoubleEndedIterator<Item = &'s ListedScript> + 's {
        let below = &top.layers[..top.layers.len().saturating_sub(1)];
        below.iter().map(|id| self.get(*id)).chain([top])
    }

    /// The languages that they may have been written in.
    pub fn languages(&self) -> Languages {
        self.languages
    }

    /// How their calls are executed.
    pub fn execution(&self) -> Execution {
        self.execution
    }

    /// The limits of their calls.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Which parts of the world they use.
    pub(super) fn interest(&self) -> Interest {
        self.interest
    }

    /// Whether a rule that is asked within a tick may read other entities than its own.
    pub(super) fn reads_others_within_ticks(&self) -> bool {
        let asked = |script: &ListedScript| WITHIN_TICKS.iter().any(|rule| script.has_hook(rule));
        self.interest.reads_others() && self.all.iter().any(asked)
    }

    /// The bytes of all sources, those of tests included.
    pub fn source_bytes(&self) -> usize {
        self.sources.values().map(|file| file.text.len()).sum()
    }

    /// How many values the variables of an entity, or of the level, can hold.
    pub fn kept_values(&self) -> usize {
        self.limits.kept_values
    }

    /// All scripts, by id.
    pub fn all(&self) -> &[ListedScript] {
        &self.all
    }

    /// Whether their constants are plain data, so that a run cannot change what another one sees.
    pub fn is_plain(&self) -> bool {
        self.is_plain
    }
}

/// The error about a script above one in another language: they could not call each other.
fn wrong_layer(above: (&Behavior, &dyn Language), below: (&Behavior, &dyn Language)) -> Option<Diagnostic> {
    let [above_name, below_name] = [above.1.name(), below.1.name()];
    (above_name != below_name).then(|| {
        let message = format!(
            "this is above {}, which is in {below_name}; all scripts of an entity have one language, so write it in \
             {below_name} instead of {above_name}",
            below.0.key
        );
        Diagnostic::about_file(&above.0.key, message)
    })
}
