//! The functions that a script can call with `base`: those of the scripts below it, whatever their languages.

use super::{Behavior, BelowScript, CompileRequest};
use crate::{ListedScript, names::suggestion};
use hangtime_core::sim::ScriptId;

/// A function of a script, for the scripts above it.
#[derive(Clone, Debug)]
pub struct BaseFunction {
    /// Its name.
    pub name: String,
    /// The number of its parameters.
    pub parameters: usize,
    /// The layer of its script.
    pub layer: usize,
}

/// What a script can call of those below it.
#[derive(Debug)]
pub struct BaseFunctions {
    below: BelowScript,
    /// How the script writes a call, before the name.
    prefix: String,
    /// The names of the files below it, the lowest one first.
    files: Vec<String>,
    /// The functions of all scripts below it, those of the next one first.
    functions: Vec<BaseFunction>,
}

impl BaseFunctions {
    /// What is below a behavior. Of several functions with one name and number of parameters it calls the topmost one.
    /// `listed` has the scripts below it that are compiled already; of the others, the texts are read.
    pub fn of<'l>(
        request: &CompileRequest<'_>,
        behavior: &Behavior,
        listed: impl Fn(ScriptId) -> Option<&'l ListedScript>,
    ) -> Self {
        let scope = request.languages.of(&behavior.key).map_or("", |language| language.spelling().scope);
        let (mut files, mut functions) = (Vec::new(), Vec::<BaseFunction>::new());
        for (layer, id) in request.layers_below(behavior).into_iter().enumerate() {
            let file = request.sources.get(&request.behaviors[id.0 as usize].key);
            files.push(file.map_or_else(String::new, |file| file.name.clone()));
            let function = |name: &str, parameters| BaseFunction { name: name.into(), parameters, layer };
            let own: Vec<BaseFunction> = match (listed(id), file) {
                (Some(script), _) => {
                    // Sequences run in their own layer.
                    let waits = |name: &str| script.steps.iter().any(|step| *step.point.sequence == *name);
                    let called = script.functions.iter().filter(|it| !waits(&it.name) || it.name.starts_with("on_"));
                    called.map(|it| function(&it.name, it.parameters)).collect()
                }
                (None, Some(file)) => {
                    let language = request.languages.of(&file.name);
                    let declared = language.map_or_else(Vec::new, |language| language.functions(&file.text));
                    declared.iter().map(|it| function(it.name, it.each_parameter().count())).collect()
                }
                (None, None) => Vec::new(),
            };
            functions.retain(|known| !own.iter().any(|it| it.name == known.name && it.parameters == known.parameters));
            functions.splice(0..0, own);
        }
        Self { below: behavior.below, prefix: format!("base{scope}"), files, functions }
    }

    /// The functions that can be called.
    pub fn callable(&self) -> impl Iterator<Item = &BaseFunction> {
        self.functions.iter().filter(|function| !self.is_hook(function))
    }

    /// The name of the file of a layer.
    pub fn file(&self, layer: usize) -> &str {
        &self.files[layer]
    }

    /// Whether a function, or another one of its script with the same name, is called with events. Rules are not.
    fn is_hook(&self, function: &BaseFunction) -> bool {
        let same = |other: &&BaseFunction| other.name == function.name && other.layer == function.layer;
        let mut named = self.functions.iter().filter(same);
        function.name.starts_with("on_") && named.any(|function| (1..=2).contains(&function.parameters))
    }

    /// Why a function cannot be called, with this number of arguments if that is known.
    pub fn objection(&self, name: &str, arguments: Option<usize>) -> Option<String> {
        let prefix = &self.prefix;
        match self.below {
            BelowScript::Unknown => return None,
            BelowScript::Nothing => {
                return Some(format!(
                    "there is no layer below for `{prefix}{name}`; only the `scripts` of a mod have one"
                ));
            }
            BelowScript::Script(_) => {}
        }
        let mut named = self.functions.iter().filter(|known| known.name == name);
        let Some(first) = named.clone().next() else {
            let names = self.callable().map(|known| known.name.as_str());
            let hint = suggestion(name, names.collect::<Vec<_>>());
            return Some(format!("no layer below has a function `{name}`{hint}"));
        };
        if self.is_hook(first) {
            return Some(format!("`{prefix}{name}` cannot be called: hooks run in every layer by themselves"));
        }
        if arguments.is_none_or(|count| named.any(|known| known.parameters == count)) {
            return None;
        }
        let (parameters, count) = (first.parameters, arguments.unwrap_or_default());
        let s = if parameters == 1 { "" } else { "s" };
        Some(format!("`{name}` in {} takes {parameters} argument{s}, not {count}", self.file(first.layer)))
    }
}
