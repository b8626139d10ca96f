//! What the reference says of the language's own functions where their comments mislead, and an example of
//! each.
//!
//! An example ends in what it is worth, after `//`, if that is a value that can be written; the tests compare.

mod arrays;
mod others;
mod texts;

/// The name of a function, what it does (empty where its own comment says so), and an example.
pub(super) type Phrase = (&'static str, &'static str, &'static str);

/// What is called on what, and its phrases.
const ALL: [(&str, &[Phrase]); 7] = [
    ("anything", others::ANYTHING),
    ("array", arrays::ARRAYS),
    ("function", others::FUNCTIONS),
    ("map", others::MAPS),
    ("number", others::NUMBERS),
    ("range", others::RANGES),
    ("text", texts::TEXTS),
];

/// What is said of a function that is called on `of`.
pub(super) fn phrase(of: &str, name: &str) -> Option<&'static Phrase> {
    let (_, phrases) = ALL.iter().find(|(whose, _)| *whose == of)?;
    phrases.iter().find(|(named, ..)| *named == name)
}

#[cfg(test)]
mod tests {
    use super::ALL;
    use crate::script::rhai::reference::language;

    #[test]
    fn nothing_is_said_of_what_is_not_there() {
        for (of, phrases) in ALL {
            for (name, ..) in phrases {
                let there = language().iter().any(|i| i.of == of && i.name == *name);
                assert!(there, "there is no `{name}` of {of}");
                let times = phrases.iter().filter(|(other, ..)| other == name).count();
                assert_eq!(times, 1, "`{name}` of {of}");
            }
        }
    }
}
