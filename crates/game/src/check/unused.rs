//! Tables of models that a kind never uses.

use super::*;
use crate::files::content::kind::default_model;

/// The models of kinds without the key `model`: one for each view.
pub const DEFAULTS: [ModelName; 2] = [default_model(View::Side), default_model(View::Top)];

/// Warns of tables `[MODEL]` of a kind that nothing moves by this model: neither the kind nor an entity of a level
/// chooses it, and the kind's script chooses none. `layered` is the kind with what mods change.
pub fn unused_models(checker: &GameCheck<'_>, kind: &Table, layered: &Table, out: &mut Mistakes) {
    let known = &checker.known;
    let may_change = |path| may_change_model(path, &checker.scripts);
    if known.unread || layered.text("script").is_some_and(may_change) {
        return;
    }
    let chosen = layered.text("model");
    let own = match chosen.map(ModelName::parse) {
        Some(None) => return,
        own => own.flatten(),
    };
    let used = own.map_or(DEFAULTS.to_vec(), |own| vec![own]);
    for (key, node) in &kind.entries {
        let name = key.name.as_str();
        let elsewhere = known.models.contains(name) || known.words_in_tests.contains(name);
        let Some(model) = ModelName::parse(name).filter(|_| !elsewhere) else {
            continue;
        };
        if matches!(node.value, Data::Table(_)) && !used.contains(&model) {
            let names: Vec<&str> = used.iter().map(|model| model.as_str()).collect();
            let message = format!("`{name}` has no effect: entities of this kind move by `{}`", names.join("` or `"));
            out.warn(&key.place, message);
        }
    }
}

/// Whether a script may choose another model, itself or by what it imports.
pub fn may_change_model(script: &str, scripts: &Sources) -> bool {
    let chooses = |text: &str| ["set_model", "fn model", "function model"].iter().any(|it| text.contains(it));
    let Some(script) = scripts.get(script) else {
        return false;
    };
    let imports = script.text.contains("import") || script.text.contains("require");
    chooses(&script.text) || (imports && scripts.values().any(|file| chooses(&file.text)))
}
