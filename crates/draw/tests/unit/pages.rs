use super::*;

/// A text without what wrapping changes.
fn without_spaces(text: impl IntoIterator<Item = String>) -> String {
    text.into_iter().collect::<String>().replace(' ', "")
}

#[test]
fn keys_and_what_they_do_are_shown_in_full_in_pictures_of_any_size() {
    let keys: Vec<KeyLine> = (1..30)
        .map(|number| {
            let key = format!("pad R{number}, pad L{number}, R Shift, R click");
            (
                key,
                format!(
                    "hook (player 2: pad 2 R{number}, pad 2 L{number}, G) (player 3: pad 3 R{number}, pad 3 L{number})"
                ),
            )
        })
        .collect();
    for (width, height) in [(640, 360), (409, 360), (352, 360), (320, 180), (1280, 720), (80, 60)] {
        let layout = KeyLayout::new(&keys, (width, height));
        let lines: Vec<&KeyLine> = layout.lines.iter().flatten().collect();
        let written =
            [lines.iter().map(|line| line.0.clone()).collect(), lines.iter().map(|line| line.1.clone()).collect()];
        let all: [Vec<String>; 2] =
            [keys.iter().map(|key| key.0.clone()).collect(), keys.iter().map(|key| key.1.clone()).collect()];
        assert_eq!(
            written.map(|texts: Vec<String>| without_spaces(texts)),
            all.map(without_spaces),
            "{width} x {height}"
        );
        // Each line is within its part of its column.
        let words_wide = layout.wide - layout.keys_wide - 1;
        for (key, words) in lines {
            assert!(
                key.chars().count() <= layout.keys_wide && words.chars().count() <= words_wide,
                "{width}: {key} {words}"
            );
        }
        // Each column is within the picture, if its longest entry can be.
        let rows = rows_within(height);
        if width >= 320 {
            assert!(layout.lines.iter().all(|column| column.len() <= rows), "{width} x {height}");
        }
    }
}
