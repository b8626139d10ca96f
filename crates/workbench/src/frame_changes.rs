//! What a frame has changed.

/// What a frame has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameChanges {
    /// The shown world.
    pub world: bool,
    /// Texts and paths over it.
    pub texts: bool,
}
