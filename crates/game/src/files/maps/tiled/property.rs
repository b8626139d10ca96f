//! Custom properties of elements.

use super::*;

/// The properties of an element.
pub fn properties_of(tag: XmlTag<'_>, out: &mut Mistakes) -> Vec<Property> {
    let lists = tag.all("properties");
    let mut found = Vec::new();
    for tag in lists.flat_map(|list| list.all("property")) {
        let name = tag.get("name").unwrap_or_default().to_owned();
        let place = tag.place_of("name");
        let node = value_of(tag, &name, out);
        let is_reference = tag.get("type") == Some("object");
        found.push(Property { key: TableKey { name, place }, node, is_reference });
    }
    found
}

/// The value of a `<property>` or of an `<item>` of a list.
fn value_of(tag: XmlTag<'_>, name: &str, out: &mut Mistakes) -> Node {
    let place = tag.place_of("value");
    let text = tag.get("value").unwrap_or_else(|| tag.text());
    let value = match tag.get("type").unwrap_or("string") {
        // The guard has checked that these are what they say.
        "int" | "object" => text.parse().map_or(Data::Float(f64::NAN), Data::Int),
        "float" => Data::Float(text.parse().unwrap_or(f64::NAN)),
        "bool" => Data::Flag(text == "true"),
        "class" => {
            let mut table = Table::at(&tag.place());
            let inner = properties_of(tag, out);
            put_all(&mut table, inner, out);
            Data::Table(table)
        }
        "list" => Data::Array(tag.all("item").map(|item| value_of(item, name, out)).collect()),
        "string" => return text_value(name, text, &place, out),
        _ => Data::Text(text.into()),
    };
    Node { value, place }
}
