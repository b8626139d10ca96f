//! Everything that scripts have drawn.

use super::*;

/// A text that needs no memory elsewhere if it is short: most names, and most of what is shown.
pub type ShortText = smartstring::SmartString<smartstring::LazyCompact>;

/// Something that a script draws. It stays until it is drawn again, erased, or its owner is gone.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// What its place is relative to.
    pub space: DrawnSpace,
    /// Its name, by which its owner changes it.
    pub name: ShortText,
    /// Its place, px.
    pub at: DVec2,
    /// What it is.
    pub shape: DrawnForm,
    /// How it looks.
    pub style: DrawnStyle,
}

/// What the place of a drawn thing is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawnSpace {
    /// The level; y points up.
    Level,
    /// The center of the entity that draws it, which it follows; y points up.
    Entity,
    /// The upper left corner of the picture, below the status line; y points down. Negative numbers are relative to the
    /// right and the lower edge.
    Screen,
}

/// What is drawn. Lengths are in px.
#[derive(Clone, Debug, PartialEq)]
pub enum DrawnForm {
    /// Text, perhaps of several lines, in letters this many times the size of the status line's.
    Text(ShortText, u8),
    /// A bar of this size that is filled by a share, 0..=1.
    Bar(f64, DVec2),
    /// A line to this point, relative to the same as the place where it begins.
    Line(DVec2),
    /// A circle with this radius around its place.
    Circle(f64),
    /// A rectangle of this size.
    Rect(DVec2),
    /// A polygon with these corners, relative to its place.
    Polygon(Arc<[DVec2]>),
    /// A picture of the game folder.
    Sprite(DrawnSprite),
}

/// A frame of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnSprite {
    /// The picture's path below `pictures/`.
    pub picture: Box<str>,
    /// The number of the frame; after the last comes the first again.
    pub frame: u32,
    /// Width and height of a frame, px; `None` for the picture's own.
    pub frame_size: [Option<u32>; 2],
    /// How many times as large it is shown, at least 1.
    pub times: u8,
    /// Whether left and right are exchanged.
    pub flip: bool,
}

/// How a drawn thing looks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DrawnStyle {
    /// Its color; `None` for its shape's default.
    pub color: Option<DrawnColor>,
    /// Width of a line or an outline, px; `None` fills circles, rectangles and polygons.
    pub width: Option<f64>,
    /// Which part of it is at its place; `None` for its space's default.
    pub align: Option<DrawnAlign>,
}

impl Drawn {
    /// About how much memory it takes, bytes.
    pub(super) fn memory(&self) -> u64 {
        let text = match &self.shape {
            DrawnForm::Text(text, _) => text.len(),
            DrawnForm::Polygon(corners) => size_of_val(&**corners),
            _ => 0,
        };
        (size_of::<Self>() + self.name.len() + text) as u64
    }
}

/// A color with an opacity: red, green, blue and opacity, 0 to 255 each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawnColor(pub [u8; 4]);

/// Which part of a drawn thing is at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawnAlign {
    /// Its left end.
    Left,
    /// Its middle. On the screen, places are then relative to the middle of the picture.
    Center,
    /// Its right end.
    Right,
}

/// What a script changes about what is on the screen.
#[derive(Clone, Debug, PartialEq)]
pub enum DrawOrder {
    /// Draws something, in place of what has its name.
    Draw(Arc<Drawn>),
    /// Erases what has this name.
    Erase(DrawnSpace, ShortText),
    /// Paints the entity in this color; `None` for its kind's color.
    Tint(Option<DrawnColor>),
    /// Paints the entity or hides it.
    Show(bool),
    /// Shows this frame of the entity's sprite; `None` for its mode's frames.
    Frame(Option<u32>),
    /// Changes how the level is looked at.
    Camera(Box<CameraOrder>),
}

/// The first thing that people do not see or hear, because scripts draw or play too much.
#[derive(Clone, Debug)]
pub struct Unshown {
    /// The tick in which it was refused.
    pub tick: u64,
    /// What is refused, and what to do.
    pub text: String,
}

/// How messages name the owner of a drawn thing; `None` is the level.
pub fn owner_name(entity: Option<&Entity>) -> String {
    entity.map_or_else(|| "the level's script".into(), |entity| format!("`{}`", entity.name))
}

/// The most things that one entity draws at once, or the level's script.
pub const MOST_DRAWN_BY_ONE: usize = 1_000;

/// The most things that are drawn at once.
pub const MOST_DRAWN_THINGS: usize = 20_000;

/// Everything that scripts have drawn, and how they show their entities and the level. It is cloned with the world, but it is not part of the state:
/// it is neither saved nor hashed nor compared, and nothing in a tick reads it. A clone shares what has not changed since.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    owners: BTreeMap<EntityId, Arc<DrawnBy>>,
    /// How many things all owners have drawn.
    count: usize,
    /// The sprites that scripts have drawn in the last tick.
    pub sprites: Vec<Arc<Drawn>>,
    /// How they want the level to be looked at.
    pub camera: ScriptCamera,
    refused: Option<Arc<Unshown>>,
}

/// When a thing was drawn last.
#[derive(Clone, Copy, Debug)]
struct LastDrawn {
    tick: u64,
    /// Whether it was drawn in the tick before as well.
    again: bool,
}

/// What one entity has drawn, or the level's script.
#[derive(Clone, Debug, Default)]
pub struct DrawnBy {
    things: Vec<Arc<Drawn>>,
    /// When each of them was drawn last.
    drawn: Vec<LastDrawn>,
    /// Where the thing is that is probably drawn next: scripts draw in the same order in every tick.
    next: usize,
    /// The color of the entity; `None` for its kind's color.
    pub color: Option<DrawnColor>,
    /// Whether the entity is not shown.
    pub hidden: bool,
    /// The frame of the entity's sprite; `None` for its mode's frames.
    pub frame: Option<u32>,
}

impl DrawnBy {
    /// What it has drawn, in the order in which the names were first used.
    pub fn things(&self) -> &[Arc<Drawn>] {
        &self.things
    }

    fn place_of(&self, space: DrawnSpace, name: &str) -> Option<usize> {
        let is = |thing: &Arc<Drawn>| thing.space == space && *thing.name == *name;
        let guess = self.things.get(self.next).filter(|thing| is(thing));
        guess.map(|_| self.next).or_else(|| self.things.iter().position(is))
    }
}

impl Drawing {
    /// About how much memory it takes, bytes, as if no clone shared any.
    pub fn memory(&self) -> u64 {
        let things = self.owners.values().flat_map(|by| &by.things);
        things.map(|thing| thing.memory()).sum()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.owners.is_empty()
    }

    /// What an entity has drawn; `None` if it has not drawn or changed anything.
    pub fn of(&self, id: EntityId) -> Option<&DrawnBy> {
        self.owners.get(&id).map(|by| &**by)
    }

    /// What each owner has drawn, in the order of ids; the level's script is the first.
    pub fn owners(&self) -> impl Iterator<Item = (EntityId, &DrawnBy)> {
        self.owners.iter().map(|(id, by)| (*id, &**by))
    }

    /// The first thing since the start or the last change of scripts that is not drawn because there are too many.
    pub fn refused(&self) -> Option<&Unshown> {
        self.refused.as_deref()
    }

    /// Carries out an order. `name` is asked for the owner's name if that is refused.
    pub(super) fn follow(&mut self, id: EntityId, order: &DrawOrder, tick: u64, name: impl FnOnce() -> String) {
        match order {
            DrawOrder::Draw(drawn) => self.draw(id, drawn, tick, name),
            DrawOrder::Erase(space, name) => self.erase(id, *space, name),
            DrawOrder::Tint(color) => self.by(id).color = *color,
            DrawOrder::Show(shown) => self.by(id).hidden = !shown,
            DrawOrder::Frame(frame) => self.by(id).frame = *frame,
            DrawOrder::Camera(order) => self.camera.follow(order, tick),
        }
    }

    fn by(&mut self, id: EntityId) -> &mut DrawnBy {
        Arc::make_mut(self.owners.entry(id).or_default())
    }

    fn draw(&mut self, id: EntityId, drawn: &Arc<Drawn>, tick: u64, name: impl FnOnce() -> String) {
        if matches!(drawn.shape, DrawnForm::Sprite(_)) {
            self.sprites.push(drawn.clone());
        }
        let full = self.count >= MOST_DRAWN_THINGS;
        let by = self.by(id);
        if let Some(place) = by.place_of(drawn.space, &drawn.name) {
            by.things[place] = drawn.clone();
            let last = by.drawn[place];
            by.drawn[place] = LastDrawn { tick, again: last.again && last.tick == tick || last.tick + 1 == tick };
            by.next = place + 1;
            return;
        }
        let alone = by.things.len() >= MOST_DRAWN_BY_ONE;
        if !full && !alone {
            by.things.push(drawn.clone());
            by.drawn.push(LastDrawn { tick, again: false });
            by.next = 0;
            self.count += 1;
        } else if self.refused.is_none() {
            let (owner, name) = (name(), &drawn.name);
            let most = if alone {
                format!("{owner} can draw at most {MOST_DRAWN_BY_ONE} things")
            } else {
                format!("at most {MOST_DRAWN_THINGS} things can be drawn in a level")
            };
            let text = format!(
                "{owner} does not draw `{name}` and what follows it: {most} at once; use a name again to change what has \
                 it, or erase what is no longer needed"
            );
            self.refused = Some(Arc::new(Unshown { tick, text }));
        }
    }

    fn erase(&mut self, id: EntityId, space: DrawnSpace, name: &str) {
        let known = self.owners.get(&id);
        if let Some(place) = known.and_then(|by| by.place_of(space, name)) {
            let by = self.by(id);
            by.things.remove(place);
            by.drawn.remove(place);
            self.count -= 1;
        }
    }

    /// Forgets what owners have drawn that do not exist any more.
    pub(super) fn keep(&mut self, lives: impl Fn(EntityId) -> bool) {
        let count = &mut self.count;
        self.owners.retain(|id, by| {
            let kept = *id == EntityId::LEVEL || lives(*id);
            if !kept {
                *count -= by.things.len();
            }
            kept
        });
    }

    /// What stays after a change of scripts, before tick `now`: how sequences that wait have left the picture, as they draw
    /// it only once. What was drawn in each of the last ticks is drawn again, or its line is gone.
    pub(super) fn after_change(mut self, now: u64, waits: impl Fn(EntityId) -> bool) -> Self {
        self.owners.retain(|id, _| waits(*id));
        for by in self.owners.values_mut().map(Arc::make_mut) {
            let stays: Vec<bool> = by.drawn.iter().map(|last| !(last.again && last.tick + 1 >= now)).collect();
            let (mut of_things, mut of_ticks) = (stays.iter(), stays.iter());
            by.things.retain(|_| of_things.next() == Some(&true));
            by.drawn.retain(|_| of_ticks.next() == Some(&true));
            // Whether these are set again is not known.
            (by.next, by.color, by.hidden, by.frame) = (0, None, false, None);
        }
        let count = self.owners.values().map(|by| by.things.len()).sum();
        Self { owners: self.owners, count, camera: self.camera, ..Self::default() }
    }
}
