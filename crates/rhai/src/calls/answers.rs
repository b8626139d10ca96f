//! Data passed to hooks, and reading what compiled hooks return.

use super::*;

/// What a hook receives in addition to `me`, as scripts see it; none for a hook with one parameter.
pub fn map_of(about: &About<'_>) -> Option<Map> {
    if matches!(about, About::Nothing) {
        return None;
    }
    let mut map = Map::new();
    about.each_field(|key, field| {
        let value = match vec_of_field(field) {
            Some(v) => Dynamic::from(v),
            None => to_dynamic(&field.to_value()),
        };
        map.insert(key.into(), value);
    });
    Some(map)
}

/// What a compiled hook has answered that was asked for something; none if it is invalid or unusual: then the interpreter
/// makes the call.
pub fn read_compiled(wanted: Wanted, answer: &CompiledAnswer<'_>) -> Option<HookAnswer> {
    let arg = match answer.simple() {
        Some(arg) => arg,
        None => {
            return match answer.record() {
                Some(record) => wanted.read(&Arg::Foreign(&record)).ok(),
                None => wanted.read(&HeldArg::of(&answer.to_rhai()?).arg()).ok(),
            };
        }
    };
    wanted.read(&arg).ok()
}
