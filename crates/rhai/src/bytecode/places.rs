//! Steps of compiled code that follow a path into arrays and maps, and change what is there in its place.
//!
//! An array or a map that several values of the call may be, that a variable shares with a snapshot, or that a variable
//! had before the call, is copied before it is changed.

use super::*;

/// The most steps of a path.
pub const MOST_PATH: usize = 6;

/// What calling a function of the packages costs, and making what it returns.
const PER_FUNCTION: u64 = 24;
const TO_MAKE: u64 = 6;

/// How many bytes of text are searched for one operation.
const SEARCHED_IN_ONE: u64 = 64;

/// What using a component of a vec costs in addition to the step, and reading it before.
const PER_PART: u32 = 2;
const PER_PART_READ: u32 = 3;

/// A step of a path, computed.
#[derive(Clone)]
enum Key<'k> {
    Name(&'k str),
    Text(ImmutableString),
    At(i64),
}

impl Key<'_> {
    fn name(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name),
            Self::Text(name) => Some(name),
            Self::At(_) => None,
        }
    }

    fn place_in(&self, list: &Array) -> Option<usize> {
        match self {
            Self::At(at) => place_of(list.len(), *at).filter(|place| *place < list.len()),
            _ => None,
        }
    }
}

/// An array or a map that is changed.
enum Changed<'d> {
    List(&'d mut Array),
    Map(&'d mut Map),
}

/// How a change of an array or a map has changed the sizes of a variable.
#[derive(Clone, Copy, Default)]
struct SizeChange {
    before: SlotSizes,
    now: SlotSizes,
}

impl<'r> CodeRun<'r, '_> {
    fn keys(&self, steps: &[DataStep]) -> Option<[Key<'r>; MOST_PATH]> {
        let code = self.code;
        let mut keys = [const { Key::At(0) }; MOST_PATH];
        for (key, step) in keys.iter_mut().zip(steps) {
            *key = match *step {
                DataStep::Entry(name) => Key::Name(&code.members[usize::from(name)].name),
                DataStep::At(reg) => match self.get(reg) {
                    Datum::Whole(at) => Key::At(at),
                    Datum::Text(text) => Key::Text(self.arena.to_text(text, self.sources())),
                    _ => return None,
                },
            };
        }
        Some(keys)
    }

    /// The value at the end of a path.
    pub fn walk(&mut self, path: u16) -> Option<Datum> {
        let code = self.code;
        self.passed_object = false;
        self.follow(&code.paths[usize::from(path)], Dynamic::clone).and_then(|found| match found {
            FoundData::Inside(value) => self.arena.make_dynamic(value),
            FoundData::Datum(datum) => Some(datum),
        })
    }

    /// Follows a path. What is inside of an array or a map of Rhai is `seen`.
    fn follow<T>(&mut self, path: &DataPath, mut seen: impl FnMut(&Dynamic) -> T) -> Option<FoundData<T>> {
        let code = self.code;
        let mut steps = &path.steps[..];
        let mut here = match path.root {
            DataRoot::Local(reg) => self.get(reg),
            DataRoot::Var(slot) => match &self.inputs.vars.slots[usize::from(slot)] {
                VarSlot::Data(data) => {
                    let keys = self.keys(steps)?;
                    match visit(data, &keys[..steps.len()], &mut seen)? {
                        FoundData::Inside(found) => return Some(FoundData::Inside(found)),
                        FoundData::Datum((object, left)) => {
                            steps = &steps[steps.len() - left..];
                            object
                        }
                    }
                }
                slot => slot.read(self.arena),
            },
        };
        loop {
            if let Datum::Data(data) = here {
                let keys = self.keys(steps)?;
                match visit(self.arena.data(data, &code.data), &keys[..steps.len()], &mut seen)? {
                    FoundData::Inside(found) => return Some(FoundData::Inside(found)),
                    FoundData::Datum((object, left)) => {
                        steps = &steps[steps.len() - left..];
                        here = object;
                    }
                }
            }
            let Some((step, rest)) = steps.split_first() else {
                return Some(FoundData::Datum(here));
            };
            match here {
                Datum::Vec(_) if path.of_method => return None,
                Datum::Entity(_) | Datum::Vec(_) => self.passed_object = true,
                _ => {}
            }
            // Rhai calls the setter of what a method was called on, which finds the value unchanged.
            self.spend(u32::from(path.of_method && matches!(here, Datum::Entity(_))));
            here = match *step {
                DataStep::Entry(name) => self.member(here, name)?,
                DataStep::At(at) => self.index(here, self.get(at))?,
            };
            steps = rest;
        }
    }

    /// Charges for finding the place of an index that is computed: for the largest value that may be there.
    pub fn weigh_places(&mut self, path: u16) -> Option<()> {
        let code = self.code;
        let cost = match self.follow(&code.paths[usize::from(path)], places_of)? {
            FoundData::Inside(cost) => cost,
            FoundData::Datum(made) => places_of(&self.arena.to_dynamic(made, self.sources())?),
        };
        self.spend(cost);
        Some(())
    }

    /// The parts of the value at the end of a path.
    pub fn parts_at(&mut self, path: u16) -> Option<u64> {
        let code = self.code;
        Some(match self.follow(&code.paths[usize::from(path)], parts)? {
            FoundData::Inside(parts) => parts,
            FoundData::Datum(made) => self.arena.parts(made, &code.data),
        })
    }

    /// Writes at the end of a path.
    pub fn write_part(&mut self, path: u16, from: Reg, by: Option<Arithmetic>) -> Option<()> {
        let code = self.code;
        let DataPath { root, steps, .. } = &code.paths[usize::from(path)];
        if let (Some(v), [DataStep::Entry(name)]) = (self.vec_at(*root), &steps[..]) {
            return self.write_axis((*root, v), code.members[usize::from(*name)].axis?, from, by);
        }
        let value = match by {
            None => self.get(from),
            Some(by) => {
                let before = self.walk(path)?;
                self.assigned(by, before, self.get(from))?
            }
        };
        let value = self.arena.to_dynamic(value, self.sources())?;
        let keys = self.keys(steps)?;
        let (last, before) = keys[..steps.len()].split_last()?;
        let is_property = matches!(last, Key::Name(_));
        let levels = steps.len();
        self.change(*root, before, |inside, sizes| {
            let mut change = SizeChange::default();
            match inside {
                Changed::List(list) => {
                    let place = last.place_in(list)?;
                    change.before = sizes((None, &list[place]), levels)?;
                    change.now = sizes((None, &value), levels)?;
                    list[place] = value;
                }
                Changed::Map(map) => {
                    let key = last.name()?;
                    match map.get_mut(key) {
                        Some(before) => {
                            change.before = sizes((None, before), levels)?;
                            change.now = sizes((None, &value), levels)?;
                            *before = value;
                        }
                        None => {
                            change.now = sizes((Some(key), &value), levels)?;
                            change.grow(map.len());
                            map.insert(key.into(), value);
                        }
                    }
                }
            }
            Some((change, ()))
        })?;
        if let DataRoot::Local(reg) = *root {
            self.check_sizes(reg, before, is_property, from)?;
        }
        Some(())
    }

    /// Fails if Rhai would refuse a local value after it has been changed: it looks at the map whose property was
    /// written or the array whose method was called, but of an index only at what was written.
    fn check_sizes(&self, reg: Reg, keys: &[Key], whole: bool, written: Reg) -> Option<()> {
        let sizes = match whole {
            false => self.size(self.get(written))?,
            true => {
                let Datum::Data(data) = self.get(reg) else {
                    return None;
                };
                match visit(self.arena.data(data, &self.code.data), keys, &mut DataSize::of)? {
                    FoundData::Inside(sizes) => sizes,
                    FoundData::Datum(_) => return None,
                }
            }
        };
        sizes.check(self.inputs.limits)
    }

    /// The vec that is written a component of.
    fn vec_at(&self, root: DataRoot) -> Option<Vector> {
        let datum = match root {
            DataRoot::Local(reg) => self.get(reg),
            DataRoot::Var(slot) => match self.inputs.vars.slots[usize::from(slot)] {
                VarSlot::Plain(plain) => plain,
                _ => return None,
            },
        };
        match datum {
            Datum::Vec(v) => Some(v),
            _ => None,
        }
    }

    fn write_axis(
        &mut self,
        (root, v): (DataRoot, Vector),
        axis: Axis,
        from: Reg,
        by: Option<Arithmetic>,
    ) -> Option<()> {
        self.spend(PER_PART);
        let mut x = self.get(from);
        if let Some(by) = by {
            self.spend(PER_PART_READ);
            x = self.assigned(by, Datum::Number(part(v, axis)), x)?;
        }
        let changed = Datum::Vec(with_part(v, x.number()?, axis));
        match root {
            DataRoot::Local(reg) => {
                self.set(reg, changed);
                Some(())
            }
            DataRoot::Var(slot) => self.write_var(slot, changed),
        }
    }

    /// Calls a method of an array, a map or a text in its place.
    pub fn place_method(&mut self, method: PlaceMethod, place: u16, args: u16) -> Option<Datum> {
        let code = self.code;
        let arg = code.args(args).first().map(|reg| self.get(*reg));
        let path = &code.paths[usize::from(place)];
        if method == PlaceMethod::Len {
            return self.length_at(path);
        }
        let parts = self.parts_at(place)?;
        let keys = self.keys(&path.steps)?;
        let keys = &keys[..path.steps.len()];
        let levels = keys.len() + 1;
        let most = self.inputs.limits.array;
        if method == PlaceMethod::Push {
            let value = self.arena.to_dynamic(arg?, self.sources())?;
            self.spend(length(0, parts.checked_sub(PARTS_OF_OWNER)?).1);
            self.change(path.root, keys, |inside, sizes| {
                let Changed::List(list) = inside else {
                    return None;
                };
                let mut change = SizeChange { before: SlotSizes::default(), now: sizes((None, &value), levels)? };
                change.now.elements += 1;
                list.push(value);
                (list.len() <= most).then_some((change, ()))
            })?;
            if let DataRoot::Local(reg) = path.root {
                self.check_sizes(reg, keys, true, reg)?;
            }
            return Some(Datum::Nothing);
        }
        let key = match arg {
            Some(Datum::Whole(at)) => Key::At(at),
            Some(Datum::Text(text)) => Key::Text(self.arena.to_text(text, self.sources())),
            None => Key::At(if method == PlaceMethod::Pop { -1 } else { 0 }),
            Some(_) => return None,
        };
        let heavy = arg.map_or(Some(0), |arg| self.weight(arg))?;
        let removed = self.change(path.root, keys, |inside, sizes| {
            let mut change = SizeChange::default();
            let removed = match inside {
                Changed::List(list) => match (key.place_in(list), &key) {
                    (Some(place), _) => {
                        change.before = sizes((None, &list[place]), levels)?;
                        change.before.elements += 1;
                        Some(list.remove(place))
                    }
                    (None, Key::At(_)) => None,
                    (None, _) => return None,
                },
                Changed::Map(map) if method == PlaceMethod::Remove => {
                    let key = key.name()?;
                    let removed = map.remove(key);
                    if let Some(removed) = &removed {
                        change.now = sizes((Some(key), removed), levels)?;
                        change.grow(map.len());
                    }
                    change = SizeChange { before: change.now, now: change.before };
                    removed
                }
                Changed::Map(_) => return None,
            };
            Some((change, removed.unwrap_or_default()))
        })?;
        let made = weight(&removed).ok()? * TO_MAKE / IN_ONE_OPERATION;
        self.used += PER_FUNCTION + parts / PARTS_IN_ONE + heavy / IN_ONE_OPERATION + made;
        self.arena.make_dynamic(removed)
    }

    fn length_at(&mut self, path: &DataPath) -> Option<Datum> {
        let found = self.follow(path, |value| {
            if let Ok(list) = value.as_array_ref() {
                Ok(length(list.len(), parts_of(&list)))
            } else if let Ok(map) = value.as_map_ref() {
                Ok(length(map.len(), parts_of_map(&map)))
            } else {
                Err(value.clone())
            }
        })?;
        let made = match found {
            FoundData::Inside(Ok(length)) => return Some(self.paid(length)),
            FoundData::Inside(Err(text)) => self.arena.make_dynamic(text)?,
            FoundData::Datum(made) => made,
        };
        let paid = match made {
            Datum::List(part) | Datum::Record(part) => {
                let parts = self.arena.parts(made, &self.code.data);
                length(part.count as usize, parts - PARTS_OF_OWNER)
            }
            Datum::Text(text) => {
                if path.searches {
                    self.used += self.sources().text(text).len() as u64 / SEARCHED_IN_ONE;
                }
                self.method_of_text(text, "len", &[])?
            }
            _ => return None,
        };
        Some(self.paid(paid))
    }

    /// Changes the array or the map at the end of some keys. A change of a variable says how its sizes change.
    fn change<R>(
        &mut self,
        root: DataRoot,
        keys: &[Key],
        change: impl FnOnce(Changed<'_>, Sizes<'_>) -> Option<(SizeChange, R)>,
    ) -> Option<R> {
        let limits = self.inputs.limits;
        match root {
            DataRoot::Local(reg) => {
                let inside = self.own(reg)?;
                let (_, result) = reach(inside, keys, |inside| change(inside, &|_, _| Some(SlotSizes::default())))?;
                Some(result)
            }
            DataRoot::Var(slot) => {
                self.remember(slot);
                let vars = &mut self.inputs.vars;
                let VarSlot::Data(data) = &mut vars.slots[usize::from(slot)] else {
                    return None;
                };
                let sizes_of = vars.sizes_of;
                let sizes = |value: (Option<&str>, &Dynamic), levels| sizes_of(value, levels, limits);
                let (sizes, result) = reach(Arc::make_mut(data), keys, |inside| change(inside, &sizes))?;
                *vars.sizes = vars.sizes.with(sizes.before, sizes.now, limits)?;
                *vars.written = true;
                // Rhai looks through what was changed, which has less text than all variables.
                (vars.sizes.text <= 2 * limits.string).then_some(result)
            }
        }
    }

    /// The array or the map in a register, for a change of it alone.
    fn own(&mut self, reg: Reg) -> Option<&mut Dynamic> {
        let value = self.get(reg);
        let alone = match value {
            Datum::Data(DataRef::Made(place)) => {
                let data = &mut self.arena.data[place as usize];
                (!data.shared && Arc::get_mut(&mut data.value).is_some()).then_some(place)
            }
            Datum::Data(_) | Datum::List(_) | Datum::Record(_) => None,
            _ => return None,
        };
        let place = match alone {
            Some(place) => place as usize,
            None => {
                let copy = self.arena.to_dynamic(value, self.sources())?;
                let copy = self.arena.make_data(Arc::new(copy));
                self.set(reg, copy);
                self.arena.data.len() - 1
            }
        };
        Arc::get_mut(&mut self.arena.data[place].value)
    }
}

/// The sizes of a value with its key, below this number of arrays and maps.
type Sizes<'s> = &'s dyn Fn((Option<&str>, &Dynamic), usize) -> Option<SlotSizes>;

impl SizeChange {
    /// Adds what a map of this many entries becomes larger by with one more.
    fn grow(&mut self, entries: usize) {
        self.now.values += (weight_of_map(entries + 1) - weight_of_map(entries)) as usize;
        self.now.maps += usize::from(entries == 0);
    }
}

/// What a path leads to.
enum FoundData<T, D = Datum> {
    /// What was seen of a value inside of an array or a map of Rhai.
    Inside(T),
    Datum(D),
}

/// Follows keys into arrays and maps of Rhai. A value that is neither, and the number of steps that are left, if there
/// is one on the way.
fn visit<T>(
    value: &Dynamic,
    keys: &[Key],
    seen: &mut impl FnMut(&Dynamic) -> T,
) -> Option<FoundData<T, (Datum, usize)>> {
    let Some((key, rest)) = keys.split_first() else {
        return Some(FoundData::Inside(seen(value)));
    };
    if let Ok(list) = value.as_array_ref() {
        visit(&list[key.place_in(&list)?], rest, seen)
    } else if let Ok(map) = value.as_map_ref() {
        match map.get(key.name()?) {
            Some(inside) => visit(inside, rest, seen),
            None => visit(&Dynamic::UNIT, rest, seen),
        }
    } else {
        Some(FoundData::Datum((Datum::plain(value)?, keys.len())))
    }
}

/// Follows keys to an array or a map, and changes it.
fn reach<R>(value: &mut Dynamic, keys: &[Key], change: impl FnOnce(Changed<'_>) -> Option<R>) -> Option<R> {
    if value.is_array() {
        let mut list = value.as_array_mut().ok()?;
        match keys.split_first() {
            None => change(Changed::List(&mut list)),
            Some((key, rest)) => {
                let place = key.place_in(&list)?;
                reach(&mut list[place], rest, change)
            }
        }
    } else if value.is_map() {
        let mut map = value.as_map_mut().ok()?;
        match keys.split_first() {
            None => change(Changed::Map(&mut map)),
            Some((key, rest)) => reach(map.get_mut(key.name()?)?, rest, change),
        }
    } else {
        None
    }
}
