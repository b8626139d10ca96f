//! Continuing the sequences of scripts.
//!
//! A sequence continues after the events of its entity and before `on_tick`, or right after the hook for the event that it
//! waits for. What a call has ordered about a sequence comes before what was so as the phase began: those that were
//! stopped do not continue, and those that were started begin at the end of the call.

use super::{hook_call::record_fault, *};
use crate::{Diagnostic, fields_of_event};
use hangtime_core::sim::{Command, Event, EventKind, SequenceFrame, Until, Value, WaitPoint};
use std::collections::BTreeMap;

/// What continuing a sequence costs, in operations, in addition to the values that it remembers.
const STEP_COST: u64 = 16;

/// What a value that is remembered costs, in operations.
const VALUE_COST: u64 = 4;

/// How many bytes of text that is remembered are made for one operation.
const TEXT_IN_ONE: u64 = 64;

impl<'a> Caller<'a> {
    /// The frames of the layer that runs, as the phase began.
    fn frames(&self) -> impl Iterator<Item = &'a SequenceFrame> + use<'a> {
        let layer = self.shared.moment.me.layer().cloned();
        self.frames.iter().filter(move |frame| frame.layer == layer)
    }

    /// Whether the script that runs may have sequences: scripts without them pay nothing.
    pub(super) fn has_sequences(&self) -> bool {
        self.listed.points.is_some() || !self.frames.is_empty()
    }

    /// Continues the sequences that have begun and waited long enough.
    pub(super) fn continue_due(&mut self, decision: &mut Decision) {
        let Scene { world, stage, .. } = *self.scene;
        let is_due = |frame: &SequenceFrame| frame.is_due(world.ticks(), || world.reached(stage, frame.entity));
        for frame in self.frames().filter(|frame| frame.at.step > 0 && is_due(frame)) {
            self.continue_at(decision, frame, None);
        }
    }

    /// Continues the sequences that wait for an event; `open` says that the tick had operations left before its hook. With
    /// the event of a reload, those are ended whose wait is gone.
    pub(super) fn continue_for(&mut self, decision: &mut Decision, open: bool, event: &Event) {
        let name = event.kind.name();
        let begun = std::mem::replace(&mut self.place.begun, open);
        for frame in self.frames() {
            if matches!(&frame.until, Until::Event(awaited, _) if **awaited == *name) {
                self.continue_at(decision, frame, Some(event));
            } else if event.kind == EventKind::Reload {
                self.find_again(frame);
            }
        }
        self.place.begun = begun;
    }

    /// Begins the sequences that were started. Those that they start begin in the next tick.
    pub(super) fn begin_started(&mut self, decision: &mut Decision) {
        let started = self.shared.moment.me.started();
        for frame in self.frames().filter(|frame| frame.at.step == 0) {
            self.continue_at(decision, frame, None);
        }
        for point in started {
            let mut steps = self.listed.steps.iter();
            let stays = self.shared.moment.me.is_running(&point.sequence);
            if let Some(step) = steps.find(|step| stays && step.point == point) {
                self.run_step(decision, (step.hook, &point), &About::Nothing);
            }
        }
    }

    /// Ends a sequence that is a hook, before it begins again; not if the tick has no operations left for it.
    pub(super) fn end_before(&mut self, open: bool, hook: &Arc<str>) {
        let waits = self.listed.points.is_some();
        let me = &mut self.shared.moment.me;
        if open && waits && me.is_running(hook) {
            me.commands.push(Command::Stop(hook.clone()));
        }
    }

    /// Continues a sequence, with the event that it waited for.
    fn continue_at(&mut self, decision: &mut Decision, frame: &SequenceFrame, event: Option<&Event>) {
        let sequence = &frame.at.sequence;
        if decision.skipped || self.shared.moment.me.last_order(sequence).is_some() {
            return;
        }
        let Some((step, locals)) = self.listed.step_of(frame) else {
            return self.lose(frame);
        };
        let event = event.map_or(Value::Unit, data_of);
        let (mut count, mut text) = (event.count(), event.text());
        for local in &*locals {
            count += local.count();
            text += local.text();
        }
        charge_tick(STEP_COST + VALUE_COST * count + text / TEXT_IN_ONE);
        let about = About::Step { point: &step.point, locals: &locals, event: &event };
        self.run_step(decision, (step.hook, &step.point), &about);
    }

    /// Calls a function of a sequence. Afterwards the sequence waits again, or it has ended or failed.
    fn run_step(&mut self, decision: &mut Decision, (hook, point): (usize, &Arc<WaitPoint>), about: &About<'_>) {
        if self.shared.moment.me.is_removed() {
            return;
        }
        let about = match self.listed.hooks[hook].parameters {
            2 => about,
            _ => &About::Nothing,
        };
        let called = self.call(decision, (hook, about), Wanted::Nothing);
        let me = &mut self.shared.moment.me;
        if called.is_ok() && me.has_moved_on(&point.sequence) || decision.skipped {
            return;
        }
        me.commands.push(Command::Stop(point.sequence.clone()));
    }

    /// After a reload: lets a sequence wait where its wait is now, or ends it.
    fn find_again(&mut self, frame: &SequenceFrame) {
        if self.shared.moment.me.last_order(&frame.at.sequence).is_some() {
            return;
        }
        let Some((step, locals)) = self.listed.step_of(frame) else {
            return self.lose(frame);
        };
        if step.point != frame.at {
            let command = Command::Wait(step.point.clone(), frame.until.clone(), locals.into_owned());
            self.shared.moment.me.commands.push(command);
        }
    }

    /// Ends a sequence whose wait its script does not have any more, and says so.
    fn lose(&mut self, frame: &SequenceFrame) {
        let WaitPoint { sequence, label, names, .. } = &*frame.at;
        self.shared.moment.me.commands.push(Command::Stop(sequence.clone()));
        let script = self.listed;
        let function = script.functions.iter().find(|function| *function.name == **sequence);
        let place = function.map_or_else(|| script.start_of(""), |function| function.place.clone());
        let remembered = if names.is_empty() { "" } else { " with what it remembers" };
        let where_ = if label.is_empty() { "its beginning".into() } else { format!("`{label}`") };
        let why = format!("`{sequence}` has stopped: it cannot continue at {where_}{remembered} in the changed script");
        record_fault(self.scene, self.shared, (sequence.clone(), Diagnostic::warning(place, why)));
    }
}

/// An event as plain data, as hooks receive it.
fn data_of(event: &Event) -> Value {
    let mut data: BTreeMap<String, Value> = BTreeMap::new();
    data.insert("event".into(), event.kind.name().into());
    data.insert("entity".into(), (&*event.name).into());
    data.insert("tick".into(), Value::Int(event.tick as i64));
    data.extend(fields_of_event(event).into_iter().map(|(key, value)| (key.to_string(), value)));
    Value::Map(data)
}
