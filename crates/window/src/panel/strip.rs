//! The timeline at the bottom of the window: a ruler to scrub, marks to drag, and a piano roll of presses.

use super::*;
use egui::{Align2, CursorIcon, FontId, Painter, Pos2, Rect, Sense, Stroke, StrokeKind, pos2, vec2};
use hangtime_core::models::Action;
use hangtime_workbench::{PressEdit, StripFacts, StripOrder, StripRow, StripRowKind, StripSign};
use std::ops::Range;

/// The height of the whole timeline, points; in a low window, less than half of it.
const HEIGHT: f32 = 212.0;
const MOST_OF_WINDOW: f32 = 0.45;

/// The width of the names of rows, points; in a narrow window, a quarter of it.
const NAMES: f32 = 84.0;

/// The heights of the ruler, of the rows of signs and of a row of presses, points.
const RULER: f32 = 18.0;
const SIGNS: f32 = 14.0;
const ROW: f32 = 15.0;

/// How near the mouse has to be to grab a mark or the end of a press, points.
const NEAR: f32 = 5.0;

/// A shorter motion of the mouse is a click, points.
const CLICK: f32 = 3.0;

/// Seconds that the timeline shows when it is opened, the fewest ticks, and the most seconds.
const SECONDS: f64 = 10.0;
const FEWEST_TICKS: f64 = 10.0;
const MOST_SECONDS: f64 = 4.0 * 3600.0;

/// Seconds of a press that a click adds.
const PRESS: f64 = 0.1;

/// Where the newest tick is shown while the game runs, as a part of the width.
const NEWEST: f64 = 0.85;

/// How much a point of the wheel's motion enlarges.
const WHEEL: f64 = 0.004;

/// What the mouse holds.
#[derive(Clone, Debug, PartialEq)]
enum StripGrab {
    /// The shown tick.
    Ruler,
    /// Mark A or, if `true`, B.
    Mark(bool),
    /// What is shown, with the position that was under the mouse.
    Pan(f64),
    /// A press, and the part of it.
    Press(PressEdit, PressPart),
}

/// The part of a press that the mouse holds.
#[derive(Clone, Copy, Debug, PartialEq)]
enum PressPart {
    Start,
    End,
    /// All of it, this many ticks after its start.
    Whole(f64),
    /// A press that is being added from this tick on.
    New(u64),
}

/// What is under the mouse.
enum StripHit<'a> {
    Names,
    Ruler,
    Mark(bool),
    Sign(&'a StripSign),
    Row(&'a StripRow),
    Bar(&'a StripRow, &'a Range<u64>, bool),
    Nothing,
}

/// The timeline, open or not.
pub struct StripWindow {
    open: bool,
    /// The position at the left, and the ticks of a point.
    from: f64,
    per_point: f64,
    /// The width of what is shown, points.
    width: f32,
    /// How far the rows are scrolled down, points.
    scroll: f32,
    /// The shown and the newest position of the last picture.
    seen: Option<(u64, u64)>,
    grabbed: Option<(StripGrab, Pos2)>,
    /// The press that Delete removes.
    selected: Option<PressEdit>,
    /// The height of the open timeline, points.
    height: f32,
    /// What was drawn last.
    pub drawn: Option<Arc<StripFacts>>,
}

impl Default for StripWindow {
    fn default() -> Self {
        Self {
            open: false,
            from: 0.0,
            per_point: 1.0,
            width: 1.0,
            scroll: 0.0,
            seen: None,
            grabbed: None,
            selected: None,
            height: HEIGHT,
            drawn: None,
        }
    }
}

impl StripWindow {
    pub fn is_open(&self) -> bool {
        self.open
    }

    pub fn toggle(&mut self) {
        self.open = !self.open;
        (self.grabbed, self.selected, self.seen) = (None, None, None);
    }

    /// Closes it. Returns whether it was open.
    pub fn close(&mut self) -> bool {
        mem::take(&mut self.open)
    }

    /// The height that it covers, points.
    pub fn covers(&self) -> f32 {
        if self.open { self.height } else { 0.0 }
    }

    /// The positions that the game has to tell about: what is shown, and as much before and after it. While it moves, they stay
    /// for a while, so that the game need not look at all of them in each tick.
    pub fn view(&self) -> Option<Range<u64>> {
        let length = f64::from(self.width) * self.per_point;
        let step = (length / 4.0).ceil().max(1.0);
        let from = ((self.from - length) / step).floor().max(0.0) * step;
        let until = ((self.from + 2.0 * length) / step).ceil().max(0.0) * step;
        self.open.then_some(from as u64..until as u64)
    }

    /// Removes the press that was clicked last. Returns whether there is one.
    pub fn delete(&mut self, shared: &SharedState) -> bool {
        let can = self.open && self.drawn.as_ref().is_some_and(|facts| facts.paused);
        let selected = self.selected.take().filter(|edit| can && self.has(edit));
        selected
            .map(|edit| shared.strip.order(StripOrder::Press(PressEdit { new: None, ..edit })))
            .is_some()
    }

    /// Whether a press is still where it was.
    fn has(&self, edit: &PressEdit) -> bool {
        let rows = self.drawn.iter().flat_map(|facts| &facts.rows.rows).filter(|row| is_of(row, edit));
        rows.flat_map(|row| &row.bars).any(|bar| edit.old.as_ref() == Some(&bar.ticks))
    }

    /// Puts the timeline at the bottom of the window.
    pub fn show(&mut self, ui: &mut Ui, shared: &SharedState) {
        let facts = shared.strip.look(self.view());
        self.drawn.clone_from(&facts);
        let whole = ui.max_rect();
        let height = HEIGHT.min(whole.height() * MOST_OF_WINDOW);
        let panel = Panel::bottom("timeline").exact_size(height).show(ui, |ui| match facts {
            Some(facts) => {
                for order in self.contents(ui, &facts) {
                    shared.strip.order(order);
                }
            }
            None => _ = ui.weak("timeline"),
        });
        self.height = whole.bottom() - panel.response.rect.top();
        // What is shown may have been moved just now.
        shared.strip.look(self.view());
    }

    fn contents(&mut self, ui: &mut Ui, facts: &StripFacts) -> Vec<StripOrder> {
        let mut orders = Vec::new();
        let (undo, redo) = facts.undo_and_redo;
        let hover = ui.horizontal(|ui| {
            let mut button = |text: &str, enabled: bool, help: &str, order: StripOrder| {
                if ui.add_enabled(enabled, egui::Button::new(text).small()).on_hover_text(help).clicked() {
                    orders.push(order);
                }
            };
            button("undo", undo, "take the last edit of a press back (Ctrl+Z)", StripOrder::Undo);
            button("redo", redo, "make it again (Ctrl+Y)", StripOrder::Redo);
            let until = if facts.marked.is_some() { "mark B" } else { "the shown tick" };
            let help = format!("save the input from the start of the level to {until}");
            button("save input", facts.at > 0, &help, StripOrder::SaveInput);
            let help = format!("{help}, with a test that expects where the picked entity ends");
            button("save test", facts.at > 0, &help, StripOrder::SaveTest);
            ui.min_rect().right()
        });
        let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
        if rect.width() < 2.0 || rect.height() < RULER {
            return orders;
        }
        let names = NAMES.min(rect.width() / 4.0);
        let tracks = Rect::from_min_max(pos2(rect.left() + names, rect.top()), rect.max);
        self.follow(facts, tracks.width());
        let scale = StripScale { left: tracks.left(), from: self.from, per_point: self.per_point };
        let rows = tracks.top() + RULER + 3.0 * SIGNS;
        let longest = facts.rows.rows.len() as f32 * ROW - (rect.bottom() - rows);
        self.scroll = self.scroll.clamp(0.0, longest.max(0.0));
        let layout = StripLayout { tracks, rows, scroll: self.scroll, scale };
        self.wheel(ui, &response, layout, facts);
        self.mouse(ui, &response, layout, facts, &mut orders);
        // The wheel and the mouse have moved it.
        let scale = StripScale { from: self.from, per_point: self.per_point, ..scale };
        let layout = StripLayout { scroll: self.scroll, scale, ..layout };
        self.paint(ui, rect, layout, facts);
        let said = self.said(response.hover_pos(), layout, facts);
        let room =
            Rect::from_min_max(pos2(hover.inner + 8.0, hover.response.rect.top()), pos2(rect.right(), rect.top()));
        let at = pos2(room.left(), hover.response.rect.center().y);
        let clipped = ui.painter().with_clip_rect(room);
        clipped.text(at, Align2::LEFT_CENTER, said, FontId::proportional(12.0), Color32::from_gray(210));
        orders
    }

    /// Follows the newest tick while the game runs, and the shown one where it leaves the picture.
    fn follow(&mut self, facts: &StripFacts, width: f32) {
        self.width = width.max(1.0);
        let hz = f64::from(facts.hz);
        if self.seen.is_none() {
            self.per_point = SECONDS * hz / f64::from(self.width);
        }
        let length = self.per_point * f64::from(self.width);
        let now = (facts.at, facts.end);
        let before = self.seen.replace(now);
        if before == Some(now) || self.grabbed.is_some() {
            return;
        }
        let at = facts.at as f64;
        let is_out = at < self.from || at > self.from + length;
        if !facts.paused || before.is_none() {
            self.from = at - NEWEST * length;
        } else if is_out {
            self.from = at - length / 2.0;
        }
        self.stay(facts);
    }

    /// Keeps some of the past in the picture.
    fn stay(&mut self, facts: &StripFacts) {
        let hz = f64::from(facts.hz);
        let points = f64::from(self.width);
        self.per_point = self.per_point.clamp(FEWEST_TICKS / points, MOST_SECONDS * hz / points);
        let length = self.per_point * points;
        let begin = facts.begin as f64 - 0.02 * length;
        self.from = self.from.min(facts.known as f64 - 0.1 * length).max(begin);
    }

    /// The wheel zooms around the mouse; over the names, and with Shift, it scrolls the rows.
    fn wheel(&mut self, ui: &Ui, response: &Response, layout: StripLayout, facts: &StripFacts) {
        let Some(at) = response.hover_pos() else { return };
        let (by, shift) = ui.input(|input| (input.smooth_scroll_delta(), input.modifiers.shift));
        let turned = if by.y == 0.0 { by.x } else { by.y };
        if turned == 0.0 {
            return;
        }
        if shift || at.x < layout.tracks.left() {
            self.scroll -= turned;
            let room = layout.tracks.bottom() - layout.rows;
            self.scroll = self.scroll.clamp(0.0, (facts.rows.rows.len() as f32 * ROW - room).max(0.0));
            return;
        }
        let under = layout.scale.position(at.x);
        self.per_point *= (-f64::from(turned) * WHEEL).exp();
        self.stay(facts);
        self.from = under - f64::from(at.x - layout.tracks.left()) * self.per_point;
        self.stay(facts);
    }

    fn mouse(
        &mut self,
        ui: &Ui,
        response: &Response,
        layout: StripLayout,
        facts: &StripFacts,
        orders: &mut Vec<StripOrder>,
    ) {
        use egui::PointerButton::{Middle, Primary, Secondary};
        let (at, pressed, down) = ui.input(|input| {
            let pointer = &input.pointer;
            let pressed = [Primary, Middle, Secondary].map(|button| pointer.button_pressed(button));
            (pointer.interact_pos(), pressed, [Primary, Middle, Secondary].map(|button| pointer.button_down(button)))
        });
        let Some(at) = at else { return };
        if response.contains_pointer() && pressed.contains(&true) {
            self.grab(at, pressed, layout, facts, orders);
        }
        if let Some((grab, origin)) = self.grabbed.take() {
            let moved = self.drag(grab, at, origin, layout, facts, orders);
            match moved {
                StripGrab::Press(edit, _) if !down[0] => self.finish(edit, orders),
                StripGrab::Mark(_) | StripGrab::Ruler if !down[0] => self.let_go(&moved, at, layout, facts, orders),
                moved if down.contains(&true) => self.grabbed = Some((moved, origin)),
                _ => {}
            }
        }
        if response.contains_pointer() {
            ui.set_cursor_icon(self.cursor(at, layout, facts));
        }
    }

    /// A button of the mouse went down.
    fn grab(
        &mut self,
        at: Pos2,
        [primary, middle, secondary]: [bool; 3],
        layout: StripLayout,
        facts: &StripFacts,
        orders: &mut Vec<StripOrder>,
    ) {
        let hit = layout.hit(at, facts);
        let tick = layout.scale.tick(at.x);
        let pan = StripGrab::Pan(layout.scale.position(at.x));
        self.grabbed = match hit {
            StripHit::Bar(row, ticks, whole) if secondary => match edit_of(row, Some(ticks), whole && facts.paused) {
                Some(edit) => {
                    self.selected = None;
                    orders.push(StripOrder::Press(PressEdit { new: None, ..edit }));
                    None
                }
                None => Some(pan),
            },
            _ if middle || secondary => Some(pan),
            _ if !primary => None,
            StripHit::Ruler | StripHit::Sign(_) => Some(StripGrab::Ruler),
            StripHit::Mark(is_b) => Some(StripGrab::Mark(is_b)),
            StripHit::Bar(row, ticks, whole) => {
                self.selected = edit_of(row, Some(ticks), whole && facts.paused);
                let (left, right) = (layout.scale.x(ticks.start), layout.scale.x(ticks.end));
                let near = NEAR.min((right - left) / 4.0);
                let part = match at.x {
                    x if x - left < near => PressPart::Start,
                    x if right - x < near => PressPart::End,
                    x => PressPart::Whole(layout.scale.position(x) - ticks.start as f64),
                };
                self.selected.clone().map(|edit| StripGrab::Press(edit, part))
            }
            StripHit::Row(row) => {
                self.selected = None;
                let length = (PRESS * f64::from(facts.hz)).round().max(1.0) as u64;
                let edit = edit_of(row, None, facts.paused && tick >= facts.begin);
                edit.map(|edit| PressEdit { new: Some(tick..tick + length), ..edit })
                    .map(|edit| StripGrab::Press(edit, PressPart::New(tick)))
            }
            StripHit::Names | StripHit::Nothing => None,
        }
        .map(|grab| (grab, at));
    }

    /// The mouse has moved with what it holds.
    fn drag(
        &mut self,
        grab: StripGrab,
        at: Pos2,
        origin: Pos2,
        layout: StripLayout,
        facts: &StripFacts,
        orders: &mut Vec<StripOrder>,
    ) -> StripGrab {
        let is_click = (at.x - origin.x).abs() < CLICK;
        let show = |position: u64, orders: &mut Vec<StripOrder>| {
            if position != facts.at {
                orders.push(StripOrder::Show(position));
            }
        };
        let nearest = layout.scale.nearest(at.x).max(facts.begin);
        match grab {
            StripGrab::Ruler => show(nearest.min(facts.known), orders),
            // The marks are set where the mouse lets go of them; until then, the tick there is shown.
            StripGrab::Mark(_) if !is_click => show(nearest.min(facts.end), orders),
            StripGrab::Pan(under) => {
                self.from = under - f64::from(at.x - layout.tracks.left()) * self.per_point;
                self.stay(facts);
            }
            StripGrab::Press(mut edit, part) => {
                let nearest = layout.scale.nearest(at.x);
                let old = edit.old.clone();
                edit.new = match (part, &old) {
                    _ if is_click && old.is_some() => old,
                    (PressPart::Start, Some(old)) => Some(nearest.min(old.end - 1)..old.end),
                    (PressPart::End, Some(old)) => Some(old.start..nearest.max(old.start + 1)),
                    (PressPart::Whole(inside), Some(old)) => {
                        let start = (layout.scale.position(at.x) - inside).round().max(facts.begin as f64) as u64;
                        Some(start..start + (old.end - old.start))
                    }
                    (PressPart::New(_), _) if is_click => edit.new,
                    (PressPart::New(tick), _) if nearest > tick => Some(tick..nearest),
                    (PressPart::New(tick), _) => Some(nearest.max(facts.begin).min(tick)..tick + 1),
                    _ => edit.new,
                };
                return StripGrab::Press(edit, part);
            }
            StripGrab::Mark(_) => {}
        }
        grab
    }

    /// The mouse has let go of a press.
    fn finish(&mut self, edit: PressEdit, orders: &mut Vec<StripOrder>) {
        if edit.old == edit.new {
            return;
        }
        self.selected = edit.new.clone().map(|new| PressEdit { old: Some(new), new: None, ..edit.clone() });
        orders.push(StripOrder::Press(edit));
    }

    /// The mouse has let go of a mark.
    fn let_go(
        &mut self,
        grab: &StripGrab,
        at: Pos2,
        layout: StripLayout,
        facts: &StripFacts,
        orders: &mut Vec<StripOrder>,
    ) {
        let position = layout.scale.nearest(at.x).clamp(facts.begin, facts.end);
        match grab {
            StripGrab::Mark(false) if facts.mark != Some(position) => orders.push(StripOrder::MarkA(position)),
            StripGrab::Mark(true) if facts.marked.as_ref().is_none_or(|marked| marked.end != position) => {
                orders.push(StripOrder::MarkB(position));
            }
            _ => {}
        }
    }

    fn cursor(&self, at: Pos2, layout: StripLayout, facts: &StripFacts) -> CursorIcon {
        match (&self.grabbed, layout.hit(at, facts)) {
            (Some((StripGrab::Pan(_), _)), _) => CursorIcon::Grabbing,
            (_, StripHit::Mark(_)) => CursorIcon::ResizeHorizontal,
            (_, StripHit::Bar(row, ticks, true)) if facts.paused && is_action(row) => {
                let (left, right) = (layout.scale.x(ticks.start), layout.scale.x(ticks.end));
                let near = NEAR.min((right - left) / 4.0);
                let is_end = at.x - left < near || right - at.x < near;
                if is_end { CursorIcon::ResizeHorizontal } else { CursorIcon::Grab }
            }
            (_, StripHit::Row(row)) if facts.paused && is_action(row) => CursorIcon::Crosshair,
            _ => CursorIcon::Default,
        }
    }

    /// What is said about what is under the mouse.
    fn said(&self, at: Option<Pos2>, layout: StripLayout, facts: &StripFacts) -> String {
        let hz = f64::from(facts.hz);
        let length = |ticks: &Range<u64>| {
            let count = ticks.end - ticks.start;
            format!("{:.3} s, {count} ticks, from {:.2} s", count as f64 / hz, ticks.start as f64 / hz)
        };
        if let Some((StripGrab::Press(PressEdit { new: Some(new), .. }, _), _)) = &self.grabbed {
            return length(new);
        }
        let Some(at) = at else {
            let state = if facts.paused { "" } else { " – P pauses, to edit presses" };
            return format!("{:.2} s, tick {}{state}", facts.at as f64 / hz, facts.tick);
        };
        let time = layout.scale.position(at.x).max(0.0) / hz;
        match layout.hit(at, facts) {
            StripHit::Names => "the wheel scrolls the rows".into(),
            StripHit::Mark(is_b) => format!("mark {}: drag it", if is_b { "B" } else { "A" }),
            StripHit::Sign(sign) => format!("{:.2} s: {}", sign.position as f64 / hz, sign.text),
            StripHit::Bar(row, ticks, true) if is_action(row) && facts.paused => {
                format!("{}: drag to move, right click removes", length(ticks))
            }
            StripHit::Bar(_, ticks, true) => length(ticks),
            StripHit::Bar(..) => format!("{time:.2} s: zoom until the whole press is seen to edit it"),
            StripHit::Row(row) => match &row.kind {
                StripRowKind::Action(..) if facts.paused => format!("{time:.2} s: click or drag to add a press"),
                StripRowKind::Stick(points) => {
                    let tick = layout.scale.tick(at.x);
                    let index = points.partition_point(|(from, _)| *from <= tick);
                    let [x, y] = index.checked_sub(1).map_or([0.0; 2], |index| points[index].1);
                    format!("{time:.2} s: stick at {x:.2}, {y:.2}; sticks cannot be edited")
                }
                _ => format!("{time:.2} s"),
            },
            StripHit::Ruler => format!("{time:.2} s: drag to scrub, the wheel zooms"),
            StripHit::Nothing => format!("{time:.2} s"),
        }
    }

    fn paint(&self, ui: &Ui, rect: Rect, layout: StripLayout, facts: &StripFacts) {
        let painter = ui.painter().with_clip_rect(rect);
        let StripLayout { tracks, scale, .. } = layout;
        let clipped = painter.with_clip_rect(tracks);
        let lines = [tracks.top() + RULER, layout.signs(0), layout.signs(1), layout.signs(2)];
        let text = |painter: &Painter, at: Pos2, text: &str, color: Color32| {
            painter.text(at, Align2::LEFT_CENTER, text, FontId::proportional(11.0), color);
        };
        painter.rect_filled(Rect::from_min_size(tracks.min, vec2(tracks.width(), RULER)), 0.0, Color32::from_gray(38));
        for (name, index) in [("marks", 0), ("edits, restarts", 1), ("events", 2)] {
            let at = pos2(rect.left() + 2.0, layout.signs(index) + SIGNS / 2.0);
            text(&painter.with_clip_rect(layout.names(rect)), at, name, Color32::from_gray(150));
        }
        self.paint_rows(&painter, rect, layout, facts);
        // Where nothing was played, and what is only known.
        let shade = |from: f32, to: f32, color: Color32| {
            let shaded = Rect::from_min_max(pos2(from.max(tracks.left()), tracks.top()), pos2(to, tracks.bottom()));
            if shaded.is_positive() {
                clipped.rect_filled(shaded, 0.0, color);
            }
        };
        shade(tracks.left(), scale.x(facts.begin), Color32::from_black_alpha(130));
        shade(scale.x(facts.end), tracks.right(), Color32::from_black_alpha(90));
        if let Some(marked) = &facts.marked {
            shade(scale.x(marked.start), scale.x(marked.end), Color32::from_rgba_unmultiplied(120, 170, 255, 22));
        }
        self.paint_ruler(&clipped, layout, facts);
        let mark = |position: u64, letter: &str| {
            let x = scale.x(position);
            clipped.line_segment([pos2(x, tracks.top() + RULER), pos2(x, tracks.bottom())], Stroke::new(1.0, MARK));
            let flag = Rect::from_min_size(pos2(x - NEAR - 1.0, lines[1]), vec2(2.0 * NEAR + 2.0, SIGNS - 1.0));
            clipped.rect_filled(flag, 2.0, MARK);
            let at = flag.center();
            clipped.text(at, Align2::CENTER_CENTER, letter, FontId::proportional(11.0), Color32::BLACK);
        };
        if let Some(marked) = &facts.marked {
            mark(marked.end, "B");
        }
        if let Some(a) = facts.mark {
            mark(a, "A");
        }
        let middle = |index: usize| layout.signs(index) + SIGNS / 2.0;
        for restart in &facts.rows.restarts {
            let x = scale.x(*restart);
            let stroke = Stroke::new(1.0, RESTART);
            clipped.line_segment([pos2(x, layout.signs(1)), pos2(x, tracks.bottom())], stroke);
            text(&clipped, pos2(x + 2.0, middle(1)), "⟲", RESTART);
        }
        let mut free = f32::NEG_INFINITY;
        for (sign, color) in facts.rows.edits.iter().map(|sign| (sign, EDITED)) {
            let x = scale.x(sign.position);
            clipped.line_segment([pos2(x, layout.signs(1)), pos2(x, layout.signs(2))], Stroke::new(1.5, color));
            let number = sign.text.split([' ', ':']).nth(1).unwrap_or_default();
            if x > free {
                text(&clipped, pos2(x + 3.0, middle(1)), number, color);
                free = x + 8.0 + 7.0 * number.len() as f32;
            }
        }
        for sign in &facts.rows.lost {
            let x = scale.x(sign.position);
            clipped.rect_filled(Rect::from_center_size(pos2(x, middle(1)), vec2(4.0, SIGNS - 2.0)), 1.0, CONFLICT);
        }
        let mut free = f32::NEG_INFINITY;
        for sign in &facts.rows.events {
            let x = scale.x(sign.position);
            clipped.line_segment([pos2(x, layout.signs(2)), pos2(x, layout.rows - 2.0)], Stroke::new(1.0, EVENT));
            // Names where there is room for them.
            if x > free {
                text(&clipped, pos2(x + 2.0, middle(2)), &sign.text, EVENT);
                free = x + 6.0 + 6.0 * sign.text.chars().count() as f32;
            }
        }
        let x = scale.x(facts.at);
        clipped.line_segment([pos2(x, tracks.top()), pos2(x, tracks.bottom())], Stroke::new(1.5, SHOWN));
        let handle = [pos2(x - 5.0, tracks.top()), pos2(x + 5.0, tracks.top()), pos2(x, tracks.top() + 8.0)];
        clipped.add(egui::Shape::convex_polygon(handle.to_vec(), SHOWN, Stroke::NONE));
    }

    /// Paints seconds, and where they are.
    fn paint_ruler(&self, painter: &Painter, layout: StripLayout, facts: &StripFacts) {
        let hz = f64::from(facts.hz);
        let per_second = hz / self.per_point;
        let steps = [0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 30.0, 60.0, 300.0, 600.0, 1800.0, 3600.0];
        let step = steps.into_iter().find(|step| step * per_second > 56.0).unwrap_or(3600.0);
        let decimals = if step < 0.1 { 2 } else { usize::from(step < 1.0) };
        let first = (self.from.max(0.0) / hz / step).floor() as u64;
        let last = ((self.from + f64::from(self.width) * self.per_point) / hz / step).ceil().max(0.0) as u64;
        for index in first..=last.min(first + 1000) {
            let seconds = index as f64 * step;
            let x = layout.tracks.left() + ((seconds * hz - self.from) / self.per_point) as f32;
            let top = layout.tracks.top();
            painter.line_segment([pos2(x, top + RULER - 6.0), pos2(x, top + RULER)], Stroke::new(1.0, RULED));
            let minutes = (seconds / 60.0).floor();
            let label = if minutes > 0.0 {
                format!(
                    "{minutes}:{:0width$.decimals$}",
                    seconds - minutes * 60.0,
                    width = if decimals > 0 { decimals + 3 } else { 2 }
                )
            } else {
                format!("{seconds:.decimals$} s")
            };
            painter.text(pos2(x + 2.0, top + 7.0), Align2::LEFT_CENTER, label, FontId::proportional(10.0), RULED);
        }
    }

    fn paint_rows(&self, painter: &Painter, rect: Rect, layout: StripLayout, facts: &StripFacts) {
        let below = Rect::from_min_max(pos2(rect.left(), layout.rows), rect.max);
        let painter = painter.with_clip_rect(below);
        let bars = painter.with_clip_rect(below.intersect(layout.tracks));
        for (index, row) in facts.rows.rows.iter().enumerate() {
            let top = layout.rows + index as f32 * ROW - layout.scroll;
            if top + ROW < below.top() || top > below.bottom() {
                continue;
            }
            if index % 2 == 0 {
                let lane = Rect::from_min_size(pos2(rect.left(), top), vec2(rect.width(), ROW));
                painter.rect_filled(lane, 0.0, Color32::from_white_alpha(8));
            }
            let name = match &row.kind {
                StripRowKind::Action(_, name) => &**name,
                StripRowKind::Stick(_) => "stick",
                StripRowKind::Aim => "aim",
            };
            let name = if row.player == 1 {
                name.to_string()
            } else {
                format!("p{} {name}", row.player)
            };
            let at = pos2(rect.left() + 2.0, top + ROW / 2.0);
            let names = painter.with_clip_rect(below.intersect(layout.names(rect)));
            names.text(at, Align2::LEFT_CENTER, name, FontId::proportional(11.0), Color32::from_gray(210));
            let dragged = self.grabbed.as_ref().and_then(|(grab, _)| match grab {
                StripGrab::Press(edit, _) if is_of(row, edit) => Some(edit),
                _ => None,
            });
            let bar = |ticks: &Range<u64>, color: Color32| {
                let (left, right) = (layout.scale.x(ticks.start), layout.scale.x(ticks.end));
                let right = right.max(left + 1.0);
                Some(Rect::from_min_max(pos2(left, top + 2.0), pos2(right, top + ROW - 2.0)))
                    .filter(|bar| bar.right() >= layout.tracks.left() && bar.left() <= layout.tracks.right())
                    .inspect(|rect| _ = bars.rect_filled(*rect, 2.0, color))
            };
            let color = row_color(row);
            for one in &row.bars {
                let is_old = dragged.is_some_and(|edit| edit.old.as_ref() == Some(&one.ticks));
                let faint = is_old || !one.whole || one.ticks.start >= facts.end;
                let painted = bar(&one.ticks, if faint { color.gamma_multiply(0.45) } else { color });
                let chosen = self
                    .selected
                    .as_ref()
                    .filter(|edit| is_of(row, edit) && edit.old.as_ref() == Some(&one.ticks));
                if let (Some(painted), Some(_)) = (painted, chosen) {
                    bars.rect_stroke(painted, 2.0, Stroke::new(1.5, Color32::WHITE), StrokeKind::Outside);
                }
            }
            if let Some(new) = dragged.and_then(|edit| edit.new.as_ref()) {
                bar(new, Color32::WHITE);
            }
            if let StripRowKind::Stick(points) = &row.kind {
                paint_stick(&bars, layout, top, points, facts.known);
            }
        }
    }
}

/// Paints the x of a stick, and its y more faintly, as steps.
fn paint_stick(painter: &Painter, layout: StripLayout, top: f32, points: &[(u64, [f32; 2])], end: u64) {
    for (axis, color) in [(1, STICK.gamma_multiply(0.4)), (0, STICK)] {
        let height = |at: &[f32; 2]| top + ROW / 2.0 - at[axis].clamp(-1.0, 1.0) * (ROW / 2.0 - 1.0);
        let mut line = Vec::new();
        for (index, (from, at)) in points.iter().enumerate() {
            let until = points.get(index + 1).map_or(end, |(next, _)| *next);
            line.push(pos2(layout.scale.x(*from), height(at)));
            line.push(pos2(layout.scale.x(until), height(at)));
        }
        painter.line(line, Stroke::new(1.0, color));
    }
}

const MARK: Color32 = Color32::from_rgb(120, 170, 255);
const RESTART: Color32 = Color32::from_rgb(190, 130, 255);
const EVENT: Color32 = Color32::from_rgb(160, 230, 110);
const SHOWN: Color32 = Color32::from_rgb(255, 255, 255);
const RULED: Color32 = Color32::from_gray(170);
const STICK: Color32 = Color32::from_rgb(250, 225, 70);

fn row_color(row: &StripRow) -> Color32 {
    match &row.kind {
        StripRowKind::Action(Action::Jump, _) => Color32::from_rgb(255, 170, 80),
        StripRowKind::Action(Action::Hook, _) => Color32::from_rgb(225, 110, 190),
        StripRowKind::Action(Action::Own(_), _) => Color32::from_rgb(130, 210, 150),
        StripRowKind::Action(..) => Color32::from_rgb(90, 170, 235),
        StripRowKind::Stick(_) | StripRowKind::Aim => STICK,
    }
}

fn is_action(row: &StripRow) -> bool {
    matches!(row.kind, StripRowKind::Action(..))
}

fn is_of(row: &StripRow, edit: &PressEdit) -> bool {
    row.player == edit.player && matches!(row.kind, StripRowKind::Action(action, _) if action == edit.action)
}

/// The edit of a press that has not changed yet, if it can be edited.
fn edit_of(row: &StripRow, ticks: Option<&Range<u64>>, can: bool) -> Option<PressEdit> {
    let StripRowKind::Action(action, _) = row.kind else {
        return None;
    };
    can.then(|| PressEdit { player: row.player, action, old: ticks.cloned(), new: ticks.cloned() })
}

/// Where positions are.
#[derive(Clone, Copy)]
struct StripScale {
    left: f32,
    from: f64,
    per_point: f64,
}

impl StripScale {
    fn x(self, position: u64) -> f32 {
        // Far outside, egui's numbers would be too coarse.
        self.left + ((position as f64 - self.from) / self.per_point).clamp(-1e5, 1e5) as f32
    }

    fn position(self, x: f32) -> f64 {
        self.from + f64::from(x - self.left) * self.per_point
    }

    /// The tick whose input is drawn here.
    fn tick(self, x: f32) -> u64 {
        self.position(x).floor().max(0.0) as u64
    }

    /// The nearest position.
    fn nearest(self, x: f32) -> u64 {
        self.position(x).round().max(0.0) as u64
    }
}

/// Where the parts of the timeline are.
#[derive(Clone, Copy)]
struct StripLayout {
    /// Everything but the names.
    tracks: Rect,
    /// The top of the rows of presses.
    rows: f32,
    scroll: f32,
    scale: StripScale,
}

impl StripLayout {
    /// The top of a row of signs.
    fn signs(&self, index: usize) -> f32 {
        self.tracks.top() + RULER + index as f32 * SIGNS
    }

    fn names(&self, rect: Rect) -> Rect {
        Rect::from_min_max(rect.min, pos2(self.tracks.left() - 2.0, rect.bottom()))
    }

    fn hit<'a>(&self, at: Pos2, facts: &'a StripFacts) -> StripHit<'a> {
        if at.x < self.tracks.left() {
            return StripHit::Names;
        }
        let is_near = |position: u64| (self.scale.x(position) - at.x).abs() <= NEAR + 1.0;
        let nearest = |signs: &'a [StripSign]| {
            let near = signs.iter().filter(|sign| is_near(sign.position));
            let away = |sign: &StripSign| (self.scale.x(sign.position) - at.x).abs();
            near.min_by(|a, b| away(a).total_cmp(&away(b)))
        };
        let sign = |signs: Option<&'a StripSign>| signs.map_or(StripHit::Ruler, StripHit::Sign);
        match at.y {
            y if y < self.signs(0) => StripHit::Ruler,
            y if y < self.signs(1) => match (&facts.mark, &facts.marked) {
                (_, Some(marked)) if is_near(marked.end) => StripHit::Mark(true),
                (Some(a), _) if is_near(*a) => StripHit::Mark(false),
                _ => StripHit::Ruler,
            },
            y if y < self.signs(2) => sign(nearest(&facts.rows.edits).or_else(|| nearest(&facts.rows.lost))),
            y if y < self.rows => sign(nearest(&facts.rows.events)),
            y => {
                let index = ((y - self.rows + self.scroll) / ROW) as usize;
                let Some(row) = facts.rows.rows.get(index) else {
                    return StripHit::Nothing;
                };
                let bar = row.bars.iter().find(|bar| {
                    let (left, right) = (self.scale.x(bar.ticks.start), self.scale.x(bar.ticks.end));
                    left <= at.x && at.x < right.max(left + 2.0)
                });
                bar.map_or(StripHit::Row(row), |bar| StripHit::Bar(row, &bar.ticks, bar.whole))
            }
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/panel/strip.rs"]
mod tests;
