//! Drawing a jump: points of the last stretch's path are dragged to where they should be, and the smallest changes of numbers
//! that bring them there are searched in the background, each with its path and the tests that it breaks.

use super::{
    drawn_rows::{DrawnRows, answer_text},
    *,
};
use hangtime_draw::WishHandle;
use hangtime_game::{GameFolder, TuningEdit, TuningGroup};
use hangtime_play::{
    BreakNews, PathEntity, PathSpot, Wish, WishAnswer, WishAnswers, WishPath, WishPoint, WishSearch, broken_by,
};

/// The most answers that are listed.
pub const MOST_ANSWERS: usize = 5;

/// The threads that search, while time stands still.
const THREADS: usize = 4;

/// How near the mouse has to be to a handle, px.
const NEAR: f64 = 14.0;

/// A shorter motion of the mouse is a click, px.
const CLICK: f64 = 2.0;

/// A handle that is dragged along one axis stays on the other one within this distance, px.
const STRAIGHT: f64 = 24.0;

/// How far above or below a dragged landing there may be ground that it is drawn to, px.
const GROUND: f64 = 24.0;

/// An end that is this near to a landing, px, has no handle.
const SAME: f64 = 8.0;

/// The most points that can be dragged, and the shortest time between an apex and its landing, s: steps down stairs are no jumps.
const MOST_HANDLES: usize = 16;
const SHORTEST: f64 = 0.05;

/// What the keys do while a jump is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawingOrder {
    /// Choose an answer, counted from 0.
    Choose(usize),
    /// Give the numbers of the chosen answer to the tuning panel.
    Apply,
    /// Stop drawing.
    Close,
}

/// Numbers for the tuning panel, which takes effect like moved sliders.
#[derive(Clone, Debug, PartialEq)]
pub struct WishedNumbers {
    /// The profile of the entity that they are for.
    pub profile: usize,
    /// Each with its new value.
    pub numbers: Vec<(TuningGroup, &'static str, f64)>,
}

/// The tests that an answer breaks, as far as they have been run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DrawnBreaks {
    /// The names of those that are broken.
    pub broken: Vec<String>,
    /// What cannot be checked, and why.
    pub unsaved: Vec<String>,
    /// How many have run, of how many.
    pub run: (usize, usize),
    /// Whether all of them have.
    pub is_done: bool,
}

/// What the search in the background has found.
enum DrawnNews {
    Path(Box<WishPath>),
    Answers(Box<Result<WishAnswers, String>>),
    Gone,
}

/// The stretch that is drawn on.
#[derive(Clone)]
struct DrawnStretch {
    excerpt: Arc<Excerpt>,
    picked: PickedEntity,
    revision: Arc<Revision>,
}

impl DrawnStretch {
    /// Plays it until the wished points are known, or whole.
    fn play(
        &self,
        start: &World,
        revision: &Arc<Revision>,
        wanted: &[WishPoint],
        canceled: &AtomicBool,
    ) -> Option<WishPath> {
        let live = self.excerpt.resume_under(start, revision);
        let world = live.world();
        let player = self.picked.index_in(world).and_then(|index| world.entities()[index].player);
        let entity = PathEntity {
            index_in: &|world| self.picked.index_in(world),
            holds_jump: &|inputs| player.is_some_and(|player| inputs.player(player).held.has(Action::Jump)),
        };
        let input = |tick| (tick < MOST_GHOST_TICKS).then(|| self.excerpt.input_under(tick, revision)).flatten();
        WishPath::play(live, &entity, input, wanted, &|| canceled.load(Ordering::Relaxed))
    }

    /// Plays the stretch and, if something is wished, searches.
    fn search(&self, wishes: &[Wish], canceled: &AtomicBool) -> Option<DrawnNews> {
        let live = self.excerpt.start();
        let start = live.world().clone();
        drop(live);
        let profile = {
            let live = self.excerpt.resume_under(&start, &self.revision);
            let world = live.world();
            self.picked.index_in(world).map(|index| world.profile_of(&world.entities()[index]))
        };
        let Some(profile) = profile else { return Some(DrawnNews::Gone) };
        let play = |revision: &Arc<Revision>, wanted: &[WishPoint]| self.play(&start, revision, wanted, canceled);
        if wishes.is_empty() {
            return play(&self.revision, &[]).map(|path| DrawnNews::Path(Box::new(path)));
        }
        let search = WishSearch { revision: &self.revision, profile, wishes, play, threads: THREADS };
        search.answers().map(|found| DrawnNews::Answers(Box::new(found)))
    }

    fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.excerpt, &other.excerpt)
            && Arc::ptr_eq(&self.revision, &other.revision)
            && self.picked == other.picked
    }
}

/// A handle that the mouse holds.
struct HeldHandle {
    spot: PathSpot,
    /// The wish that it had.
    before: Option<Wish>,
    /// From the mouse to the handle, px.
    offset: DVec2,
    /// Where the mouse took it, px.
    from: DVec2,
    moved: bool,
}

/// A jump that is being drawn.
struct OpenDrawing {
    stretch: DrawnStretch,
    /// The path under the present numbers.
    path: Option<WishPath>,
    wishes: Vec<Wish>,
    held: Option<HeldHandle>,
    /// The wishes that the last thread was started with.
    searched: Option<Vec<Wish>>,
    job: Option<BackgroundJob<DrawnNews>>,
    answers: Vec<WishAnswer>,
    /// What a search without answers has found, in a line.
    found: String,
    chosen: usize,
    breaks: Option<DrawnBreaks>,
    breaks_job: Option<BackgroundJob<BreakNews>>,
}

/// The drawing mode.
#[derive(Default)]
pub struct JumpDrawing {
    open: Option<Box<OpenDrawing>>,
    picture: Arc<WishPicture>,
    wished: Option<WishedNumbers>,
    /// The game, whose tests are run.
    folder: Option<GameFolder>,
    /// Whether the whole stretch is in view because of the drawing.
    fits: bool,
}

impl OpenDrawing {
    fn of(stretch: DrawnStretch) -> Self {
        Self {
            stretch,
            path: None,
            wishes: Vec::new(),
            held: None,
            searched: None,
            job: None,
            answers: Vec::new(),
            found: String::new(),
            chosen: 0,
            breaks: None,
            breaks_job: None,
        }
    }

    /// The points that can be dragged.
    fn handles(&self) -> impl Iterator<Item = &PathSpot> {
        let path = self.path.as_ref();
        let lands = move |flight| path.and_then(|path| path.spot(WishPoint::Landing(flight)));
        let apex = move |flight| path.and_then(|path| path.spot(WishPoint::Apex(flight)));
        let is_short = move |flight| match (apex(flight), lands(flight)) {
            (Some(apex), Some(landing)) => landing.time - apex.time < SHORTEST,
            (None, _) => path
                .and_then(|path| path.takeoffs.get(flight))
                .is_none_or(|(time, _)| lands(flight).is_none_or(|landing| landing.time - time < SHORTEST)),
            _ => false,
        };
        let spots = move || path.into_iter().flat_map(|path| &path.spots);
        // A body that stays where it has landed needs no second handle there.
        let has_landed_at = move |at: DVec2| {
            let mut landings = spots().filter(|spot| matches!(spot.point, WishPoint::Landing(_)));
            let half = path.map_or(0.0, |path| path.half_height);
            landings
                .next_back()
                .is_some_and(|landing| (landing.at - at).abs().cmple(DVec2::new(SAME, half + SAME)).all())
        };
        let shown = spots().filter(move |spot| match spot.point {
            WishPoint::Apex(flight) | WishPoint::Landing(flight) => !is_short(flight),
            WishPoint::LetGo(_) => true,
            WishPoint::End => !has_landed_at(spot.at),
        });
        shown.take(MOST_HANDLES)
    }

    fn wish_of(&self, point: WishPoint) -> Option<&Wish> {
        self.wishes.iter().find(|wish| wish.point == point)
    }

    /// Where a point is shown, px: where it is wished, if it is.
    fn shown_at(&self, spot: &PathSpot) -> DVec2 {
        let to = self.wish_of(spot.point).map_or([None; 2], |wish| wish.to);
        DVec2::new(to[0].unwrap_or(spot.at.x), to[1].unwrap_or(spot.at.y))
    }

    fn set_wish(&mut self, point: WishPoint, to: Option<[Option<f64>; 2]>) {
        self.wishes.retain(|wish| wish.point != point);
        self.wishes.extend(to.map(|to| Wish { point, to }));
    }

    /// Collects what the threads have found. Returns whether something is new.
    fn poll(&mut self) -> bool {
        let mut is_new = false;
        if let Some(job) = &self.job {
            let news = match job.poll() {
                Err(TryRecvError::Empty) => None,
                Err(TryRecvError::Disconnected) => Some(DrawnNews::Gone),
                Ok(news) => Some(news),
            };
            if let Some(news) = news {
                self.job = None;
                self.take(news);
                is_new = true;
            }
        }
        while let (Some(job), Some(breaks)) = (&self.breaks_job, &mut self.breaks) {
            match job.poll() {
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    breaks.is_done = true;
                    self.breaks_job = None;
                }
                Ok(BreakNews::Done { done, all }) => breaks.run = (done, all),
                Ok(BreakNews::Broken(name)) => breaks.broken.push(name),
                Ok(BreakNews::Unsaved(why)) => breaks.unsaved.push(why),
            }
            is_new = true;
        }
        is_new
    }

    fn take(&mut self, news: DrawnNews) {
        self.found.clear();
        let answers = match news {
            DrawnNews::Path(path) => {
                self.path = Some(*path);
                Vec::new()
            }
            DrawnNews::Gone => {
                self.found = "the entity is not in this stretch".into();
                Vec::new()
            }
            DrawnNews::Answers(found) => match *found {
                Err(why) => {
                    self.found = why;
                    Vec::new()
                }
                Ok(found) => {
                    self.found = found_text(&found);
                    self.path = Some(found.now);
                    let nearest = found.nearest.into_iter();
                    found.answers.into_iter().take(MOST_ANSWERS).chain(nearest).collect()
                }
            },
        };
        // The choice stays with its numbers.
        let keys =
            |answer: &WishAnswer| -> Vec<String> { answer.changes.iter().map(|change| change.number.path()).collect() };
        let chosen = self.answers.get(self.chosen).map(keys);
        self.chosen = answers.iter().position(|answer| Some(keys(answer)) == chosen).unwrap_or(0);
        self.answers = answers;
        self.forget_breaks();
    }

    fn forget_breaks(&mut self) {
        (self.breaks, self.breaks_job) = (None, None);
    }

    /// Starts what is due: the search for new wishes, or the tests of the chosen answer.
    fn start(&mut self, folder: Option<&GameFolder>, line: &PlayedLine) {
        if self.searched.as_ref() != Some(&self.wishes) {
            // While the mouse drags, a search comes to its end, so that answers follow it.
            if self.job.is_some() && self.held.is_some() {
                return;
            }
            self.forget_breaks();
            self.searched = Some(self.wishes.clone());
            let (stretch, wishes) = (self.stretch.clone(), self.wishes.clone());
            let job = BackgroundJob::start("drawing", move |post, canceled| {
                // The window may have been closed.
                let _ = stretch.search(&wishes, canceled).map(|news| post.send(news));
            });
            self.job = job.ok();
            return;
        }
        if self.job.is_some() || self.held.is_some() || self.breaks.is_some() {
            return;
        }
        let (Some(folder), Some(answer)) = (folder, self.answers.get(self.chosen)) else { return };
        let base = line.tuning.base();
        let present = line.tuning.changes().to_vec();
        let wished: Vec<TuningChange> =
            answer.changes.iter().filter_map(|change| change.number.changed(change.value)).collect();
        let is_wished = |change: &TuningChange| {
            wished
                .iter()
                .any(|one| (&one.home, &one.group, one.name) == (&change.home, &change.group, change.name))
        };
        let kept = present.iter().filter(|change| !is_wished(change)).cloned();
        let changed: Vec<TuningChange> = kept.chain(wished.iter().cloned()).collect();
        let [before, after] = [present, changed].map(|changes| edits_of(base, changes));
        let (folder, level) = (folder.clone(), base.stage.level.name.to_string());
        self.breaks = Some(DrawnBreaks::default());
        let job = BackgroundJob::start("breaks", move |post, canceled| {
            let flag = canceled.clone();
            let stopped = move || flag.load(Ordering::Relaxed);
            let tried = broken_by(&folder, &level, [&before, &after], &stopped, &mut |news| post.send(news).is_ok());
            if let Err(error) = tried {
                let why = error.diagnostics().first().map_or_else(String::new, |wrong| wrong.message.clone());
                let _ = post.send(BreakNews::Unsaved(why));
            }
        });
        self.breaks_job = job.ok();
    }

    fn picture(&self) -> WishPicture {
        let answer = self.answers.get(self.chosen).filter(|_| !self.wishes.is_empty());
        let handle = |spot: &PathSpot| WishHandle {
            at: spot.at,
            to: self.wish_of(spot.point).map(|_| self.shown_at(spot)),
            name: spot.point.words(),
        };
        let rows = DrawnRows {
            path: self.path.as_ref(),
            wishes: &self.wishes,
            answers: &self.answers,
            found: &self.found,
            chosen: self.chosen,
            searches: self.job.is_some(),
            breaks: self.breaks.as_ref(),
        };
        WishPicture {
            path: self.path.as_ref().map_or_else(Vec::new, |path| path.places.clone()),
            answer: answer.map_or_else(Vec::new, |answer| answer.path.places.clone()),
            handles: self.handles().map(handle).collect(),
            rows: rows.rows(),
        }
    }
}

/// What was found, if it is not just answers.
fn found_text(found: &WishAnswers) -> String {
    match (&*found.answers, &found.nearest) {
        ([], Some(nearest)) => format!("no numbers bring it there; the nearest is {:.1} px off", nearest.off),
        ([], None) if found.tried.1 > 1 => "no number brings it nearer".into(),
        ([], None) => "it is there".into(),
        _ => String::new(),
    }
}

/// Changes as edits of the files.
fn edits_of(base: &Revision, changes: Vec<TuningChange>) -> Vec<TuningEdit> {
    let edit = |change: TuningChange| {
        let (was, written) = base.setting_at(&change.home, &change.group, change.name)?;
        Some(TuningEdit { change, was, written })
    };
    changes.into_iter().filter_map(edit).collect()
}

impl JumpDrawing {
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    pub fn is_running(&self) -> bool {
        self.open
            .as_ref()
            .is_some_and(|open| open.job.is_some() || open.searched.as_ref() != Some(&open.wishes))
    }

    pub fn picture(&self) -> &Arc<WishPicture> {
        &self.picture
    }

    fn close(&mut self) {
        self.open = None;
        self.picture = Arc::default();
    }

    /// Follows the line. Returns whether what is drawn has changed.
    pub fn follow(&mut self, line: &PlayedLine, paused: bool) -> bool {
        if cfg!(not(feature = "disk")) {
            return false;
        }
        let Some(open) = &mut self.open else { return false };
        let Some(picked) = line.picked().filter(|_| paused) else {
            self.close();
            return true;
        };
        let stretch = DrawnStretch {
            excerpt: open.stretch.excerpt.clone(),
            picked: picked.clone(),
            revision: line.latest().clone(),
        };
        let mut changed = !open.stretch.is_same(&stretch);
        if changed {
            // Under other numbers the same points are wished; of another entity, none.
            let wishes = if open.stretch.picked == stretch.picked {
                mem::take(&mut open.wishes)
            } else {
                Vec::new()
            };
            **open = OpenDrawing { wishes, path: open.path.take(), ..OpenDrawing::of(stretch) };
        }
        changed |= open.poll();
        let ran = (open.job.is_some(), open.breaks.is_some());
        open.start(self.folder.as_ref(), line);
        changed |= ran != (open.job.is_some(), open.breaks.is_some());
        if changed {
            self.redraw();
        }
        changed
    }

    fn redraw(&mut self) {
        if let Some(open) = &self.open {
            self.picture = Arc::new(open.picture());
        }
    }

    /// Takes the handle at a point, px.
    fn grab(&mut self, point: DVec2) -> bool {
        let Some(open) = &mut self.open else { return false };
        let near = |spot: &&PathSpot| open.shown_at(spot).distance(point) <= NEAR;
        let apart = |spot: &PathSpot| open.shown_at(spot).distance(point);
        let nearest = open.handles().filter(near).min_by(|a, b| apart(a).total_cmp(&apart(b))).copied();
        open.held = nearest.map(|spot| HeldHandle {
            spot,
            before: open.wish_of(spot.point).copied(),
            offset: open.shown_at(&spot) - point,
            from: point,
            moved: false,
        });
        open.held.is_some()
    }

    /// Moves the handle that is held with the mouse.
    fn drag_to(&mut self, point: DVec2, ground: impl Fn(DVec2) -> Option<f64>) -> bool {
        let Some(open) = &mut self.open else { return false };
        let rests = open.path.as_ref().is_some_and(|path| path.rests);
        let half = open.path.as_ref().map_or(0.0, |path| path.half_height);
        let Some(held) = &mut open.held else { return false };
        if !point.is_finite() || !held.moved && point.distance(held.from) < CLICK {
            return false;
        }
        held.moved = true;
        let (spot, to) = (held.spot, point + held.offset);
        let by = to - spot.at;
        let along_x = by.x.abs() >= by.y.abs();
        let far = |by: f64| by.abs() >= STRAIGHT;
        let wish = match spot.point {
            WishPoint::Apex(_) => [far(by.x).then_some(to.x), Some(to.y)],
            WishPoint::Landing(_) => {
                let at = ground(to + DVec2::new(0.0, half)).map(|y| y - half);
                let height = at.unwrap_or(if far(by.y) { to.y } else { spot.at.y });
                [Some(to.x), Some(height)]
            }
            WishPoint::End if rests => [Some(to.x), ground(to)],
            WishPoint::End | WishPoint::LetGo(_) => {
                [(along_x || far(by.x)).then_some(to.x), (!along_x || far(by.y)).then_some(to.y)]
            }
        };
        let is_new = open.wish_of(spot.point).is_none_or(|old| old.to != wish);
        open.set_wish(spot.point, Some(wish));
        if is_new {
            self.redraw();
        }
        is_new
    }

    /// Lets go of the handle that is held. One that was only clicked is kept where it is, or no longer.
    fn drop_held(&mut self) -> bool {
        let Some(open) = &mut self.open else { return false };
        let Some(held) = open.held.take() else { return false };
        if !held.moved {
            let at = held.spot.at;
            let kept = match held.spot.point {
                WishPoint::Apex(_) => [None, Some(at.y)],
                WishPoint::Landing(_) | WishPoint::LetGo(_) | WishPoint::End => [Some(at.x), Some(at.y)],
            };
            open.set_wish(held.spot.point, held.before.is_none().then_some(kept));
        }
        self.redraw();
        true
    }
}

impl Workbench {
    /// Says in which folder the game is, so that tests of it can be run.
    pub fn use_game_folder(&mut self, folder: GameFolder) {
        self.drawing.folder = Some(folder);
    }

    /// Starts to draw on the stretch that an edit is compared by, or stops.
    pub(super) fn toggle_drawing(&mut self) {
        if self.drawing.is_open() {
            return self.drawing.close();
        }
        let stretch = self.comparison.next_stretch(&self.line);
        let (Some(excerpt), Some(picked)) = (stretch, self.line.picked().cloned()) else {
            return self.note("there is no path to draw on yet");
        };
        self.time.paused = true;
        let stretch = DrawnStretch { excerpt, picked, revision: self.line.latest().clone() };
        self.drawing.open = Some(Box::new(OpenDrawing::of(stretch)));
        // Handles out of view could not be dragged.
        if self.fit.part().is_none() && !self.fit.is_running() {
            self.toggle_fit();
            self.drawing.fits = true;
        }
    }

    /// Follows the camera again that followed before the drawing, once that is closed.
    pub(super) fn leave_drawn_view(&mut self) {
        if self.drawing.fits && !self.drawing.is_open() {
            self.drawing.fits = false;
            self.notices.changed |= self.fit.close();
        }
    }

    /// Whether a jump is being drawn.
    pub fn is_drawing(&self) -> bool {
        self.drawing.is_open()
    }

    /// The path that is drawn on, once it has been played.
    pub fn drawn_path(&self) -> Option<&WishPath> {
        self.drawing.open.as_ref()?.path.as_ref()
    }

    /// What is wished of the path.
    pub fn wishes(&self) -> &[Wish] {
        self.drawing.open.as_ref().map_or(&[], |open| &open.wishes)
    }

    /// The answers that were found for the present wishes; the nearest one if none grants them.
    pub fn wish_answers(&self) -> &[WishAnswer] {
        self.drawing.open.as_ref().map_or(&[], |open| &open.answers)
    }

    /// The answers in words, and which one is chosen.
    pub fn listed_answers(&self) -> (Vec<String>, usize) {
        let Some(open) = &self.drawing.open else { return Default::default() };
        (open.answers.iter().map(answer_text).collect(), open.chosen)
    }

    /// What the chosen answer breaks, as far as its tests have been run; `None` before.
    pub fn drawn_breaks(&self) -> Option<&DrawnBreaks> {
        self.drawing.open.as_ref()?.breaks.as_ref()
    }

    /// Whether what an answer breaks is still being found out.
    pub fn checks_breaks(&self) -> bool {
        self.drawing.open.as_ref().is_some_and(|open| open.breaks_job.is_some())
    }

    /// Carries out what a key does while a jump is drawn. Returns whether one is.
    pub fn draw_order(&mut self, order: DrawingOrder) -> bool {
        let Some(open) = &mut self.drawing.open else { return false };
        match order {
            DrawingOrder::Close => self.drawing.close(),
            DrawingOrder::Choose(number) if number < open.answers.len() => {
                if mem::replace(&mut open.chosen, number) != number {
                    open.forget_breaks();
                }
            }
            DrawingOrder::Choose(_) => {}
            DrawingOrder::Apply => self.apply_answer(),
        }
        self.drawing.redraw();
        self.notices.changed = true;
        true
    }

    /// Gives the numbers of the chosen answer to the panel. Nothing is wished any more then.
    fn apply_answer(&mut self) {
        let Some(open) = &mut self.drawing.open else { return };
        let entity = open.stretch.picked.index_in(self.line.live.world());
        let (Some(answer), Some(index)) = (open.answers.get(open.chosen), entity) else { return };
        let world = self.line.live.world();
        let profile = world.profile_of(&world.entities()[index]);
        let number =
            |change: &hangtime_play::WishedChange| (change.number.group().clone(), change.number.name(), change.value);
        let numbers: Vec<_> = answer.changes.iter().map(number).collect();
        open.wishes.clear();
        open.answers.clear();
        open.forget_breaks();
        self.drawing.wished = Some(WishedNumbers { profile, numbers });
    }

    /// Takes the numbers that the user has drawn since the last call, for the tuning panel.
    pub fn take_wished(&mut self) -> Option<WishedNumbers> {
        self.drawing.wished.take()
    }

    /// Takes the handle at a point of the level, px, if a jump is drawn.
    pub(super) fn grab_handle(&mut self, point: DVec2) -> bool {
        cfg!(feature = "disk") && self.drawing.grab(point)
    }

    /// Moves the handle that the mouse holds to a point of the level, px.
    pub(super) fn drag_handle(&mut self, point: DVec2) {
        if cfg!(not(feature = "disk")) || !self.drawing.is_open() {
            return;
        }
        let live = &self.line.live;
        let entity = self.line.picked_entity();
        let ground = |at: DVec2| {
            let rests = live.world().rests_around(&live.revision().stage, entity?, at, GROUND);
            let apart = |rest: &DVec2| (rest.x - at.x).abs() * 4.0 + (rest.y - at.y).abs();
            rests.into_iter().min_by(|a, b| apart(a).total_cmp(&apart(b))).map(|rest| rest.y)
        };
        self.notices.changed |= self.drawing.drag_to(point, ground);
    }

    /// Lets go of the handle that the mouse holds.
    pub(super) fn drop_handle(&mut self) {
        self.notices.changed |= cfg!(feature = "disk") && self.drawing.drop_held();
    }
}
