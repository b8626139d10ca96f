//! Input: what the player holds and presses, and virtual input from the script.

use super::*;

/// Adds both topics.
pub(super) fn add(table: &mut CallTable) {
    table.topic(Topic::Queries);
    add_contacts(table);
    add_queries(table);
    table.topic(Topic::VirtualInput);
    add_keys(table);
    add_axes(table);
}

/// How many contacts are looked through for one operation.
const CONTACTS_PER_OPERATION: u64 = 8;

/// Whether the entity touches another one of a kind.
fn touching<'a>(moment: &'a mut CallMoment, args: Args<'a>) -> Answered<'a> {
    let kind = args.text(0)?;
    let (me, world) = moment.both()?;
    let me = me.with_body(args.call())?.view().id;
    if !world.stage()?.touches {
        return refuse(
            "`touching` needs contacts between entities; set `touches = true` in `[simulation]` of \
             `config/hangtime.toml`",
        );
    }
    charge(world.touching.len() as u64 / CONTACTS_PER_OPERATION)?;
    let entities = &world.entities;
    let is_of_kind = |id: &EntityId| {
        let place = entities.binary_search_by_key(id, |view| view.id);
        place.is_ok_and(|place| *entities[place].kind == *kind)
    };
    let mut others = world.touching.iter().filter_map(|(a, b)| match me {
        me if me == *a => Some(b),
        me if me == *b => Some(a),
        _ => None,
    });
    Ok(CallAnswer::Flag(others.any(is_of_kind)))
}

fn add_contacts(table: &mut CallTable) {
    table.add(
        of_me(
            "touching",
            prose! {
                /// Whether the entity touched another one of this kind when the tick began. `on_touch` reports when
                /// that starts.
            },
            r#"if me.touching("spring") { me.jump(); }"#,
        )
        .takes(&[KIND])
        .returns(Type::Flag, ""),
        touching,
    );
}

/// Whether an action is among some.
fn has<'a>(moment: &CallMoment, actions: Actions, name: &str) -> Answered<'a> {
    Ok(CallAnswer::Flag(actions.has(action(name, &moment.world.actions)?)))
}

fn add_queries(table: &mut CallTable) {
    table.add(
        of_me(
            "held",
            prose! {
                /// True while the action is down: held by the player or by `me.hold` in this tick, and not released by
                /// `me.release`.
            },
            r#"if me.held("jump") { this.wants = true; }"#,
        )
        .takes(&[ACTION])
        .returns(Type::Flag, ""),
        |moment, args| {
            let name = args.text(0)?;
            let actions = moment.body(args)?.intent().held;
            has(moment, actions, name)
        },
    );
    table.add(
        of_me(
            "pressed",
            prose! {
                /// True in the tick in which the action is pressed. Calls to `me.hold` and `me.release` in earlier
                /// ticks do not count.
            },
            r#"if me.pressed("jump") && !me.grounded { me.jump(); }"#,
        )
        .takes(&[ACTION])
        .returns(Type::Flag, ""),
        |moment, args| {
            let name = args.text(0)?;
            let actions = moment.body(args)?.intent().pressed;
            has(moment, actions, name)
        },
    );
    table.add(
        of_me(
            "released",
            prose! {
                /// True in the tick in which the action is released. Calls to `me.hold` and `me.release` in earlier
                /// ticks do not count.
            },
            r#"if me.released("jump") { this.wants = false; }"#,
        )
        .takes(&[ACTION])
        .returns(Type::Flag, ""),
        |moment, args| {
            let name = args.text(0)?;
            let actions = moment.body(args)?.intent().released;
            has(moment, actions, name)
        },
    );
    add_axis_query(table);
}

fn add_axis_query(table: &mut CallTable) {
    table.add(
        of_me(
            "axis",
            prose! {
                /// The stick (`move`, -1 to 1 on each axis), or the point being aimed at (`aim`, px; `()` without aim).
            },
            r#"let far = me.axis("move").length() > 0.8;"#,
        )
        .takes(&[AXIS])
        .returns(Type::Either(&[Type::Vec, Type::Nothing]), ""),
        |moment, args| {
            let name = args.text(0)?;
            let me = moment.body(args)?;
            match name {
                "move" => Ok(me.intent().stick.into()),
                "aim" => Ok(me.intent().aim.into()),
                _ => unknown_axis(name),
            }
        },
    );
}

fn add_keys(table: &mut CallTable) {
    table.add(
        of_me(
            "hold",
            prose! {
                /// Holds an action during this tick, as a player would.
            },
            r#"me.hold("right");"#,
        )
        .takes(&[ACTION]),
        |moment, args| {
            let name = args.text(0)?;
            let action = action(name, &moment.world.actions)?;
            let me = moment.body(args)?;
            let before = me.before;
            me.intent_mut().hold(action, before);
            me.order(Command::Hold(action))
        },
    );
    table.add(
        of_me(
            "release",
            prose! {
                /// Releases an action during this tick, even if the player holds it.
            },
            r#"if this.stunned == true { me.release("jump"); }"#,
        )
        .takes(&[ACTION]),
        |moment, args| {
            let name = args.text(0)?;
            let action = action(name, &moment.world.actions)?;
            let me = moment.body(args)?;
            let before = me.before;
            me.intent_mut().release(action, before);
            me.order(Command::Release(action))
        },
    );
}

fn add_axes(table: &mut CallTable) {
    table.add(
        of_me(
            "steer",
            prose! {
                /// Moves the stick during this tick (`move`, clamped to -1 to 1 on each axis), or aims at a point
                /// (`aim`, px).
            },
            r#"me.steer("move", 0.5, 0);"#,
        )
        .takes(const { &[AXIS, param("x", Type::Number, ""), param("y", Type::Number, "")] }),
        |moment, args| {
            let axis = args.text(0)?;
            let at = args.point(1)?;
            let me = moment.body(args)?;
            match axis {
                "move" => {
                    me.intent_mut().stick = at.clamp(DVec2::NEG_ONE, DVec2::ONE);
                    let stick = me.intent().stick;
                    me.order(Command::Steer(stick))
                }
                "aim" => aim(me, at),
                _ => unknown_axis(axis),
            }
        },
    );
    table.add(
        of_me("aim", "Aims at a point during this tick.", "me.aim(me.x + 100, me.y + 100);").takes(&[X, Y]),
        |moment, args| {
            let at = args.point(0)?;
            aim(moment.body(args)?, at)
        },
    );
}

fn aim<'a>(me: &mut MeState, at: DVec2) -> Answered<'a> {
    me.intent_mut().aim = Some(at);
    me.order(Command::Aim(at))
}
