//! Tests of `src/files/maps/tiled/xml.rs`.

use super::XmlTree;
use hangtime_script::SourceFile;
use std::sync::Arc;

#[test]
fn elements_and_attributes_know_their_places() {
    let text = "<?xml version=\"1.0\"?>\n<map a=\"1\" ü='x &amp; y'>\n <o p=\"0,0 1,2\"/>t&lt;</map>\n";
    let file = Arc::new(SourceFile { name: "a.tmx".into(), text: text.into() });
    let tree = XmlTree::parse(&file).expect("valid XML");
    let root = tree.root();
    assert_eq!((root.name(), root.number("a")), ("map", Some(1.0)));
    assert_eq!(root.get("ü"), Some("x & y"));
    assert_eq!(root.place_of("ü").span, text.find("x &").map(|at| at..at + 9).unwrap());
    let inner = root.child("o").expect("an element");
    assert_eq!(inner.place().position(), (3, 2));
    assert_eq!(inner.part_of("p", 4..7).position(), (3, 12));
    assert_eq!(root.text().trim(), "");
    let at = text.find("p=").unwrap();
    let found = tree.innermost(at, |_| true).map(|tag| tag.name());
    assert_eq!(found, Some("o"));
    let found = tree.innermost(at, |tag| tag.name() == "map");
    assert_eq!(found.map(|tag| tag.name()), Some("map"));
}
