//! XML as a tree in which every element and attribute knows its place.

use super::*;
use roxmltree::{Document, Error, ParsingOptions};

/// The largest number of elements in a file, of quotation marks in a tag, and of elements inside each other. Maps that
/// Tiled writes stay far below.
pub const MOST_ELEMENTS: usize = 400_000;
const MOST_QUOTES: usize = 1_024;
const DEEPEST: usize = 64;

/// A parsed XML file.
pub struct XmlTree<'f> {
    pub file: &'f Arc<SourceFile>,
    document: Document<'f>,
}

/// An element of a tree.
#[derive(Clone, Copy)]
pub struct XmlTag<'a> {
    pub file: &'a Arc<SourceFile>,
    element: roxmltree::Node<'a, 'a>,
}

impl<'f> XmlTree<'f> {
    /// Parses a file. Its root is there, and all elements are closed.
    pub fn parse(file: &'f Arc<SourceFile>) -> Result<Self, Diagnostic> {
        // The parser compares the attributes of an element with each other.
        let mut start = 0;
        for part in file.text.split('<') {
            let tag = part.split('>').next().unwrap_or_default();
            if tag.matches(['"', '\'']).count() > MOST_QUOTES {
                let message = format!("an element can have at most {} attributes", MOST_QUOTES / 2);
                return Err(Diagnostic::error(Place::new(file, start..start + tag.len()), message));
            }
            start += part.len() + 1;
        }
        // Between the elements is text. Old maps name their DTD; one that defines entities could make them huge.
        let allow_dtd = !file.text.contains("<!ENTITY");
        let options = ParsingOptions { nodes_limit: 2 * MOST_ELEMENTS as u32, allow_dtd, ..ParsingOptions::default() };
        let document = Document::parse_with_options(&file.text, options).map_err(|wrong| {
            let at = Place::at(file, wrong.pos().row as usize, wrong.pos().col as usize);
            let message = match wrong {
                Error::NodesLimitReached => format!("a file can have at most {MOST_ELEMENTS} elements"),
                Error::UnclosedRootNode => "an element is not closed before the file ends".into(),
                _ if !file.text.trim_start().starts_with('<') => {
                    "this is not XML; Tiled writes a file that starts with `<?xml`".into()
                }
                wrong => format!("this is not valid XML: {wrong}"),
            };
            Diagnostic::error(at, message)
        })?;
        let tree = Self { file, document };
        if !is_shallow(tree.root().element, DEEPEST) {
            let message = format!("elements can be at most {DEEPEST} deep in each other");
            return Err(Diagnostic::error(tree.root().place(), message));
        }
        Ok(tree)
    }

    fn elements(&self) -> impl Iterator<Item = XmlTag<'_>> {
        let nodes = self.document.descendants().filter(roxmltree::Node::is_element);
        nodes.map(|element| XmlTag { file: self.file, element })
    }

    /// The number of elements.
    pub fn count(&self) -> usize {
        self.elements().count()
    }

    /// The element that holds all others.
    pub fn root(&self) -> XmlTag<'_> {
        XmlTag { file: self.file, element: self.document.root_element() }
    }

    /// The innermost element that holds this byte and that `is_wanted`.
    pub fn innermost(&self, at: usize, is_wanted: impl Fn(XmlTag<'_>) -> bool) -> Option<XmlTag<'_>> {
        self.elements().filter(|tag| tag.element.range().contains(&at) && is_wanted(*tag)).last()
    }
}

/// Whether the elements in one are at most so deep in each other.
fn is_shallow(element: roxmltree::Node<'_, '_>, deepest: usize) -> bool {
    deepest > 0 && element.children().all(|child| is_shallow(child, deepest - 1))
}

impl<'a> XmlTag<'a> {
    /// The element's name.
    pub fn name(self) -> &'a str {
        self.element.tag_name().name()
    }

    /// The place of its start tag.
    pub fn place(self) -> Place {
        let start = self.element.range().start;
        let inner = self.element.attributes().next_back().map_or(start, |last| last.range().end);
        let end = self.file.text.get(inner..).and_then(|rest| rest.find('>')).unwrap_or(0);
        Place::new(self.file, start..inner + end + 1)
    }

    /// The value of an attribute.
    pub fn get(self, name: &str) -> Option<&'a str> {
        self.element.attribute(name)
    }

    /// The value of an attribute as a number; none if there is no such attribute, or it is not a number.
    pub fn number(self, name: &str) -> Option<f64> {
        self.get(name)?.trim().parse().ok()
    }

    /// The values of two attributes as a point; 0 for one that is missing or not a number.
    pub fn vector(self, x: &str, y: &str) -> DVec2 {
        DVec2::new(self.number(x).unwrap_or(0.0), self.number(y).unwrap_or(0.0))
    }

    /// The value of an attribute as a whole number.
    pub fn whole(self, name: &str) -> Option<u32> {
        self.get(name)?.parse().ok()
    }

    /// The names and values of all attributes.
    pub fn attributes(self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.element.attributes().map(|attribute| (attribute.name(), attribute.value()))
    }

    /// The place of an attribute's value; without the attribute, the place of the element.
    pub fn place_of(self, name: &str) -> Place {
        self.part_of(name, 0..usize::MAX)
    }

    /// The place of some bytes of an attribute's value.
    pub fn part_of(self, name: &str, part: Range<usize>) -> Place {
        self.element.attribute_node(name).map_or_else(
            || self.place(),
            |attribute| {
                let whole = attribute.range_value();
                let within = |at: usize| whole.start.saturating_add(at).min(whole.end);
                Place::new(self.file, within(part.start)..within(part.end))
            },
        )
    }

    /// The text at the beginning of the element.
    pub fn text(self) -> &'a str {
        self.element.text().unwrap_or_default()
    }

    /// The elements directly in this one.
    pub fn children(self) -> impl Iterator<Item = XmlTag<'a>> {
        let elements = self.element.children().filter(roxmltree::Node::is_element);
        elements.map(move |element| XmlTag { element, ..self })
    }

    /// The elements with this name directly in this one.
    pub fn all(self, name: &'a str) -> impl Iterator<Item = XmlTag<'a>> {
        self.children().filter(move |child| child.name() == name)
    }

    /// The first element with this name directly in this one.
    pub fn child(self, name: &str) -> Option<XmlTag<'a>> {
        self.children().find(|child| child.name() == name)
    }
}

#[cfg(test)]
#[path = "../../../../tests/unit/files/maps/tiled/xml.rs"]
mod tests;
