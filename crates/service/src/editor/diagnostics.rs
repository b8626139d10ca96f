//! The messages of `hangtime check` as an editor shows them.

use super::location::range_of;
use hangtime_script::{Diagnostic, Severity};
use lsp_types::{DiagnosticSeverity, Position, Range};

/// Messages about one file.
pub(super) fn shown(found: &[Diagnostic]) -> Vec<lsp_types::Diagnostic> {
    let start = Range::new(Position::new(0, 0), Position::new(0, 0));
    let one = |d: &Diagnostic| lsp_types::Diagnostic {
        range: d.place.as_ref().map_or(start, range_of),
        severity: Some(match d.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        source: Some("hangtime".into()),
        message: d.message.clone(),
        ..lsp_types::Diagnostic::default()
    };
    found.iter().map(one).collect()
}
