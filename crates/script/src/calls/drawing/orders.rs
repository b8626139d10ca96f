//! What the calls of shapes do.

use super::options::{DrawOptions, read_options};
use crate::calls::{arguments::check_length, *};
use glam::dvec2;
use hangtime_core::sim::{DrawOrder, Drawn, DrawnForm, DrawnSpace, DrawnSprite, DrawnStyle};
use std::sync::Arc;

/// The longest name of a drawn thing, and the longest text, bytes.
const MAX_NAME: usize = 64;
const MAX_SHOWN: usize = 512;

/// Operations charged for drawing something, and how many bytes of text are copied for one operation.
const PER_THING: u64 = 16;
const TEXT_IN_ONE: usize = 32;

/// The largest circle, px, and the largest side of a rectangle.
const MAX_LENGTH: f64 = 100_000.0;

/// The most corners of a polygon.
const MOST_CORNERS: usize = 64;

/// Width and height of a bar, px.
const BAR: DVec2 = DVec2::new(40.0, 5.0);

/// Width of a line, px.
const LINE: f64 = 2.0;

/// What a call draws, and how: from the arguments after the name and the place.
type Form = Accepted<(DrawnForm, DrawOptions)>;

/// Reads the arguments of a shape.
pub type ReadForm = fn(Args<'_>) -> Form;

pub fn text(args: Args<'_>) -> Form {
    let written = args.get(3).written();
    let shown = match &written {
        Some(number) => number,
        None => args.text(3)?,
    };
    check_length(shown, "a text on the screen", MAX_SHOWN)?;
    charge((shown.len() / TEXT_IN_ONE) as u64)?;
    let options = read_options(args, 4)?;
    let size = options.size.unwrap_or(1.0).round() as u8;
    Ok((DrawnForm::Text(shown.into(), size), options))
}

pub fn bar(args: Args<'_>) -> Form {
    let share = args.number(3)?.clamp(0.0, 1.0);
    let mut options = read_options(args, 4)?;
    let size = dvec2(options.width.take().unwrap_or(BAR.x), options.height.unwrap_or(BAR.y));
    Ok((DrawnForm::Bar(share, size), options))
}

pub fn line(args: Args<'_>) -> Form {
    let to = args.point(3)?;
    let mut options = read_options(args, 5)?;
    options.width = options.width.or(Some(LINE));
    Ok((DrawnForm::Line(to), options))
}

pub fn circle(args: Args<'_>) -> Form {
    let radius = length(args, 3)?;
    Ok((DrawnForm::Circle(radius), read_options(args, 4)?))
}

pub fn rect(args: Args<'_>) -> Form {
    let size = dvec2(length(args, 3)?, length(args, 4)?);
    Ok((DrawnForm::Rect(size), read_options(args, 5)?))
}

pub fn polygon(args: Args<'_>) -> Form {
    let corners = args.get(3).points(args.parameter(3), (MOST_CORNERS, MAX_LENGTH))?;
    if corners.len() < 3 {
        return refuse(format!("a polygon needs at least 3 points, not {}", corners.len()));
    }
    Ok((DrawnForm::Polygon(corners.into()), read_options(args, 4)?))
}

pub fn sprite(args: Args<'_>) -> Form {
    let picture = args.text(3)?;
    check_length(picture, "the name of a picture", MAX_SHOWN)?;
    let mut options = read_options(args, 4)?;
    let side = |length: f64| length.round().max(1.0) as u32;
    let sprite = DrawnSprite {
        picture: picture.into(),
        frame: options.frame.unwrap_or(0),
        frame_size: [options.width.take(), options.height].map(|length| length.map(side)),
        times: options.size.unwrap_or(1.0).round() as u8,
        flip: options.flip,
    };
    Ok((DrawnForm::Sprite(sprite), options))
}

fn length(args: Args<'_>, place: usize) -> Accepted<f64> {
    args.get(place).within(args.parameter(place), 0.0..=MAX_LENGTH)
}

/// Queues an order to draw something with a name at a place.
pub fn draw<'a>(moment: &mut CallMoment, args: Args<'_>, space: DrawnSpace, form: ReadForm) -> Answered<'a> {
    let (shape, options) = form(args)?;
    let at = args.point(1)?;
    charge(PER_THING)?;
    let style = DrawnStyle { color: options.color, width: options.width, align: options.align };
    let drawn = Drawn { space, name: name_of(args)?.into(), at, shape, style };
    order(moment, args, space, DrawOrder::Draw(Arc::new(drawn)))
}

pub fn erase<'a>(moment: &mut CallMoment, args: Args<'_>, space: DrawnSpace) -> Answered<'a> {
    let name = name_of(args)?.into();
    order(moment, args, space, DrawOrder::Erase(space, name))
}

fn name_of(args: Args<'_>) -> Accepted<&str> {
    let name = args.text(0)?;
    check_length(name, "a name of what is drawn", MAX_NAME)?;
    Ok(name)
}

fn order<'a>(moment: &mut CallMoment, args: Args<'_>, space: DrawnSpace, order: DrawOrder) -> Answered<'a> {
    let me = match space {
        DrawnSpace::Entity => moment.body(args)?,
        DrawnSpace::Level | DrawnSpace::Screen => moment.both()?.0,
    };
    me.order(Command::Draw(order))
}
