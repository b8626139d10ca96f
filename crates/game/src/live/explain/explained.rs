//! Why an entity moved as it did: the world's record, with the lines of the files that decided.

use crate::{
    files::{Provenance, location},
    live::{build::revision::Revision, run::session::Live},
};
use glam::{DVec2, DVec3};
use hangtime_core::sim::{
    ScriptId, WaitPoint,
    why::{Cause, Kinetics, Origin, TickPhase, WhyDetail, WhyEntry, WhyOrder, WhyReport},
};
use hangtime_script::{Language, ListedScript, Reason};
use std::{fmt::Write as _, sync::Arc};

impl Revision {
    /// Explains a report that was recorded under this revision.
    pub fn reasons(&self, account: &WhyReport) -> Vec<Reason> {
        let explainer = self.reason_builder(account.profile);
        let entries = account.entries.iter();
        entries.map(|entry| explainer.reason(account.tick, entry)).collect()
    }

    /// Where a sequence of an entity waits, as `file:line`: a profile of the stage, the wait, and the layer of its script.
    pub fn place_of_wait(&self, profile: usize, at: &WaitPoint, layer: &Option<Arc<str>>) -> String {
        self.reason_builder(profile).place_of_wait(at, layer)
    }

    fn reason_builder(&self, profile: usize) -> ReasonBuilder<'_> {
        let (provenance, script) = (self.provenance.get(profile), self.stage.profiles[profile].script);
        ReasonBuilder { revision: self, provenance, profile, script }
    }
}

/// Finds the places of one entity's settings.
struct ReasonBuilder<'a> {
    revision: &'a Revision,
    provenance: Option<&'a Provenance>,
    /// Its profile, as an index into the stage's profiles.
    profile: usize,
    script: Option<ScriptId>,
}

impl ReasonBuilder<'_> {
    fn reason(&self, tick: u64, entry: &WhyEntry) -> Reason {
        let plain = Reason {
            tick,
            phase: entry.phase.name(),
            rule: "",
            answer: String::new(),
            refused: "",
            from: String::new(),
            text: String::new(),
            change: None,
            plain: entry.is_plain(),
        };
        match &entry.detail {
            WhyDetail::Changed { before, after } => {
                Reason { text: changed(entry.phase, before, after), change: Some((*before, *after)), ..plain }
            }
            WhyDetail::Ordered(order) => {
                Reason { from: self.place(&Origin::Script(order.layer.clone())), text: self.order(order), ..plain }
            }
            WhyDetail::Noted(text) => Reason { text: text.clone(), ..plain },
            WhyDetail::Waits(at, layer) => {
                let from = self.place_of_wait(at, layer);
                let wait = if at.label.is_empty() { "its beginning" } else { &*at.label };
                Reason { text: format!("`{}` waits: {wait} ({from})", at.sequence), from, ..plain }
            }
            WhyDetail::Answered { answer, about, causes: because, origin: source } => {
                let (rule, answer) = (answer.rule(), self.language().spell_answer(answer));
                let mut text = format!("{rule} → {answer}");
                if !about.is_empty() {
                    let _ = write!(text, ": {about}");
                }
                let from = match because.first() {
                    Some(first) => self.place(&first.origin),
                    None => self.place(source),
                };
                text += &match because.as_slice() {
                    [] => format!(" ({from})"),
                    because => self.reasons_of(because),
                };
                Reason { rule, answer, from, text, ..plain }
            }
            WhyDetail::Refused { what, why, causes: because } => {
                let first = because.first().map(|because| self.place(&because.origin));
                Reason {
                    refused: what,
                    from: first.unwrap_or_default(),
                    text: format!("{what} refused: {why}{}", self.reasons_of(because)),
                    ..plain
                }
            }
        }
    }

    /// ` (coyote_time 0.1 s, config/entities/hero.toml:14)`.
    fn reasons_of(&self, because: &[Cause]) -> String {
        if because.is_empty() {
            return String::new();
        }
        let one = |b: &Cause| format!("{} {}, {}", b.name, b.value, self.place(&b.origin));
        let all: Vec<String> = because.iter().map(one).collect();
        format!(" ({})", all.join("; "))
    }

    /// A command of a script, with the script of a mod that gave it, and what it replaces.
    fn order(&self, order: &WhyOrder) -> String {
        let from = |layer: &Option<Arc<str>>| self.place(&Origin::Script(layer.clone()));
        let call = |command| self.language().spell_command(command, &self.revision.stage.actions);
        let mut text = call(&order.command);
        if order.layer.is_some() {
            text += &format!(" ({})", from(&order.layer));
        }
        if let Some((other, layer)) = &order.instead_of {
            text += &format!(" wins over {} ({})", call(other), from(layer));
        }
        text
    }

    /// The language of the entity's script.
    fn language(&self) -> &'static dyn Language {
        let scripts = &self.revision.scripts;
        let languages = scripts.languages();
        let own = self.script.and_then(|id| languages.of(scripts.get(id).name()));
        own.unwrap_or(languages.first())
    }

    /// The entity's script in a layer; the lowest one for `None`.
    fn in_layer(&self, layer: &Option<Arc<str>>) -> Option<&ListedScript> {
        let scripts = &self.revision.scripts;
        let profile = &self.revision.stage.profiles.get(self.profile)?;
        let place = match layer {
            None => 0,
            Some(name) => 1 + profile.layers.iter().position(|it| it.name == *name)?,
        };
        scripts.layers_of(scripts.get(self.script?)).nth(place)
    }

    fn place_of_wait(&self, at: &WaitPoint, layer: &Option<Arc<str>>) -> String {
        let script = self.in_layer(layer);
        let step = script.and_then(|script| script.steps.iter().find(|step| *step.point == *at));
        let place = step.map(|step| location(&step.place));
        place.or(script.map(|script| script.name().to_string())).unwrap_or_default()
    }

    /// Where a decision came from, as `file:line`.
    fn place(&self, source: &Origin) -> String {
        let scripts = &self.revision.scripts;
        let script = self.script.map(|id| scripts.get(id));
        let found = match source {
            Origin::Tunable(model, key) => self.provenance.map(|places| places.of_tunable(*model, key)),
            Origin::Kind(key) => self.provenance.map(|places| places.of(key)),
            Origin::Rule(hook) => {
                let mut layers = script.into_iter().flat_map(|top| scripts.layers_of(top).rev());
                layers.find_map(|script| script.place_of(hook)).as_ref().map(location)
            }
            Origin::RuleOf(hook, layer) => {
                let script = self.in_layer(layer);
                script.and_then(|script| script.place_of(hook)).as_ref().map(location)
            }
            Origin::Script(layer) => self.in_layer(layer).map(|script| script.name().to_string()),
            Origin::Override => {
                let of_script = script.map_or_else(String::new, |script| format!(" in {}", script.name()));
                Some(format!("me.tune{of_script}"))
            }
            Origin::Engine => None,
        };
        found.unwrap_or_else(|| "default".into())
    }
}

/// The change of one phase: `vel (0, 0) → (360, 0)`.
fn changed(phase: TickPhase, before: &Kinetics, after: &Kinetics) -> String {
    let mut parts = Vec::new();
    let flat = [before, after].iter().all(|k| k.pos.z == 0.0 && k.vel.z == 0.0 && k.external.z == 0.0);
    let three = |v: DVec3| {
        if flat {
            two(v.truncate())
        } else {
            format!("({}, {}, {})", brief(v.x), brief(v.y), brief(v.z))
        }
    };
    if before.vel != after.vel {
        let wants = if matches!(phase, TickPhase::Drive | TickPhase::Ropes) { "wants " } else { "" };
        let (before, after) = (three(before.vel), three(after.vel));
        parts.push(format!("{wants}vel {before} → {after}"));
    }
    if before.external != after.external {
        let (before, after) = (three(before.external), three(after.external));
        parts.push(format!("external {before} → {after}"));
    }
    if before.spin != after.spin {
        let (before, after) = (brief(before.spin), brief(after.spin));
        parts.push(format!("spin {before} → {after}"));
    }
    if before.pos != after.pos {
        let (before, after) = (three(before.pos), three(after.pos));
        parts.push(format!("pos {before} → {after}"));
    }
    parts.join(", ")
}

fn two(v: DVec2) -> String {
    format!("({}, {})", brief(v.x), brief(v.y))
}

/// A number rounded to two decimals, without −0.
fn brief(x: f64) -> f64 {
    (x * 100.0).round() / 100.0 + 0.0
}

impl Live {
    /// Explains what moved an entity in the last step, in the order of the phases. Empty if the entity
    /// does not exist or is not [watched](Live::watch).
    pub fn why(&self, name: &str) -> Vec<Reason> {
        let account = self.world().why_of(name);
        account.map_or_else(Vec::new, |account| self.revision().reasons(account))
    }
}
