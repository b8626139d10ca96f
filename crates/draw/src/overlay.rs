//! Which overlays are switched on.

use hangtime_script::prose;

/// Declares the overlays: each with what it shows, and its name in settings and commands.
macro_rules! overlays {
    ($($(#[doc = $line:literal])+ $overlay:ident, $name:literal;)*) => {
        /// Something that can be painted over the game to show how it works.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Overlay {
            $($(#[doc = $line])+ $overlay,)*
        }

        impl Overlay {
            /// All overlays, in the order of their switches.
            pub const ALL: [Self; 10] = [$(Self::$overlay),*];

            /// Its name in settings and commands.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$overlay => $name),* }
            }

            /// What it shows.
            pub const fn words(self) -> &'static str {
                match self { $(Self::$overlay => prose!($(#[doc = $line])+)),* }
            }
        }
    };
}

overlays! {
    /// where the players have been in the last 180 ticks, with a dot every 6 ticks
    Trail, "trail";
    /// colliders, and edges of solids with their normals
    Outlines, "outlines";
    /// what bodies stand on and cling to
    Contacts, "contacts";
    /// the path of each body in this tick, and how far down it looks for ground
    Sweeps, "sweeps";
    /// velocity, and external velocity in pink
    Velocity, "velocity";
    /// coyote time, jump buffer, hold time and timers, as bars that run out
    Windows, "windows";
    /// the hook's reach, and how close its rope is to snapping
    Hook, "reach";
    /// rest positions near the players
    Rests, "rests";
    /// zones with their names
    Zones, "zones";
    /// frame times, and how many ticks were late
    Frames, "frames";
}

impl Overlay {
    /// The overlay with this name.
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
    pub fn all() -> Self {
        let mut all = Self::NONE;
        Overlay::ALL.into_iter().for_each(|one| all.toggle(one));
        all
    }

    /// Only this one.
    pub const fn only(overlay: Overlay) -> Self {
        Self(1 << overlay as u16)
    }

    /// Whether this one is switched on.
    pub const fn has(self, overlay: Overlay) -> bool {
        self.0 & (1 << overlay as u16) != 0
    }

    /// Whether none is switched on.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Switches one on or off.
    pub fn toggle(&mut self, overlay: Overlay) {
        self.0 ^= 1 << overlay as u16;
    }
}
