//! Routes over rest positions, for bots.

use super::entities::find_kind;
use crate::calls::{
    own_jumps::{RUN_UP, run_field},
    *,
};
use hangtime_core::sim::{Route, RouteError, RouteMove, RouteOrder};

/// An element of the list of moves.
const MOVE: Shape = Shape {
    name: "route_move",
    common: &[],
    own: fields! {
        /// `walk`, `jump`, `drop` or `swing`
        move: Type::Text;
        /// x of the body's center at the end, at rest
        x: Type::Number, "px";
        /// y of the body's center at the end
        y: Type::Number, "px";
        /// how long it takes until the body rests there
        time: Type::Number, "s";
        /// the direction key: 1 for `right`, -1 for `left`, 0 for none
        side: Type::Whole;
        /// how long to hold it
        steer: Type::Number, "s";
        /// how long to hold `jump`; 0 if it is not a jump
        hold: Type::Number, "s";
        /// how long to hold `down`; 0 except to fall through a one-way platform
        down: Type::Number, "s";
        /// how long to hold `hook`; 0 if it is not a swing
        hook: Type::Number, "s";
        /// where to aim the hook while it is held
        aim sometimes: Type::Vec, "px";
        /// the run before a jump; the other keys are held from its end on
        run_up sometimes: Type::Map(&RUN_UP);
    },
};

/// The map that `route` returns.
const ROUTE: Shape = Shape {
    name: "route",
    common: &[],
    own: fields! {
        /// whether a route was found
        ok: Type::Flag;
        /// whether it is still searched for: ask again in the next tick
        searching: Type::Flag;
        /// x of the rest position where it starts
        x sometimes: Type::Number, "px";
        /// y of the rest position where it starts
        y sometimes: Type::Number, "px";
        /// how far that is from (x1, y1)
        start_off sometimes: Type::Number, "px";
        /// how far its end is from (x2, y2)
        end_off sometimes: Type::Number, "px";
        /// how long all moves take
        time sometimes: Type::Number, "s";
        /// the moves, in order; empty if it is there already
        moves sometimes: Type::Array(&Type::Map(&MOVE));
        /// the reason, if no route has been found
        why sometimes: Type::Text;
    },
};

/// Operations charged for asking, and for each move that is returned.
const PER_ROUTE: u64 = 60;
const PER_MOVE: u64 = 60;

/// Adds the call.
pub fn add(table: &mut CallTable) {
    add_calls! { table;
        /// A route for a `platformer` body of this kind between the rest positions nearest to (x1, y1) and (x2, y2):
        /// walks, jumps, drops and swings, with the keys for each. Each begins and ends at rest. The search takes
        /// several ticks; until then the map has `searching`, and asking again in each tick continues it. What was
        /// found is kept until a file, a solid or a zone changes. Side views only. Moving platforms are left out.
        of_world route(KIND, X1, Y1, X2, Y2) -> Type::Map(&ROUTE);
        "let route = world::route(me.kind, me.x, me.y, me.x + 300, me.y);\n\
         if route.ok { this.moves = route.moves; }";
        route;
    }
}

fn route<'a>(moment: &'a mut CallMoment, args: Args<'a>) -> Answered<'a> {
    let kind = args.text(0)?;
    let (from, to) = (args.point(1)?, args.point(3)?);
    charge(PER_ROUTE)?;
    let most = moment.most_elements;
    let (me, world) = moment.both()?;
    world.require_event(args.call())?;
    let stage = world.stage()?;
    let (kind, _) = find_kind(kind, stage)?;
    let order = RouteOrder { kind: kind.clone(), from, to };
    let Some(found) = world.routes.found(&order).cloned() else {
        me.queue(Command::FindRoute(Box::new(order)))?;
        return Ok(without("it is searched for; ask again in the next tick", true));
    };
    match &*found {
        Ok(route) => {
            let count = route.moves.len();
            charge(PER_MOVE * count as u64)?;
            if count > most {
                return refuse(format!(
                    "the route has {count} moves, but an array can have at most {most} elements (`array_length` in \
                     [scripts])"
                ));
            }
            Ok(CallAnswer::Fields(fields_of(route, &order)))
        }
        Err(why) => Ok(without(&reason(*why), false)),
    }
}

/// Why there is no route, in the words of the call.
fn reason(why: RouteError) -> String {
    match why {
        RouteError::NoStart => "there is no place to stand near (x1, y1)".into(),
        RouteError::NoDestination => "there is no place to stand near (x2, y2)".into(),
        other => other.to_string(),
    }
}

fn without<'a>(why: &str, searching: bool) -> CallAnswer<'a> {
    CallAnswer::Fields(vec![
        ("ok", CallAnswer::Flag(false)),
        ("searching", CallAnswer::Flag(searching)),
        ("why", CallAnswer::made(why)),
    ])
}

fn fields_of<'a>(route: &Route, order: &RouteOrder) -> Vec<(&'static str, CallAnswer<'a>)> {
    let end = route.moves.last().map_or(route.from, |step| step.at);
    vec![
        ("ok", CallAnswer::Flag(true)),
        ("searching", CallAnswer::Flag(false)),
        ("x", CallAnswer::Number(route.from.x)),
        ("y", CallAnswer::Number(route.from.y)),
        ("start_off", CallAnswer::Number(route.from.distance(order.from))),
        ("end_off", CallAnswer::Number(end.distance(order.to))),
        ("time", CallAnswer::Number(route.time())),
        ("moves", CallAnswer::List(route.moves.iter().map(|step| CallAnswer::Fields(move_fields(step))).collect())),
    ]
}

fn move_fields<'a>(step: &RouteMove) -> Vec<(&'static str, CallAnswer<'a>)> {
    let keys = step.keys;
    let mut fields = vec![
        ("move", CallAnswer::made(step.kind.as_str())),
        ("x", CallAnswer::Number(step.at.x)),
        ("y", CallAnswer::Number(step.at.y)),
        ("time", CallAnswer::Number(step.time)),
        ("side", CallAnswer::Whole(keys.side as i64)),
        ("steer", CallAnswer::Number(keys.steer)),
        ("hold", CallAnswer::Number(keys.hold)),
        ("down", CallAnswer::Number(keys.down)),
        ("hook", CallAnswer::Number(keys.hook)),
    ];
    fields.extend((keys.hook > 0.0).then(|| ("aim", keys.aim.into())));
    fields.extend(step.run_up.map(run_field));
    fields
}
