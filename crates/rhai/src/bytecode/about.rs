//! What a hook receives in addition to `me`: an event, or the question of a rule.

use super::*;

/// What a hook receives in addition to `me`. Its fields become values only when the script reads them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum About<'a> {
    /// Nothing: the hook has one parameter.
    Nothing,
    Event(&'a Event),
    /// The event of a call that is in no trace, such as `on_tick`.
    Call {
        name: &'static str,
        /// The name of the entity.
        entity: &'a str,
        tick: u64,
    },
    /// Whether a rope under this strain snaps.
    Strain(&'a Strain),
    /// Whether the body grabs this.
    Grasp {
        solid: &'a str,
        surface: &'a str,
        normal: DVec2,
        roof: bool,
    },
}

impl About<'_> {
    /// The value of a field, `()` if there is none.
    pub(super) fn field(&self, name: &str, arena: &mut Arena) -> Datum {
        match self {
            Self::Nothing => Datum::Nothing,
            Self::Event(event) => of_event(event, name, arena),
            Self::Call { name: call, entity, tick } => match name {
                "event" => arena.make_text(MadeText::Still(call)),
                "entity" => arena.own_text(*entity),
                "tick" => Datum::Whole(*tick as i64),
                _ => Datum::Nothing,
            },
            Self::Strain(strain) => of_strain(strain, name),
            Self::Grasp { solid, surface, normal, roof } => match name {
                "solid" => arena.own_text(*solid),
                "surface" => arena.own_text(*surface),
                "normal" => Datum::Vec(Vector::from(*normal)),
                "roof" => Datum::Flag(*roof),
                _ => Datum::Nothing,
            },
        }
    }
}

fn of_strain(strain: &Strain, name: &str) -> Datum {
    match name {
        "pull_away" => Datum::Number(strain.pull_away),
        "length" => Datum::Number(strain.length),
        "tip" => Datum::Vec(Vector::from(strain.tip)),
        "away_held" => Datum::Flag(strain.away_held),
        "snaps" => Datum::Flag(strain.snaps),
        _ => Datum::Nothing,
    }
}

fn of_event(event: &Event, name: &str, arena: &mut Arena) -> Datum {
    match name {
        "event" => arena.own_text(event.kind.name()),
        "entity" => arena.make_text(MadeText::Shared(event.name.clone())),
        "tick" => Datum::Whole(event.tick as i64),
        _ => match event.kind.field(name) {
            Some(field) => of_field(field, arena),
            None => Datum::Nothing,
        },
    }
}

fn of_field(field: EventField, arena: &mut Arena) -> Datum {
    match field {
        EventField::Number(x) => Datum::Number(x),
        EventField::Whole(x) => Datum::Whole(x),
        EventField::Flag(x) => Datum::Flag(x),
        EventField::Name(name) => arena.make_text(MadeText::Shared(name.clone())),
        EventField::Text(text) => arena.own_text(text),
        EventField::Data(data) => arena.make_plain(data.clone()),
        EventField::Plane(_) | EventField::Up => vec_of_field(field).map_or(Datum::Nothing, Datum::Vec),
    }
}
