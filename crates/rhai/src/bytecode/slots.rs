//! Variables as compiled code reads and writes them: in slots, one for each name that a script uses.

use super::*;

/// The names of the variables that the functions of a script use, sorted.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct SlotNames(pub Vec<Identifier>);

/// The value of a variable.
#[derive(Clone, Debug, Default)]
pub enum VarSlot {
    /// There is no variable of this name. It reads `()`.
    #[default]
    Missing,
    /// A value that owns nothing.
    Plain(Datum),
    Text(ImmutableString),
    /// An array, a map or a character.
    Data(Arc<Dynamic>),
}

impl VarSlot {
    /// A plain value of Rhai.
    pub fn of(value: &Dynamic) -> Self {
        if let Some(plain) = Datum::plain(value) {
            Self::Plain(plain)
        } else if let Ok(text) = value.as_immutable_string_ref() {
            Self::Text(text.clone())
        } else {
            Self::Data(Arc::new(value.clone()))
        }
    }

    /// The same without copying an array or a map.
    pub fn of_owned(value: Dynamic) -> Self {
        match value.is_array() || value.is_map() {
            true => Self::Data(Arc::new(value)),
            false => Self::of(&value),
        }
    }

    /// Looks at the value as Rhai keeps it, without copying an array or a map.
    pub fn with_dynamic<R>(&self, look: impl FnOnce(&Dynamic) -> R) -> R {
        match self {
            Self::Data(data) => look(data),
            other => look(&other.to_dynamic()),
        }
    }

    /// The value as Rhai keeps it.
    pub fn to_dynamic(&self) -> Dynamic {
        match self {
            Self::Missing => Dynamic::UNIT,
            Self::Plain(plain) => plain.to_plain().unwrap_or_default(),
            Self::Text(text) => text.clone().into(),
            Self::Data(data) => (**data).clone(),
        }
    }

    fn text_len(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            _ => 0,
        }
    }

    /// The weight of a plain value or a text; 0 for none.
    fn values(&self) -> usize {
        match self {
            Self::Missing => 0,
            Self::Plain(Datum::Vec(_)) => WEIGHT_OF_VECTOR as usize,
            _ => 1,
        }
    }

    fn is_text(&self) -> bool {
        matches!(self, Self::Text(_))
    }

    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Missing)
    }

    /// The value for a call.
    #[inline]
    pub(super) fn read(&self, arena: &mut Arena) -> Datum {
        match self {
            Self::Plain(plain) => *plain,
            Self::Missing => Datum::Nothing,
            Self::Text(text) => arena.make_text(MadeText::OfRhai(text.clone())),
            Self::Data(data) => arena.make_data(data.clone()),
        }
    }
}

/// What a call costs in addition to its own operations, in operations.
const CALL_COST: u64 = 8;

/// How many values can be checked in the time of one operation.
pub const VALUES_PER_OPERATION: u64 = 4;

/// How many values a text counts as in addition: its length is elsewhere in memory, where the caches do not have it.
const VALUES_OF_TEXT: u64 = 6;

/// How many values a map with entries counts as in addition to its weight, for the same reason.
const VALUES_OF_MAP: u64 = 12;

/// Sizes of all variables of an entity together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlotSizes {
    /// How many values Rhai looks through in the map of all variables: see `weight::parts`.
    pub parts: u64,
    /// The number of entries, including entries of maps in variables.
    pub entries: usize,
    /// The number of elements of arrays in variables.
    pub elements: usize,
    /// Their weights, as `Value::weight` counts them.
    pub values: usize,
    /// The number of texts and of names that own memory.
    pub texts: usize,
    /// The number of maps with entries.
    pub maps: usize,
    /// The bytes of text, names included.
    pub text: usize,
}

impl SlotSizes {
    /// How many values checking them counts as.
    pub fn checked(&self) -> u64 {
        self.values as u64 + VALUES_OF_TEXT * self.texts as u64 + VALUES_OF_MAP * self.maps as u64
    }

    /// What a call costs the tick after which variables of these sizes are checked.
    pub fn price_to_keep(&self) -> u64 {
        CALL_COST + self.checked() / VALUES_PER_OPERATION
    }

    /// These with one value exchanged for another; none if a limit is exceeded then.
    pub(super) fn with(self, before: Self, now: Self, limits: &Limits) -> Option<Self> {
        let sizes = Self {
            parts: self.parts + now.parts - before.parts,
            entries: self.entries + now.entries - before.entries,
            elements: self.elements + now.elements - before.elements,
            values: self.values + now.values - before.values,
            texts: self.texts + now.texts - before.texts,
            maps: self.maps + now.maps - before.maps,
            text: self.text + now.text - before.text,
        };
        let fits = sizes.entries <= limits.map
            && sizes.elements <= limits.array
            && sizes.values <= limits.kept_values
            && sizes.text <= limits.kept_text
            && now.text <= limits.string;
        fits.then_some(sizes)
    }
}

/// The sizes of a value, with its name or key if it has one, below this many arrays and maps; none if it is not plain
/// data or exceeds a limit.
pub type SizesOfValue = fn((Option<&str>, &Dynamic), usize, &Limits) -> Option<SlotSizes>;

/// The variables of an entity while a call of compiled code runs.
pub struct SlotsOfCall<'a> {
    /// Their values, in the order of their names.
    pub slots: &'a mut [VarSlot],
    pub names: &'a SlotNames,
    pub sizes: &'a mut SlotSizes,
    /// Set when a variable is written.
    pub written: &'a mut bool,
    pub sizes_of: SizesOfValue,
}

impl SlotsOfCall<'_> {
    /// Writes a variable. None if that would exceed a limit.
    #[inline]
    pub(super) fn write(&mut self, place: usize, value: VarSlot, limits: &Limits) -> Option<()> {
        let slot = &mut self.slots[place];
        if matches!((&*slot, &value), (VarSlot::Data(_), _) | (_, VarSlot::Data(_))) {
            return self.exchange(place, value, limits);
        }
        let (was, is) = (slot.text_len(), value.text_len());
        let texts = [slot.is_text(), value.is_text()].map(usize::from);
        if is > 0 && (is > limits.string || self.sizes.text + is > limits.kept_text + was) {
            return None;
        }
        let values = self.sizes.values + value.values() - slot.values().min(self.sizes.values);
        if values > limits.kept_values && value.values() > slot.values() {
            return None;
        }
        if slot.is_missing() {
            let sizes = &mut *self.sizes;
            let name = &self.names.0[place];
            let key = name.len();
            let room = sizes.entries < limits.map;
            if !room || sizes.text + is + key > limits.kept_text {
                return None;
            }
            sizes.entries += 1;
            sizes.parts += PARTS_OF_ENTRY + 1;
            sizes.text += key;
            sizes.texts += usize::from(is_long_key(name));
        }
        self.sizes.values = values;
        self.sizes.texts = self.sizes.texts + texts[1] - texts[0];
        self.sizes.text = self.sizes.text + is - was;
        *self.written = true;
        *slot = value;
        Some(())
    }

    /// The same where an array or a map is written, or was there before.
    fn exchange(&mut self, place: usize, value: VarSlot, limits: &Limits) -> Option<()> {
        let (name, slot) = (&self.names.0[place], &mut self.slots[place]);
        let sizes = |value: &VarSlot| match value {
            VarSlot::Missing => Some(SlotSizes::default()),
            value => value.with_dynamic(|value| (self.sizes_of)((Some(name.as_str()), value), 0, limits)),
        };
        *self.sizes = self.sizes.with(sizes(slot)?, sizes(&value)?, limits)?;
        *self.written = true;
        *slot = value;
        Some(())
    }
}

impl VarSlot {
    /// Whether a value of Rhai is the same as this one, bit for bit. `same` compares values of Rhai.
    pub fn is_same(&self, value: &Dynamic, same: fn(&Dynamic, &Dynamic) -> bool) -> bool {
        match self {
            Self::Plain(plain) => Datum::plain(value).is_some_and(|value| plain.equals(value)),
            Self::Missing => false,
            Self::Text(text) => match value.as_immutable_string_ref() {
                Ok(other) => ImmutableString::ptr_eq(text, &other) || *text == *other,
                Err(_) => same(&text.clone().into(), value),
            },
            Self::Data(data) => same(data, value),
        }
    }

    /// Whether another one is the same, bit for bit.
    pub fn equals(&self, other: &Self, same: fn(&Dynamic, &Dynamic) -> bool) -> bool {
        match (self, other) {
            (Self::Plain(a), Self::Plain(b)) => a.equals(*b),
            (Self::Missing, Self::Missing) => true,
            (Self::Text(a), Self::Text(b)) => ImmutableString::ptr_eq(a, b) || a == b,
            (Self::Data(a), Self::Data(b)) => Arc::ptr_eq(a, b) || same(a, b),
            // A character is a text.
            (Self::Data(data), Self::Text(text)) | (Self::Text(text), Self::Data(data)) => {
                same(&text.clone().into(), data)
            }
            _ => false,
        }
    }
}
