//! XML as a tree in which every element and attribute knows its place.

use super::*;
use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};

/// The largest number of elements in a file, of attributes of an element, and of elements inside each
/// other. Maps that Tiled writes stay far below.
pub(super) const MOST_ELEMENTS: usize = 400_000;
const MOST_ATTRIBUTES: usize = 64;
const DEEPEST: usize = 64;

/// A parsed XML file. Its texts are ranges of bytes, and all elements share two lists, so it needs little more memory than
/// the file.
pub(super) struct XmlTree {
    pub file: Arc<SourceFile>,
    elements: Vec<XmlElement>,
    /// Names and values of the attributes of all elements.
    attributes: Vec<(Range<u32>, Range<u32>)>,
}

/// An element. No file is longer than the numbers in it.
struct XmlElement {
    name: Range<u32>,
    /// The start tag, with its brackets.
    tag: Range<u32>,
    /// Where the element ends.
    end: u32,
    /// Its part of all attributes.
    attributes: Range<u32>,
    /// The first text in it, and whether it is escaped.
    text: Option<(Range<u32>, bool)>,
    first_child: Option<u32>,
    /// The next element of its parent.
    next: Option<u32>,
}

/// An element that is not closed yet.
struct OpenElement {
    index: u32,
    last_child: Option<u32>,
}

/// An element of a tree.
#[derive(Clone, Copy)]
pub(super) struct XmlTag<'a> {
    pub tree: &'a XmlTree,
    index: u32,
}

impl XmlTree {
    /// Parses a file. Its root is there, and all elements are closed.
    pub fn parse(file: &Arc<SourceFile>) -> Result<Self, Diagnostic> {
        let mut tree = Self { file: Arc::clone(file), elements: Vec::new(), attributes: Vec::new() };
        let mut reader = Reader::from_str(&file.text);
        let mut open: Vec<OpenElement> = Vec::new();
        loop {
            let before = reader.buffer_position();
            match reader.read_event() {
                Ok(Event::Start(tag)) => {
                    let index = tree.add(&tag, &mut open)?;
                    open.push(OpenElement { index, last_child: None });
                }
                Ok(Event::Empty(tag)) => {
                    tree.add(&tag, &mut open)?;
                }
                Ok(Event::End(_)) => {
                    if let Some(closed) = open.pop() {
                        tree.elements[closed.index as usize].end = reader.buffer_position() as u32;
                    }
                }
                Ok(Event::Text(text)) => tree.add_text(&text, open.last(), true),
                Ok(Event::CData(text)) => tree.add_text(&text, open.last(), false),
                Ok(Event::Eof) => break,
                Ok(_) => {}
                Err(wrong) => {
                    let place = Place::new(file, before..before + 1);
                    let message = format!("this is not valid XML: {wrong}");
                    return Err(Diagnostic::error(place, message));
                }
            }
        }
        if let Some(unclosed) = open.last() {
            let tag = tree.tag(unclosed.index);
            let message = format!("`<{}>` is not closed before the file ends", tag.name());
            return Err(Diagnostic::error(tag.place(), message));
        }
        if tree.elements.is_empty() {
            let message = "this is not XML; Tiled writes a file that starts with `<?xml`";
            return Err(Diagnostic::error(Place::new(file, 0..0), message));
        }
        tree.elements.shrink_to_fit();
        tree.attributes.shrink_to_fit();
        Ok(tree)
    }

    fn add(&mut self, tag: &BytesStart<'_>, open: &mut [OpenElement]) -> Result<u32, Diagnostic> {
        let file = Arc::clone(&self.file);
        let inner = range_in(&file.text, tag);
        let name = range_in(&file.text, tag.name().0);
        let span = inner.start.saturating_sub(1)..inner.end + 1;
        let refuse = |span: Range<usize>, message: String| Err(Diagnostic::error(Place::new(&file, span), message));
        if self.elements.len() >= MOST_ELEMENTS {
            return refuse(span, format!("a file can have at most {MOST_ELEMENTS} elements"));
        }
        if open.len() >= DEEPEST {
            return refuse(span, format!("elements can be at most {DEEPEST} deep in each other"));
        }
        let mut attributes = Vec::new();
        for attribute in tag.attributes().with_checks(false) {
            let attribute = match attribute {
                Ok(attribute) if attributes.len() < MOST_ATTRIBUTES => attribute,
                Ok(_) => {
                    let message = format!("an element can have at most {MOST_ATTRIBUTES} attributes");
                    return refuse(span, message);
                }
                Err(wrong) => return refuse(span, format!("this is not valid XML: {wrong}")),
            };
            let key = range_in(&file.text, attribute.key.0);
            let value = range_in(&file.text, &attribute.value);
            if let Some(Err(wrong)) = file.text.get(value.clone()).map(unescape) {
                return refuse(value, format!("this is not valid XML: {wrong}"));
            }
            let known = attributes
                .iter()
                .any(|(other, _): &(Range<usize>, _)| file.text.get(other.clone()) == file.text.get(key.clone()));
            if known {
                return refuse(key, "this attribute is there twice".into());
            }
            attributes.push((key, value));
        }
        let first = self.attributes.len() as u32;
        self.attributes
            .extend(attributes.into_iter().map(|(key, value)| (short(key), short(value))));
        let index = self.elements.len() as u32;
        self.elements.push(XmlElement {
            name: short(name),
            end: span.end as u32,
            tag: short(span),
            attributes: first..self.attributes.len() as u32,
            text: None,
            first_child: None,
            next: None,
        });
        if let Some(parent) = open.last_mut() {
            match parent.last_child.replace(index) {
                None => self.elements[parent.index as usize].first_child = Some(index),
                Some(before) => self.elements[before as usize].next = Some(index),
            }
        }
        Ok(index)
    }

    fn add_text(&mut self, text: &[u8], parent: Option<&OpenElement>, escaped: bool) {
        let range = range_in(&self.file.text, text);
        if let Some(parent) = parent {
            let element = &mut self.elements[parent.index as usize];
            element.text.get_or_insert((short(range), escaped));
        }
    }

    fn tag(&self, index: u32) -> XmlTag<'_> {
        XmlTag { tree: self, index }
    }

    /// The number of elements.
    pub fn count(&self) -> usize {
        self.elements.len()
    }

    /// The element that holds all others.
    pub fn root(&self) -> XmlTag<'_> {
        self.tag(0)
    }

    /// The innermost element that holds this byte and that `is_wanted`.
    pub fn innermost(&self, at: usize, is_wanted: impl Fn(XmlTag<'_>) -> bool) -> Option<XmlTag<'_>> {
        // Elements are in the order in which they start.
        let around = |element: &XmlElement| (element.tag.start..element.end).contains(&(at as u32));
        let all = (0..self.elements.len()).rev().filter(|index| around(&self.elements[*index]));
        all.map(|index| self.tag(index as u32)).find(|tag| is_wanted(*tag))
    }
}

/// The range of a part of a text; an empty one at the start for what is not part of it.
fn range_in(text: &str, part: &[u8]) -> Range<usize> {
    let start = (part.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
    if start > text.len() || part.len() > text.len() - start {
        return 0..0;
    }
    start..start + part.len()
}

fn short(range: Range<usize>) -> Range<u32> {
    range.start as u32..range.end as u32
}

fn long(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

impl<'a> XmlTag<'a> {
    fn element(self) -> &'a XmlElement {
        &self.tree.elements[self.index as usize]
    }

    fn text_at(self, range: &Range<u32>) -> &'a str {
        self.tree.file.text.get(long(range)).unwrap_or_default()
    }

    fn own_attributes(self) -> &'a [(Range<u32>, Range<u32>)] {
        &self.tree.attributes[long(&self.element().attributes)]
    }

    /// The element's name.
    pub fn name(self) -> &'a str {
        self.text_at(&self.element().name)
    }

    /// The place of its start tag.
    pub fn place(self) -> Place {
        Place::new(&self.tree.file, long(&self.element().tag))
    }

    fn range_of(self, name: &str) -> Option<&'a Range<u32>> {
        let mut attributes = self.own_attributes().iter();
        let found = attributes.find(|(key, _)| self.text_at(key) == name);
        found.map(|(_, value)| value)
    }

    /// The value of an attribute.
    pub fn get(self, name: &str) -> Option<Cow<'a, str>> {
        let raw = self.raw(name)?;
        Some(unescape(raw).unwrap_or(Cow::Borrowed(raw)))
    }

    /// The value of an attribute as the file spells it, with escapes.
    pub fn raw(self, name: &str) -> Option<&'a str> {
        self.range_of(name).map(|range| self.text_at(range))
    }

    /// The value of an attribute as a number; none if there is no such attribute, or it is not a number.
    pub fn number(self, name: &str) -> Option<f64> {
        self.raw(name)?.trim().parse().ok()
    }

    /// The values of two attributes as a point; 0 for one that is missing or not a number.
    pub fn vector(self, x: &str, y: &str) -> DVec2 {
        DVec2::new(self.number(x).unwrap_or(0.0), self.number(y).unwrap_or(0.0))
    }

    /// The value of an attribute as a whole number.
    pub fn whole(self, name: &str) -> Option<u32> {
        self.raw(name)?.parse().ok()
    }

    /// The names and values of all attributes.
    pub fn attributes(self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let attributes = self.own_attributes().iter();
        attributes.map(move |(key, value)| (self.text_at(key), self.text_at(value)))
    }

    /// The place of an attribute's value; without the attribute, the place of the element.
    pub fn place_of(self, name: &str) -> Place {
        self.part_of(name, 0..usize::MAX)
    }

    /// The place of some bytes of an attribute's value.
    pub fn part_of(self, name: &str, part: Range<usize>) -> Place {
        match self.range_of(name) {
            None => self.place(),
            Some(whole) => {
                let whole = long(whole);
                let within = |at: usize| whole.start.saturating_add(at).min(whole.end);
                Place::new(&self.tree.file, within(part.start)..within(part.end))
            }
        }
    }

    /// The first text in the element.
    pub fn text(self) -> Cow<'a, str> {
        let Some((range, escaped)) = &self.element().text else {
            return Cow::Borrowed("");
        };
        let raw = Cow::Borrowed(self.text_at(range));
        if *escaped { unescape(self.text_at(range)).unwrap_or(raw) } else { raw }
    }

    /// The elements directly in this one.
    pub fn children(self) -> impl Iterator<Item = XmlTag<'a>> {
        let after = move |child: &u32| self.tree.elements[*child as usize].next;
        std::iter::successors(self.element().first_child, after).map(move |index| self.tree.tag(index))
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
#[path = "../../../tests/unit/files/tiled/xml.rs"]
mod tests;
