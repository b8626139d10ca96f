//! What the calls of shapes do.

use super::super::answer::{Answered, CallAnswer};
use super::super::arg::Arg;
use super::super::arguments::{finite, parameter, point, text};
use super::super::moment::CallMoment;
use super::options::{DrawOptions, read_options, within};
use crate::budget::charge;
use crate::{CallRefusal, refuse};
use glam::{DVec2, dvec2};
use hangtime_core::sim::{Command, DrawOrder, Drawn, DrawnForm, DrawnSpace, DrawnSprite, DrawnStyle};
use std::sync::Arc;

/// The longest name of a drawn thing, and the longest text, bytes.
const MAX_NAME: usize = 64;
const MAX_SHOWN: usize = 512;

/// Operations charged for drawing something, and how many bytes of text are copied for one operation.
const PER_THING: u64 = 16;
const TEXT_IN_ONE: usize = 32;

/// The largest circle, px, and the largest side of a rectangle.
const MAX_LENGTH: f64 = 100_000.0;

/// Width and height of a bar, px.
const BAR: DVec2 = DVec2::new(40.0, 5.0);

/// Width of a line, px.
const LINE: f64 = 2.0;

/// Where calls of a module, or of `me`, draw.
pub(super) trait DrawPlace {
    const SPACE: DrawnSpace;
}

pub(super) struct InLevel;
pub(super) struct AtEntity;
pub(super) struct OnScreen;

impl DrawPlace for InLevel {
    const SPACE: DrawnSpace = DrawnSpace::Level;
}

impl DrawPlace for AtEntity {
    const SPACE: DrawnSpace = DrawnSpace::Entity;
}

impl DrawPlace for OnScreen {
    const SPACE: DrawnSpace = DrawnSpace::Screen;
}

/// The first arguments of a call, and its options.
fn split<'s, 'a, const N: usize>(args: &'s [Arg<'a>]) -> Result<([Arg<'a>; N], &'s [Arg<'a>]), CallRefusal> {
    match args.split_first_chunk::<N>() {
        Some((first, options)) if options.len() <= 1 => Ok((*first, options)),
        _ => {
            refuse(format!("this call has {N} parameters and may have options, but there are {} arguments", args.len()))
        }
    }
}

pub(super) fn draw_text<'a, P: DrawPlace>(moment: &'a mut CallMoment, args: &'a [Arg<'a>]) -> Answered<'a> {
    let ([name, x, y, shown], options) = split(args)?;
    let written = shown.written();
    let shown = match &written {
        Some(number) => number,
        None => text("text", "text", shown)?,
    };
    if shown.len() > MAX_SHOWN {
        return refuse(format!(
            "a text on the screen can have at most {MAX_SHOWN} bytes; this one has {}",
            shown.len()
        ));
    }
    charge((shown.len() / TEXT_IN_ONE) as u64)?;
    let options = read_options("text", options)?;
    let size = options.size.unwrap_or(1.0).round() as u8;
    let shape = DrawnForm::Text(shown.into(), size);
    draw::<P>(moment, "text", (name, point("text", x, y)?), (shape, options))
}

pub(super) fn draw_bar<'a, P: DrawPlace>(moment: &'a mut CallMoment, args: &'a [Arg<'a>]) -> Answered<'a> {
    let ([name, x, y, share], options) = split(args)?;
    let share = finite(parameter("bar", "share"), share)?.clamp(0.0, 1.0);
    let mut options = read_options("bar", options)?;
    let width = options.width.take().unwrap_or(BAR.x);
    let size = dvec2(width, options.height.unwrap_or(BAR.y));
    let shape = DrawnForm::Bar(share, size);
    draw::<P>(moment, "bar", (name, point("bar", x, y)?), (shape, options))
}

pub(super) fn draw_line<'a, P: DrawPlace>(moment: &'a mut CallMoment, args: &'a [Arg<'a>]) -> Answered<'a> {
    let ([name, x, y, to_x, to_y], options) = split(args)?;
    let to = dvec2(finite(parameter("line", "to_x"), to_x)?, finite(parameter("line", "to_y"), to_y)?);
    let mut options = read_options("line", options)?;
    options.width = options.width.or(Some(LINE));
    let shape = DrawnForm::Line(to);
    draw::<P>(moment, "line", (name, point("line", x, y)?), (shape, options))
}

pub(super) fn draw_circle<'a, P: DrawPlace>(moment: &'a mut CallMoment, args: &'a [Arg<'a>]) -> Answered<'a> {
    let ([name, x, y, radius], options) = split(args)?;
    let radius = within("circle", "radius", radius, [0.0, MAX_LENGTH])?;
    let options = read_options("circle", options)?;
    let shape = DrawnForm::Circle(radius);
    draw::<P>(moment, "circle", (name, point("circle", x, y)?), (shape, options))
}

pub(super) fn draw_rect<'a, P: DrawPlace>(moment: &'a mut CallMoment, args: &'a [Arg<'a>]) -> Answered<'a> {
    let ([name, x, y, width, height], options) = split(args)?;
    let size =
        dvec2(within("rect", "width", width, [0.0, MAX_LENGTH])?, within("rect", "height", height, [0.0, MAX_LENGTH])?);
    let options = read_options("rect", options)?;
    let shape = DrawnForm::Rect(size);
    draw::<P>(moment, "rect", (name, point("rect", x, y)?), (shape, options))
}

pub(super) fn draw_sprite<'a, P: DrawPlace>(moment: &'a mut CallMoment, args: &'a [Arg<'a>]) -> Answered<'a> {
    let ([name, x, y, picture], options) = split(args)?;
    let picture = text("sprite", "picture", picture)?;
    if picture.len() > MAX_SHOWN {
        return refuse(format!(
            "the name of a picture can have at most {MAX_SHOWN} bytes; this one has {}",
            picture.len()
        ));
    }
    let mut options = read_options("sprite", options)?;
    let side = |length: f64| length.round().max(1.0) as u32;
    let shape = DrawnForm::Sprite(DrawnSprite {
        picture: picture.into(),
        frame: options.frame.unwrap_or(0),
        frame_size: [options.width.take(), options.height].map(|length| length.map(side)),
        times: options.size.unwrap_or(1.0).round() as u8,
        flip: options.flip,
    });
    draw::<P>(moment, "sprite", (name, point("sprite", x, y)?), (shape, options))
}

/// Queues an order to draw something with a name at a place.
fn draw<'a, P: DrawPlace>(
    moment: &mut CallMoment,
    call: &str,
    (name, at): (Arg<'_>, DVec2),
    (shape, options): (DrawnForm, DrawOptions),
) -> Answered<'a> {
    charge(PER_THING)?;
    let drawn = Drawn {
        space: P::SPACE,
        name: name_of(call, name)?.into(),
        at,
        shape,
        style: DrawnStyle { color: options.color, width: options.width, align: options.align },
    };
    order::<P>(moment, call, DrawOrder::Draw(Arc::new(drawn)))
}

pub(super) fn erase<'a, P: DrawPlace>(moment: &'a mut CallMoment, args: &'a [Arg<'a>]) -> Answered<'a> {
    let ([name], _) = split(args)?;
    let name = name_of("erase", name)?.into();
    order::<P>(moment, "erase", DrawOrder::Erase(P::SPACE, name))
}

fn name_of<'a>(call: &str, name: Arg<'a>) -> Result<&'a str, CallRefusal> {
    let name = text(call, "name", name)?;
    if name.len() > MAX_NAME {
        return refuse(format!(
            "a name of what is drawn can have at most {MAX_NAME} bytes; this one has {}",
            name.len()
        ));
    }
    Ok(name)
}

fn order<'a, P: DrawPlace>(moment: &mut CallMoment, call: &str, order: DrawOrder) -> Answered<'a> {
    let me = match P::SPACE {
        DrawnSpace::Entity => moment.me.with_body(call)?,
        DrawnSpace::Level | DrawnSpace::Screen => moment.both()?.0,
    };
    me.queue(Command::Draw(order))?;
    Ok(CallAnswer::Nothing)
}
