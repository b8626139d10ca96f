//! Presses on a tape: an action that is down from one tick to another, and the same tape with one of them changed.

use super::*;

/// How much longer than what is known a press may make the input, seconds.
const LONGER_BY: u64 = 60;

/// A change of one press: where it was, where it is to be, or both.
#[derive(Clone, Debug, PartialEq)]
pub struct PressEdit {
    /// The player, counted from 1.
    pub player: u8,
    /// What is down.
    pub action: Action,
    /// The ticks in which it was down; `None` adds a press.
    pub old: Option<Range<u64>>,
    /// The ticks in which it is to be down; `None` removes the press.
    pub new: Option<Range<u64>>,
}

impl PressEdit {
    /// The first tick that it changes; `None` if it changes none.
    pub fn first(&self) -> Option<u64> {
        match (&self.old, &self.new) {
            (Some(old), Some(new)) if old.start != new.start => Some(old.start.min(new.start)),
            (Some(old), Some(new)) => Some(old.end.min(new.end)).filter(|_| old.end != new.end),
            (Some(only), None) | (None, Some(only)) => Some(only.start),
            (None, None) => None,
        }
    }

    /// The same edit within a run of the level: without what is before it, and no longer after it than presses may be. `open`
    /// says whether the run can become longer. `None` if nothing of the edit is left.
    pub fn within(&self, run: &Range<u64>, open: bool, hz: u32) -> Option<Self> {
        let longest = run.end.saturating_add(if open { LONGER_BY * u64::from(hz) } else { 0 });
        let cut = |ticks: &Range<u64>| ticks.start.max(run.start)..ticks.end.min(longest);
        let cut = |ticks: &Option<Range<u64>>| ticks.as_ref().map(cut).filter(|ticks| !ticks.is_empty());
        let edit = Self { player: self.player, action: self.action, old: cut(&self.old), new: cut(&self.new) };
        // A press that is moved out of the run is left where it is.
        let kept = self.new.is_none() || edit.new.is_some();
        (kept && edit.first().is_some()).then_some(edit)
    }

    /// A tape with this change. Its first tick is the one at `start`; where a press ends after its end, it becomes longer.
    /// Where presses meet, each stays a press.
    pub fn changed(&self, tape: &InputTape, start: u64) -> InputTape {
        let place = |ticks: &Range<u64>| ticks.start.saturating_sub(start)..ticks.end.saturating_sub(start);
        let (old, new) = (self.old.as_ref().map(place), self.new.as_ref().map(place));
        // A press that becomes longer or shorter at its end has begun before the first tick.
        let begins = self.new.as_ref().is_some_and(|new| new.start >= start);
        let is_down = |tick: u64| tape.at(tick).is_some_and(|inputs| has(inputs, self.player, self.action));
        let is_kept = |tick: u64| is_down(tick) && !old.as_ref().is_some_and(|old| old.contains(&tick));
        // The press that begins where the new one ends.
        let next = new
            .as_ref()
            .map(|new| new.end)
            .filter(|end| is_kept(*end) && (*end == 0 || !is_kept(end - 1)));
        let mut bounds: Vec<u64> =
            [&old, &new].into_iter().flatten().flat_map(|ticks| [ticks.start, ticks.end]).collect();
        bounds.extend(new.as_ref().map(|new| new.start + 1));
        bounds.extend(next.map(|next| next + 1));
        bounds.sort_unstable();
        let change = |tick: u64, inputs: &Inputs| {
            let mut inputs = inputs.clone();
            if old.as_ref().is_some_and(|old| old.contains(&tick)) {
                let input = inputs.player_mut(self.player);
                input.held.remove(self.action);
                input.pressed.remove(self.action);
            }
            if let Some(new) = new.as_ref().filter(|new| new.contains(&tick)) {
                let input = inputs.player_mut(self.player);
                input.held.insert(self.action);
                input.pressed.remove(self.action);
                if begins && tick == new.start {
                    input.pressed.insert(self.action);
                }
            }
            if next == Some(tick) {
                inputs.player_mut(self.player).pressed.insert(self.action);
            }
            inputs
        };
        let mut result = InputTape::default();
        let mut add = |ticks: Range<u64>, inputs: &Inputs| {
            let inner = bounds.iter().copied().filter(|bound| ticks.start < *bound && *bound < ticks.end);
            let mut from = ticks.start;
            for end in inner.chain([ticks.end]) {
                if from < end {
                    result.extend(end, &change(from, inputs));
                }
                from = end;
            }
        };
        tape.runs_in(0..tape.len()).for_each(|(ticks, inputs)| add(ticks, inputs));
        if let Some(longer) = new.as_ref().map(|new| new.end).filter(|end| *end > tape.len()) {
            add(tape.len()..longer, &Inputs::none());
        }
        result
    }
}

/// Whether an action of a player is down in a tick, however shortly.
pub fn has(inputs: &Inputs, player: u8, action: Action) -> bool {
    let input = inputs.player(player);
    input.held.or(input.pressed).has(action)
}

/// The most changes that can be taken back, and about how much memory their input may take, bytes.
const MOST_CHANGES: usize = 200;
const UNDO_BYTES: u64 = 8 << 20;

/// The input from a position on, as it was before an edit of a press.
pub struct InputBefore {
    /// The position of its first tick.
    pub first: u64,
    pub tape: InputTape,
}

/// The changes of presses that can be taken back, and those that were. Each has all input from its first tick on.
#[derive(Default)]
pub struct PressHistory {
    undo: VecDeque<InputBefore>,
    redo: VecDeque<InputBefore>,
}

impl PressHistory {
    /// Whether there is something to undo, and to redo.
    pub fn can(&self) -> (bool, bool) {
        (!self.undo.is_empty(), !self.redo.is_empty())
    }

    /// A press was changed. What was taken back before is forgotten.
    pub fn push(&mut self, before: InputBefore) {
        self.redo.clear();
        self.undo.push_back(before);
        self.forget_oldest();
    }

    /// The first tick of the last edit; `again`, of the last one that was taken back.
    pub fn first(&self, again: bool) -> Option<u64> {
        let list = if again { &self.redo } else { &self.undo };
        list.back().map(|before| before.first)
    }

    /// Takes the input before the last edit; `again`, that before it was taken back.
    pub fn pop(&mut self, again: bool) -> Option<InputBefore> {
        if again { self.redo.pop_back() } else { self.undo.pop_back() }
    }

    /// An edit was taken back, or made `again`. This is the input without that.
    pub fn put(&mut self, before: InputBefore, again: bool) {
        if again { &mut self.undo } else { &mut self.redo }.push_back(before);
        self.forget_oldest();
    }

    /// The players go another way from a position on: later input cannot return.
    pub fn play_from(&mut self, position: u64) {
        self.redo.clear();
        self.undo.retain(|before| before.first <= position);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        (self.undo, self.redo) = Default::default();
    }

    fn forget_oldest(&mut self) {
        let bytes = |list: &VecDeque<InputBefore>| list.iter().map(|before| before.tape.bytes()).sum::<u64>();
        while self.undo.len() + self.redo.len() > MOST_CHANGES || bytes(&self.undo) + bytes(&self.redo) > UNDO_BYTES {
            if self.undo.pop_front().is_none() && self.redo.pop_front().is_none() {
                break;
            }
        }
    }
}
