//! Macros that declare parts of the reference, with their texts as doc comments.

/// A text of the reference: the lines of a doc comment, joined by spaces.
#[macro_export]
macro_rules! prose {
    ($(#[doc = $line:literal])+) => {
        const { concat!($($line),+).trim_ascii() }
    };
}

/// A list of [fields](crate::api::Field): shared ones by their names, then those of this list, each with what it means,
/// name, type and unit. `sometimes` is after the name of one that only some maps have.
#[macro_export]
macro_rules! fields {
    (
        $($shared:ident,)*
        $($(#[doc = $line:literal])+ $name:ident $($sometimes:ident)?: $holds:expr $(, $unit:literal)?;)+
    ) => {
        &[
            $($shared,)*
            $({
                let doc = $crate::prose!($(#[doc = $line])+);
                $crate::api::field(stringify!($name), $holds, concat!($($unit)?), doc)$(.$sometimes())?
            }),+
        ]
    };
}

/// Adds calls to a table: for each one what it does, the function that makes its entry, its name with its parameters, its
/// result with its unit, an example, and what it does when it is called.
#[macro_export]
macro_rules! add_calls {
    ($table:expr; $(
        $(#[doc = $line:literal])+
        $of:ident $name:ident($($param:expr),*) $(-> $returns:expr $(, $unit:literal)?)?;
        $example:literal;
        $body:expr;
    )+) => {$(
        $table.add(
            $of(stringify!($name), $crate::prose!($(#[doc = $line])+), $example)
                .takes(const { &[$($param),*] as &[$crate::api::Param] })
                $(.returns($returns, concat!($($unit)?)))?,
            $body,
        );
    )+};
}
