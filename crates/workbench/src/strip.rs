//! The timeline that one can see and grab: what it notes while the game runs, and what a user orders with it.

use super::{
    presses::{InputBefore, PressHistory},
    strip_rows::StripCache,
    *,
};
use hangtime_core::sim::MOST_PLAYERS;
use hangtime_game::GameFolder;

/// The most events, edits and stalls that are noted, each.
const MOST_EVENTS: usize = 16_384;
const MOST_NOTES: usize = 1_024;

/// How many entities' ticks a frame may make on its way to a position that has not been played yet.
const ENTITY_TICKS: usize = 6_000;

/// The shortest and the longest way that is made in a frame, ticks.
const WAY: [usize; 2] = [1, 600];

/// What a user does to the timeline.
#[derive(Clone, Debug, PartialEq)]
pub enum StripOrder {
    /// Shows a position. Input after the newest tick that is known is played up to it.
    Show(u64),
    /// Sets mark A at a position.
    MarkA(u64),
    /// Sets mark B at a position.
    MarkB(u64),
    /// Adds, moves or removes a press.
    Press(PressEdit),
    /// Takes the last edit of a press back.
    Undo,
    /// Makes it again.
    Redo,
    /// Saves the input as a file.
    SaveInput,
    /// Saves the input with a test that expects where the picked entity ends.
    SaveTest,
}

/// An event of an entity.
pub struct NotedEvent {
    /// The position at which it is visible.
    pub position: u64,
    pub entity: Arc<str>,
    pub name: Arc<str>,
}

/// What the strip notes of a session.
#[derive(Default)]
pub struct StripNotes {
    pub events: VecDeque<NotedEvent>,
    /// What a revision has changed, by its number.
    pub edits: BTreeMap<u64, Arc<str>>,
    /// Where ticks were lost, and how many.
    pub lost: VecDeque<(u64, u64)>,
    /// The number of what was noted and dropped, to see whether something has changed.
    pub version: u64,
}

impl StripNotes {
    /// Notes the events of the last tick: of players' entities and of the picked one.
    pub fn tick(&mut self, line: &PlayedLine) {
        let world = line.live.world();
        if world.events().is_empty() {
            return;
        }
        let picked = line.picked().map(|picked| picked.id);
        let players = world.entities().iter().filter(|entity| entity.player.is_some());
        let players: Vec<EntityId> = players.map(|entity| entity.id).collect();
        let noted = world
            .events()
            .iter()
            .filter(|event| Some(event.entity) == picked || players.contains(&event.entity));
        for event in noted {
            if self.events.len() == MOST_EVENTS {
                self.events.pop_front();
            }
            let (entity, name) = (event.name.clone(), event.kind.name().into());
            self.events.push_back(NotedEvent { position: line.at(), entity, name });
            self.version += 1;
        }
    }

    /// Notes what a revision has changed.
    pub fn edit(&mut self, revision: u64, text: &str) {
        self.edits.insert(revision, text.into());
        while self.edits.len() > MOST_NOTES {
            self.edits.pop_first();
        }
        self.version += 1;
    }

    /// Notes lost ticks.
    pub fn lost(&mut self, position: u64, ticks: u64) {
        if self.lost.len() == MOST_NOTES {
            self.lost.pop_front();
        }
        self.lost.push_back((position, ticks));
        self.version += 1;
    }

    /// What came after a position was dropped.
    pub fn cut(&mut self, position: u64) {
        let events = self.events.partition_point(|event| event.position <= position);
        self.events.truncate(events);
        let lost = self.lost.partition_point(|(at, _)| *at <= position);
        self.lost.truncate(lost);
        self.version += 1;
    }
}

/// The state of the strip.
#[derive(Default)]
pub struct Strip {
    pub notes: StripNotes,
    pub history: PressHistory,
    pub cache: StripCache,
    /// The position to which known input is being played.
    target: Option<u64>,
    pub saving: Option<BackgroundJob<Vec<Result<String, String>>>>,
}

impl Strip {
    /// The user goes elsewhere.
    pub fn stop(&mut self) {
        self.target = None;
    }

    /// The players go another way from a position on.
    pub fn play_from(&mut self, position: u64) {
        self.stop();
        self.history.play_from(position);
    }

    /// Whether a file is being saved.
    pub fn is_saving(&self) -> bool {
        self.saving.is_some()
    }

    /// What a file that was saved is called and how it is used, or why it could not be saved.
    fn saved(&mut self) -> Vec<Result<String, String>> {
        let lines = match self.saving.as_ref().map(BackgroundJob::poll) {
            None | Some(Err(TryRecvError::Empty)) => return Vec::new(),
            Some(Ok(lines)) => lines,
            Some(Err(TryRecvError::Disconnected)) => vec![Err("saving has failed".into())],
        };
        self.saving = None;
        lines
    }
}

impl Workbench {
    /// Does what a user orders with the timeline. Tests are saved into the game's folder.
    pub fn order(&mut self, order: StripOrder, folder: &GameFolder) {
        self.notices.changed = true;
        match order {
            StripOrder::Show(position) => self.go_to(position),
            StripOrder::MarkA(position) => self.drag_mark_a(position),
            StripOrder::MarkB(position) => self.drag_mark_b(position),
            StripOrder::Press(edit) => self.edit_press(&edit),
            StripOrder::Undo => self.undo_press(false),
            StripOrder::Redo => self.undo_press(true),
            StripOrder::SaveInput => self.save_input(),
            StripOrder::SaveTest => self.save_test(folder),
        }
    }

    /// Shows a position, also one to which only the input is known: that is played up to it, in as many frames as it takes.
    fn go_to(&mut self, position: u64) {
        let end = self.line.timeline.end();
        self.time.paused = true;
        if position.min(end) != self.line.at() {
            self.show_position(position);
        }
        self.strip.target = (position > end && self.line.input_ahead().is_some()).then_some(position);
    }

    /// Continues what the strip does over several frames.
    pub(super) fn follow_strip(&mut self) {
        for line in self.strip.saved() {
            match line {
                Ok(line) => self.note(line),
                Err(why) => self.warn(&why),
            }
        }
        let Some(target) = self.strip.target.filter(|_| self.time.paused && self.line.later() == 0) else {
            self.strip.target = None;
            return;
        };
        let entities = self.line.live.world().entities().len();
        for _ in 0..(ENTITY_TICKS / entities.max(1)).clamp(WAY[0], WAY[1]) {
            let next = self.line.input_ahead().filter(|_| self.line.at() < target);
            let Some(inputs) = next else {
                self.strip.target = None;
                return;
            };
            self.advance(&inputs);
        }
    }

    /// Sets mark A at a position, and keeps mark B if it is later in the same run.
    fn drag_mark_a(&mut self, position: u64) {
        let b = self.comparison.marked_at().map(|marked| marked.end);
        self.show_position(position);
        self.comparison.mark_a(&self.line);
        let at = self.line.at();
        if let Some(b) = b.filter(|b| *b > at && *b <= self.line.timeline.continuous_until(at)) {
            self.seek(b);
            // If that fails, there is no mark B any more, which can be seen.
            let _ = self.comparison.mark_b(&self.line);
            self.seek(at);
        }
    }

    fn drag_mark_b(&mut self, position: u64) {
        self.show_position(position);
        self.comparison.end_loop();
        match self.comparison.mark_b(&self.line) {
            Ok(ticks) => {
                let time = self.line.seconds(ticks);
                self.note(format!("mark B: {time:.2} s between the marks"));
            }
            Err(why) => self.note(why),
        }
    }

    /// Adds, moves or removes a press. What came after it is dropped, and its input is played again up to the shown tick.
    fn edit_press(&mut self, edit: &PressEdit) {
        let Some(press) = edit.old.as_ref().or(edit.new.as_ref()) else {
            return;
        };
        if !(1..=MOST_PLAYERS).contains(&edit.player) {
            return self.note(format!("players are 1 to {MOST_PLAYERS}"));
        }
        let (run, open) = self.line.run_at(press.start.max(self.line.timeline.begin()));
        let Some(edit) = edit.within(&run, open, self.line.hz()) else {
            if edit.first().is_some() {
                self.note("a press stays between the restarts of the level around it");
            }
            return;
        };
        let Some(first) = edit.first() else { return };
        // A press that is added after everything that is known begins after ticks without input.
        let from = first.min(run.end);
        let before = self.line.known_inputs(from..run.end);
        let tape = edit.changed(&before, from);
        let what = self.described(&edit);
        self.replace_input(from, tape);
        self.note(what);
        self.strip.history.push(InputBefore { first: from, tape: before });
    }

    fn described(&self, edit: &PressEdit) -> String {
        let action = self.line.latest().stage.actions.name_of(edit.action);
        let player = if edit.player == 1 { String::new() } else { format!("p{}.", edit.player) };
        let time = |ticks: &Range<u64>| {
            let [from, until] = [ticks.start, ticks.end].map(|position| self.line.seconds(position));
            format!("{from:.2} to {until:.2} s")
        };
        match (&edit.old, &edit.new) {
            (None, Some(new)) => format!("pressed {player}{action} from {}", time(new)),
            (Some(old), None) => format!("removed {player}{action} from {}", time(old)),
            (Some(old), Some(new)) => format!("moved {player}{action} from {} to {}", time(old), time(new)),
            (None, None) => String::new(),
        }
    }

    /// Takes the last edit of a press back, or makes it `again`.
    fn undo_press(&mut self, again: bool) {
        let what = if again { "redo" } else { "undo" };
        let (begin, end) = (self.line.timeline.begin(), self.line.known_end());
        let Some(first) = self.strip.history.first(again) else {
            return self.note(format!("there is no edit of a press to {what}"));
        };
        if !(begin..=end).contains(&first) {
            self.strip.history.clear();
            return self.note(format!("there is no edit of a press to {what}: its ticks are no longer kept"));
        }
        let (run, open) = self.line.run_at(first);
        if !open && !run.contains(&self.line.at()) {
            // What was played since then would be dropped.
            return self
                .note(format!("the level was restarted since that edit: go back to before the restart to {what} it"));
        }
        let now = self.line.known_inputs(first..run.end);
        if let Some(InputBefore { tape, .. }) = self.strip.history.pop(again) {
            self.replace_input(first, tape);
            self.strip.history.put(InputBefore { first, tape: now }, again);
            self.note(if again { "edited the press again" } else { "took the edit of a press back" });
        }
    }

    /// Continues the line from a position with other input: what was played after it is dropped, and played again up to the
    /// shown tick. The rest of the input is kept for steps forward.
    fn replace_input(&mut self, first: u64, tape: InputTape) {
        self.time.paused = true;
        self.strip.cache.changes += 1;
        self.comparison.end_loop();
        let (shown, end) = (self.line.at(), self.line.timeline.end());
        if first >= end {
            let mut ahead = self.line.known_inputs(end..first);
            ahead.append(&tape);
            self.take_over();
            self.line.put_input_ahead(ahead);
            return;
        }
        let until = self.line.timeline.continuous_until(first);
        self.seek(first);
        self.cut();
        self.line.drop_input_ahead();
        if !self.line.is_latest() {
            self.line.adopt(self.line.latest().clone());
        }
        self.find_picked();
        self.line.put_input_ahead(tape);
        self.strip.target = None;
        if shown < first {
            self.seek(shown);
        } else {
            self.strip.target = Some(shown);
            self.follow_strip();
        }
        if until < end {
            let time = self.line.seconds(end - until);
            self.note(format!("the {time:.1} s after the restart that followed are dropped"));
        }
    }
}
