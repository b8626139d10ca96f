//! A search as a file, from which it continues later.
//!
//! The file has no worlds: a place is the keys that lead there, and its world is played again when its moves are tried. So
//! it stays small, and what it says is reached is proven by the game and not by the file.

use super::{
    search::{NearMiss, OpenMoves, ReachedPlace},
    *,
};
use hangtime_core::sim::Digest;

/// The form of the file.
const FORM: u32 = 1;

/// What a search is about. A file continues only the same one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchOrigin {
    /// The version of hangtime.
    pub version: String,
    /// The level.
    pub level: String,
    /// The [hash](hangtime_game::files::game_hash) over all files of the game.
    pub files: String,
    /// Settings with their values.
    pub settings: Vec<(String, String)>,
    /// The seed.
    pub seed: u64,
    /// The entity that moves; `None` for the first player's.
    pub entity: Option<String>,
    /// The goals that have to be reached.
    pub must: Vec<String>,
    /// The actions that are pressed in the air.
    pub presses: Vec<String>,
}

impl SearchOrigin {
    /// What differs from another one, in words; `None` if nothing does.
    fn difference(&self, now: &Self) -> Option<String> {
        let list = |names: &[String]| format!("`{}`", names.join("`, `"));
        let settings = |all: &[(String, String)]| {
            let all: Vec<String> = all.iter().map(|(key, value)| format!("{key}={value}")).collect();
            list(&all)
        };
        let pairs = [
            ("with hangtime", self.version.clone(), now.version.clone()),
            ("of the level", self.level.clone(), now.level.clone()),
            ("with --seed", self.seed.to_string(), now.seed.to_string()),
            ("with --set", settings(&self.settings), settings(&now.settings)),
            ("with --entity", format!("{:?}", self.entity), format!("{:?}", now.entity)),
            ("with --must", list(&self.must), list(&now.must)),
            ("with --press", list(&self.presses), list(&now.presses)),
        ];
        let differs = pairs.into_iter().find(|(_, then, now)| then != now);
        let files = (self.files != now.files).then(|| "the files of the game have changed since".to_string());
        differs
            .map(|(what, then, now)| format!("it holds a search {what} {then}, not {now}"))
            .or(files)
    }
}

/// Keys, each as a number of ticks and the place of an input in the list of all inputs.
type SavedKeys = Vec<(u64, usize)>;

#[derive(Serialize, Deserialize)]
struct SavedPlace {
    at: DVec2,
    before: usize,
    keys: SavedKeys,
    path: Vec<DVec2>,
    solid: String,
    state: u64,
}

#[derive(Serialize, Deserialize)]
struct SavedMiss {
    goal: usize,
    distance: f64,
    at: DVec2,
    place: usize,
    keys: SavedKeys,
}

#[derive(Serialize, Deserialize)]
struct SavedSearch {
    origin: SearchOrigin,
    inputs: Vec<PlayerInput>,
    places: Vec<SavedPlace>,
    open: BTreeSet<OpenMoves>,
    tried: BTreeSet<Takeoff>,
    levels: Vec<String>,
    ways: Vec<(usize, usize, SavedKeys)>,
    misses: Vec<SavedMiss>,
    ticks: u64,
    restless: u64,
    seen: AbilitiesSeen,
    cut: bool,
}

/// The whole file. Its first field says what it is.
#[derive(Serialize, Deserialize)]
struct SavedFile<T> {
    reachable: u32,
    /// The digest of the text of the search.
    check: u64,
    search: T,
}

/// The inputs of keys, each of them once.
#[derive(Default)]
struct InputList(Vec<PlayerInput>);

impl InputList {
    fn save(&mut self, keys: &[KeyStretch]) -> SavedKeys {
        let mut place = |input: &PlayerInput| {
            self.0.iter().position(|known| known == input).unwrap_or_else(|| {
                self.0.push(*input);
                self.0.len() - 1
            })
        };
        keys.iter().map(|(ticks, input)| (*ticks, place(input))).collect()
    }

    fn keys(&self, saved: &SavedKeys) -> Option<Vec<KeyStretch>> {
        saved.iter().map(|(ticks, input)| Some((*ticks, *self.0.get(*input)?))).collect()
    }
}

impl ReachSearch {
    /// The text of a file from which the search continues.
    pub fn saved(&self, origin: &SearchOrigin) -> String {
        let mut inputs = InputList::default();
        let places = self.places.iter().map(|place| SavedPlace {
            at: place.at,
            before: place.before,
            keys: inputs.save(&place.keys),
            path: place.path.clone(),
            solid: place.solid.to_string(),
            state: place.state,
        });
        let places = places.collect();
        let ways = self.ways.iter().map(|(goal, (place, keys))| (*goal, *place, inputs.save(keys))).collect();
        let misses = self.misses.iter().map(|(goal, miss)| SavedMiss {
            goal: *goal,
            distance: miss.distance,
            at: miss.at,
            place: miss.way.0,
            keys: inputs.save(&miss.way.1),
        });
        let misses = misses.collect();
        let levels = self.subject.goals.iter().filter(|shape| shape.goal.kind == GoalKind::Level);
        let search = SavedSearch {
            origin: origin.clone(),
            places,
            open: self.open.clone(),
            tried: self.tried.clone(),
            levels: levels.map(|shape| shape.goal.name.to_string()).collect(),
            ways,
            misses,
            inputs: inputs.0,
            ticks: self.ticks,
            restless: self.restless,
            seen: self.seen,
            cut: self.cut,
        };
        let raw = serde_json::value::to_raw_value(&search).expect("numbers, texts and lists");
        let file = SavedFile { reachable: FORM, check: Digest::of(raw.get()), search: raw };
        serde_json::to_string(&file).expect("numbers, texts and lists") + "\n"
    }

    /// Continues this search, which has just begun, where a file ends.
    ///
    /// # Errors
    /// Why the file does not continue it.
    pub fn resume(&mut self, text: &str, origin: &SearchOrigin) -> Result<(), String> {
        const DAMAGED: &str = "it is damaged, or not a file of `reachable --resume`; remove it to begin again";
        let damaged = |_| DAMAGED.to_string();
        let file: SavedFile<Box<serde_json::value::RawValue>> = serde_json::from_str(text).map_err(damaged)?;
        if file.reachable != FORM {
            return Err("another version of hangtime has written it; remove it to begin again".into());
        }
        if Digest::of(file.search.get()) != file.check {
            return Err(DAMAGED.into());
        }
        let saved: SavedSearch = serde_json::from_str(file.search.get()).map_err(damaged)?;
        if let Some(difference) = saved.origin.difference(origin) {
            return Err(format!("{difference}; remove it to begin again"));
        }
        self.take_saved(saved).ok_or_else(|| DAMAGED.into())
    }

    /// Takes over a saved search; `None` if its parts do not fit together.
    fn take_saved(&mut self, saved: SavedSearch) -> Option<()> {
        let inputs = InputList(saved.inputs);
        let mut places: Vec<ReachedPlace> = Vec::new();
        self.known.clear();
        self.crowd.clear();
        for (number, place) in saved.places.into_iter().enumerate() {
            if place.before >= number.max(1) {
                return None;
            }
            let keys = inputs.keys(&place.keys)?;
            let ticks = places.get(place.before).map_or(0, |before| before.ticks).checked_add(length(&keys))?;
            let solid: Arc<str> = place.solid.into();
            self.known.insert((cell_of(place.at), solid.clone(), place.state));
            *self.crowd.entry(solid.clone()).or_default() += 1;
            let SavedPlace { at, before, path, state, .. } = place;
            places.push(ReachedPlace { world: None, at, before, keys, path, ticks, solid, state });
        }
        let goals = &mut self.subject.goals;
        goals.retain(|shape| shape.goal.kind != GoalKind::Level);
        goals.extend(saved.levels.iter().map(|level| GoalShape::of_level(level)));
        let fits = |goal: usize, place: usize| goal < goals.len() && place < places.len();
        let (mut ways, mut misses) = (BTreeMap::new(), BTreeMap::new());
        for (goal, place, keys) in saved.ways {
            ways.insert(goal, (place, inputs.keys(&keys).filter(|_| fits(goal, place))?));
        }
        for SavedMiss { goal, distance, at, place, keys } in saved.misses {
            let way = (place, inputs.keys(&keys).filter(|_| fits(goal, place))?);
            misses.insert(goal, NearMiss { distance, at, way });
        }
        if places.is_empty() || saved.open.iter().any(|(.., place)| *place >= places.len()) {
            return None;
        }
        (self.places, self.ways, self.misses, self.memory) = (places, ways, misses, 0);
        (self.open, self.tried) = (saved.open, saved.tried);
        (self.ticks, self.restless) = (saved.ticks, saved.restless);
        (self.seen, self.cut) = (saved.seen, saved.cut);
        Some(())
    }
}
