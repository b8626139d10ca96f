//! The files of a map: itself, its tilesets and templates, all of them read before.

use super::{
    guard::{TiledFile, check_file},
    xml::MOST_ELEMENTS,
    *,
};

/// The parsed files of a map.
pub struct TiledFiles<'f> {
    pub map: XmlTree<'f>,
    others: BTreeMap<String, XmlTree<'f>>,
}

impl<'f> TiledFiles<'f> {
    /// Parses a map and what it refers to. None if one of them cannot be read.
    pub fn read(sources: MapSources<'f>, file: &'f Arc<SourceFile>, out: &mut Mistakes) -> Option<Self> {
        let map = parse(file, TiledFile::Map, out)?;
        let mut others = BTreeMap::new();
        let mut complete = true;
        let mut count = map.count();
        let mut next = references_of(&map, sources, &mut complete, out);
        while let Some((name, kind)) = next.pop() {
            if others.contains_key(&name) {
                continue;
            }
            let Some(file) = sources.files.get(&name) else {
                continue;
            };
            match parse(file, kind, out) {
                Some(tree) => {
                    count += tree.count();
                    if count > MOST_ELEMENTS {
                        let message = format!(
                            "up to this file, the map and the files that it refers to have more than {MOST_ELEMENTS} elements \
                             together"
                        );
                        out.error(&tree.root().place(), message);
                        return None;
                    }
                    next.append(&mut references_of(&tree, sources, &mut complete, out));
                    others.insert(name, tree);
                }
                None => complete = false,
            }
        }
        complete.then_some(Self { map, others })
    }

    /// The file that an element of a tree names in an attribute.
    pub fn named_by(&self, tag: XmlTag<'_>, attribute: &str) -> Option<&XmlTree<'f>> {
        let source = tag.get(attribute)?;
        self.others.get(&resolve_name(&tag.file.name, source))
    }

    /// The root of the file that the attribute `source` of an element names, or else the element itself.
    pub fn named_or_self<'a>(&'a self, tag: XmlTag<'a>) -> XmlTag<'a> {
        self.named_by(tag, "source").map_or(tag, XmlTree::root)
    }

    /// The tilesets of the map, in its order.
    pub fn tilesets(&self) -> Vec<Rc<TileSource<'_>>> {
        let tags = self.map.root().all("tileset");
        let source = tags.map(|tag| TileSource::new(self.named_or_self(tag), tag.whole("firstgid").unwrap_or(1)));
        source.map(Rc::new).collect()
    }
}

fn parse<'f>(file: &'f Arc<SourceFile>, kind: TiledFile, out: &mut Mistakes) -> Option<XmlTree<'f>> {
    let tree = XmlTree::parse(file).map_err(|wrong| out.push(wrong)).ok()?;
    check_file(&tree, kind, out).then_some(tree)
}

/// The files that a file refers to. Reports those that do not exist.
fn references_of(
    tree: &XmlTree<'_>,
    sources: MapSources<'_>,
    complete: &mut bool,
    out: &mut Mistakes,
) -> Vec<(String, TiledFile)> {
    let mut found = Vec::new();
    for (tag, attribute, kind) in references(tree.root()) {
        let source = tag.get(attribute).unwrap_or_default();
        let name = resolve_name(&tree.file.name, source);
        if sources.files.get(&name).is_none() {
            *complete = false;
            if sources.unreadable.iter().all(|wrong| wrong.file_name() != name) {
                out.error(&tag.place_of(attribute), no_file(source));
            }
        }
        found.push((name, kind));
    }
    found
}

/// The elements that refer to other files, with the attribute that does.
fn references(root: XmlTag<'_>) -> Vec<(XmlTag<'_>, &'static str, TiledFile)> {
    let mut found = Vec::new();
    let mut next = vec![root];
    while let Some(tag) = next.pop() {
        let (attribute, kind) = match tag.name() {
            "tileset" => ("source", TiledFile::Tileset),
            _ => ("template", TiledFile::Template),
        };
        if matches!(tag.name(), "tileset" | "object") && tag.get(attribute).is_some() {
            found.push((tag, attribute, kind));
        }
        next.extend(tag.children());
    }
    found
}

/// The paths of the files that a map, tileset or template refers to. A file that is not valid XML has none.
pub fn named_files(file: &Arc<SourceFile>) -> Vec<String> {
    let Ok(tree) = XmlTree::parse(file) else {
        return Vec::new();
    };
    let spelled = references(tree.root()).into_iter().filter_map(|(tag, attribute, _)| tag.get(attribute));
    let spelled: BTreeSet<&str> = spelled.collect();
    spelled.into_iter().map(String::from).collect()
}
