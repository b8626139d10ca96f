//! How an entity looks.

use super::colors::color_of;
use super::options::frame_number;
use crate::calls::*;
use hangtime_core::sim::DrawOrder;

/// Why they cannot be read.
const NO_STATE: &str = "what is on the screen is not part of the game; keep what you need in `this`";

/// Adds the properties.
pub(super) fn add(table: &mut CallTable) {
    table.add_property(
        ApiEntry::property(
            Owner::Me,
            "color",
            Access::WriteOnly(NO_STATE),
            prose! {
                /// Color in which the entity is painted: a name, such as `gold`, or `#rrggbb`; `()` for its player's
                /// color. It stays until it is written again or a script changes.
            },
            "me.color = if me.grounded { () } else { \"gold\" };",
        )
        .returns(Type::Either(&[Type::Text, Type::Nothing]), ""),
        |_| unreadable("color"),
        Some(set_color),
    );
    table.add_property(
        ApiEntry::property(
            Owner::Me,
            "visible",
            Access::WriteOnly(NO_STATE),
            prose! {
                /// Whether the entity is painted. A hidden one moves and collides as before.
            },
            "me.visible = \"bushes\" !in me.zones;",
        )
        .returns(Type::Flag, ""),
        |_| unreadable("visible"),
        Some(set_visible),
    );
    table.add_property(
        ApiEntry::property(
            Owner::Me,
            "frame",
            Access::WriteOnly(NO_STATE),
            prose! {
                /// Frame of the picture in the kind's table `[sprite]`, from 0; after the last comes the first again.
                /// `()` lets the mode choose, as it does without a script.
            },
            "me.frame = if me.grounded { () } else { 4 };",
        )
        .returns(Type::Either(&[Type::Number, Type::Nothing]), ""),
        |_| unreadable("frame"),
        Some(set_frame),
    );
}

fn unreadable<'a>(name: &str) -> Answered<'a> {
    refuse(format!("`me.{name}` can only be written; {NO_STATE}"))
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
