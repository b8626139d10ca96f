//! The layers of a map in their order: objects, and fields of tiles.

use super::files::TiledFiles;
use super::object::{MapObject, ObjectTile, class_of};
use super::property::{Property, properties_of};
use super::tileset::{TileFlips, TileSource};
use super::xml::XmlTag;
use glam::DVec2;
use hangtime_script::names::suggestion;
use hangtime_script::{BuildProgress, Diagnostic, Mistakes, Place};
use std::rc::Rc;

/// The properties of a layer, for all solids in it.
const LAYER_KEYS: [&str; 3] = ["surface", "top", "one_way"];

/// A layer of tiles.
pub(super) struct TileField<'a> {
    pub tag: XmlTag<'a>,
    pub layer: tiled::TileLayer<'a>,
    /// How far the layer is moved, px.
    pub offset: DVec2,
    /// Whether it, or a group that it is in, is not shown.
    pub hidden: bool,
    pub of_layer: Rc<Vec<Property>>,
}

/// What a map consists of.
pub(super) enum MapItem<'a> {
    Object(Box<MapObject<'a>>),
    Tiles(TileField<'a>),
}

/// What groups and layers add to all that is in them.
#[derive(Clone, Default)]
struct LayerStyle {
    offset: DVec2,
    hidden: bool,
    class: Option<(String, Place)>,
    properties: Rc<Vec<Property>>,
}

/// A walk through the layers of a map.
struct LayerWalk<'a, 'o> {
    files: &'a TiledFiles,
    sources: &'a [Rc<TileSource<'a>>],
    items: Vec<MapItem<'a>>,
    /// The number of properties of all objects so far.
    properties: usize,
    out: &'o mut Mistakes,
}

/// The largest number of properties of all objects of a map together.
const MOST_PROPERTIES: usize = 300_000;

/// The tilesets of a map, in its order.
pub(super) fn tilesets_of<'a>(files: &'a TiledFiles, map: &'a tiled::Map) -> Vec<Rc<TileSource<'a>>> {
    let tags = files.map.root().all("tileset");
    let tags = tags.map(|tag| files.named_by(tag, "source").map_or(tag, |tree| tree.root()));
    let sets = map.tilesets().iter();
    sets.zip(tags).map(|(set, tag)| Rc::new(TileSource::new(set, tag))).collect()
}

/// Everything in the layers of a map, in their order.
pub(super) fn items_of<'a>(
    files: &'a TiledFiles,
    map: &'a tiled::Map,
    sources: &'a [Rc<TileSource<'a>>],
    out: &mut Mistakes,
) -> Vec<MapItem<'a>> {
    let mut walk = LayerWalk { files, sources, items: Vec::new(), properties: 0, out };
    walk.visit(files.map.root(), map.layers().collect(), &LayerStyle::default());
    walk.items
}

impl<'a> LayerWalk<'a, '_> {
    /// Visits the layers of the map or of a group. The reader of maps has them in the same order.
    fn visit(&mut self, parent: XmlTag<'a>, layers: Vec<tiled::Layer<'a>>, outer: &LayerStyle) {
        let is_layer = |tag: &XmlTag<'_>| matches!(tag.name(), "layer" | "objectgroup" | "imagelayer" | "group");
        for (tag, layer) in parent.children().filter(is_layer).zip(layers) {
            let style = self.style_of(tag, outer);
            match layer.layer_type() {
                tiled::LayerType::Group(group) => {
                    self.visit(tag, group.layers().collect(), &style);
                }
                tiled::LayerType::Objects(objects) => {
                    for (tag, object) in tag.all("object").zip(objects.objects()) {
                        if BuildProgress::is_cancelled() || self.properties > MOST_PROPERTIES {
                            return;
                        }
                        let object = self.object(tag, &object, &style);
                        self.properties += object.properties.len();
                        if self.properties > MOST_PROPERTIES {
                            let message = format!(
                                "up to this object, objects have more than {MOST_PROPERTIES} properties \
                                 together, with those of their tiles and templates"
                            );
                            self.out.push(Diagnostic::error(tag.place(), message));
                        }
                        self.items.push(MapItem::Object(Box::new(object)));
                    }
                }
                tiled::LayerType::Tiles(layer) => self.items.push(MapItem::Tiles(TileField {
                    tag,
                    layer,
                    offset: style.offset,
                    hidden: style.hidden,
                    of_layer: style.properties,
                })),
                tiled::LayerType::Image(_) => {}
            }
        }
    }

    fn style_of(&mut self, tag: XmlTag<'_>, outer: &LayerStyle) -> LayerStyle {
        for name in ["parallaxx", "parallaxy"] {
            if tag.number(name).is_some_and(|factor| factor != 1.0) {
                let message = "parallax has no effect in a level";
                self.out.push(Diagnostic::warning(tag.place_of(name), message));
            }
        }
        let offset = |name| tag.number(name).unwrap_or(0.0);
        let own = properties_of(tag, self.out);
        let unknown = own.iter().map(|p| &p.key).filter(|key| !LAYER_KEYS.contains(&key.name.as_str()));
        for key in unknown {
            let hint = suggestion(&key.name, LAYER_KEYS);
            let message = format!("a layer has no property `{}`{hint}", key.name);
            self.out.push(Diagnostic::error(key.place.clone(), message));
        }
        let mut properties = own;
        for property in outer.properties.iter() {
            add_missing(&mut properties, property);
        }
        LayerStyle {
            offset: outer.offset + DVec2::new(offset("offsetx"), offset("offsety")),
            hidden: outer.hidden || tag.raw("visible") == Some("0"),
            class: class_of(tag).or_else(|| outer.class.clone()),
            properties: Rc::new(properties),
        }
    }

    fn object(&mut self, tag: XmlTag<'a>, object: &tiled::Object<'a>, style: &LayerStyle) -> MapObject<'a> {
        let template = self.files.named_by(tag, "template").map(|tree| tree.root());
        let tile = self.tile_of(object, template);
        let template = template.and_then(|root| root.child("object"));
        if tile.is_none() && [Some(tag), template].iter().flatten().any(|t| t.raw("gid").is_some()) {
            let message = "no tileset of this map has this tile";
            self.out.push(Diagnostic::error(tag.place_of("gid"), message));
        }
        let mut properties = properties_of(tag, self.out);
        let of_tile = tile.as_ref().and_then(|tile: &ObjectTile<'_>| tile.source.tile(tile.id));
        for tag in [template, of_tile].into_iter().flatten() {
            for property in properties_of(tag, self.out) {
                add_missing(&mut properties, &property);
            }
        }
        MapObject {
            tag,
            template,
            tile,
            offset: style.offset,
            properties,
            of_layer: Rc::clone(&style.properties),
            layer_class: style.class.clone(),
        }
    }

    fn tile_of(&self, object: &tiled::Object<'a>, template: Option<XmlTag<'a>>) -> Option<ObjectTile<'a>> {
        let data = object.tile_data()?;
        let source = match data.tileset_location() {
            tiled::TilesetLocation::Map(index) => Rc::clone(self.sources.get(*index)?),
            tiled::TilesetLocation::Template(_) => {
                let set = object.get_tile()?.get_tileset();
                let tag = template?.child("tileset")?;
                let tag = self.files.named_by(tag, "source").map_or(tag, |tree| tree.root());
                Rc::new(TileSource::new(set, tag))
            }
        };
        Some(ObjectTile {
            source,
            id: data.id(),
            flips: TileFlips { diagonal: data.flip_d, horizontal: data.flip_h, vertical: data.flip_v },
        })
    }
}

/// Adds a property unless there is one of the same name.
pub(super) fn add_missing(properties: &mut Vec<Property>, other: &Property) {
    if properties.iter().all(|own| own.key.name != other.key.name) {
        properties.push(other.clone());
    }
}
