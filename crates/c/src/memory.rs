//! The memory of the program that calls, checked as far as it can be.

use super::*;

/// A text that ends with a zero byte.
///
/// # Safety
/// It is NULL or such a text, which stays as it is.
pub unsafe fn text<'a>(name: &str, from: *const c_char) -> Result<&'a str, Problem> {
    if from.is_null() {
        return Err(Problem::argument(format!("`{name}` is NULL; it must be a text")));
    }
    // SAFETY: the caller's.
    let text = unsafe { CStr::from_ptr(from) };
    text.to_str().map_err(|_| Problem::argument(format!("`{name}` is not UTF-8")))
}

/// Where an answer is written to.
///
/// # Safety
/// It is NULL or points to memory for one `T`.
pub unsafe fn place<T>(name: &str, at: *mut T) -> Result<NonNull<T>, Problem> {
    let place = NonNull::new(at).filter(|at| at.is_aligned());
    place.ok_or_else(|| {
        Problem::argument(format!("`{name}` is NULL or not aligned; it must say where to write the answer"))
    })
}

/// A list of values.
///
/// # Safety
/// It is NULL or points to `count` values, which stay as they are.
pub unsafe fn list<'a, T>(name: &str, from: *const T, count: usize) -> Result<&'a [T], Problem> {
    if count == 0 {
        return Ok(&[]);
    }
    check(name, from, count)?;
    // SAFETY: checked as far as it can be, and the caller's.
    Ok(unsafe { std::slice::from_raw_parts(from, count) })
}

fn check<T>(name: &str, at: *const T, count: usize) -> Result<(), Problem> {
    if at.is_null() {
        return Err(Problem::argument(format!("`{name}` is NULL, but should have {count} elements")));
    }
    if !at.is_aligned() {
        return Err(Problem::argument(format!("`{name}` is not aligned")));
    }
    match count.checked_mul(size_of::<T>()) {
        Some(bytes) if isize::try_from(bytes).is_ok() => Ok(()),
        _ => Err(Problem::argument(format!("`{name}` cannot have {count} elements: memory is smaller"))),
    }
}

/// Writes values into a buffer, and their number where the program wants to know it, in any case.
///
/// # Safety
/// `into` is NULL or points to memory for `capacity` values, and `needed` is NULL or points to memory for their number.
pub unsafe fn fill<T: Copy>(
    name: &str,
    values: &[T],
    into: *mut T,
    capacity: usize,
    (number, needed): (&str, *mut usize),
) -> Result<(), Problem> {
    // SAFETY: the caller's.
    unsafe { place(number, needed)?.write(values.len()) };
    if capacity > 0 {
        check(name, into, capacity)?;
    }
    if capacity < values.len() {
        let text = format!("`{name}` has room for {capacity} elements and needs {}", values.len());
        return Err(Problem { status: HangtimeStatus::TooSmall, text });
    }
    if !values.is_empty() {
        // SAFETY: there is room, and a program cannot have memory that overlaps with ours.
        unsafe { into.copy_from_nonoverlapping(values.as_ptr(), values.len()) };
    }
    Ok(())
}

/// Writes a text with a zero byte at its end.
///
/// # Safety
/// As for [`fill`].
pub unsafe fn fill_text(text: &str, into: *mut c_char, capacity: usize, needed: *mut usize) -> Result<(), Problem> {
    // What a script prints may contain any character; in C, a zero byte would end the text.
    let text = CString::new(text.replace('\0', "\\0")).unwrap_or_default();
    // SAFETY: the caller's.
    unsafe { fill("text", text.as_bytes_with_nul(), into.cast(), capacity, ("needed", needed)) }
}
