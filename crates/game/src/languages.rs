//! The list of languages: the only place above them that names one.

#[cfg(feature = "lua")]
use hangtime_lua::Lua;
use hangtime_rhai::Rhai;
use hangtime_script::Languages;

/// What a program that was built without Lua says about files in Lua.
pub const WITHOUT_LUA: &str = "this program was built without Lua; `cargo run --release --features lua` builds one with it, \
                               and `maturin develop --features lua` the package for Python, for which a C++ compiler must be \
                               installed";

/// The languages of scripts, the usual one first.
pub const LANGUAGES: Languages = Languages(&[
    &Rhai,
    #[cfg(feature = "lua")]
    &Lua,
    #[cfg(not(feature = "lua"))]
    &crate::without_lua::WithoutLua,
]);
