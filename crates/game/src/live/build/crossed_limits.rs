//! Warns about tunables whose lower limit is above the upper one.

use super::*;

/// Warns where a tunable that ends in `_min` is above the one that ends in `_max`: a typing error that would be felt and
/// not seen. Nothing is said twice about one place.
pub(crate) fn check_limits(roster: &Roster<'_>, out: &mut Mistakes) {
    let pairs: Vec<_> = ModelName::ALL.iter().copied().flat_map(pairs_of).collect();
    let mut said = BTreeSet::new();
    for (profile, places) in roster.profiles.iter().zip(&roster.provenance) {
        for (model, low, high) in &pairs {
            let number = |name: &str| match profile.loadouts.setting(*model, name) {
                Some(Setting::Number(x)) => Some(x),
                _ => None,
            };
            let (Some(least), Some(most)) = (number(low), number(high)) else {
                continue;
            };
            let place = |name: &str| places.place(&format!("{model}.{name}"));
            let Some(place) = place(low).or_else(|| place(high)).filter(|_| least > most) else {
                continue;
            };
            let message = format!("`{low}` is {least}, above `{high}`, which is {most} and has no effect then");
            if said.insert((place.file.name.clone(), place.position(), message.clone())) {
                out.warn(place, message);
            }
        }
    }
}

/// The tunables of a model that limit the same from below and from above.
fn pairs_of(model: ModelName) -> impl Iterator<Item = (ModelName, &'static str, &'static str)> {
    let tunables = model.tunables();
    tunables.iter().filter_map(move |low| {
        let stem = low.name.strip_suffix("_min")?;
        let high = tunables.iter().find(|high| high.name.strip_suffix("_max") == Some(stem))?;
        Some((model, low.name, high.name))
    })
}
