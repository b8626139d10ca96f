//! Checks of a saved body.

use super::saved::{
    Checked, FARTHEST_SAVED, FASTEST_SAVED, MOST_TURNED, SavedContext, SavedError, ensure, index, number, unit, vector,
};
use super::{Body, Cling};
use crate::level::{Contact, Floor, View};

impl SavedContext<'_> {
    fn ground(&self, contact: &Contact) -> Checked {
        self.feature("feature", contact.feature)?;
        unit("normal", contact.normal)?;
        if contact.is_wedged() {
            return Ok(());
        }
        unit("touch", contact.touch)
    }

    fn floor(&self, floor: &Floor) -> Checked {
        let solids = self.level.terrain.solids().len();
        number("height", floor.height, FARTHEST_SAVED)?;
        floor.solid.map_or(Ok(()), |solid| index("solid", solid as usize, solids))?;
        self.surface("surface", Some(floor.surface))
    }

    fn cling(&self, cling: &Cling) -> Checked {
        self.feature("feature", cling.feature)?;
        unit("normal", cling.normal)
    }

    /// Checks an entity's body.
    ///
    /// # Errors
    /// Its first field that is wrong.
    pub fn body(&self, body: &Body) -> Checked {
        vector("pos", body.pos, FARTHEST_SAVED)?;
        vector("vel", body.vel, FASTEST_SAVED)?;
        vector("external", body.external, FASTEST_SAVED)?;
        number("z", body.z, FARTHEST_SAVED)?;
        number("vel_z", body.vel_z, FASTEST_SAVED)?;
        number("angle", body.angle, MOST_TURNED)?;
        number("spin", body.spin, MOST_TURNED)?;
        ensure(body.facing.abs() == 1.0, "facing", || format!("is {}; it must be 1 or -1", body.facing))?;
        let within = |part: &'static str| move |error: SavedError| error.within(part);
        let contact = body.ground.as_ref();
        contact.map_or(Ok(()), |c| self.ground(c).map_err(within("ground")))?;
        let floor = body.floor.as_ref();
        floor.map_or(Ok(()), |f| self.floor(f).map_err(within("floor")))?;
        let cling = body.cling.as_ref();
        cling.map_or(Ok(()), |c| self.cling(c).map_err(within("cling")))?;
        self.view_of_body(body)?;
        self.surface("surface", body.surface)?;
        body.jump.check(self).map_err(within("jump"))?;
        body.windows.check().map_err(within("windows"))
    }

    /// Checks that a body has only what bodies have in this view.
    fn view_of_body(&self, body: &Body) -> Checked {
        match self.level.view {
            View::Side => {
                self.height("z", body.z)?;
                self.height("vel_z", body.vel_z)?;
                let none = || "must be missing in a side view".to_string();
                ensure(body.floor.is_none(), "floor", none)
            }
            View::Top => {
                let none = || "must be missing in a top view".to_string();
                ensure(body.ground.is_none(), "ground", none)?;
                ensure(body.cling.is_none(), "cling", none)
            }
        }
    }
}
