//! Platforms: solids that move or can be switched off, and where they are in one tick.

use super::*;

/// What a platform does at the end of its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathEnd {
    /// Travels back along the same path.
    PingPong,
    /// Travels straight to the first point and repeats.
    Circle,
    /// Stays there.
    Once,
    /// Does not travel by itself: scripts send it from point to point.
    Called,
    /// Has no points: scripts send it to any place, on a straight line.
    Free,
}

impl PathEnd {
    /// All variants with their names in level files.
    pub const ALL: [(&'static str, Self); 5] = [
        ("ping_pong", Self::PingPong),
        ("circle", Self::Circle),
        ("once", Self::Once),
        ("called", Self::Called),
        ("free", Self::Free),
    ];
}

/// The path of a moving platform. Unless scripts send the platform, its position depends on time only, so it is not part
/// of snapshots. It never drifts.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    points: Vec<DVec2>,
    /// Distance along the path from the first point to each point; for a circle, also back to the
    /// first.
    marks: Vec<f64>,
    speed: f64,
    end: PathEnd,
}

impl Default for Path {
    /// The path of a solid that stays in place.
    fn default() -> Self {
        Self::new(Vec::new(), 0.0, PathEnd::Once)
    }
}

impl Path {
    /// A path through these offsets (px, from where the solid is drawn) at `speed` px/s. Without
    /// points the offset is always 0.
    pub fn new(mut points: Vec<DVec2>, speed: f64, end: PathEnd) -> Self {
        if end == PathEnd::Circle && points.first() != points.last() {
            points.extend(points.first().copied());
        }
        let mut marks = vec![0.0];
        for pair in points.windows(2) {
            marks.push(marks[marks.len() - 1] + pair[0].distance(pair[1]));
        }
        Self { points, marks, speed, end }
    }

    /// The offsets of its corners, px; for a circle, the first one is the last one, too.
    pub fn points(&self) -> &[DVec2] {
        &self.points
    }

    /// The speed of the platform, px/s.
    pub const fn speed(&self) -> f64 {
        self.speed
    }

    /// Whether the platform rests until scripts send it.
    pub fn is_called(&self) -> bool {
        matches!(self.end, PathEnd::Called | PathEnd::Free)
    }

    /// Whether scripts send the platform to any place.
    pub fn is_free(&self) -> bool {
        self.end == PathEnd::Free
    }

    /// The distance from the first point along the path to a point, px; `None` if there is no such point.
    pub fn mark(&self, point: u32) -> Option<f64> {
        self.marks.get(point as usize).copied()
    }

    /// The length of the path, px.
    pub fn length(&self) -> f64 {
        self.marks[self.marks.len() - 1]
    }

    /// The box around all offsets, px.
    pub fn reach(&self) -> Bounds {
        if self.is_free() {
            Bounds::of(DVec2::splat(-MOST_MOVED), DVec2::splat(MOST_MOVED))
        } else if self.points.is_empty() {
            Bounds::of(DVec2::ZERO, DVec2::ZERO)
        } else {
            Bounds::around(&self.points)
        }
    }

    /// The offset from the drawn position after this many px, with all laps, px. Where scripts decide, the offset of the
    /// first point.
    pub fn offset(&self, traveled: f64) -> DVec2 {
        let length = self.length();
        if length <= 0.0 {
            return self.points.first().copied().unwrap_or_default();
        }
        let place = match self.end {
            PathEnd::Called | PathEnd::Free => 0.0,
            PathEnd::Once => traveled.min(length),
            PathEnd::Circle => traveled % length,
            PathEnd::PingPong => {
                let lap = traveled % (2.0 * length);
                lap.min(2.0 * length - lap)
            }
        };
        self.at(place)
    }

    /// Calls `visit` with each distance between two distances, with all laps, at which the platform turns or stops, px.
    /// If it goes along its path too many times in between, there is no call.
    pub fn turns(&self, [from, to]: [f64; 2], mut visit: impl FnMut(f64)) {
        let length = self.length();
        if length <= 0.0 {
            return;
        }
        let lap = match self.end {
            PathEnd::Called | PathEnd::Free => return,
            PathEnd::Once => f64::INFINITY,
            PathEnd::Circle => length,
            PathEnd::PingPong => 2.0 * length,
        };
        let [first, last] = [from, to].map(|place| (place / lap).floor());
        if last - first > MOST_LAPS {
            return;
        }
        let mut began = if lap.is_finite() { first * lap } else { 0.0 };
        while began < to {
            self.marks_between([from - began, to - began], |mark| visit(began + mark));
            if self.end == PathEnd::PingPong {
                self.marks_between([began + lap - to, began + lap - from], |mark| visit(began + lap - mark));
            }
            began += lap;
        }
    }

    /// Calls `visit` with the distances of its points from the first that lie between two places along the path, px.
    pub(super) fn marks_between(&self, [from, to]: [f64; 2], visit: impl FnMut(f64)) {
        let first = self.marks.partition_point(|mark| *mark <= from);
        self.marks[first..].iter().copied().take_while(|mark| *mark < to).for_each(visit);
    }

    /// The offset from the drawn position at this distance along the path, px.
    pub fn at(&self, place: f64) -> DVec2 {
        if self.length() <= 0.0 {
            return self.points.first().copied().unwrap_or_default();
        }
        let last = self.points.len() - 2;
        let leg = self.marks.partition_point(|m| *m <= place).saturating_sub(1).min(last);
        let span = self.marks[leg + 1] - self.marks[leg];
        let share = if span > 0.0 { (place - self.marks[leg]) / span } else { 0.0 };
        self.points[leg].lerp(self.points[leg + 1], share)
    }
}

/// How far a free platform may be from where it is drawn, along x and along y, px.
pub const MOST_MOVED: f64 = 32_768.0;

/// A platform that makes more laps than this in a tick turns too often for anyone to follow: it counts as moving straight.
const MOST_LAPS: f64 = 8.0;

/// A solid that is not joined with others because it moves, can be switched off, or both.
#[derive(Clone, Debug)]
pub struct Platform {
    /// Its solid, as an index into [`Terrain::solids`](super::Terrain::solids).
    pub solid: u32,
    /// Its range of edges; empty if it is not an obstacle in this terrain.
    pub edges: Range<u32>,
    /// A grid of these edges by their places in that range, if there are many.
    pub(super) grid: Option<Grid<u32>>,
    /// Its path; a path without points if it stays in place.
    pub path: Path,
    /// How it rotates, and how far its corners are from its pivot, px.
    pub rotation: Option<(Rotation, f64)>,
    /// The box around it as drawn, for one that rotates at any angle, px.
    pub bounds: Bounds,
}

/// Up to this many edges of a platform are looked through one by one.
pub const FEW_EDGES: u32 = 32;

/// Width of a cell of the grid of a platform's edges, px.
const CELL: f64 = 40.0;

impl Platform {
    /// Its offset from where it is drawn at tick `now`, in a level that scripts have changed like this, px.
    pub fn offset(&self, changes: &LevelChanges, now: u64, hz: f64) -> DVec2 {
        changes.offset(self.solid, &self.path, changes.seconds(now, hz))
    }

    /// A grid of a platform's edges, if there are many.
    pub(super) fn grid_of(edges: &[Edge]) -> Option<Grid<u32>> {
        if edges.len() <= FEW_EDGES as usize {
            return None;
        }
        let line = |edge: &Edge| [edge.face.start, edge.end];
        let boxes: Vec<(Bounds, u32)> = edges.iter().map(|edge| Bounds::around(&line(edge))).zip(0..).collect();
        Some(Grid::shaped(&boxes, CELL, |i| Extent::Line(line(&edges[*i as usize]))))
    }

    /// Calls `visit` with the indices of the edges near `area`, both as drawn. An edge may be visited
    /// more than once.
    #[inline]
    pub(super) fn visit_edges(&self, area: &Bounds, mut visit: impl FnMut(u32)) {
        match &self.grid {
            None => self.edges.clone().for_each(visit),
            Some(grid) => grid.visit(area, |i| visit(self.edges.start + *i)),
        }
    }
}

/// The platform made of this solid, as an index into `platforms`, which are sorted by solid.
pub fn platform_of(platforms: &[Platform], solid: u32) -> Option<u16> {
    let place = platforms.binary_search_by_key(&solid, |p| p.solid);
    place.ok().map(|p| p as u16)
}

/// Where the platforms are at the end of one tick (they move first), and which of them are switched
/// on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transit {
    /// Offset of each platform from where it is drawn, px.
    pub offsets: Vec<DVec2>,
    /// Displacement of each platform in this tick, px.
    pub steps: Vec<DVec2>,
    /// The largest of these displacements along x and along y, px, or more where platforms rotate; 0 if nothing moves.
    pub widest: DVec2,
    /// The length of the longest of them, px.
    pub longest: f64,
    /// The platforms that rotate, in ascending order.
    pub tilts: Vec<Tilt>,
    /// How far the outermost point of any of these moves in the tick, px.
    pub swept: f64,
    /// The platforms that turn or stop on the way, so that their displacements are not their paths.
    pub turning: Vec<u16>,
    /// The parts of the tick between such turns, one after the other; empty if no platform turns.
    pub legs: Vec<Leg>,
    /// Whether each platform is switched on.
    pub there: Vec<bool>,
    /// The platforms that were switched on or off at the start of this tick.
    pub switched: Vec<u16>,
    /// What all of this follows from.
    pub changes: LevelChanges,
    /// Legs whose memory the next turns reuse.
    spare: SpareLegs,
}

/// Memory for legs. It says nothing about where platforms are, so all of it is equal, and a copy has none.
#[derive(Debug, Default)]
struct SpareLegs(Vec<Leg>);

impl Clone for SpareLegs {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for SpareLegs {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// A part of a tick in which no platform turns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Leg {
    /// Its duration, s.
    pub seconds: f64,
    /// Where the platforms are at its end, and how far each has moved in it.
    pub transit: Transit,
}

/// A tick has at most this many legs. In the last one, platforms that turn yet more often count as moving straight.
const MOST_LEGS: usize = 8;

/// Turns this close to each other, or to the end of a tick, count as one, s.
const SAME_TURN: f64 = 1e-9;

/// A part of a tick, in ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TickSpan {
    /// How much of the tick is left when it begins, 0..=1.
    pub left: f64,
    /// How long it is, at most `left`.
    pub length: f64,
}

impl TickSpan {
    /// What remains of it after this share.
    pub fn after(self, share: f64) -> Self {
        Self { left: self.left - self.length * share, length: self.length * (1.0 - share) }
    }
}

impl Transit {
    /// The platforms at tick `now`, before anything moves.
    pub fn standing(platforms: &[Platform], changes: &LevelChanges, now: u64, hz: f64) -> Self {
        Self::at(platforms, changes, changes.seconds(now, hz))
    }

    /// The platforms this many seconds after the level began.
    pub fn at(platforms: &[Platform], changes: &LevelChanges, seconds: f64) -> Self {
        let mut transit = Self::default();
        transit.place(platforms, changes, [seconds; 2]);
        transit
    }

    /// Whether there are no platforms, in a level in which nothing has changed.
    pub fn is_plain(&self) -> bool {
        self.offsets.is_empty() && self.changes.is_plain()
    }

    /// Advances from tick `now` to the next, reusing the allocated memory.
    pub fn step(&mut self, platforms: &[Platform], changes: &LevelChanges, now: u64, hz: f64) {
        let seconds = [now, now + 1].map(|tick| changes.seconds(tick, hz));
        self.place(platforms, changes, seconds);
        self.find_legs(platforms, changes, seconds);
    }

    /// Divides the tick between two times where platforms turn.
    fn find_legs(&mut self, platforms: &[Platform], changes: &LevelChanges, [from, to]: [f64; 2]) {
        let mut times: ArrayVec<f64, { MOST_LEGS - 1 }> = ArrayVec::new();
        for (number, platform) in (0_u16..).zip(platforms) {
            let mut turns = false;
            changes.turns(platform.solid, &platform.path, [from + SAME_TURN, to - SAME_TURN], |time| {
                turns = true;
                let place = times.partition_point(|other| *other < time);
                let near = |other: Option<&f64>| other.is_some_and(|other| (other - time).abs() < SAME_TURN);
                if near(times.get(place)) || place > 0 && near(times.get(place - 1)) {
                    return;
                }
                if times.is_full() {
                    if place == times.len() {
                        return;
                    }
                    times.pop();
                }
                times.insert(place, time);
            });
            if turns {
                self.turning.push(number);
            }
        }
        if times.is_empty() {
            return;
        }
        let mut began = from;
        for end in times.into_iter().chain([to]) {
            let mut leg = self.spare.0.pop().unwrap_or_default();
            leg.seconds = end - began;
            leg.transit.place(platforms, changes, [began, end]);
            self.legs.push(leg);
            began = end;
        }
    }

    /// The part of a tick between two times, s after the level began.
    pub fn part(&self, platforms: &[Platform], seconds: [f64; 2]) -> Self {
        let mut part = Self::default();
        part.place(platforms, &self.changes, seconds);
        part.switched.clone_from(&self.switched);
        part
    }

    /// Moves the platforms from where they are at the first time to where they are at the second.
    fn place(&mut self, platforms: &[Platform], changes: &LevelChanges, seconds: [f64; 2]) {
        self.clear();
        for (number, platform) in (0..).zip(platforms) {
            let at = |seconds: f64| changes.offset(platform.solid, &platform.path, seconds);
            let [from, to] = seconds.map(at);
            self.offsets.push(to);
            let step = to - from;
            self.steps.push(step);
            self.widest = self.widest.max(step.abs());
            self.longest = self.longest.max(step.length());
            self.there.push(!changes.absent.holds(platform.solid));
            if let Some((rotation, reach)) = &platform.rotation {
                let angles = seconds.map(|seconds| changes.angle(platform.solid, rotation, seconds));
                let tilt = Tilt::new(number, rotation.pivot, *reach, angles);
                self.swept = self.swept.max(tilt.swept());
                self.widest = self.widest.max(DVec2::splat(tilt.swept()));
                self.tilts.push(tilt);
            }
        }
        self.changes.copy_motion(changes);
    }

    /// Records which solids were switched at the start of this tick.
    pub fn switch(&mut self, platforms: &[Platform], solids: &[u32]) {
        let switched = solids.iter().filter_map(|s| platform_of(platforms, *s));
        self.switched.extend(switched);
        if let Some(leg) = self.legs.first_mut() {
            leg.transit.switched.clone_from(&self.switched);
        }
    }

    /// Adds platforms that are where they are drawn.
    pub fn add(&mut self, count: usize) {
        self.legs.iter_mut().for_each(|leg| leg.transit.add(count));
        let count = self.offsets.len() + count;
        self.offsets.resize(count, DVec2::ZERO);
        self.steps.resize(count, DVec2::ZERO);
        self.there.resize(count, true);
    }

    /// Moves the platforms of a body that was at `from` as the tick began. In each leg it makes its part of the way.
    pub fn move_body(&mut self, platforms: [u16; 2], from: DVec2, to: DVec2) {
        let step = to - from;
        let whole: f64 = self.legs.iter().map(|leg| leg.seconds).sum();
        let mut done = 0.0;
        for leg in &mut self.legs {
            let share = leg.seconds / whole;
            done += share;
            leg.transit.set_body(platforms, from + step * done, step * share);
        }
        self.set_body(platforms, to, step);
    }

    fn set_body(&mut self, platforms: [u16; 2], at: DVec2, step: DVec2) {
        for number in platforms.map(usize::from) {
            (self.offsets[number], self.steps[number]) = (at, step);
        }
        self.widest = self.widest.max(step.abs());
        self.longest = self.longest.max(step.length());
    }

    /// Whether a platform is switched on.
    pub fn is_there(&self, platform: u16) -> bool {
        self.there[platform as usize]
    }

    /// Clears all positions and keeps the memory.
    pub fn clear(&mut self) {
        self.offsets.clear();
        self.steps.clear();
        self.widest = DVec2::ZERO;
        (self.longest, self.swept) = (0.0, 0.0);
        self.tilts.clear();
        self.turning.clear();
        self.spare.0.append(&mut self.legs);
        self.there.clear();
        self.switched.clear();
        self.changes.clear();
    }
}
