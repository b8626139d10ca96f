//! Which overlays are switched on.

/// Something that can be painted over the game to show how it works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// Where the followed entities have been.
    Trail,
    /// Colliders and solids with the normals of their edges.
    Outlines,
    /// What bodies stand on and cling to.
    Contacts,
    /// The way of each body in this tick, and how far down it looks for ground.
    Sweeps,
    /// Velocity and external velocity.
    Velocity,
    /// Jump windows and timers as bars.
    Windows,
    /// The hook's reach, and how close its rope is to snapping.
    Hook,
    /// Rest positions near the body.
    Rests,
    /// The outlines and names of zones.
    Zones,
    /// How long pictures took.
    Frames,
}

impl Overlay {
    /// All overlays, in the order of their switches.
    pub const ALL: [Self; 10] = [
        Self::Trail,
        Self::Outlines,
        Self::Contacts,
        Self::Sweeps,
        Self::Velocity,
        Self::Windows,
        Self::Hook,
        Self::Rests,
        Self::Zones,
        Self::Frames,
    ];

    /// Its name in settings and commands.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Trail => "trail",
            Self::Outlines => "outlines",
            Self::Contacts => "contacts",
            Self::Sweeps => "sweeps",
            Self::Velocity => "velocity",
            Self::Windows => "windows",
            Self::Hook => "reach",
            Self::Rests => "rests",
            Self::Zones => "zones",
            Self::Frames => "frames",
        }
    }

    /// The overlay with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }
}

/// A set of overlays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlays(u16);

impl Overlays {
    /// No overlay.
    pub const NONE: Self = Self(0);

    /// Every overlay.
    #[must_use]
    pub fn all() -> Self {
        let mut all = Self::NONE;
        Overlay::ALL.into_iter().for_each(|one| all.toggle(one));
        all
    }

    /// Only this one.
    #[must_use]
    pub const fn only(overlay: Overlay) -> Self {
        Self(1 << overlay as u16)
    }

    /// Whether this one is switched on.
    #[must_use]
    pub const fn has(self, overlay: Overlay) -> bool {
        self.0 & (1 << overlay as u16) != 0
    }

    /// Whether none is switched on.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Switches one on or off.
    pub fn toggle(&mut self, overlay: Overlay) {
        self.0 ^= 1 << overlay as u16;
    }
}
