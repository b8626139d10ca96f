//! The text of a level, and where in it the places of its things are. Edits replace numbers, and whole tables; all other bytes
//! stay as they are.

use crate::files::{Data, Node, Table, parse, tables::spelling::quoted};
use glam::DVec2;
use hangtime_script::SourceFile;
use std::{collections::BTreeSet, ops::Range, sync::Arc};

/// Digits behind the point of a number that was dragged.
const DIGITS: usize = 3;

/// The list of a level that a thing is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelList {
    /// `[[entity]]`
    Entities,
    /// `[[solid]]`
    Solids,
    /// `[[zone]]`
    Zones,
}

impl LevelList {
    const ALL: [Self; 3] = [Self::Entities, Self::Solids, Self::Zones];

    /// Its key in the file, which names one thing of it.
    pub fn key(self) -> &'static str {
        match self {
            Self::Entities => "entity",
            Self::Solids => "solid",
            Self::Zones => "zone",
        }
    }
}

/// A thing of a level that can be edited by hand.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelItem {
    /// The list that it is in.
    pub list: LevelList,
    /// Its place in that list, counted from 0.
    pub index: usize,
    /// Its name, or the kind of an entity without one; empty if it has neither.
    pub name: String,
    /// Its corners, px; the start of an entity.
    pub points: Vec<DVec2>,
    /// Whether the points are a line, the top of a one-way platform.
    pub is_line: bool,
    /// The points of its path, relative to where it is drawn, px.
    pub path: Vec<DVec2>,
    /// The numbers of the points in the text.
    numbers: Vec<[Range<usize>; 2]>,
    /// The value of its `name`.
    name_place: Option<Range<usize>>,
    /// Its header, `[[solid]]`, or the braces of an inline table.
    place: Range<usize>,
}

/// A level's text, and its things.
#[derive(Clone, Debug, Default)]
pub struct LevelText {
    text: String,
    items: Vec<LevelItem>,
    /// Where the headers of the file's tables begin, without tables inside of others.
    headers: Vec<usize>,
}

impl LevelText {
    /// Reads the text of a level file. Things whose places cannot be read are left out.
    ///
    /// # Errors
    /// Why the text is not TOML.
    pub fn parse(name: &str, text: String) -> Result<Self, String> {
        let file = Arc::new(SourceFile { name: name.into(), text });
        let root = parse(&file).map_err(|wrong| wrong.headline())?;
        let mut items = Vec::new();
        for list in LevelList::ALL {
            let tables = root.get(list.key()).map_or(&[][..], Node::items).iter().enumerate();
            let tables = tables.filter_map(|(index, node)| Some((index, node, node.table()?)));
            items.extend(tables.filter_map(|(index, node, table)| item_of(list, index, node, table)));
        }
        let mut headers: Vec<usize> = root.entries.iter().flat_map(|(_, node)| starts_of(node)).collect();
        headers.retain(|at| file.text[*at..].starts_with('['));
        headers.sort_unstable();
        drop(root);
        let text = Arc::try_unwrap(file).map_or_else(|file| file.text.clone(), |file| file.text);
        Ok(Self { text, items, headers })
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its things: entities, then solids, then zones, each in the order of the file.
    pub fn items(&self) -> &[LevelItem] {
        &self.items
    }

    /// The text after a thing has got these points, px. Numbers that stay the same keep their spelling; whole numbers stay
    /// whole if they can. None if it has another number of points.
    pub fn with_points(&self, item: usize, points: &[DVec2]) -> Option<String> {
        let item = self.items.get(item)?;
        let fits = item.points.len() == points.len() && points.iter().all(|point| point.is_finite());
        fits.then(|| replaced(&self.text, 0..self.text.len(), moved_numbers(&self.text, item, points)))
    }

    /// The text after a thing has been copied, moved by some px: the copy follows it, with a name that is free.
    pub fn with_copy(&self, item: usize, by: DVec2) -> Option<String> {
        let item = self.items.get(item)?;
        let points: Vec<DVec2> = item.points.iter().map(|point| point + by).collect();
        let mut changes = moved_numbers(&self.text, item, &points);
        if let Some(place) = item.name_place.clone() {
            changes.push((place, quoted(&self.free_name(&item.name))));
            changes.sort_by_key(|(place, _)| place.start);
        }
        let is_inline = self.is_inline(item);
        let range = if is_inline { item.place.clone() } else { self.table_of(item) };
        let copy = replaced(&self.text, range.clone(), changes);
        let (before, after) = self.text.split_at(range.end);
        let line = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        let has_comma = after.trim_start_matches([' ', '\t']).starts_with(',');
        if let Some(indent) = self.indent_of(item).filter(|_| is_inline && has_comma) {
            let (before, after) = self.text.split_at(self.inline_range(item).end);
            // A comment at the end of the line stays with its item.
            if before.ends_with('\n') {
                return Some(format!("{before}{indent}{copy},{line}{after}"));
            }
        }
        let between = match is_inline {
            true => match self.indent_of(item) {
                Some(indent) => format!(",{line}{indent}"),
                None => ", ".into(),
            },
            // The last table of a file has no empty line after it.
            false if before.ends_with(&format!("\n{line}")) => String::new(),
            false if before.ends_with('\n') => line.into(),
            false => format!("{line}{line}"),
        };
        Some(format!("{before}{between}{copy}{after}"))
    }

    /// The text without a thing, and without the comment right above it.
    pub fn without(&self, item: usize) -> Option<String> {
        let item = self.items.get(item)?;
        let range = if self.is_inline(item) { self.inline_range(item) } else { self.table_of(item) };
        let (before, after) = (&self.text[..range.start], &self.text[range.end..]);
        if after.is_empty() {
            // The empty line above the last table goes with it.
            let kept = before.trim_end();
            let ended = before[kept.len()..].find('\n').map_or(before.len(), |at| kept.len() + at + 1);
            return Some(before[..ended].into());
        }
        Some(format!("{before}{after}"))
    }

    fn is_inline(&self, item: &LevelItem) -> bool {
        self.text[item.place.start..].starts_with('{')
    }

    /// A name like this one that no thing has.
    fn free_name(&self, name: &str) -> String {
        let taken: BTreeSet<&str> = self.items.iter().map(|item| item.name.as_str()).collect();
        let number = |stem: &str| stem.rsplit_once('_').is_some_and(|(_, end)| end.parse::<u32>().is_ok());
        let stem = if number(name) {
            name.rsplit_once('_').map_or(name, |(stem, _)| stem)
        } else {
            name
        };
        let mut names = (2_u32..).map(|number| format!("{stem}_{number}"));
        names.find(|name| !taken.contains(name.as_str())).unwrap_or_default()
    }

    /// A table with a header: from the comment right above it to the next one.
    fn table_of(&self, item: &LevelItem) -> Range<usize> {
        let next = self.headers.iter().find(|at| **at > item.place.start);
        let end = next.map_or(self.text.len(), |next| self.with_comment(*next));
        self.with_comment(item.place.start)..end
    }

    /// Where the comment right above a header begins. A comment at the beginning of the file is about the file.
    fn with_comment(&self, header: usize) -> usize {
        let mut start = self.line_start(header);
        let mut above = start;
        while above > 0 {
            let line = self.line_start(above - 1);
            if !self.text[line..above].trim_start().starts_with('#') {
                return start;
            }
            above = line;
            start = if above == 0 { self.line_start(header) } else { above };
        }
        start
    }

    fn line_start(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |line| line + 1)
    }

    /// The spaces before an inline table that begins its line.
    fn indent_of(&self, item: &LevelItem) -> Option<&str> {
        let before = &self.text[self.line_start(item.place.start)..item.place.start];
        before.trim().is_empty().then_some(before)
    }

    /// An inline table with its comma; the whole line if it has one.
    fn inline_range(&self, item: &LevelItem) -> Range<usize> {
        let Range { start, mut end } = item.place.clone();
        let rest = |end: usize| self.text[end..].trim_start_matches([' ', '\t']);
        if !self.text[end..].trim_start().starts_with(',') {
            // The last one takes the comma before it along.
            let before = self.text[..start].trim_end();
            if before.ends_with(',') {
                return before.len() - 1..end;
            }
        }
        if let Some(after) = rest(end).strip_prefix(',') {
            end = self.text.len() - after.len();
        }
        let line = rest(end);
        let line = &line[..line.find('\n').map_or(line.len(), |at| at + 1)];
        let is_alone = line.trim().is_empty() || line.starts_with('#');
        match self.indent_of(item) {
            Some(_) if is_alone => self.line_start(start)..self.text.len() - rest(end).len() + line.len(),
            _ => start..self.text.len() - rest(end).len(),
        }
    }
}

/// Where the tables of a value begin.
fn starts_of(node: &Node) -> Vec<usize> {
    match &node.value {
        Data::Table(_) => vec![node.place.span.start],
        Data::Array(nodes) => nodes.iter().filter(|node| node.table().is_some()).flat_map(starts_of).collect(),
        _ => Vec::new(),
    }
}

fn item_of(list: LevelList, index: usize, node: &Node, table: &Table) -> Option<LevelItem> {
    let nodes = match list {
        LevelList::Entities => std::slice::from_ref(table.get("at")?),
        LevelList::Solids | LevelList::Zones => table.get("points")?.items(),
    };
    let points: Option<Vec<DVec2>> = nodes.iter().map(point_of).collect();
    let points = points.filter(|points| !points.is_empty())?;
    let numbers = nodes.iter().map(|node| [0, 1].map(|axis| node.items()[axis].place.span.clone()));
    let name = table.text("name").or_else(|| table.text("kind")).unwrap_or_default();
    let path = table.table("path").and_then(|path| path.get("points")).map_or(&[][..], Node::items);
    Some(LevelItem {
        list,
        index,
        name: name.into(),
        points,
        is_line: list == LevelList::Solids && table.get("one_way").is_some_and(Node::is_true),
        path: path.iter().filter_map(point_of).collect(),
        numbers: numbers.collect(),
        name_place: table.get("name").map(|node| node.place.span.clone()),
        place: node.place.span.clone(),
    })
}

fn point_of(node: &Node) -> Option<DVec2> {
    let [x, y, ..] = node.items() else { return None };
    Some(DVec2::new(x.number()?, y.number()?)).filter(|point| point.is_finite())
}

/// The numbers of a thing's points that differ, with their places, in the order of the text.
fn moved_numbers(text: &str, item: &LevelItem, points: &[DVec2]) -> Vec<(Range<usize>, String)> {
    let mut changes = Vec::new();
    for ((old, new), places) in item.points.iter().zip(points).zip(&item.numbers) {
        for (axis, place) in places.iter().enumerate() {
            if old[axis] != new[axis] {
                changes.push((place.clone(), number_like(&text[place.clone()], new[axis])));
            }
        }
    }
    changes.retain(|(place, new)| text[place.clone()] != *new);
    changes
}

/// Part of a text with other texts at some places, which are in order.
fn replaced(text: &str, range: Range<usize>, changes: Vec<(Range<usize>, String)>) -> String {
    let mut new = String::with_capacity(range.len() + 16);
    let mut at = range.start;
    for (place, change) in changes {
        new.push_str(&text[at..place.start]);
        new.push_str(&change);
        at = place.end;
    }
    new.push_str(&text[at..range.end]);
    new
}

/// A number with as many digits behind the point as another one has, or as it needs.
fn number_like(old: &str, x: f64) -> String {
    let fraction = old.split_once('.').map_or("", |(_, fraction)| fraction);
    let digits = fraction.bytes().take_while(u8::is_ascii_digit).count();
    let spelled = (digits..DIGITS).map(|digits| format!("{x:.digits$}"));
    let exact = |text: &String| text.parse::<f64>().is_ok_and(|read| (read - x).abs() <= 1e-9 * x.abs().max(1.0));
    let most = digits.max(DIGITS);
    let text = spelled.into_iter().find(exact).unwrap_or_else(|| format!("{x:.most$}"));
    match text.strip_prefix('-') {
        Some(zero) if zero.parse() == Ok(0.0) => zero.into(),
        _ => text,
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/files/saving/level_text.rs"]
mod tests;
