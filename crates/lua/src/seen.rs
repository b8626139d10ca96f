//! The properties of `me` that Luau reads without calling the host. A call hands numbers, flags and texts over as fields of a
//! table behind `me`; after a change of them, and for vecs, Luau reads a buffer.

use hangtime_script::{
    api::{Owner, Type},
    calls::{CallAnswer, CallMoment, ENTITY_PROPERTIES, EntityProperty, find_call},
};
use mlua::{Buffer, Lua, Result, Table};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The most numbers in the buffer.
const MOST_NUMBERS: usize = 20;

/// What a property that is not in the buffer now has in its place: then the host is asked.
const ABSENT: [[u8; 8]; MOST_NUMBERS] = [f64::NAN.to_le_bytes(); MOST_NUMBERS];

/// A property that Luau reads without a call.
#[derive(Clone, Copy, Debug)]
struct SeenProperty {
    property: &'static EntityProperty,
    /// The place of its first number in the buffer, if it is there.
    place: Option<usize>,
}

/// The properties of `me` in a machine.
#[derive(Debug)]
pub(crate) struct SeenState {
    buffer: Buffer,
    /// The metatable of `me`, and what is behind `me` when nothing is handed over.
    meta: Table,
    methods: Table,
    properties: Vec<SeenProperty>,
    /// The properties that can be in the buffer, and the vecs among them, as bits.
    buffered: u64,
    vecs: u64,
    /// The properties that the running function names, and those in the buffer now.
    named: AtomicU64,
    written: AtomicU64,
    /// Whether the properties that were handed over are behind `me`.
    handed: AtomicBool,
    /// The changes of the view that Luau knows of.
    changes: AtomicU64,
}

impl SeenState {
    /// An empty buffer, which `host` gets with the bytes at which each property begins, by its type.
    pub fn new(lua: &Lua, host: &Table) -> Result<Self> {
        let (mut properties, mut numbers, mut buffered, mut vecs) = (Vec::new(), 0, 0, 0);
        let tables = [lua.create_table()?, lua.create_table()?, lua.create_table()?];
        for property in ENTITY_PROPERTIES {
            let call = find_call(Owner::Me, property.name, 0).expect("a property of the table");
            let in_buffer = match call.entry.returns {
                Type::Number | Type::Whole => Some((&tables[0], 1)),
                Type::Flag => Some((&tables[1], 1)),
                Type::Vec => Some((&tables[2], 3)),
                Type::Name(_) | Type::Text | Type::Either(_) => None,
                _ => continue,
            };
            let place = in_buffer.map(|_| numbers);
            if let Some((table, count)) = in_buffer {
                table.raw_set(property.name, numbers * 8)?;
                numbers += count;
                buffered |= 1 << properties.len();
                vecs |= u64::from(count == 3) << properties.len();
            }
            properties.push(SeenProperty { property, place });
        }
        let (buffer, meta) = (lua.create_buffer(ABSENT.as_flattened())?, lua.create_table()?);
        host.raw_set("seen", &buffer)?;
        host.raw_set("meta", &meta)?;
        for (name, table) in ["numbers", "flags", "vecs"].into_iter().zip(tables) {
            host.raw_set(name, table)?;
        }
        let [named, written, changes] = [0; 3].map(AtomicU64::new);
        let (methods, handed) = (host.raw_get("methods")?, AtomicBool::new(false));
        Ok(Self { buffer, meta, methods, properties, buffered, vecs, named, written, handed, changes })
    }

    /// The metatable of `me`.
    pub fn meta(&self) -> &Table {
        &self.meta
    }

    /// The properties among some names, as bits.
    pub fn named<'n>(&self, names: impl Iterator<Item = &'n str>) -> u64 {
        let bit = |name: &str| self.properties.iter().position(|seen| seen.property.name == name);
        names.filter_map(bit).fold(0, |named, bit| named | 1 << bit)
    }

    fn each(&self, mut left: u64) -> impl Iterator<Item = &SeenProperty> {
        std::iter::from_fn(move || {
            let bit = (left != 0).then_some(left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(&self.properties[bit])
        })
    }

    /// The properties among these that a call hands over.
    pub fn handed(&self, named: u64) -> impl Iterator<Item = &'static EntityProperty> {
        self.each(named & !self.vecs).map(|seen| seen.property)
    }

    /// Begins a call of a function that names these properties, and whether it hands some over.
    pub fn begin(&self, (named, hands): (u64, bool), moment: &CallMoment) -> Result<()> {
        self.named.store(named, Relaxed);
        self.changes.store(moment.me.changes(), Relaxed);
        // What is handed over is not in the buffer, too, until it changes.
        self.write(if hands { named & self.vecs } else { named }, moment);
        if !hands {
            self.withdraw()?;
        }
        self.handed.store(hands, Relaxed);
        Ok(())
    }

    /// Shows what a call of the table has changed.
    pub fn refresh(&self, moment: &CallMoment) -> Result<()> {
        match self.changes.load(Relaxed) == moment.me.changes() {
            true => Ok(()),
            false => {
                self.refresh_written(moment);
                self.withdraw()
            }
        }
    }

    /// Shows what a property was set to. Luau has taken back what was handed over.
    pub fn refresh_written(&self, moment: &CallMoment) {
        self.changes.store(moment.me.changes(), Relaxed);
        self.write(self.named.load(Relaxed), moment);
    }

    /// Takes back what was handed over.
    fn withdraw(&self) -> Result<()> {
        match self.handed.swap(false, Relaxed) {
            true => self.meta.raw_set("__index", &self.methods),
            false => Ok(()),
        }
    }

    fn write(&self, named: u64, moment: &CallMoment) {
        // A level has no body: the host refuses what its script reads.
        let named = if moment.me.level { 0 } else { named & self.buffered };
        if self.written.swap(named, Relaxed) | named == 0 {
            return;
        }
        let mut numbers = ABSENT;
        for (seen, place) in self.each(named).filter_map(|seen| Some((seen, seen.place?))) {
            match (seen.property.read)(moment.me.view()) {
                CallAnswer::Number(x) => numbers[place] = x.to_le_bytes(),
                CallAnswer::Whole(x) => numbers[place] = (x as f64).to_le_bytes(),
                CallAnswer::Flag(flag) => numbers[place] = f64::from(u8::from(flag)).to_le_bytes(),
                CallAnswer::Vec(v) => {
                    for (number, part) in numbers[place..].iter_mut().zip([v.x, v.y, v.z]) {
                        *number = part.to_le_bytes();
                    }
                }
                _ => {}
            }
        }
        self.buffer.write_bytes(0, numbers.as_flattened());
    }
}
