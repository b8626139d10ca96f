//! Input files, keys and gamepads.

pub(crate) mod input_script;
pub(crate) mod keys;
pub(crate) mod tolerance;
