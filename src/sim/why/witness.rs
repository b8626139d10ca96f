//! Watching the phases of a tick.

use super::{Account, Answer, Because, Entry, Kinetics, Log, Memory, Phase, Source, Watch, What};
use super::{Witness, order};
use crate::models::{Surroundings, Windows};
use crate::sim::{Command, Entity, EntityId, Question, Stage, World};

impl World {
    /// Watches these from the next tick on. What is watched is no state of the world: it goes along
    /// with a clone, but is neither saved nor hashed nor compared.
    pub fn watch(&mut self, watch: Watch) {
        self.why.0 = match watch {
            Watch::Nobody => None,
            watch => Some(Box::new(Log {
                watch,
                ..Log::default()
            })),
        };
    }

    /// Who is watched.
    #[must_use]
    pub fn watched(&self) -> Watch {
        let log = self.why.0.as_ref();
        log.map_or(Watch::Nobody, |log| log.watch.clone())
    }

    /// What moved those who are watched in the last step, by their ids.
    pub fn why(&self) -> impl Iterator<Item = &Account> {
        let log = self.why.0.iter();
        log.flat_map(|log| log.witnesses.iter().map(|witness| &witness.account))
    }

    /// What moved the entity with this name in the last step; none if it is not watched.
    #[must_use]
    pub fn why_of(&self, name: &str) -> Option<&Account> {
        self.why().find(|account| &*account.name == name)
    }

    /// Whether an entity is watched in this step.
    pub(in crate::sim) fn watches(&self, id: EntityId) -> bool {
        let log = self.why.0.as_ref();
        log.is_some_and(|log| log.witnesses.iter().any(|w| w.account.entity == id))
    }

    /// Forgets what was said of the last step: it no longer holds under a changed stage.
    pub(in crate::sim) fn forget_why(&mut self) {
        if let Some(log) = &mut self.why.0 {
            log.witnesses
                .iter_mut()
                .for_each(|w| w.account.entries.clear());
        }
    }

    /// Opens the accounts of a step.
    pub(in crate::sim) fn begin_why(&mut self) {
        if !self.why.is_off() {
            self.open_accounts();
        }
    }

    fn open_accounts(&mut self) {
        let Some(mut log) = self.why.0.take() else {
            return;
        };
        log.phase = Phase::Orders;
        let mut known = std::mem::take(&mut log.witnesses).into_iter().peekable();
        for entity in self.entities.iter().filter(|e| log.watch.takes(e)) {
            while known.next_if(|w| w.account.entity < entity.id).is_some() {}
            let was = known.next_if(|w| w.account.entity == entity.id);
            let witness = was.unwrap_or_else(|| Witness::new(entity, self.tick));
            log.witnesses.push(witness);
        }
        for witness in &mut log.witnesses {
            let Some(index) = self.index_of(witness.account.entity) else {
                continue;
            };
            let entity = &self.entities[index];
            witness.last = Kinetics::of(self.lanes.body(entity));
            let account = &mut witness.account;
            std::mem::swap(&mut account.entries, &mut witness.before);
            account.entries.clear();
            account.tick = self.tick + 1;
            account.model = entity.model;
            account.profile = base_of(entity);
        }
        self.why.0 = Some(log);
    }

    /// Notes what a phase has done. The next one begins.
    #[inline]
    pub(in crate::sim) fn witness(
        &mut self,
        phase: Phase,
        stage: &Stage,
        around: &Surroundings<'_>,
    ) {
        if !self.why.is_off() {
            self.compare(phase, stage, around);
        }
    }

    fn compare(&mut self, phase: Phase, stage: &Stage, around: &Surroundings<'_>) {
        let Some(mut log) = self.why.0.take() else {
            return;
        };
        log.phase = phase;
        for witness in &mut log.witnesses {
            let Some(index) = self.index_of(witness.account.entity) else {
                continue;
            };
            let entity = &self.entities[index];
            let body = self.lanes.body(entity);
            let after = match phase {
                Phase::Drive | Phase::Ropes => {
                    Kinetics::wanted(body, &self.lanes.scratch(entity).motion)
                }
                _ => Kinetics::of(body),
            };
            if after != witness.last {
                let before = std::mem::replace(&mut witness.last, after);
                witness.add(phase, What::Changed { before, after });
            }
            self.look_for_refusals(witness, phase, entity, stage, around);
        }
        log.phase = phase.next();
        self.why.0 = Some(log);
    }

    /// Notes what the script of the entity at `index` has ordered.
    #[inline]
    pub(in crate::sim) fn why_ordered(&mut self, index: usize, command: &Command) {
        self.add_why(index, |_| What::Ordered(order::spelled(command)));
    }

    /// Notes something else that explains a motion of the entity at `index`.
    pub(in crate::sim) fn why_noted(&mut self, index: usize, text: &str) {
        self.add_why(index, |_| What::Noted(text.into()));
    }

    /// Notes that something which was wanted of the entity at `index` does not come about.
    pub(in crate::sim) fn why_refused(
        &mut self,
        index: usize,
        what: &'static str,
        why: &str,
        because: impl FnOnce(&Entity) -> Vec<Because>,
    ) {
        self.add_why(index, |entity| What::Refused {
            what,
            why: why.into(),
            because: because(entity),
        });
    }

    /// Notes what the rules of the entity at `index` have answered.
    pub(in crate::sim) fn why_answered(&mut self, index: usize, answers: Vec<Answer>) {
        for answer in answers {
            self.add_why(index, |_| What::Answered {
                rule: answer.rule,
                answer: answer.text,
                about: String::new(),
                because: Vec::new(),
                source: Source::Rule(answer.rule),
            });
        }
    }

    /// Notes how a question that is asked inside a tick was answered.
    pub(in crate::sim) fn why_decided(
        &mut self,
        stage: &Stage,
        asked: &[(EntityId, Question, bool)],
        ruled: impl Fn(EntityId) -> bool,
    ) {
        if self.why.is_off() {
            return;
        }
        for (id, question, answer) in asked {
            if let Some(index) = self.index_of(*id) {
                self.decided(stage, index, question, *answer, ruled(*id));
            }
        }
    }

    /// Adds a line to the account of the entity at `index`, if it is watched.
    #[inline]
    pub(super) fn add_why(&mut self, index: usize, what: impl FnOnce(&Entity) -> What) {
        let Some(log) = &mut self.why.0 else { return };
        let entity = &self.entities[index];
        let phase = log.phase;
        if let Some(witness) = log.of(entity.id) {
            witness.add(phase, what(entity));
        }
    }
}

impl Phase {
    /// The phase that begins when this one is over.
    fn next(self) -> Self {
        match self {
            Self::Orders => Self::Platforms,
            Self::Platforms => Self::Sense,
            Self::Sense => Self::Drive,
            Self::Drive => Self::Ropes,
            Self::Ropes => Self::Travel,
            Self::Travel => Self::Grab,
            Self::Grab => Self::PushApart,
            Self::PushApart => Self::Settle,
            Self::Settle | Self::Zones => Self::Zones,
        }
    }
}

impl Witness {
    fn new(entity: &Entity, now: u64) -> Self {
        Self {
            account: Account {
                entity: entity.id,
                name: entity.name.clone(),
                profile: 0,
                tick: now,
                model: entity.model,
                entries: Vec::new(),
            },
            before: Vec::new(),
            last: Kinetics::default(),
            memory: Memory::new(now),
        }
    }

    pub(super) fn add(&mut self, phase: Phase, what: What) {
        let again = match what {
            What::Changed { .. } => false,
            _ => self.before.iter().any(|entry| entry.what == what),
        };
        self.account.entries.push(Entry { phase, what, again });
    }
}

/// The profile that an entity has before its script tunes anything.
fn base_of(entity: &Entity) -> usize {
    let base = entity
        .script_state
        .as_ref()
        .map_or(entity.profile, |own| own.base);
    base as usize
}

/// The answer of `jump_windows`, as a script would write it.
#[must_use]
pub fn spelled_windows(windows: &Windows) -> String {
    let times = [
        ("coyote_time", windows.coyote_time),
        ("jump_buffer", windows.jump_buffer),
        ("jump_hold_time", windows.jump_hold_time),
    ];
    let given = times
        .iter()
        .filter_map(|(name, time)| Some(format!("{name}: {}", (*time)?)));
    let given: Vec<String> = given.collect();
    match given.as_slice() {
        [] => "()".into(),
        given => format!("#{{ {} }}", given.join(", ")),
    }
}
