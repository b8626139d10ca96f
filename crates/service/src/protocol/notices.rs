//! The notifications that the service sends.

use super::*;

/// A notification, as the page of the protocol describes it.
pub struct NoticeKind {
    /// Its name in messages.
    pub name: &'static str,
    /// When it is sent.
    pub about: &'static str,
    /// The schema of its parameters.
    pub schema: fn(&mut SchemaGenerator) -> Value,
}

const fn notice<P: JsonSchema>(name: &'static str, about: &'static str) -> NoticeKind {
    NoticeKind { name, about, schema: |written| written.subschema_for::<P>().to_value() }
}

/// All notifications, as the page of the protocol lists them.
pub static NOTICES: [NoticeKind; 2] = [
    notice::<TraceNotice<'static>>("world.trace", "The service sends it for a subscription."),
    notice::<FilesNotice>(
        "world.files",
        prose! {
            /// The service sends it when files were saved that concern a world created with `"reload":"saved"`: see
            /// [Saved files](#saved-files).
        },
    ),
];
