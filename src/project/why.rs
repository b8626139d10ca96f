//! Why something moved as it did: what the world has written down, with the lines of the files that
//! decided.

use super::provenance::line;
use super::{Live, Provenance, Revision};
use crate::script::host::Reason;
use crate::sim::ScriptId;
use crate::sim::why::{Cause, Kinetics, Origin, TickPhase, Watch, WhyDetail, WhyEntry, WhyReport};
use glam::{DVec2, DVec3};
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::Arc;

impl Revision {
    /// The lines of an account that was written under this revision.
    #[must_use]
    pub fn reasons(&self, account: &WhyReport) -> Vec<Reason> {
        let teller = Teller {
            revision: self,
            provenance: self.provenance.get(account.profile),
            script: self.stage.profiles[account.profile].script,
        };
        let entries = account.entries.iter();
        entries
            .map(|entry| teller.reason(account.tick, entry))
            .collect()
    }
}

/// Whoever knows the places of one entity's settings.
struct Teller<'a> {
    revision: &'a Revision,
    provenance: Option<&'a Provenance>,
    script: Option<ScriptId>,
}

impl Teller<'_> {
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
            WhyDetail::Changed { before, after } => Reason {
                text: changed(entry.phase, before, after),
                change: Some((*before, *after)),
                ..plain
            },
            WhyDetail::Ordered(order) => Reason {
                from: self.place(&Origin::Script),
                text: order.clone(),
                ..plain
            },
            WhyDetail::Noted(text) => Reason {
                text: text.clone(),
                ..plain
            },
            WhyDetail::Answered {
                rule,
                answer,
                about,
                causes: because,
                origin: source,
            } => {
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
                Reason {
                    rule,
                    answer: answer.clone(),
                    from,
                    text,
                    ..plain
                }
            }
            WhyDetail::Refused {
                what,
                why,
                causes: because,
            } => {
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

    fn place(&self, source: &Origin) -> String {
        let script = self.script.map(|id| self.revision.scripts.get(id));
        let default = || "default".to_string();
        match source {
            Origin::Tunable(model, key) => self
                .provenance
                .map_or_else(default, |places| places.of_tunable(*model, key)),
            Origin::Kind(key) => self
                .provenance
                .map_or_else(default, |places| places.of(key)),
            Origin::Rule(hook) => script
                .and_then(|script| script.place_of(hook))
                .map_or_else(default, |place| line(&place)),
            Origin::Script => script.map_or_else(default, |script| script.name().to_string()),
            Origin::Override => match script {
                Some(script) => format!("me.tune in {}", script.name()),
                None => "me.tune".into(),
            },
            Origin::Engine => default(),
        }
    }
}

/// What a phase has changed: `vel (0, 0) → (360, 0)`.
fn changed(phase: TickPhase, before: &Kinetics, after: &Kinetics) -> String {
    let mut parts = Vec::new();
    let flat = [before, after]
        .iter()
        .all(|k| k.pos.z == 0.0 && k.vel.z == 0.0);
    let three = |v: DVec3| {
        if flat {
            two(v.truncate())
        } else {
            format!("({}, {}, {})", brief(v.x), brief(v.y), brief(v.z))
        }
    };
    if before.vel != after.vel {
        let wants = if matches!(phase, TickPhase::Drive | TickPhase::Ropes) {
            "wants "
        } else {
            ""
        };
        let (before, after) = (three(before.vel), three(after.vel));
        parts.push(format!("{wants}vel {before} → {after}"));
    }
    if before.external != after.external {
        let (before, after) = (two(before.external), two(after.external));
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

/// A number with no more digits than one reads, and no −0.
fn brief(x: f64) -> f64 {
    (x * 100.0).round() / 100.0 + 0.0
}

impl Live {
    /// What moved the entity with this name in the last step, in the order in which it did; nothing
    /// for one that is not watched.
    #[must_use]
    pub fn why(&self, name: &str) -> Vec<Reason> {
        let account = self.world().why_of(name);
        account.map_or_else(Vec::new, |account| self.revision().reasons(account))
    }
}

/// Keeps what was more than plain motion, step by step, for those who ask afterwards.
#[derive(Clone)]
pub struct Diary {
    /// Shared, as a copy goes along with every moment that is kept.
    kept: VecDeque<(Arc<Revision>, Arc<WhyReport>)>,
    most: usize,
}

impl Diary {
    /// A diary of the last `most` steps of entities in which there was something to tell.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self {
            kept: VecDeque::new(),
            most,
        }
    }

    /// Writes down the last step.
    pub fn keep(&mut self, live: &Live) {
        for account in live.world().why() {
            if account.entries.iter().all(WhyEntry::is_plain) {
                continue;
            }
            if self.kept.len() == self.most {
                self.kept.pop_front();
            }
            self.kept
                .push_back((live.revision().clone(), Arc::new(account.clone())));
        }
    }

    /// What moved the entity with this name in the steps that were kept, oldest first.
    #[must_use]
    pub fn of(&self, name: &str) -> Vec<Reason> {
        let own = self.kept.iter().filter(|(_, a)| &*a.name == name);
        own.flat_map(|(revision, account)| revision.reasons(account))
            .collect()
    }

    /// Forgets all of it.
    pub fn clear(&mut self) {
        self.kept.clear();
    }
}

/// What the overlay shows: why the first player's entity moved in the last step, and what was decided
/// and refused lately.
pub struct WhyPanel {
    name: Arc<str>,
    /// Answers and refusals, each text once, the newest last.
    lately: VecDeque<Reason>,
}

/// Answers and refusals that the overlay shows.
const MOST_LINES: usize = 6;

impl WhyPanel {
    /// Watches the first player's entity; without one the level's first.
    pub fn open(live: &mut Live) -> Self {
        let entities = live.world().entities();
        let first = entities.iter().find(|e| e.player == Some(1));
        let first = first.or(entities.first());
        let name = first.map_or_else(|| "".into(), |e| e.name.clone());
        live.watch(Watch::Named(vec![name.clone()]));
        Self {
            name,
            lately: VecDeque::new(),
        }
    }

    /// Watches nobody any more.
    pub fn close(self, live: &mut Live) -> Option<Self> {
        live.watch(Watch::Off);
        None
    }

    /// Writes down the last step.
    pub fn keep(&mut self, live: &Live) {
        for reason in live.why(&self.name) {
            let told = !reason.rule.is_empty() || !reason.refused.is_empty();
            if !told || reason.plain {
                continue;
            }
            self.lately.retain(|other| other.text != reason.text);
            self.lately.push_back(reason);
            if self.lately.len() > MOST_LINES {
                self.lately.pop_front();
            }
        }
    }

    /// The lines: what was decided and refused lately, the newest last, then what else moved it in the
    /// last step.
    #[must_use]
    pub fn text(&self, live: &Live) -> String {
        let mut text = format!("why {} moves, tick {}\n", self.name, live.world().ticks());
        for reason in &self.lately {
            let _ = writeln!(text, "{:>6}  {}", reason.tick, reason.text);
        }
        for reason in live.why(&self.name) {
            if reason.rule.is_empty() && reason.refused.is_empty() {
                let _ = writeln!(text, "{reason}");
            }
        }
        text
    }
}
