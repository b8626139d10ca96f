//! What scripts have changed about a level.

use super::*;

/// The switched-off solids or zones of a level, as sorted indices.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Absent(Vec<u32>);

impl Absent {
    /// The solids that are off when the level begins.
    fn at_start(solids: &[Solid]) -> Self {
        let all = (0_u32..).zip(solids);
        let off = all.filter(|(_, solid)| solid.present == Some(false));
        Self(off.map(|(index, _)| index).collect())
    }

    /// The zones that are off when the level begins.
    pub fn of_zones(zones: &[Zone]) -> Self {
        let all = (0_u32..).zip(zones);
        Self(all.filter(|(_, zone)| !zone.present).map(|(index, _)| index).collect())
    }

    /// Switches everything on and keeps the memory.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Makes it the same as another one. Its memory is reused.
    pub fn copy_from(&mut self, other: &Self) {
        self.0.clone_from(&other.0);
    }

    /// Whether the solid or zone with this index is switched off.
    pub fn holds(&self, index: u32) -> bool {
        self.0.binary_search(&index).is_ok()
    }

    /// Switches one on or off; returns whether that changed anything.
    pub fn set(&mut self, index: u32, there: bool) -> bool {
        match (self.0.binary_search(&index), there) {
            (Ok(place), true) => {
                self.0.remove(place);
                true
            }
            (Err(place), false) => {
                self.0.insert(place, index);
                true
            }
            _ => false,
        }
    }

    /// Whether nothing is switched off.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The indices of what is switched off.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.0.iter().copied()
    }
}

/// What scripts have changed about a level, and when it began.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LevelChanges {
    /// The tick in which the level began: the time of its platforms counts from there.
    #[serde(default)]
    pub began: u64,
    /// The solids that are switched off, and those of the file that are removed.
    pub absent: Absent,
    /// The zones that are switched off.
    #[serde(default)]
    pub zones_off: Absent,
    /// The platforms that rest until scripts send them, and those whose speed a script has set, sorted by solid.
    #[serde(default)]
    pub called: Vec<CalledPlatform>,
    /// The solids whose rotation scripts have ordered, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rotated: Vec<CalledRotation>,
    /// How its time passes; `None` as long as all time has run at full rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<LevelClock>,
    /// The solids that scripts have created, in their places behind those of the level. A place is empty once its solid
    /// is removed, until another one is created.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub created: Vec<Option<CreatedSolid>>,
    /// The tiles that scripts have broken, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<BrokenTile>,
    /// The level with these changes.
    #[serde(skip)]
    pub built: BuiltLevel,
}

/// The lowest rate at which time passes: below it, it stands still.
pub const LEAST_RATE: f64 = 1e-3;

/// The largest factor and the highest rate of time. At a higher one a tick would be a step too long to look good.
pub const MOST_SCALE: f64 = 8.0;

/// Rates are multiples of this, so that clocks add them up without rounding: a moment is the same however it is computed.
const RATE_STEP: f64 = 1.0 / 16_777_216.0;

/// The rate of time for a product of factors: 0, or between [`LEAST_RATE`] and [`MOST_SCALE`].
pub fn rate_of(product: f64) -> f64 {
    if product < LEAST_RATE {
        return 0.0;
    }
    (product.min(MOST_SCALE) / RATE_STEP).round() * RATE_STEP
}

/// How the time of a level passes in which some time does not run at full rate, or has not.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LevelClock {
    /// The tick in which the factor was set.
    pub since: u64,
    /// The moment on the clock of the level then, in ticks at full rate.
    pub at: f64,
    /// The factor since then: 1 for full rate.
    pub scale: f64,
}

impl LevelClock {
    /// Whether it has always run at full rate.
    pub fn is_plain(&self) -> bool {
        self.scale == 1.0 && self.at == self.since as f64
    }
}

/// Where a platform is that scripts send, or whose speed a script has set.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CalledPlatform {
    /// Its solid, as an index into the level's solids.
    pub solid: u32,
    /// Where it was when it was sent or stopped, or when its speed was set, px along its path, with all laps.
    pub from: f64,
    /// Where it travels to, px along its path. 0 if it travels by itself.
    pub to: f64,
    /// When it left `from`, in seconds since the level began.
    pub since: f64,
    /// The point of its path at `to`; `None` if it was stopped, or travels by itself.
    pub point: Option<u32>,
    /// Whether it was sent and has not arrived yet.
    pub travels: bool,
    /// The straight line that is the path of a free platform, as offsets from where it is drawn, px.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<[DVec2; 2]>,
    /// The speed that a script has set, px/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
}

/// A platform this close to its point has arrived, px: times are rounded, and a tick would be seen.
const ARRIVED: f64 = 1e-6;

impl CalledPlatform {
    /// A platform that rests at the first point of its path.
    pub(super) const fn at_start(solid: u32) -> Self {
        Self { solid, from: 0.0, to: 0.0, since: 0.0, point: Some(0), travels: false, line: None, speed: None }
    }

    fn speed(&self, path: &Path) -> f64 {
        self.speed.unwrap_or(path.speed())
    }

    /// How far a platform that travels by itself has come, with all laps, px.
    pub fn traveled(&self, path: &Path, seconds: f64) -> f64 {
        self.from + self.speed(path) * (seconds - self.since)
    }

    /// Its offset from where it is drawn, px.
    pub fn offset(&self, path: &Path, seconds: f64) -> DVec2 {
        match self.line {
            Some([start, end]) => {
                let (place, length) = (self.place(path, seconds), start.distance(end));
                if place >= length { end } else { start.lerp(end, place / length) }
            }
            None if path.is_called() => path.at(self.place(path, seconds)),
            None => path.offset(self.traveled(path, seconds)),
        }
    }

    /// Whether it has never left the first point of its path.
    pub fn is_at_start(&self) -> bool {
        *self == Self::at_start(self.solid)
    }

    /// Calls `visit` with each time between two times at which it turns or stops, s.
    fn turns(&self, path: &Path, [from, to]: [f64; 2], mut visit: impl FnMut(f64)) {
        let (way, speed) = (self.to - self.from, self.speed(path));
        if !path.is_called() {
            let traveled = [from, to].map(|seconds| self.traveled(path, seconds));
            path.turns(traveled, |place| visit(self.since + (place - self.from) / speed));
            return;
        }
        let ends = self.since + way.abs() / speed;
        if way == 0.0 || !(from < ends && self.since < to) {
            return;
        }
        let mut turn = |place: f64| {
            let time = self.since + (place - self.from).abs() / speed;
            if from < time && time < to {
                visit(time);
            }
        };
        turn(self.to);
        if self.line.is_none() {
            path.marks_between([self.from.min(self.to), self.from.max(self.to)], turn);
        }
    }

    /// Where it is along its path after this many seconds of the level, px.
    pub fn place(&self, path: &Path, seconds: f64) -> f64 {
        let way = self.to - self.from;
        let traveled = self.speed(path) * (seconds - self.since).max(0.0);
        if traveled >= way.abs() - ARRIVED {
            self.to
        } else {
            self.from + traveled.copysign(way)
        }
    }
}

impl LevelChanges {
    /// A level as its file describes it, beginning in this tick.
    pub fn at_start(solids: &[Solid], began: u64) -> Self {
        let all = (0_u32..).zip(solids);
        let called = all.filter(|(_, solid)| solid.path.as_ref().is_some_and(Path::is_called));
        Self {
            began,
            absent: Absent::at_start(solids),
            zones_off: Absent::default(),
            clock: None,
            rotated: Vec::new(),
            created: Vec::new(),
            broken: Vec::new(),
            built: BuiltLevel::default(),
            called: called.map(|(i, _)| CalledPlatform::at_start(i)).collect(),
        }
    }

    /// Whether nothing is switched off, no platform is sent, and all time has run at full rate.
    pub fn is_plain(&self) -> bool {
        self.absent.is_empty()
            && self.zones_off.is_empty()
            && self.called.is_empty()
            && self.clock.is_none()
            && self.rotated.is_empty()
            && self.created.is_empty()
            && self.broken.is_empty()
    }

    /// Forgets them and keeps the memory.
    pub fn clear(&mut self) {
        let Self { began, absent, zones_off, called, rotated, clock, created, broken, built } = self;
        (*began, *clock) = (0, None);
        absent.clear();
        zones_off.clear();
        called.clear();
        rotated.clear();
        created.clear();
        broken.clear();
        built.0 = None;
    }

    /// Makes them the same as others. Their memory is reused.
    pub fn copy_from(&mut self, other: &Self) {
        if !self.built.is_same(&other.built) {
            self.created.clone_from(&other.created);
            self.broken.clone_from(&other.broken);
            self.built.clone_from(&other.built);
        }
        self.copy_motion(other);
    }

    /// The same without the solids of which the level consists.
    pub(super) fn copy_motion(&mut self, other: &Self) {
        let Self { began, absent, zones_off, called, rotated, clock, created: _, broken: _, built: _ } = self;
        (*began, *clock) = (other.began, other.clock);
        absent.copy_from(&other.absent);
        zones_off.copy_from(&other.zones_off);
        called.clone_from(&other.called);
        rotated.clone_from(&other.rotated);
    }

    /// The moment on the clock of the level in tick `now`, which may be one of the future: in ticks at full rate.
    pub fn clock_at(&self, now: u64) -> f64 {
        self.clock
            .map_or(now as f64, |clock| clock.at + (now as f64 - clock.since as f64) * self.rate())
    }

    /// The factor for the rate of time: 1 for full rate, 0 if time stands still.
    pub fn time_scale(&self) -> f64 {
        self.clock.map_or(1.0, |clock| if clock.scale < LEAST_RATE { 0.0 } else { clock.scale })
    }

    /// The rate at which time passes: 1 for full rate.
    pub fn rate(&self) -> f64 {
        self.clock.map_or(1.0, |clock| rate_of(clock.scale))
    }

    /// Sets the factor for the rate of time from tick `now` on.
    pub fn set_time_scale(&mut self, scale: f64, now: u64) {
        if scale != self.time_scale() {
            self.clock = Some(LevelClock { since: now, at: self.clock_at(now), scale });
        }
    }

    /// Takes note that time may not run at full rate everywhere from tick `now` on.
    pub fn expect_rates(&mut self, now: u64) {
        self.clock.get_or_insert(LevelClock { since: now, at: now as f64, scale: 1.0 });
    }

    /// Seconds from the start of the level to tick `now`.
    pub fn seconds(&self, now: u64, hz: f64) -> f64 {
        (self.clock_at(now) - self.began as f64).max(0.0) / hz
    }

    /// The called platform that is this solid; `None` if the solid is not one.
    pub fn called(&self, solid: u32) -> Option<&CalledPlatform> {
        let place = self.called.binary_search_by_key(&solid, |c| c.solid);
        place.ok().map(|place| &self.called[place])
    }

    /// The same, to change it.
    pub fn called_mut(&mut self, solid: u32) -> Option<&mut CalledPlatform> {
        let place = self.called.binary_search_by_key(&solid, |c| c.solid);
        place.ok().map(|place| &mut self.called[place])
    }

    /// Sets the speed of a platform, px/s, `seconds` after the level began. It travels on from where it is.
    pub fn set_speed(&mut self, solid: u32, path: &Path, speed: f64, seconds: f64) {
        let found = self.called.binary_search_by_key(&solid, |c| c.solid);
        let place = found.unwrap_or_else(|place| {
            let by_itself = CalledPlatform { point: None, ..CalledPlatform::at_start(solid) };
            self.called.insert(place, by_itself);
            place
        });
        let called = &mut self.called[place];
        called.from = if path.is_called() {
            called.place(path, seconds)
        } else {
            called.traveled(path, seconds)
        };
        (called.since, called.speed) = (seconds, Some(speed));
    }

    /// Calls `visit` with each time between two times at which a platform turns or stops, s.
    pub fn turns(&self, solid: u32, path: &Path, seconds: [f64; 2], mut visit: impl FnMut(f64)) {
        match self.called(solid) {
            Some(called) => called.turns(path, seconds, visit),
            None => path.turns(seconds.map(|seconds| path.speed() * seconds), |place| {
                visit(place / path.speed());
            }),
        }
    }

    /// The offset of a solid from where it is drawn, this many seconds after the level began, px.
    pub fn offset(&self, solid: u32, path: &Path, seconds: f64) -> DVec2 {
        match self.called(solid) {
            Some(called) => called.offset(path, seconds),
            None => path.offset(path.speed() * seconds),
        }
    }
}
