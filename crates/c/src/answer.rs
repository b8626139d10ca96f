//! How each call is made and answered: on a stack that scripts fit into, with a status, and with a text if it has failed.

use super::*;
use corosensei::stack::DefaultStack;

/// How a call has ended. If it is not `HANGTIME_STATUS_OK`, `hangtime_last_error` says why, and nothing has changed.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HangtimeStatus {
    /// Everything was done.
    Ok = 0,
    /// An argument cannot be what it is: NULL, not aligned, not UTF-8, or out of its range.
    Argument = 1,
    /// There is no such world: it was freed, or never opened.
    World = 2,
    /// The game's files, lines of inputs or a snapshot have mistakes, which the last error names.
    Files = 3,
    /// The buffer is too small. The number that it has to have is where the call has written it.
    TooSmall = 4,
    /// A bug of hangtime, or no memory for a stack. After a bug, the world has ended and can only be freed.
    Failed = 5,
}

/// Why a call cannot do what it is asked.
#[derive(Debug)]
pub struct Problem {
    pub status: HangtimeStatus,
    pub text: String,
}

impl Problem {
    pub fn argument(text: impl Into<String>) -> Self {
        Self { status: HangtimeStatus::Argument, text: text.into() }
    }

    pub fn panic(panic: &(dyn Any + Send)) -> Self {
        let said = panic.downcast_ref::<String>().map(String::as_str);
        let said = said.or_else(|| panic.downcast_ref::<&str>().copied());
        let said = said.unwrap_or("without a message");
        Self { status: HangtimeStatus::Failed, text: format!("this is a bug in hangtime: {said}") }
    }
}

impl From<ServiceError> for Problem {
    fn from(error: ServiceError) -> Self {
        let text = match error {
            ServiceError::Files(error) | ServiceError::Level { error } => render_all(&error.diagnostics(), false),
            error => error.to_string(),
        };
        Self { status: HangtimeStatus::Files, text }
    }
}

thread_local! {
    /// The text of the last error on this thread.
    static LAST: RefCell<CString> = RefCell::default();
    /// The stack on which this thread makes its calls, once it has made one.
    static OWN_STACK: Cell<Option<DefaultStack>> = const { Cell::new(None) };
}

/// Makes a call. Whatever happens in it ends here.
pub fn answer(work: impl FnOnce() -> Result<(), Problem>) -> HangtimeStatus {
    let caught = catch_unwind(AssertUnwindSafe(|| on_own_stack(work)));
    let problem = match caught {
        Ok(Ok(())) => return HangtimeStatus::Ok,
        Ok(Err(problem)) => problem,
        Err(panic) => Problem::panic(&*panic),
    };
    let text = CString::new(problem.text.replace('\0', "\\0")).unwrap_or_default();
    // A thread that is ending may have none anymore.
    let _ = LAST.try_with(|last| last.replace(text));
    problem.status
}

/// Threads of other programs have any stack; scripts need a large one.
fn on_own_stack(work: impl FnOnce() -> Result<(), Problem>) -> Result<(), Problem> {
    let kept = OWN_STACK.try_with(Cell::take).ok().flatten();
    let mut stack = match kept {
        Some(stack) => stack,
        None => DefaultStack::new(STACK)
            .map_err(|error| Problem { status: HangtimeStatus::Failed, text: format!("no stack: {error}") })?,
    };
    let done = corosensei::on_stack(&mut stack, work);
    let _ = OWN_STACK.try_with(|own| own.set(Some(stack)));
    done
}

pub fn last_error() -> *const c_char {
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

#[cfg(test)]
#[path = "../tests/unit/answer.rs"]
mod tests;
