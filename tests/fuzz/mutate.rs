//! Mutated inputs: a small stand-in for the mutations of cargo-fuzz.

use crate::bodies::dice::Dice;
use std::path::Path;

/// The longest input.
const LONGEST: usize = 4096;

/// Makes inputs from a corpus and a dictionary.
pub struct Mutator {
    pub corpus: Vec<Vec<u8>>,
    pub words: Vec<Vec<u8>>,
}

impl Mutator {
    /// The input that follows from the dice: mostly one of the corpus with a few changes, sometimes
    /// random bytes.
    pub fn input(&self, dice: &mut Dice) -> Vec<u8> {
        if dice.below(8) == 0 {
            let length = 1 + dice.below(200);
            return (0..length).map(|_| dice.below(256) as u8).collect();
        }
        let mut bytes = dice.of(&self.corpus).clone();
        for _ in 0..1 + dice.below(6) {
            self.change(&mut bytes, dice);
        }
        bytes.truncate(LONGEST);
        bytes
    }

    fn change(&self, bytes: &mut Vec<u8>, dice: &mut Dice) {
        let at = dice.below(bytes.len() + 1);
        let end = at + dice.below((bytes.len() - at).min(40) + 1);
        match dice.below(8) {
            0 => drop(bytes.drain(at..end)),
            1 => {
                let copy = bytes[at..end].to_vec();
                let to = dice.below(bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
            2 => {
                let other = dice.of(&self.corpus);
                let from = dice.below(other.len() + 1);
                let count = dice.below((other.len() - from).min(80) + 1);
                bytes.splice(at..end, other[from..from + count].iter().copied());
            }
            3 | 4 if !self.words.is_empty() => {
                let word = dice.of(&self.words).iter().copied();
                let end = if dice.below(2) == 0 { at } else { end };
                bytes.splice(at..end, word);
            }
            5 => number(bytes, at, dice),
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = match dice.below(3) {
                        0 => *byte ^ (1 << dice.below(8)),
                        1 => byte.wrapping_add(dice.below(9) as u8).wrapping_sub(4),
                        _ => dice.below(256) as u8,
                    };
                }
            }
        }
    }
}

/// Replaces the next number in a text.
fn number(bytes: &mut Vec<u8>, at: usize, dice: &mut Dice) {
    let is_digit = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    let Some(start) = bytes[at..].iter().position(is_digit) else {
        return;
    };
    let start = at + start;
    let length = bytes[start..].iter().take_while(|b| is_digit(b)).count();
    let numbers = [
        "0",
        "1",
        "-1",
        "0.5",
        "1e-9",
        "1e300",
        "-1e6",
        "255",
        "65536",
        "4294967296",
        "nan",
        "inf",
        "9223372036854775807",
        "9223372036854775808",
        "16384",
        "1e-320",
        "-0.0",
    ];
    bytes.splice(start..start + length, dice.of(&numbers).bytes());
}

/// The words of a dictionary of libFuzzer: one in quotes on each line.
pub fn words_of(file: &Path) -> Vec<Vec<u8>> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let quoted = |line: &str| {
        let (_, rest) = line.split_once('"')?;
        let (word, _) = rest.rsplit_once('"')?;
        let word = word.replace("\\n", "\n").replace("\\x0a", "\n");
        Some(word.replace("\\\"", "\"").replace("\\\\", "\\").into_bytes())
    };
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(quoted).collect()
}
