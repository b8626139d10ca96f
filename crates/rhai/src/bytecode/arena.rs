//! What the values of one call own.

use super::*;

/// A text that a call has made or received.
#[derive(Clone, Debug)]
pub enum MadeText {
    OfRhai(ImmutableString),
    Shared(Arc<str>),
    Still(&'static str),
}

impl MadeText {
    pub fn as_str(&self) -> &str {
        match self {
            Self::OfRhai(text) => text,
            Self::Shared(text) => text,
            Self::Still(text) => text,
        }
    }
}

/// The key of an entry of a map that a call has made.
#[derive(Clone, Copy, Debug)]
pub enum FieldName {
    Still(&'static str),
    /// Among the texts of the code.
    Const(u16),
}

/// An array or a map of Rhai that a call has made or received.
#[derive(Debug)]
pub struct MadeData {
    pub value: Arc<Dynamic>,
    /// Whether several values of the call may be this one. Then it must not be changed in its place.
    pub shared: bool,
}

/// What the values of one call own. Emptied before each call, without giving back its memory.
#[derive(Debug, Default)]
pub struct Arena {
    pub texts: Vec<MadeText>,
    /// How many texts were made before these. Texts that the arguments of a call borrow are taken out.
    pub before: usize,
    /// The elements of arrays.
    pub items: Vec<Datum>,
    /// The entries of maps.
    pub fields: Vec<(FieldName, Datum)>,
    pub entities: Vec<Arc<EntityView>>,
    pub data: Vec<MadeData>,
    /// What the call has printed.
    pub lines: Vec<u32>,
}

/// Everything that texts are found in, and the values of the code.
#[derive(Clone, Copy)]
pub struct TextSources<'a> {
    pub consts: &'a [ImmutableString],
    pub data: &'a [Dynamic],
    pub made: &'a [MadeText],
    pub me: &'a EntityView,
}

impl<'a> TextSources<'a> {
    /// The texts of a call.
    pub fn of(code: &'a Code, arena: &'a Arena, me: &'a MeState) -> Self {
        Self { consts: &code.texts, data: &code.data, made: &arena.texts, me: me.view() }
    }

    pub fn text(self, text: TextRef) -> &'a str {
        match text {
            TextRef::Const(place) => &self.consts[usize::from(place)],
            TextRef::Made(place) => self.made[place as usize].as_str(),
            TextRef::OfMe(property) => {
                let read = ENTITY_PROPERTIES[usize::from(property)].read;
                match read(self.me) {
                    CallAnswer::Text(text) => text,
                    _ => "",
                }
            }
        }
    }

    fn field(self, name: FieldName) -> &'a str {
        match name {
            FieldName::Still(name) => name,
            FieldName::Const(place) => &self.consts[usize::from(place)],
        }
    }
}

impl Arena {
    /// Forgets what the last call owned.
    #[inline(always)]
    pub fn clear(&mut self) {
        // Most calls make nothing.
        let texts = self.texts.len() | self.lines.len();
        let others = self.items.len() | self.fields.len() | self.data.len();
        if texts | others == 0 {
            return;
        }
        self.texts.clear();
        self.items.clear();
        self.fields.clear();
        self.data.clear();
        self.lines.clear();
    }

    pub fn make_text(&mut self, text: MadeText) -> Datum {
        self.texts.push(text);
        Datum::Text(TextRef::Made((self.before + self.texts.len() - 1) as u32))
    }

    pub fn own_text(&mut self, text: impl Into<ImmutableString>) -> Datum {
        self.make_text(MadeText::OfRhai(text.into()))
    }

    pub fn make_data(&mut self, value: Arc<Dynamic>) -> Datum {
        self.data.push(MadeData { value, shared: false });
        Datum::Data(DataRef::Made(self.data.len() as u32 - 1))
    }

    /// Notes that a value is copied: an array or a map is then copied where one of both is changed.
    #[inline]
    pub fn share(&mut self, copied: Datum) -> Datum {
        if let Datum::Data(DataRef::Made(place)) = copied {
            self.data[place as usize].shared = true;
        }
        copied
    }

    /// An array of these elements.
    pub fn make_list(&mut self, items: impl Iterator<Item = Datum>) -> Datum {
        let start = self.items.len() as u32;
        self.items.extend(items);
        Datum::List(ArenaPart { start, count: self.items.len() as u32 - start })
    }

    /// A map of these entries, whose keys differ.
    pub fn make_record(&mut self, entries: impl Iterator<Item = (FieldName, Datum)>) -> Datum {
        let start = self.fields.len() as u32;
        self.fields.extend(entries);
        let count = self.fields.len() as u32 - start;
        Datum::Record(ArenaPart { start, count })
    }

    /// An answer of the table as a value. None for what only tests receive.
    pub fn keep(&mut self, answer: CallAnswer) -> Option<Datum> {
        Some(match answer {
            CallAnswer::Nothing => Datum::Nothing,
            CallAnswer::Flag(x) => Datum::Flag(x),
            CallAnswer::Whole(x) => Datum::Whole(x),
            CallAnswer::Number(x) => Datum::Number(x),
            CallAnswer::Vec(v) => Datum::Vec(v),
            CallAnswer::Text(text) => self.own_text(text),
            CallAnswer::Made(text) => self.make_text(MadeText::Shared(text)),
            CallAnswer::Entity(view) => self.keep_entity(view),
            CallAnswer::Entities(..) => {
                let start = self.items.len();
                for view in answer.entities() {
                    let item = self.keep_entity(view);
                    self.items.push(item);
                }
                Datum::List(ArenaPart { start: start as u32, count: (self.items.len() - start) as u32 })
            }
            CallAnswer::List(list) => self.keep_list(list)?,
            CallAnswer::Fields(fields) => self.keep_fields(fields)?,
            CallAnswer::Hook(hook) => self.keep_fields(fields_of_hook(hook))?,
            CallAnswer::Data(data) => self.make_plain(data),
            CallAnswer::Object(_) => return None,
        })
    }

    fn keep_entity(&mut self, view: &Arc<EntityView>) -> Datum {
        self.entities.push(view.clone());
        Datum::Entity(self.entities.len() as u32 - 1)
    }

    fn keep_list(&mut self, list: Vec<CallAnswer>) -> Option<Datum> {
        let start = self.items.len();
        if list.iter().all(is_flat) {
            for item in list {
                let item = self.keep(item)?;
                self.items.push(item);
            }
            let count = (self.items.len() - start) as u32;
            return Some(Datum::List(ArenaPart { start: start as u32, count }));
        }
        // What is inside of an element comes before the elements.
        let kept: Option<Vec<Datum>> = list.into_iter().map(|item| self.keep(item)).collect();
        Some(self.make_list(kept?.into_iter()))
    }

    fn keep_fields<'a, F>(&mut self, fields: F) -> Option<Datum>
    where
        F: IntoIterator<Item = (&'static str, CallAnswer<'a>)> + AsRef<[(&'static str, CallAnswer<'a>)]>,
    {
        let start = self.fields.len();
        if fields.as_ref().iter().all(|(_, value)| is_flat(value)) {
            for (name, value) in fields {
                let value = self.keep(value)?;
                self.fields.push((FieldName::Still(name), value));
            }
            let count = (self.fields.len() - start) as u32;
            return Some(Datum::Record(ArenaPart { start: start as u32, count }));
        }
        let fields = fields.into_iter();
        let kept: Option<Vec<_>> =
            fields.map(|(name, value)| Some((FieldName::Still(name), self.keep(value)?))).collect();
        Some(self.make_record(kept?.into_iter()))
    }

    /// The value of a field of what a hook receives, `()` if there is none.
    pub fn make_field(&mut self, field: Option<EventField<'_>>) -> Datum {
        match field {
            None => Datum::Nothing,
            Some(EventField::Number(x)) => Datum::Number(x),
            Some(EventField::Whole(x)) => Datum::Whole(x),
            Some(EventField::Flag(x)) => Datum::Flag(x),
            Some(EventField::Name(name)) => self.make_text(MadeText::Shared(name.clone())),
            Some(EventField::Text(text)) => self.own_text(text),
            Some(EventField::Data(data)) => self.make_plain(data.clone()),
            Some(field) => vec_of_field(field).map_or(Datum::Nothing, Datum::Vec),
        }
    }

    /// Plain data as a value.
    pub fn make_plain(&mut self, value: Value) -> Datum {
        match value {
            Value::Unit => Datum::Nothing,
            Value::Bool(x) => Datum::Flag(x),
            Value::Int(x) => Datum::Whole(x),
            Value::Float(x) => Datum::Number(x),
            Value::Text(text) => self.own_text(text),
            Value::Vector([x, y, z]) => Datum::Vec(Vector::new(x, y, z)),
            other => self.make_data(Arc::new(to_dynamic(&other))),
        }
    }

    /// A value of Rhai as a value; none for functions and objects.
    pub fn make_dynamic(&mut self, value: Dynamic) -> Option<Datum> {
        if let Some(plain) = Datum::plain(&value) {
            Some(plain)
        } else if let Ok(text) = value.as_immutable_string_ref() {
            Some(self.own_text(text.clone()))
        } else {
            (value.is_array() || value.is_map()).then(|| self.make_data(Arc::new(value)))
        }
    }

    /// A value as one of Rhai; none for `me` and what the hook received.
    pub fn to_dynamic(&self, datum: Datum, texts: TextSources) -> Option<Dynamic> {
        Some(match datum {
            Datum::Text(text) => self.to_text(text, texts).into(),
            Datum::Entity(place) => to_value(CallAnswer::Entity(&self.entities[place as usize])),
            Datum::List(span) => {
                let items = self.items[span.range()].iter();
                let items = items.map(|item| self.to_dynamic(*item, texts));
                items.collect::<Option<Array>>()?.into()
            }
            Datum::Record(span) => {
                let mut map = Map::new();
                for (name, value) in &self.fields[span.range()] {
                    let key = Identifier::from(texts.field(*name));
                    map.insert(key, self.to_dynamic(*value, texts)?);
                }
                map.into()
            }
            Datum::Data(data) => self.data(data, texts.data).clone(),
            plain => plain.to_plain()?,
        })
    }

    /// A text as one of Rhai, without copying one that already is.
    pub fn to_text(&self, text: TextRef, texts: TextSources) -> ImmutableString {
        match text {
            TextRef::Const(place) => texts.consts[usize::from(place)].clone(),
            TextRef::Made(place) => match &texts.made[place as usize] {
                MadeText::OfRhai(text) => text.clone(),
                other => other.as_str().into(),
            },
            TextRef::OfMe(_) => texts.text(text).into(),
        }
    }

    /// The parts of the elements of an array that the call has made, as `weight::parts_of` counts them.
    pub fn parts_of(&self, list: ArenaPart, consts: &[Dynamic]) -> u64 {
        self.items[list.range()].iter().map(|item| self.parts(*item, consts)).sum()
    }

    /// The parts of a value, as `weight::parts` counts them.
    pub fn parts(&self, value: Datum, consts: &[Dynamic]) -> u64 {
        match value {
            Datum::List(list) => PARTS_OF_OWNER + self.parts_of(list, consts),
            Datum::Record(map) => {
                let entries = self.fields[map.range()].iter();
                entries.fold(PARTS_OF_OWNER, |sum, (_, value)| sum + PARTS_OF_ENTRY + self.parts(*value, consts))
            }
            Datum::Data(data) => parts(self.data(data, consts)),
            _ => 1,
        }
    }

    pub fn data<'a>(&'a self, data: DataRef, consts: &'a [Dynamic]) -> &'a Dynamic {
        match data {
            DataRef::Const(place) => &consts[usize::from(place)],
            DataRef::Made(place) => &self.data[place as usize].value,
        }
    }

    /// The value of an entry of a map that the call has made.
    pub fn field(&self, map: ArenaPart, name: &str, texts: TextSources) -> Option<Datum> {
        let mut fields = self.fields[map.range()].iter();
        let found = fields.find(|(key, _)| texts.field(*key) == name);
        found.map(|(_, value)| *value)
    }

    /// The keys and values of a map that the call has made.
    pub fn fields_of<'a>(
        &'a self,
        map: ArenaPart,
        texts: TextSources<'a>,
    ) -> impl Iterator<Item = (&'a str, Datum)> + 'a {
        let fields = self.fields[map.range()].iter();
        fields.map(move |(key, value)| (texts.field(*key), *value))
    }
}

/// Whether keeping an answer adds neither elements nor entries.
fn is_flat(answer: &CallAnswer) -> bool {
    !matches!(answer, CallAnswer::Entities(..) | CallAnswer::List(_) | CallAnswer::Fields(_) | CallAnswer::Hook(_))
}
