//! The list of languages: the only place above them that names one.

#[cfg(feature = "lua")]
use hangtime_lua::Lua;
use hangtime_rhai::Rhai;
use hangtime_script::Languages;

/// The languages of scripts, the usual one first.
pub const LANGUAGES: Languages = Languages(&[
    &Rhai,
    #[cfg(feature = "lua")]
    &Lua,
]);
