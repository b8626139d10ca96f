//! The compiled functions of a script.

use super::*;

/// Whether a function of a script is compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompiledFunction {
    pub name: ImmutableString,
    pub parameters: usize,
    /// The number of steps of its code, the functions that it calls included; or why there are none, and the line and
    /// column of the construct that is to blame, if they are known.
    pub steps: Result<usize, (WhyNot, Option<(usize, usize)>)>,
}

/// A hook that was compiled, or not.
#[derive(Debug)]
struct HookCode {
    name: ImmutableString,
    parameters: usize,
    code: Code,
}

/// The compiled functions of a script.
#[derive(Debug, Default)]
pub struct ScriptCode {
    /// All its functions.
    pub unit: Arc<ScriptUnit>,
    hooks: Vec<HookCode>,
}

impl ScriptCode {
    /// Compiles the functions of a script. The code of hooks, and of functions that are `called` from outside as well, is
    /// kept: functions that they call are compiled into them.
    pub fn compile(
        mut unit: ScriptUnit,
        below: FunctionsBelow,
        limits: &Limits,
        called: impl Fn(&str) -> bool,
    ) -> (Self, Vec<CompiledFunction>) {
        let mut names = BTreeSet::new();
        unit.find_variables(&mut names);
        unit.slots = Arc::new(SlotNames(names.into_iter().collect()));
        unit.below = below;
        let unit = Arc::new(unit);
        let (mut hooks, mut functions) = (Vec::new(), Vec::new());
        for function in unit.functions() {
            let code = lower(&unit, function, limits, false);
            let (name, parameters) = (&function.priced.name, function.priced.parameters.len());
            functions.push(CompiledFunction {
                name: name.clone(),
                parameters,
                steps: match &code {
                    Ok(code) => Ok(code.len()),
                    Err(Refused { why, at }) => Err((*why, at.line().zip(at.position()))),
                },
            });
            if let (Ok(code), true) = (code, is_hook(function) || called(name)) {
                hooks.push(HookCode { name: name.clone(), parameters, code });
            }
        }
        (Self { unit, hooks }, functions)
    }

    /// The number of a hook; none if it was not compiled.
    pub fn number_of(&self, name: &str, parameters: usize) -> Option<usize> {
        let mut hooks = self.hooks.iter();
        hooks.position(|hook| hook.name == name && hook.parameters == parameters)
    }

    /// The code of a hook that counts what its lines use.
    pub fn by_line(&self, number: usize, limits: &Limits) -> Option<Code> {
        let HookCode { name, parameters, .. } = &self.hooks[number];
        lower(&self.unit, self.unit.function(name, *parameters)?, limits, true).ok()
    }

    /// The code of the hook with this number.
    pub fn code(&self, number: usize) -> &Code {
        &self.hooks[number].code
    }
}

fn is_hook(function: &UnitFunction) -> bool {
    let name = &function.priced.name;
    name.starts_with("on_") || RULES.iter().any(|rule| rule.name == name.as_str())
}
