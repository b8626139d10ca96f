//! What a hook receives in addition to `me`: an event, or the question of a rule.

use super::*;
use glam::DVec2;
use hangtime_core::{
    models::Strain,
    sim::{Event, EventField, Value, WaitPoint},
};

/// What a hook receives in addition to `me`. Its fields become values of a language only when the script reads them.
#[derive(Clone, Copy, Debug)]
pub enum About<'a> {
    /// Nothing: the hook has one parameter.
    Nothing,
    /// An event.
    Event(&'a Event),
    /// The event of a call that is in no trace, such as `on_tick`.
    Call {
        /// The event.
        name: &'static str,
        /// The name of the entity.
        entity: &'a str,
        /// The tick.
        tick: u64,
    },
    /// A sequence that continues: where, the values that it remembers, and the event that it has waited for.
    Step {
        /// The place of the wait.
        point: &'a WaitPoint,
        /// The values of its local variables.
        locals: &'a [Value],
        /// The event; nothing if it has not come.
        event: &'a Value,
    },
    /// Whether a rope under this strain snaps.
    Strain(&'a Strain),
    /// Whether the body grabs this.
    Grasp {
        /// The solid's name.
        solid: &'a str,
        /// The solid's surface.
        surface: &'a str,
        /// Unit normal of the wall or roof.
        normal: DVec2,
        /// Whether it is a roof.
        roof: bool,
    },
}

/// The fields with the values that a sequence remembers, in their order.
const LOCALS: [&str; 16] =
    ["l0", "l1", "l2", "l3", "l4", "l5", "l6", "l7", "l8", "l9", "l10", "l11", "l12", "l13", "l14", "l15"];

impl<'a> About<'a> {
    /// What the rule that answers a question receives.
    pub(super) fn question(question: &'a Question, scene: &'a Scene<'_>) -> Self {
        match question {
            Question::Snaps(strain) => Self::Strain(strain),
            Question::Grabs(grasp) => {
                let level = &scene.stage.level;
                let solid = level.terrain.solid_of(grasp.feature);
                Self::Grasp {
                    solid: &solid.name,
                    surface: level.surface_name(solid.surface),
                    normal: grasp.normal,
                    roof: grasp.roof,
                }
            }
        }
    }

    /// Calls `seen` with each field.
    pub fn each_field(&self, mut seen: impl FnMut(&'static str, EventField<'a>)) {
        match *self {
            Self::Nothing => {}
            Self::Event(event) => {
                seen("event", EventField::Text(event.kind.name()));
                seen("entity", EventField::Name(&event.name));
                seen("tick", EventField::Whole(event.tick as i64));
                event.kind.each_field(seen);
            }
            Self::Call { name, entity, tick } => {
                seen("event", EventField::Text(name));
                seen("entity", EventField::Text(entity));
                seen("tick", EventField::Whole(tick as i64));
            }
            Self::Step { locals, event, .. } => {
                for (name, local) in LOCALS.into_iter().zip(locals) {
                    seen(name, EventField::Data(local));
                }
                seen("event", EventField::Data(event));
            }
            Self::Strain(strain) => {
                seen("pull_away", EventField::Number(strain.pull_away));
                seen("length", EventField::Number(strain.length));
                seen("tip", EventField::Plane(strain.tip));
                seen("away_held", EventField::Flag(strain.away_held));
                seen("snaps", EventField::Flag(strain.snaps));
            }
            Self::Grasp { solid, surface, normal, roof } => {
                seen("solid", EventField::Text(solid));
                seen("surface", EventField::Text(surface));
                seen("normal", EventField::Plane(normal));
                seen("roof", EventField::Flag(roof));
            }
        }
    }

    /// The field with this name, if there is one.
    pub fn field(&self, name: &str) -> Option<EventField<'a>> {
        if let Self::Event(event) = self {
            match name {
                "event" | "entity" | "tick" => {}
                _ => return event.kind.field(name),
            }
        }
        if let Self::Step { locals, .. } = self
            && let Some(place) = LOCALS.iter().position(|local| *local == name)
        {
            return locals.get(place).map(EventField::Data);
        }
        let mut found = None;
        self.each_field(|key, field| {
            if key == name {
                found = Some(field);
            }
        });
        found
    }
}
