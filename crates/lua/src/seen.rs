//! The properties of `me` that are numbers, flags and vecs, where Luau reads them without calling the host: in a buffer.

use hangtime_script::{
    api::{Owner, Type},
    calls::{CallAnswer, CallMoment, ENTITY_PROPERTIES, EntityProperty, find_call},
};
use mlua::{Buffer, Lua, Result, Table};
use std::sync::atomic::{AtomicU64, Ordering};

/// The most numbers in the buffer.
const MOST_NUMBERS: usize = 20;

/// What a property that is not in the buffer now has in its place: then the host is asked.
const ABSENT: [[u8; 8]; MOST_NUMBERS] = [f64::NAN.to_le_bytes(); MOST_NUMBERS];

/// The properties of `me` in a machine's buffer.
#[derive(Debug)]
pub(crate) struct SeenState {
    buffer: Buffer,
    /// Each property, and the place of its first number.
    properties: Vec<(&'static EntityProperty, usize)>,
    /// The properties that the running script names, as bits.
    named: AtomicU64,
}

impl SeenState {
    /// An empty buffer, which `host` gets with the bytes at which each property begins, by its type.
    pub fn new(lua: &Lua, host: &Table) -> Result<Self> {
        let (mut properties, mut place) = (Vec::new(), 0);
        let tables = [lua.create_table()?, lua.create_table()?, lua.create_table()?];
        for property in ENTITY_PROPERTIES {
            let call = find_call(Owner::Me, property.name, 0).expect("a property of the table");
            let (table, numbers) = match call.entry.returns {
                Type::Number | Type::Whole => (&tables[0], 1),
                Type::Flag => (&tables[1], 1),
                Type::Vec => (&tables[2], 3),
                _ => continue,
            };
            table.raw_set(property.name, place * 8)?;
            properties.push((property, place));
            place += numbers;
        }
        let buffer = lua.create_buffer(ABSENT.as_flattened())?;
        host.raw_set("seen", &buffer)?;
        for (name, table) in ["numbers", "flags", "vecs"].into_iter().zip(tables) {
            host.raw_set(name, table)?;
        }
        Ok(Self { buffer, properties, named: AtomicU64::new(0) })
    }

    /// The properties among some names, as bits.
    pub fn named<'n>(&self, names: impl Iterator<Item = &'n str>) -> u64 {
        let bit = |name: &str| self.properties.iter().position(|(property, _)| property.name == name);
        names.filter_map(bit).fold(0, |named, bit| named | 1 << bit)
    }

    /// Begins a call of a script that names these properties.
    pub fn begin(&self, named: u64, moment: &CallMoment) {
        if self.named.swap(named, Ordering::Relaxed) | named != 0 {
            self.write(named, moment);
        }
    }

    /// Shows what a call of the table may have changed.
    pub fn refresh(&self, moment: &CallMoment) {
        let named = self.named.load(Ordering::Relaxed);
        if named != 0 {
            self.write(named, moment);
        }
    }

    fn write(&self, named: u64, moment: &CallMoment) {
        let mut numbers = ABSENT;
        // A level has no body: the host refuses what its script reads.
        let mut left = if moment.me.level { 0 } else { named };
        while left != 0 {
            let (property, place) = self.properties[left.trailing_zeros() as usize];
            left &= left - 1;
            match (property.read)(moment.me.view()) {
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
