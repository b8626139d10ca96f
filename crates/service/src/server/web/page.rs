//! The page: one document with everything in it.

use super::with_type;
use std::hash::{BuildHasher as _, RandomState};
use tungstenite::http::{HeaderValue, Response, header::CONTENT_SECURITY_POLICY};

const DOCUMENT: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");

/// The parts of the program, in the order in which they need each other.
const PROGRAM: [&str; 5] = [
    include_str!("link.js"),
    include_str!("keys.js"),
    include_str!("paint.js"),
    include_str!("above.js"),
    include_str!("page.js"),
];

/// The answer with the page. Only its own program runs in it, and it connects to this service alone.
pub fn page() -> Response<String> {
    let nonce = nonce();
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    let mut page = with_type("text/html; charset=utf-8", document(&nonce));
    // A nonce has hexadecimal digits alone, so the policy is a value.
    page.headers_mut()
        .extend(HeaderValue::try_from(policy).map(|policy| (CONTENT_SECURITY_POLICY, policy)));
    page
}

fn document(nonce: &str) -> String {
    let program = format!("\"use strict\";\n(() => {{\n{}}})();\n", PROGRAM.concat());
    DOCUMENT
        .replace("{nonce}", nonce)
        .replace("/* style */", STYLE)
        .replace("/* program */", &program)
}

/// A text that cannot be guessed, which shows the browser that a script is the page's.
fn nonce() -> String {
    let random = || RandomState::new().hash_one(0);
    format!("{:016x}{:016x}", random(), random())
}

#[cfg(test)]
#[path = "../../../tests/unit/server/web/page.rs"]
mod tests;
