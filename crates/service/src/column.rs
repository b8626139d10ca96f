//! Columns: the state of entities as numbers, for programs that read thousands of them.

use super::*;
use hangtime_core::models::Mode;

/// A number that an entity has: one that every entity has, or a variable of its script.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    name: String,
    /// The place in [`KNOWN`]; `None` for a variable.
    known: Option<usize>,
}

/// The columns that every entity has: name, unit, meaning and source.
type KnownColumn = (&'static str, &'static str, &'static str, fn(&EntityView) -> f64);

const KNOWN: &[KnownColumn] = &[
    ("id", "", "id, from 1", |v| f64::from(v.id.0)),
    ("pos.x", "px", "x of the center", |v| v.pos.x),
    ("pos.y", "px", "y of the center", |v| v.pos.y),
    ("pos.z", "px", "height of the feet in a top view", |v| v.z),
    ("vel.x", "px/s", "x of the model's velocity", |v| v.vel.x),
    ("vel.y", "px/s", "y of the model's velocity", |v| v.vel.y),
    ("vel.z", "px/s", "vertical velocity in a top view", |v| v.vel_z),
    ("external.x", "px/s", "x of the external velocity", |v| v.external.x),
    ("external.y", "px/s", "y of the external velocity", |v| v.external.y),
    ("external.z", "px/s", "vertical external velocity in a top view", |v| v.external_z),
    ("angle", "rad", "angle, counterclockwise", |v| v.angle),
    ("spin", "rad/s", "angular velocity", |v| v.spin),
    ("grounded", "", "1 on the ground, else 0", |v| flag(v.grounded)),
    ("facing", "", "1 toward +x, -1 toward -x", |v| v.facing),
    ("mode", "", "what it is doing: the place in the list of modes, from 0", |v| mode_number(v.mode)),
    ("hook.state", "", "0 idle, 1 firing, 2 attached, 3 returning", |v| f64::from(v.hook.state as u8)),
    ("hook.tip.x", "px", "x of the hook's tip", |v| v.hook.tip.x),
    ("hook.tip.y", "px", "y of the hook's tip", |v| v.hook.tip.y),
    ("hook.length", "px", "length of the rope", |v| v.hook.length),
    ("half.x", "px", "half of the collider's width", |v| v.half.x),
    ("half.y", "px", "half of the collider's height", |v| v.half.y),
    ("age", "s", "time since it spawned", |v| v.age),
];

fn flag(on: bool) -> f64 {
    f64::from(u8::from(on))
}

/// The place of a mode in [`Mode::ALL`].
fn mode_number(mode: Mode) -> f64 {
    let place = Mode::ALL.iter().position(|known| *known == mode);
    place.map_or(f64::NAN, |place| place as f64)
}

impl Column {
    /// The column with this name, such as `pos.x` or, for a variable of a script, `vars.coins`.
    ///
    /// # Errors
    /// If there is none, with the nearest one.
    pub fn parse(name: &str) -> Result<Self, ServiceError> {
        let column = Self { name: name.into(), known: KNOWN.iter().position(|known| known.0 == name) };
        if column.known.is_none() && column.variable().is_none_or(str::is_empty) {
            let names = KNOWN.iter().map(|known| known.0).chain(["vars.NAME"]);
            let name = cut_name(name);
            let near = suggestion(&name, names);
            let message = format!("there is no column `{}`{near}", printable_name(&name));
            return Err(ServiceError::parameter("columns", message));
        }
        Ok(column)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The variable of scripts that it reads, if it reads one.
    pub fn variable(&self) -> Option<&str> {
        self.name.strip_prefix("vars.")
    }

    /// The columns that every entity has, each with its unit and its meaning.
    pub fn known() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
        KNOWN.iter().map(|(name, unit, means, _)| (*name, *unit, *means))
    }

    /// The number of an entity. NaN for a variable that it lacks or that is not a number.
    pub(super) fn of(&self, view: &EntityView, entity: &Entity) -> f64 {
        if let Some(place) = self.known {
            return (KNOWN[place].3)(view);
        }
        match entity.vars.0.to_plain().get(self.variable().unwrap_or_default()) {
            Some(Value::Float(x)) => *x,
            Some(Value::Int(x)) => *x as f64,
            Some(Value::Bool(x)) => flag(*x),
            _ => f64::NAN,
        }
    }
}

/// Reads the same columns of the same entities again and again.
#[derive(Clone, Debug)]
pub struct ColumnReader {
    columns: Vec<Column>,
    rows: Vec<(EntityId, Arc<str>)>,
    /// Its memory is reused.
    view: EntityView,
}

impl ColumnReader {
    /// Reads these columns of those entities of a world that `wanted` selects.
    pub fn new(columns: Vec<Column>, live: &Live, wanted: impl Fn(&Entity) -> bool) -> Self {
        let entities = live.world().entities().iter().filter(|e| wanted(e));
        let rows = entities.map(|e| (e.id, e.name.clone()));
        Self::of_rows(columns, rows.collect())
    }

    /// Reads these columns of the entities with these names: one row for each name, in this order. Entities that a world
    /// does not have are NaN.
    pub fn named(columns: Vec<Column>, live: &Live, names: &[String]) -> Self {
        let row = |name: &String| match live.world().entity(name) {
            Some(entity) => (entity.id, entity.name.clone()),
            None => (EntityId(0), name.as_str().into()),
        };
        Self::of_rows(columns, names.iter().map(row).collect())
    }

    fn of_rows(columns: Vec<Column>, rows: Vec<(EntityId, Arc<str>)>) -> Self {
        Self { columns, rows, view: EntityView::empty() }
    }

    /// The columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The names of the entities, one for each row.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &str> {
        self.rows.iter().map(|(_, name)| &**name)
    }

    /// Whether the rows are all entities of a world, in the order of their ids.
    pub fn has_all_of(&self, live: &Live) -> bool {
        let entities = live.world().entities();
        let same = |((id, name), entity): (&(EntityId, Arc<str>), &Entity)| *id == entity.id && *name == entity.name;
        self.rows.len() == entities.len() && self.rows.iter().zip(entities).all(same)
    }

    /// How many numbers a reading has.
    pub fn len(&self) -> usize {
        self.columns.len() * self.rows.len()
    }

    /// Whether a reading has no numbers.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes the numbers of the present tick, column after column, each with one number for each row. Entities that no
    /// longer exist are NaN.
    ///
    /// # Panics
    /// If `out` does not have [`len`](Self::len) numbers.
    pub fn read(&mut self, live: &Live, out: &mut [f64]) {
        let mut view = mem::replace(&mut self.view, EntityView::empty());
        self.read_with(&mut view, live, out);
        self.view = view;
    }

    /// As [`read`](Self::read), with memory of the caller's.
    pub(super) fn read_with(&self, view: &mut EntityView, live: &Live, out: &mut [f64]) {
        assert_eq!(out.len(), self.len(), "one number for each column and row");
        let (world, stage) = (live.world(), &live.revision().stage);
        let (entities, rows) = (world.entities(), self.rows.len());
        let mut names = None;
        for (row, (id, name)) in self.rows.iter().enumerate() {
            let place = entities.binary_search_by_key(id, |e| e.id).ok();
            let same = place.filter(|place| entities[*place].name == *name);
            // The entities of another level have ids from 1 again.
            let place = same.or_else(|| {
                let names = names.get_or_insert_with(|| places_by_name(entities));
                names.get(&**name).copied()
            });
            let entity = place.map(|place| &entities[place]);
            if let Some(entity) = entity {
                world.write_view(stage, entity, view);
            }
            for (place, column) in self.columns.iter().enumerate() {
                out[place * rows + row] = entity.map_or(f64::NAN, |entity| column.of(view, entity));
            }
        }
    }
}

/// The places of entities, by their names.
fn places_by_name(entities: &[Entity]) -> BTreeMap<&str, usize> {
    let places = entities.iter().enumerate();
    places.map(|(place, e)| (&*e.name, place)).collect()
}
