//! Tests of `src/text.rs`.

use super::wrapped;

#[test]
fn a_line_is_cut_between_its_parts_and_words_and_inside_no_word_that_fits() {
    let line = "platformer   ground   1234 px/s   revision 12   paused at tick 1234   loop of 2.50 s, round 3";
    for columns in 12..=line.len() {
        let pieces = wrapped(line, columns);
        assert!(pieces.iter().all(|piece| piece.chars().count() <= columns), "{columns}: {pieces:?}");
        let words: Vec<&str> = pieces.iter().flat_map(|piece| piece.split_whitespace()).collect();
        assert_eq!(words, line.split_whitespace().collect::<Vec<_>>(), "{columns}: {pieces:?}");
    }
    let hint = "Left and Right: run   Space: jump   F1: all keys";
    assert_eq!(wrapped(hint, 44), ["Left and Right: run   Space: jump", "F1: all keys"]);
    assert_eq!(wrapped("a/long/path/without/spaces", 10), ["a/long/pat", "h/without/", "spaces"]);
}
