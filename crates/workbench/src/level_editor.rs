//! Editing a level by hand: what is selected and held, and what a picture shows of it.

use super::{
    grips::{Grip, axes_of, corners, dragged, grip_at, held_points},
    snapping::{GRID, MOST_TARGETS, SnapRules, snapped},
    *,
};
use glam::dvec2;
use hangtime_core::{geometry::grid::Bounds, sim::Stage};
use hangtime_draw::{EditPicture, EditShape, EditTone};
use hangtime_game::{EditedLevel, LevelItem, LevelList};

/// Half the size of an entity whose kind is not known, px.
const HALF: f64 = 8.0;

/// How the level is looked at while it is edited, and the keys that change what a drag does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EditView {
    /// How near the mouse has to be to a corner, px.
    pub reach: f64,
    /// The part of the level that is shown, px.
    pub shows: Bounds,
    /// Whether a drag goes to whole px, not to the grid.
    pub free: bool,
    /// Whether a drag keeps to an axis.
    pub straight: bool,
}

/// Something to do to the level, apart from drags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditOrder {
    /// Take the last edit back.
    Undo,
    /// Make it again.
    Redo,
    /// Write the edits into the file.
    Save,
    /// Copy what is selected.
    Duplicate,
    /// Remove what is selected.
    Delete,
    /// Write a test that starts with the picked entity as it is now.
    SaveTest,
}

/// A thing that the mouse holds.
struct HeldThing {
    grip: Grip,
    /// Where the mouse took it, px.
    from: DVec2,
    /// Its corners then, and the corners of other things that are shown.
    points: Vec<DVec2>,
    targets: Vec<DVec2>,
    /// How far it has been dragged.
    by: DVec2,
}

/// A level that is edited by hand.
pub struct LevelEditor {
    pub level: EditedLevel,
    /// The outline of each thing of the level.
    shapes: Arc<Vec<EditShape>>,
    selected: Option<usize>,
    held: Option<HeldThing>,
    guides: Vec<[DVec2; 2]>,
    picture: Arc<EditPicture>,
    pub view: EditView,
}

impl LevelEditor {
    pub fn new(level: EditedLevel, stage: &Stage) -> Self {
        let everywhere = Bounds { min: DVec2::MIN, max: DVec2::MAX };
        let mut editor = Self {
            level,
            shapes: Arc::default(),
            selected: None,
            held: None,
            guides: Vec::new(),
            picture: Arc::default(),
            view: EditView { reach: GRID, shows: everywhere, free: false, straight: false },
        };
        editor.read(stage);
        editor
    }

    pub fn picture(&self) -> &Arc<EditPicture> {
        &self.picture
    }

    pub fn holds_thing(&self) -> bool {
        self.held.is_some()
    }

    /// The selected thing.
    pub fn selected(&self) -> Option<&LevelItem> {
        self.level.items().get(self.selected?)
    }

    /// Reads the outlines of all things again: of the file's text, with the sizes of entities under a stage.
    pub fn read(&mut self, stage: &Stage) {
        let known = self.selected.and_then(|index| Some((self.shapes.get(index)?.tone, index)));
        let entities = self.level.items().iter().filter(|item| item.list == LevelList::Entities).count();
        let half = |item: &LevelItem| {
            // The last good revision may be of another text.
            let start = stage.starts.get(item.index).filter(|_| stage.starts.len() == entities)?;
            let profile = stage.profiles.get(start.profile)?;
            Some(profile.loadouts.shape(profile.model).half)
        };
        let shape = |item: &LevelItem| shape_of(item, half(item).unwrap_or(DVec2::splat(HALF)));
        self.shapes = Arc::new(self.level.items().iter().map(shape).collect());
        let stays = |(tone, index): &(EditTone, usize)| self.shapes.get(*index).is_some_and(|it| it.tone == *tone);
        self.selected = known.filter(stays).map(|(_, index)| index);
        self.held = None;
        self.guides.clear();
        self.paint();
    }

    /// Selects what is at a point, px, and holds it. Returns whether there is something.
    pub fn grab(&mut self, point: DVec2) -> bool {
        self.held = None;
        let found = point
            .is_finite()
            .then(|| grip_at(&self.shapes, self.selected, point, self.view.reach))
            .flatten();
        self.selected = found.map(|(index, _)| index);
        if let Some((index, grip)) = found {
            let others = self
                .shapes
                .iter()
                .enumerate()
                .filter(|(other, it)| *other != index && it.tone != EditTone::Zone);
            let shown = others.flat_map(|(_, it)| &it.points).filter(|point| self.view.shows.holds(**point));
            let targets = shown.copied().take(MOST_TARGETS).collect();
            let points = self.shapes[index].points.clone();
            self.held = Some(HeldThing { grip, from: point, points, targets, by: DVec2::ZERO });
        }
        self.paint();
        found.is_some()
    }

    /// The mouse is at a point, px. Returns whether what it holds has moved.
    pub fn drag_to(&mut self, point: DVec2) -> bool {
        let Some(held) = self.held.as_mut().filter(|_| point.is_finite()) else {
            return false;
        };
        let Some(shape) = self.selected.map(|index| &self.shapes[index]) else {
            return false;
        };
        let EditView { reach, free, straight, .. } = self.view;
        let rules = SnapRules { reach, free, straight, axes: axes_of(&held.points, held.grip) };
        let mut ends = held_points(&held.points, held.grip);
        let anchor = match (shape.tone, held.grip) {
            // Entities stand on the grid with the middle of their feet.
            (EditTone::Entity, _) => {
                let [min, max] = corners(&held.points);
                let feet = dvec2(f64::midpoint(min.x, max.x), min.y);
                ends.push(feet);
                feet
            }
            _ => ends[0],
        };
        let (by, guides) = snapped((anchor, &ends), point - held.from, &held.targets, rules);
        if by == held.by && guides == self.guides {
            return false;
        }
        held.by = by;
        self.guides = guides;
        self.paint();
        true
    }

    /// Lets go of what the mouse holds. Returns the text of the level in which it is where it was dragged to; none if that
    /// is where it was.
    pub fn drop_held(&mut self) -> Option<String> {
        let (held, index) = (self.held.take()?, self.selected?);
        self.guides.clear();
        let item = &self.level.items()[index];
        let points = dragged(&item.points, held.grip, held.by);
        let is_moved = held.by != DVec2::ZERO && points != item.points;
        let text = is_moved.then(|| self.level.level().with_points(index, &points)).flatten();
        self.paint();
        text
    }

    /// The text of the level with a copy of what is selected, which is selected then.
    pub fn copied(&mut self) -> Option<String> {
        let index = self.selected?;
        let [min, max] = corners(&self.shapes[index].points);
        // Right of it, where it can be seen.
        let by = dvec2(((max.x - min.x) / GRID).ceil() * GRID, 0.0);
        let text = self.level.level().with_copy(index, by)?;
        self.selected = Some(index + 1);
        Some(text)
    }

    /// The text of the level without what is selected.
    pub fn removed(&mut self) -> Option<String> {
        let text = self.level.level().without(self.selected?)?;
        self.selected = None;
        Some(text)
    }

    /// Selects a thing again after the text has changed, by its number among all.
    pub fn select(&mut self, index: Option<usize>) {
        self.selected = index.filter(|index| *index < self.shapes.len());
        self.paint();
    }

    pub fn selected_number(&self) -> Option<usize> {
        self.selected
    }

    /// The name of the selected thing, and where it is: of an entity its start, of others the lower left corner and the size.
    pub fn described(&self) -> Option<[String; 2]> {
        let item = self.selected()?;
        let moved = self.held.as_ref().map(|held| dragged(&item.points, held.grip, held.by));
        let [min, max] = corners(moved.as_ref().unwrap_or(&item.points));
        let size = max - min;
        let place = match item.list {
            LevelList::Entities => format!("{}, {}", min.x, min.y),
            _ => format!("{}, {}, {} by {} px", min.x, min.y, size.x, size.y),
        };
        Some([name_of(item), place])
    }

    fn paint(&mut self) {
        let selected = self
            .selected
            .and_then(|index| Some((self.shapes.get(index)?, self.level.items().get(index)?)));
        let selected = selected.map(|(shape, item)| {
            let mut shape = shape.clone();
            if let Some(held) = &self.held {
                shape.points = dragged(&held.points, held.grip, held.by);
            }
            (self.selected.unwrap_or_default(), shape, name_of(item))
        });
        let (shapes, guides) = (self.shapes.clone(), self.guides.clone());
        self.picture = Arc::new(EditPicture { shapes, selected, guides });
    }
}

/// A thing's name for people.
fn name_of(item: &LevelItem) -> String {
    match item.name.as_str() {
        "" => format!("{} {}", item.list.key(), item.index + 1),
        name => printable_name(name).into_owned(),
    }
}

fn shape_of(item: &LevelItem, half: DVec2) -> EditShape {
    let (tone, points) = match item.list {
        LevelList::Entities => {
            let (at, DVec2 { x, y }) = (item.points[0], half);
            (EditTone::Entity, [dvec2(-x, -y), dvec2(x, -y), dvec2(x, y), dvec2(-x, y)].map(|to| at + to).to_vec())
        }
        LevelList::Solids if item.is_line => (EditTone::OneWay, item.points.clone()),
        LevelList::Solids => (EditTone::Solid, item.points.clone()),
        LevelList::Zones => (EditTone::Zone, item.points.clone()),
    };
    let [min, max] = corners(&points);
    let path = item.path.iter().map(|to| (min + max) * 0.5 + *to).collect();
    EditShape { tone, points, path }
}
