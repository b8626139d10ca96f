//! How an entity looks.

use super::{colors::color_of, options::frame_number};
use crate::calls::{table::WriteFn, *};
use hangtime_core::sim::DrawOrder;

/// Why they cannot be read.
const NO_STATE: &str = "what is on the screen is not part of the game; keep what you need in `this`";

/// Adds the properties.
pub fn add(table: &mut CallTable) {
    let mut property = |name: &'static str, holds, doc, example, write: WriteFn| {
        let entry = ApiEntry::property(Owner::Me, name, Access::WriteOnly(NO_STATE), doc, example).returns(holds, "");
        table.add_property(entry, move |_| refuse(format!("`me.{name}` can only be written; {NO_STATE}")), Some(write));
    };
    property(
        "color",
        Type::Either(&[Type::Text, Type::Nothing]),
        prose! {
            /// Color in which the entity is painted: a name, such as `gold`, or `#rrggbb`; `()` for its player's
            /// color. It stays until it is written again or a script changes.
        },
        "me.color = if me.grounded { () } else { \"gold\" };",
        set_color,
    );
    property(
        "visible",
        Type::Flag,
        prose! {
            /// Whether the entity is painted. A hidden one moves and collides as before.
        },
        "me.visible = \"bushes\" !in me.zones;",
        set_visible,
    );
    property(
        "frame",
        Type::Either(&[Type::Number, Type::Nothing]),
        prose! {
            /// Frame of the picture in the kind's table `[sprite]`, from 0; after the last comes the first again.
            /// `()` lets the mode choose, as it does without a script.
        },
        "me.frame = if me.grounded { () } else { 4 };",
        set_frame,
    );
}

fn set_color(moment: &mut CallMoment, value: Arg<'_>) -> Allowed {
    let color = match value {
        Arg::Nothing => None,
        value => Some(color_of("`me.color`", value)?),
    };
    order(moment, "color", DrawOrder::Tint(color))
}

fn set_visible(moment: &mut CallMoment, value: Arg<'_>) -> Allowed {
    let shown = value.flag(parameter("visible", "value"))?;
    order(moment, "visible", DrawOrder::Show(shown))
}

fn set_frame(moment: &mut CallMoment, value: Arg<'_>) -> Allowed {
    let frame = match value {
        Arg::Nothing => None,
        value => Some(frame_number(value, parameter("frame", "value"))?),
    };
    order(moment, "frame", DrawOrder::Frame(frame))
}

fn order(moment: &mut CallMoment, member: &str, order: DrawOrder) -> Allowed {
    moment.me.with_body(member)?.queue(Command::Draw(order))
}
