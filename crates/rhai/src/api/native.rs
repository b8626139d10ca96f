//! Making Rhai's functions of the calls of the table.

use super::arguments::Fallible;
use super::registry::placed;
use rhai::{Dynamic, NativeCallContext, RhaiFunc, Shared};

/// A function, or a method: Rhai hands a method its object, and a function a copy of its first argument. Its errors get
/// the position of the call, which Rhai only does for functions outside modules.
pub(super) fn native(
    is_method: bool,
    run: impl Fn(Option<&NativeCallContext<'_>>, &[&mut Dynamic]) -> Fallible<Dynamic> + Send + Sync + 'static,
) -> RhaiFunc {
    let call = move |context: Option<NativeCallContext<'_>>, values: &mut [&mut Dynamic]| {
        let answered = run(context.as_ref(), values);
        answered.map_err(|error| placed(error, context.as_ref().map(NativeCallContext::call_position)))
    };
    let func = Shared::new(call);
    if is_method {
        RhaiFunc::Method { func, has_context: true, is_pure: true, is_volatile: false }
    } else {
        RhaiFunc::Pure { func, has_context: true, is_pure: true, is_volatile: false }
    }
}
