//! Results files changed at random: each is refused with a place, or joined.

use crate::{folder::Folder, results_files::write_parts};
use hangtime::{
    playtest::{ResultsFile, merge},
    script::host::SourceFile,
};
use std::sync::Arc;

/// Random numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most.max(1) as u64) as usize
    }
}

const TOKENS: [&str; 14] = [
    "null",
    "true",
    "-1",
    "1e400",
    "18446744073709551616",
    "{",
    "}",
    "[",
    "\"",
    "\n",
    ",",
    "\\u0000",
    "{\"end\":true,\"passed\":0,\"failed\":0}\n",
    "\u{feff}",
];

/// Changes a text in one random way. What is no longer UTF-8 is replaced.
fn mutate(text: &str, dice: &mut Dice) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let at = dice.below(bytes.len());
    let end = (at + 1 + dice.below(40)).min(bytes.len());
    match dice.below(7) {
        0 => bytes[at] = dice.below(256) as u8,
        1 => drop(bytes.drain(at..end)),
        2 => {
            let copy = bytes[at..end].to_vec();
            let to = dice.below(bytes.len());
            bytes.splice(to..to, copy);
        }
        3 => bytes.truncate(at),
        4 => {
            let token = TOKENS[dice.below(TOKENS.len())];
            bytes.splice(at..at, token.bytes());
        }
        5 => {
            // Two lines change places.
            let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
            let (a, b) = (dice.below(lines.len()), dice.below(lines.len()));
            lines.swap(a, b);
            bytes = lines.concat().into_bytes();
        }
        _ => {
            // A digit becomes another one.
            if let Some(digit) = bytes[at..].iter_mut().find(|b| b.is_ascii_digit()) {
                *digit = b'0' + dice.below(10) as u8;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn no_change_of_a_valid_file_panics_or_has_an_error_without_a_file() {
    let folder = Folder::empty();
    let valid: Vec<String> = write_parts(&folder, 9, 3).iter().map(|file| folder.read(file)).collect();
    let source = |i: usize, text: &str| Arc::new(SourceFile { name: format!("{i}.jsonl"), text: text.to_string() });
    let good: Vec<ResultsFile> = valid
        .iter()
        .enumerate()
        .map(|(i, text)| ResultsFile::parse(&source(i, text)).expect("a valid file"))
        .collect();
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let (mut refused, mut joined, mut unjoined) = (0, 0, 0);
    for _ in 0..20_000 {
        let changed = dice.below(3);
        let mut text = valid[changed].clone();
        for _ in 0..=dice.below(3) {
            if !text.is_empty() {
                text = mutate(&text, &mut dice);
            }
        }
        match ResultsFile::parse(&source(changed, &text)) {
            Err(error) => {
                refused += 1;
                let wrong = error.diagnostics();
                assert!((1..=101).contains(&wrong.len()));
                let lines = text.lines().count().max(1);
                for diagnostic in wrong.iter().filter(|diagnostic| diagnostic.more == 0) {
                    assert_eq!(diagnostic.file_name(), format!("{changed}.jsonl"));
                    let line = diagnostic.place.as_ref().map_or(1, |place| place.position().0);
                    assert!((1..=lines).contains(&line), "{text}");
                    assert!(!diagnostic.render(false).is_empty());
                }
            }
            Ok(file) => {
                let mut files = good.clone();
                files[changed] = file;
                match merge(&files) {
                    Ok(whole) => {
                        joined += 1;
                        assert_eq!(whole.cases.len(), 9);
                    }
                    Err(error) => {
                        unjoined += 1;
                        assert!(!error.diagnostics().is_empty());
                    }
                }
            }
        }
    }
    // The changes reach every outcome.
    assert!(refused > 5_000 && joined > 500 && unjoined > 500, "{refused} {joined} {unjoined}");
}
