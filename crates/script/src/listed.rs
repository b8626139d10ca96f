//! What is known of a compiled script without running it.

use super::{ListedFunction, Place, RULES, SourceFile};
use crate::Diagnostic;
use hangtime_core::sim::{ScriptId, SequenceFrame, Subscriptions, Value, WaitPoint, event_bit};
use std::{borrow::Cow, sync::Arc};

/// A hook of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedHook {
    /// The function's name.
    pub name: Arc<str>,
    /// The number of its parameters.
    pub parameters: usize,
}

/// A place where a sequence waits, or where it begins.
#[derive(Clone, Debug)]
pub struct ListedStep {
    /// The place as frames have it.
    pub point: Arc<WaitPoint>,
    /// The function that is called to continue from there, by its place among the hooks of the script; before that is known,
    /// among the pieces of the functions that wait.
    pub hook: usize,
    /// The event that is waited for.
    pub awaits: Option<Arc<str>>,
    /// The wait in the file.
    pub place: Place,
}

/// A function that a file declares.
#[derive(Clone, Debug)]
pub struct DeclaredFunction {
    /// Its name.
    pub name: String,
    /// The names of its parameters.
    pub parameters: Vec<String>,
    /// The place of its name.
    pub place: Place,
}

/// What is known of a compiled script without running it.
#[derive(Clone, Debug)]
pub struct ListedScript {
    /// Its file.
    pub file: Arc<SourceFile>,
    /// Its hooks: rules, then those for events.
    pub hooks: Vec<ListedHook>,
    /// Where its sequences wait, and where those begin that can be started.
    pub steps: Vec<ListedStep>,
    /// The place of its `on_tick` among its hooks.
    pub(crate) on_tick: Option<usize>,
    /// Whether it has a hook for any event.
    pub(crate) has_events: bool,
    /// The points of these steps.
    pub(crate) points: Option<Arc<[Arc<WaitPoint>]>>,
    /// The events that its sequences wait for.
    awaited: Vec<Arc<str>>,
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
            steps: Vec::new(),
            on_tick: None,
            has_events: false,
            points: None,
            awaited: Vec::new(),
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
        self.hooks.iter().map(|hook| &*hook.name)
    }

    /// The place of a hook among its hooks; none if it does not have it.
    pub(crate) fn hook(&self, name: &str) -> Option<usize> {
        self.hook_names().position(|hook| hook == name)
    }

    /// The place of its hook for an event.
    pub(crate) fn event_hook(&self, event: &str) -> Option<usize> {
        // Most names differ in length.
        self.hook_names()
            .position(|hook| hook.len() == event.len() + 3 && hook.strip_prefix("on_") == Some(event))
    }

    /// Whether it has a hook, such as `on_land` or `model`.
    pub fn has_hook(&self, name: &str) -> bool {
        self.hook_names().any(|hook| hook == name)
    }

    /// Whether it has a hook for an event.
    pub fn handles(&self, event: &str) -> bool {
        self.events().any(|handled| handled == event) || self.awaited.iter().any(|awaited| **awaited == *event)
    }

    fn events(&self) -> impl Iterator<Item = &str> {
        self.hook_names().filter_map(|hook| hook.strip_prefix("on_"))
    }

    /// Sets its hooks, and when it is called because of them.
    pub fn with_hooks(mut self, hooks: Vec<ListedHook>) -> Self {
        self.hooks = hooks;
        self.find_events();
        self.subscriptions = Subscriptions {
            ticks: self.handles("tick"),
            rules: self.has_hook("model") || self.has_hook("jump_windows"),
            events: self.events().fold(0, |bits, name| bits | event_bit(name)),
        };
        self
    }

    fn find_events(&mut self) {
        let any = self.events().next().is_some();
        (self.on_tick, self.has_events) = (self.event_hook("tick"), any);
    }

    /// Adds its sequences; their functions are the last of its hooks.
    pub fn with_steps(mut self, mut steps: Vec<ListedStep>) -> Self {
        for step in &mut steps {
            step.hook = self.hooks.len();
            let parameters = if step.point.step == 0 { 1 } else { 2 };
            self.hooks.push(ListedHook { name: step.point.sequence.clone(), parameters });
        }
        self.find_events();
        self.points = (!steps.is_empty()).then(|| steps.iter().map(|step| step.point.clone()).collect());
        self.awaited = steps.iter().filter_map(|step| step.awaits.clone()).collect();
        self.subscriptions.events |= self.awaited.iter().fold(0, |bits, name| bits | event_bit(name));
        self.steps = steps;
        self
    }

    /// Where a frame waits, with the values that are remembered there; none if the script has no such wait any more. After
    /// a reload that is the nearest wait that is written in the same way, if all its local variables are remembered:
    /// first of those that are followed by the same text.
    pub(crate) fn step_of<'s>(&'s self, frame: &'s SequenceFrame) -> Option<(&'s ListedStep, Cow<'s, [Value]>)> {
        let SequenceFrame { at, locals, .. } = frame;
        let known = self.steps.iter().find(|step| Arc::ptr_eq(&step.point, at));
        if let Some(step) = known.or_else(|| self.steps.iter().find(|step| step.point == *at)) {
            return Some((step, Cow::Borrowed(locals)));
        }
        let alike = self.steps.iter().filter(|step| {
            let WaitPoint { sequence, label, names, .. } = &*step.point;
            *sequence == at.sequence && *label == at.label && names.iter().all(|name| at.names.contains(name))
        });
        let step = alike.min_by_key(|step| (step.point.text != at.text, step.point.step.abs_diff(at.step)))?;
        let value = |name| locals.get(at.names.iter().position(|own| own == name)?).cloned();
        let locals = step.point.names.iter().map(|name| value(name).unwrap_or(Value::Unit)).collect();
        Some((step, Cow::Owned(locals)))
    }

    /// Puts it above another script, as the topmost one of an entity.
    pub(crate) fn put_above(&mut self, (id, below): (ScriptId, &Self), own: ScriptId) {
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

    /// The place of a hook's name in the file, or else the beginning of the file.
    pub(crate) fn start_of(&self, hook: &str) -> Place {
        self.place_of(hook).unwrap_or_else(|| Place::new(&self.file, 0..0))
    }

    /// Errors if it is used as the script of a level, which has no rules; a warning of a hook that entities do not have, if not.
    pub fn misplaced(&self, in_level: bool) -> Vec<Diagnostic> {
        if !in_level {
            let why = "`on_start` is only called in a level's own script; an entity has `on_birth`";
            return self
                .place_of("on_start")
                .map(|place| Diagnostic::warning(place, why))
                .into_iter()
                .collect();
        }
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
