//! What the timeline shows of a session: rows of presses, and events, marks, edits, restarts and lost ticks.

use super::{presses::has, strip::NotedEvent, *};
use hangtime_core::sim::MOST_PLAYERS;

/// Bars and gaps shorter than this part of what is shown are not told apart.
const FINEST: u64 = 3_000;

/// What a row of the timeline shows.
#[derive(Clone, Debug, PartialEq)]
pub enum StripRowKind {
    /// When an action is down, with its name in the game.
    Action(Action, Arc<str>),
    /// Where the stick is: from each position on, x and y from -1 to 1.
    Stick(Vec<(u64, [f32; 2])>),
    /// When the player aims at a point.
    Aim,
}

/// A row of the timeline.
#[derive(Clone, Debug, PartialEq)]
pub struct StripRow {
    /// The player, counted from 1.
    pub player: u8,
    /// What it shows.
    pub kind: StripRowKind,
    /// When that is down, by ascending position.
    pub bars: Vec<StripBar>,
}

/// A press, or presses that are too short to be seen apart.
#[derive(Clone, Debug, PartialEq)]
pub struct StripBar {
    /// From the tick in which it goes down to the one in which it is up again.
    pub ticks: Range<u64>,
    /// Whether it is one press, all of which is known here, so that it can be changed.
    pub whole: bool,
}

/// What is at a position of the timeline, and what can be said about it.
#[derive(Clone, Debug, PartialEq)]
pub struct StripSign {
    /// The position.
    pub position: u64,
    /// What is there.
    pub text: Arc<str>,
}

/// Rows and signs of a part of the timeline.
#[derive(Debug, Default, PartialEq)]
pub struct StripRows {
    /// The presses, by player and action.
    pub rows: Vec<StripRow>,
    /// Events of the picked entity.
    pub events: Vec<StripSign>,
    /// Edits of files and numbers, with their revision.
    pub edits: Vec<StripSign>,
    /// Where the level was restarted, or another world was put into it.
    pub restarts: Vec<u64>,
    /// Where ticks were lost.
    pub lost: Vec<StripSign>,
}

/// What the timeline shows.
#[derive(Clone, Debug, PartialEq)]
pub struct StripFacts {
    /// The positions for which it has rows.
    pub view: Range<u64>,
    /// Ticks per second.
    pub hz: u32,
    /// The oldest position that can be shown.
    pub begin: u64,
    /// The newest position that was played.
    pub end: u64,
    /// The position at which the known input ends: after `end`, steps forward play it.
    pub known: u64,
    /// The shown position.
    pub at: u64,
    /// The tick of the level at the shown position.
    pub tick: u64,
    /// Whether time stands still.
    pub paused: bool,
    /// Mark A.
    pub mark: Option<u64>,
    /// The stretch between the marks.
    pub marked: Option<Range<u64>>,
    /// The name of the picked entity.
    pub picked: Option<Arc<str>>,
    /// Whether an edit of a press can be taken back, and whether one can be made again.
    pub undo_and_redo: (bool, bool),
    /// Rows and signs.
    pub rows: Arc<StripRows>,
}

/// What rows were made for.
#[derive(Clone, PartialEq)]
struct CacheKey {
    view: Range<u64>,
    /// The known input, in steps that can be seen.
    steps: u64,
    begin: u64,
    cuts: u64,
    notes: u64,
    changes: u64,
    revision: u64,
    picked: Option<Arc<str>>,
}

/// The rows that were shown last.
#[derive(Default)]
pub struct StripCache {
    rows: Arc<StripRows>,
    key: Option<CacheKey>,
    /// The actions that each player has used, and whether the player had a stick and an aim.
    used: [(Actions, bool, bool); MOST_PLAYERS as usize],
    /// How far it is known what they have used, and how often the line had been cut then.
    scanned: (u64, u64),
    /// How often input ahead has been changed.
    pub changes: u64,
}

impl Workbench {
    /// What the timeline shows, with rows for the positions of `view`. It takes as long as there are inputs in that part, and
    /// less if nothing has changed that can be seen.
    pub fn strip(&mut self, view: Range<u64>) -> StripFacts {
        let line = &self.line;
        let timeline = &line.timeline;
        let (begin, known) = (timeline.begin(), line.known_end());
        let finest = (view.end.saturating_sub(view.start) / FINEST).max(1);
        let picked = line.picked().map(|picked| picked.name.clone());
        let key = CacheKey {
            view: view.clone(),
            steps: known / finest,
            begin: begin / finest,
            cuts: timeline.cuts(),
            notes: self.strip.notes.version,
            changes: self.strip.cache.changes,
            revision: line.latest().number,
            picked: picked.clone(),
        };
        // What can be seen at once changes with each event; in a long view, events can wait.
        let is_shown =
            |old: &CacheKey| *old == key || finest > 1 && CacheKey { notes: old.notes, ..key.clone() } == *old;
        if !self.strip.cache.key.as_ref().is_some_and(is_shown) {
            let mut cache = mem::take(&mut self.strip.cache);
            cache.scan(&self.line);
            cache.rows = Arc::new(self.strip_rows(&cache, view.start.max(begin)..view.end.min(known), finest));
            cache.key = Some(key);
            self.strip.cache = cache;
        }
        StripFacts {
            view,
            hz: self.line.hz(),
            begin,
            end: self.line.timeline.end(),
            known,
            at: self.line.at(),
            tick: self.line.live.world().ticks(),
            paused: self.time.paused,
            mark: self.comparison.mark().and_then(|mark| mark.position),
            marked: self.comparison.marked_at().cloned(),
            picked,
            undo_and_redo: self.strip.history.can(),
            rows: self.strip.cache.rows.clone(),
        }
    }

    fn strip_rows(&self, cache: &StripCache, view: Range<u64>, finest: u64) -> StripRows {
        let (line, notes) = (&self.line, &self.strip.notes);
        let chapters = || line.timeline.chapters(view.start..view.end.saturating_add(1));
        let restarts: Vec<u64> = chapters().filter(|(_, _, continues)| !continues).map(|(start, ..)| start).collect();
        let mut last = line.timeline.revision_at(view.start.saturating_sub(1)).map(|revision| revision.number);
        let mut edits = Vec::new();
        for (start, revision, _) in chapters() {
            let number = revision.number;
            if last.replace(number).is_some_and(|last| last != number) {
                let text = notes.edits.get(&number).cloned();
                edits.push(StripSign {
                    position: start,
                    text: text.unwrap_or_else(|| format!("revision {number}").into()),
                });
            }
        }
        let first = notes.events.partition_point(|event| event.position < view.start);
        let events = notes.events.range(first..).take_while(|event| event.position <= view.end);
        let name = line.picked().map(|picked| &picked.name);
        let events = events.filter(|event| Some(&event.entity) == name);
        let sign = |event: &NotedEvent| StripSign { position: event.position, text: event.name.clone() };
        let first = notes.lost.partition_point(|(at, _)| *at < view.start);
        let lost = notes.lost.range(first..).take_while(|(at, _)| *at <= view.end);
        let lost_sign =
            |(at, ticks): &(u64, u64)| StripSign { position: *at, text: format!("{ticks} ticks lost").into() };
        StripRows {
            rows: cache.press_rows(line, &view, &restarts, finest),
            events: events.map(sign).collect(),
            edits,
            lost: lost.map(lost_sign).collect(),
            restarts,
        }
    }
}

impl StripCache {
    /// Looks at the input that has become known, for what players use.
    fn scan(&mut self, line: &PlayedLine) {
        let (known, cuts) = (line.known_end(), line.timeline.cuts() + self.changes);
        let from = if self.scanned.1 == cuts { self.scanned.0 } else { 0 };
        let from = from.clamp(line.timeline.begin(), known);
        let end = line.timeline.end();
        let ahead = line.known_inputs(end.max(from)..known);
        let mut use_of = |inputs: &Inputs| {
            for (player, (actions, stick, aim)) in (1..).zip(&mut self.used) {
                let input = inputs.player(player);
                *actions = actions.or(input.held).or(input.pressed);
                *stick |= input.stick != DVec2::ZERO;
                *aim |= input.aim.is_some();
            }
        };
        line.timeline.runs_in(from..end).for_each(|(_, inputs)| use_of(inputs));
        ahead.runs_in(0..ahead.len()).for_each(|(_, inputs)| use_of(inputs));
        self.scanned = (known, cuts);
    }

    /// The rows of presses: all actions of the player of the picked entity, and those that others use.
    fn press_rows(&self, line: &PlayedLine, view: &Range<u64>, restarts: &[u64], finest: u64) -> Vec<StripRow> {
        let actions = &line.latest().stage.actions;
        let own = line.picked_entity().and_then(|entity| entity.player).unwrap_or(1);
        let mut rows = Vec::new();
        for (player, (used, stick, aim)) in (1..).zip(self.used) {
            let all = Action::ALL.into_iter().chain(actions.names().filter_map(|name| actions.own(name)));
            let shown = all.filter(|action| player == own || used.has(*action));
            let row = |kind| StripRow { player, kind, bars: Vec::new() };
            rows.extend(shown.map(|action| row(StripRowKind::Action(action, actions.name_of(action).into()))));
            rows.extend(stick.then(|| row(StripRowKind::Stick(Vec::new()))));
            rows.extend(aim.then(|| row(StripRowKind::Aim)));
        }
        let mut restarts = restarts.iter().copied().filter(|at| *at > view.start).peekable();
        let tape = line.known_inputs(view.clone());
        for (ticks, inputs) in tape.runs_in(0..tape.len()) {
            let mut from = view.start + ticks.start;
            let until = view.start + ticks.end;
            while from < until {
                let cut = restarts.next_if(|at| *at <= from).is_some_and(|at| at == from);
                let end = restarts.peek().map_or(until, |at| until.min(*at));
                rows.iter_mut().for_each(|row| row.add(inputs, from..end, cut, finest));
                from = end;
            }
        }
        // Presses that begin before the view or end after it are not all here.
        for row in &mut rows {
            if let Some(first) = row.bars.first_mut() {
                first.whole &= first.ticks.start > view.start || view.start == line.timeline.begin();
            }
            if let Some(last) = row.bars.last_mut() {
                last.whole &= last.ticks.end < view.end || view.end == line.known_end();
            }
        }
        rows
    }
}

impl StripRow {
    /// The same input in some ticks, which are before or after those of the last call; `cut`: a restart is in between.
    fn add(&mut self, inputs: &Inputs, ticks: Range<u64>, cut: bool, finest: u64) {
        let input = inputs.player(self.player);
        let (is_down, begins) = match &mut self.kind {
            StripRowKind::Action(action, _) => (has(inputs, self.player, *action), input.pressed.has(*action)),
            StripRowKind::Aim => (input.aim.is_some(), false),
            StripRowKind::Stick(points) => {
                let at = input.stick.as_vec2().to_array();
                let is_near = |(position, _): &(u64, _)| ticks.start - position < finest;
                match points.last_mut() {
                    Some(last) if last.1 == at => {}
                    // The farthest of those that are not told apart.
                    Some(last) if finest > 1 && is_near(last) => {
                        let far = |[x, y]: [f32; 2]| x.abs().max(y.abs());
                        if far(at) > far(last.1) {
                            last.1 = at;
                        }
                    }
                    _ => points.push((ticks.start, at)),
                }
                return;
            }
        };
        if !is_down {
            return;
        }
        // A press in each of several ticks: they are shown as one bar.
        let whole = !begins || ticks.end - ticks.start == 1;
        match self.bars.last_mut() {
            Some(last) if last.ticks.end == ticks.start && !begins && !cut => last.ticks.end = ticks.end,
            Some(last) if finest > 1 && ticks.start - last.ticks.end < finest => {
                last.ticks.end = ticks.end;
                last.whole = false;
            }
            _ => self.bars.push(StripBar { ticks, whole }),
        }
    }
}
