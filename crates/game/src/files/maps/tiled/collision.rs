//! The collision shapes of tiles.

use super::*;

/// The properties of a tile and of its collision shapes that solids have.
const KEYS: [&str; 3] = ["surface", "top", "one_way"];

/// The largest of their values, as [`Node::weight`] counts.
const MOST_WEIGHT: usize = 8;

/// The classes of collision shapes.
const CLASSES: [&str; 2] = ["solid", "one_way"];

/// The collision shapes of a tile. A shape that lacks a property gets it from `of_layer`.
pub fn shapes_of(source: &TileSource<'_>, id: u32, of_layer: &Rc<Vec<Property>>, out: &mut Mistakes) -> Vec<TileShape> {
    let Some(tile) = source.tile(id) else {
        return Vec::new();
    };
    // Other properties of tiles and tilesets may be for other programs.
    let mut usual = style_of(&properties_of(tile, out), out);
    usual.extend(style_of(source.properties(out), out));
    usual.extend(style_of(of_layer, out));
    let objects = tile.all("objectgroup").flat_map(|group| group.all("object"));
    objects.filter_map(|tag| shape_of(tag, &usual, out)).collect()
}

/// The properties that solids can have. Each solid gets a copy, so large ones are reported.
fn style_of(properties: &[Property], out: &mut Mistakes) -> Vec<Property> {
    let known = properties.iter().filter(|property| KEYS.contains(&property.key.name.as_str()));
    let small = known.filter(|Property { key, node, .. }| {
        let is_small = node.weight(MOST_WEIGHT) <= MOST_WEIGHT;
        if !is_small {
            out.error(&node.place, format!("the value of `{}` is too long", key.name));
        }
        is_small
    });
    small.cloned().collect()
}

fn shape_of(tag: XmlTag<'_>, usual: &[Property], out: &mut Mistakes) -> Option<TileShape> {
    let properties = properties_of(tag, out);
    let object = ObjectTags { tag, template: None }.object(None, &LayerStyle::default(), properties);
    let own = style_of(&object.properties, out);
    let class = class_of(tag);
    check_names(&object, class.as_ref(), out);
    let value = |name: &str| {
        let all = own.iter().chain(usual);
        let mut named = all.filter(|property| property.key.name == name);
        named.next().map(|property| property.node.clone())
    };
    let flagged = || value("one_way").is_some_and(|node| node.is_true());
    let one_way = class.is_some_and(|(class, _)| class == "one_way") || flagged();
    let mut points: Vec<DVec2> = object.points().into_iter().map(|(point, _)| point).collect();
    match object.kind {
        ShapeKind::Point | ShapeKind::Text => return None,
        ShapeKind::Rectangle if one_way => points.truncate(2),
        ShapeKind::Polyline if !one_way => {
            out.error(&tag.place(), "a line is solid from above only; set its class to `one_way`");
            return None;
        }
        ShapeKind::Capsule => {
            out.error(&tag.place(), "capsules are not read; draw an ellipse or a polygon");
            return None;
        }
        _ => {}
    }
    let at = tag.vector("x", "y");
    let turned = |point: DVec2| at + rotated(point, object.rotation);
    Some(TileShape {
        points: points.into_iter().map(turned).collect(),
        one_way,
        style: SolidStyle { surface: value("surface"), top: value("top") },
        place: tag.place(),
    })
}

/// Reports a class and properties that collision shapes do not have.
fn check_names(object: &MapObject<'_>, class: Option<&(String, Place)>, out: &mut Mistakes) {
    if let Some((class, place)) = class
        && !CLASSES.contains(&class.as_str())
    {
        let hint = suggestion(class, CLASSES);
        out.error(place, format!("a collision shape of a tile cannot have the class `{class}`{hint}"));
    }
    for property in &object.properties {
        let name = property.key.name.as_str();
        if !KEYS.contains(&name) {
            let hint = suggestion(name, KEYS);
            out.error(&property.key.place, format!("a collision shape of a tile has no property `{name}`{hint}"));
        }
    }
}
