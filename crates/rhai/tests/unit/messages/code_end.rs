//! Tests of `src/messages/code_end.rs`.

use super::code_end;

#[test]
fn blanks_and_comments_after_the_code_are_no_part_of_it() {
    let after = ["", "\n", "  \n\n\t", " // a\n", " // a \"b\n// c\n", " /* a\n b */\n", "/**/ // \n"];
    for code in ["", "let a = 1", "f(\"// no \\\" //\")", "`a // b`", "x /* y */ + 1", "'/'"] {
        for rest in after {
            let source = format!("{code}{rest}");
            assert_eq!(code_end(&source), code.len(), "{source:?}");
        }
    }
}
