//! The size of a body: its kind's, one that a script has set, or that of a stance.

use super::*;
use crate::{
    geometry::Collider,
    models::saved::between,
    tuning::{Range, range},
};

/// Valid widths of a body, px.
pub const BODY_SIZE: Range = range(0.2, 10_000.0);

/// A stance of a kind: another size, taken while an action is held or because a script has set it.
#[derive(Clone, Debug, PartialEq)]
pub struct Stance {
    /// Its name.
    pub name: Arc<str>,
    /// Full widths of the body, px, within [`BODY_SIZE`].
    pub size: DVec2,
    /// The action with which players take it.
    pub action: Option<Action>,
    /// The tunables that it overrides, which have been checked.
    pub tuning: Vec<(ModelName, String, Setting)>,
}

/// How an entity differs in size from its kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Posture {
    /// The full widths that a script has set, px.
    pub size: Option<DVec2>,
    /// The stance that it is in.
    pub stance: Option<Arc<str>>,
    /// The stance that a script has set.
    pub set: Option<Arc<str>>,
}

impl Posture {
    pub(super) fn stance_among<'s>(&self, stances: &'s [Stance]) -> Option<&'s Stance> {
        let name = self.stance.as_ref()?;
        stances.iter().find(|stance| stance.name == *name)
    }

    /// The full widths, px; `None` for the kind's.
    fn size_among(&self, stances: &[Stance]) -> Option<DVec2> {
        self.stance_among(stances).map(|stance| stance.size).or(self.size)
    }

    /// Applies it to a copy of the kind's profile.
    pub fn apply(&self, profile: &mut Profile) {
        let stances = profile.stances.clone();
        for (model, name, value) in self.stance_among(&stances).into_iter().flat_map(|stance| &stance.tuning) {
            // They were checked when the kind was read.
            let _ = profile.loadouts.set(*model, name, value);
        }
        if let Some(size) = self.size_among(&stances) {
            profile.loadouts.resize(size);
        }
    }

    /// Forgets stances that a changed kind does not have.
    pub fn adopt(&mut self, stances: &[Stance]) {
        for name in [&mut self.stance, &mut self.set] {
            name.take_if(|name| stances.iter().all(|stance| stance.name != *name));
        }
    }

    /// Checks a saved posture of a kind with these stances.
    pub fn check(&self, stances: &[Stance]) -> Checked {
        if let Some(size) = self.size {
            between("size[0]", size.x, BODY_SIZE.min, BODY_SIZE.max)?;
            between("size[1]", size.y, BODY_SIZE.min, BODY_SIZE.max)?;
        }
        for (field, name) in [("stance", &self.stance), ("set", &self.set)] {
            let known = name.as_ref().is_none_or(|name| stances.iter().any(|stance| stance.name == *name));
            ensure!(known, field, "is {name:?}, but its kind has no such stance");
        }
        Ok(())
    }

    /// Feeds it into a hash.
    pub fn digest(&self, digest: &mut Digest) {
        digest.text("posture");
        if let Some(size) = self.size {
            digest.vector(size);
        }
        for name in [&self.stance, &self.set] {
            digest.text(name.as_deref().unwrap_or(""));
        }
    }
}

impl Entity {
    /// The stance that its body is in; `None` for none.
    pub fn stance(&self) -> Option<&Arc<str>> {
        self.posture.as_ref()?.stance.as_ref()
    }

    /// Its posture with a change; none if that is its kind's.
    pub(super) fn posture_with(&self, change: impl FnOnce(&mut Posture)) -> Option<Box<Posture>> {
        let mut posture = self.posture.clone().unwrap_or_default();
        change(&mut posture);
        (*posture != Posture::default()).then_some(posture)
    }

    /// Its collider, with the profile of its kind.
    pub(super) fn shape(&self, kind: &Profile) -> Collider {
        let posture = self.posture.as_ref();
        self.shape_of_size(posture.and_then(|posture| posture.size_among(&kind.stances)), kind)
    }

    /// Its collider if it had these full widths, px; its kind's if there are none.
    pub(super) fn shape_of_size(&self, size: Option<DVec2>, kind: &Profile) -> Collider {
        let shape = kind.loadouts.shape(self.model);
        size.filter(|_| !self.model.is_rigid()).map_or(shape, |size| shape.sized(size))
    }
}

/// Whether Down is the action of one of these stances.
pub fn ducks(stances: &[Stance]) -> bool {
    stances.iter().any(|stance| stance.action == Some(Action::Down))
}
