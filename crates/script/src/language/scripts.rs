//! The compiled scripts of a revision, whatever their languages.

use super::{Behavior, BelowScript, Language, Languages, ScriptRules, Sources};
use crate::{
    Diagnostic, Execution, Limits, ListedScript, SourceFile,
    calling::{CalledScripts, LanguageRules, LayerPrograms, Program, WITHIN_TICKS},
    calls::Interest,
};
use hangtime_core::sim::ScriptId;
use std::sync::Arc;

/// What a language has to compile.
pub struct CompileRequest<'a> {
    /// The scripts of the game in all languages.
    pub sources: Arc<Sources>,
    /// The scripts of the revision in all languages. The [`ScriptId`] of each is its index.
    pub behaviors: &'a [Behavior],
    /// The languages that they may be written in.
    pub languages: Languages,
    /// The limits of their calls.
    pub limits: Limits,
    /// How their calls are to be executed.
    pub execution: Execution,
}

impl CompileRequest<'_> {
    /// All scripts below a behavior, the lowest one first.
    pub fn layers_below(&self, behavior: &Behavior) -> Vec<ScriptId> {
        let mut layers = Vec::new();
        let mut next = behavior.below;
        while let BelowScript::Script(id) = next
            && layers.len() < self.behaviors.len()
        {
            layers.insert(0, id);
            next = self.behaviors[id.0 as usize].below;
        }
        layers
    }
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

impl LayerPrograms for Scripts {
    fn program_of_layer(&self, script: ScriptId, layer: usize) -> Option<(ScriptId, Arc<dyn Program>)> {
        let id = *self.get(script).layers.get(layer)?;
        Some((id, self.programs[self.program_of[id.0 as usize]].clone()))
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
        let computes = |file: &Arc<SourceFile>| {
            let language = languages.of(&file.name);
            language.is_some_and(|language| language.computes_names(&file.text))
        };
        let computed = sources.values().any(computes);
        let interest = Interest::of(sources.values().map(|file| file.text.as_str()), computed);
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
        }
        let request = CompileRequest { sources, behaviors, languages, limits, execution };
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
        for (place, behavior) in behaviors.iter().enumerate() {
            if let BelowScript::Script(below) = behavior.below
                && let Some((under, [over, ..])) = scripts.all.split_at_mut_checked(place)
                && let Some(under) = under.get(below.0 as usize)
            {
                over.put_above((below, under), ScriptId(place as u32));
            }
        }
        scripts
    }

    /// Whether they are these scripts, with the same limits and execution.
    pub fn are_of(&self, behaviors: &[Behavior], limits: Limits, execution: Execution) -> bool {
        self.behaviors == behaviors && (self.limits, self.execution) == (limits, execution)
    }

    /// Whether they were compiled from these files.
    pub fn are_from(&self, sources: &Sources) -> bool {
        *self.sources == *sources
    }

    /// The rules of a game that these scripts play.
    pub fn rules(self: &Arc<Self>) -> ScriptRules {
        ScriptRules::new(self.clone())
    }

    /// What calls the scripts of each language.
    pub(super) fn parts(&self) -> Vec<Box<dyn LanguageRules>> {
        self.programs.iter().map(|program| program.clone().rules()).collect()
    }

    /// What the calls of a phase need to know of them.
    pub(super) fn called(&self) -> CalledScripts<'_> {
        CalledScripts { all: &self.all, part_of: &self.program_of, limits: &self.limits }
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

    /// Whether any of them may read what players hold, whatever entities they have.
    pub fn hears_players(&self) -> bool {
        self.interest.hears_players()
    }

    /// Whether a rule that is asked within a tick may read other entities than its own.
    pub(super) fn reads_others_within_ticks(&self) -> bool {
        let asked = |script: &ListedScript| WITHIN_TICKS.iter().any(|rule| script.has_hook(rule));
        self.interest.reads_others() && self.all.iter().any(asked)
    }

    /// The bytes of all sources, including tests.
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
