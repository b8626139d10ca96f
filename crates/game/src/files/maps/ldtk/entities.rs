//! The entities of a level.

use super::{definitions::share, fields::PointSpace, grids::Layer, *};
use serde::Deserializer;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EntityInstance<'a> {
    #[serde(rename = "__identifier", borrow)]
    identifier: PlacedPart<'a, String>,
    /// The cell in which its pivot is.
    #[serde(rename = "__grid")]
    cell: [i32; 2],
    #[serde(rename = "__pivot")]
    pivot: [Share; 2],
    #[serde(rename = "__tags", default)]
    tags: Vec<String>,
    #[serde(default)]
    iid: String,
    def_uid: i64,
    /// Where its pivot is in the layer, px.
    px: [i32; 2],
    width: u32,
    height: u32,
    #[serde(borrow)]
    field_instances: Vec<FieldInstance<'a>>,
}

/// A number from 0 to 1.
#[derive(Clone, Copy)]
struct Share(f64);

impl<'de> Deserialize<'de> for Share {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        share(from).map(Self)
    }
}

/// The name and the tag of entities that mean nothing.
const NOTE: &str = "note";

/// A walk through the layers with entities.
pub struct EntityWalk<'a> {
    definitions: &'a Definitions<'a>,
    /// The file of the level.
    file: &'a Arc<SourceFile>,
    pub fields: PropertyReader<'a>,
    properties: PropertyCount,
}

impl<'a> EntityWalk<'a> {
    pub fn new(
        definitions: &'a Definitions<'a>,
        file: &'a Arc<SourceFile>,
        level: &'a str,
        layers: &'a [Layer<'a>],
    ) -> Self {
        let entities = layers.iter().flat_map(|layer| &layer.entity_instances);
        let named = entities.map(|entity| {
            let name = entity.field_instances.iter().find_map(FieldInstance::name);
            (entity.iid.as_str(), name)
        });
        let fields = PropertyReader { file, style: definitions.style, level, names: named.collect() };
        Self { definitions, file, fields, properties: PropertyCount::default() }
    }

    /// The entities of a layer.
    pub fn objects(&mut self, layer: &Layer<'_>, out: &mut Mistakes) -> Vec<MapItem<'a>> {
        let mut objects = Vec::new();
        for entity in &layer.entity_instances {
            if BuildProgress::is_cancelled() || !self.properties.has_room() {
                break;
            }
            let object = self.object(layer, entity, out);
            self.properties.add(&object, out);
            objects.push(MapItem::Object(Box::new(object)));
        }
        objects
    }

    fn object(&self, layer: &Layer<'_>, entity: &EntityInstance<'_>, out: &mut Mistakes) -> MapObject<'a> {
        let place = entity.identifier.place(self.file);
        let is_ellipse = self.definitions.is_ellipse(entity.def_uid).unwrap_or_else(|| {
            out.error(&place, format!("no entity definition has the uid {}", entity.def_uid));
            false
        });
        let size = DVec2::new(entity.width.into(), entity.height.into());
        let pivot = DVec2::from(entity.pivot.map(|share| share.0));
        let space = PointSpace { cell: layer.grid_size.into(), offset: layer.offset(), from: entity.cell };
        let mut properties = Vec::new();
        for field in &entity.field_instances {
            properties.extend(self.fields.property(field, Some(&space), out));
        }
        let class = self.class(entity, &properties);
        let kind = match class == NOTE {
            true => ShapeKind::Text,
            false if is_ellipse => ShapeKind::Ellipse,
            false => ShapeKind::Rectangle,
        };
        MapObject {
            id: 0,
            name: None,
            class: Some((class, place.clone())),
            place,
            kind,
            at: layer.offset() + DVec2::from(entity.px.map(f64::from)) - pivot * size,
            size,
            corner: DVec2::ZERO,
            rotation: 0.0,
            listed: Vec::new(),
            tile: None,
            properties,
            of_layer: Rc::default(),
        }
    }

    /// What an entity is: what it is called, or else its first tag that is a class or a kind.
    fn class(&self, entity: &EntityInstance<'_>, properties: &[Property]) -> String {
        let kinds = self.definitions.kinds;
        // A path is a field of a solid here.
        let is_class = |name: &str| name != "path" && CLASSES.contains(&name);
        let is_known = |name: &str| name == NOTE || is_class(name) || kinds.contains(name);
        let name = &entity.identifier.value;
        let mut names = [name].into_iter().chain(&entity.tags);
        let found = names.find_map(|name| self.definitions.known(name, is_known));
        let has_kind = || properties.iter().any(|property| property.key.name == "kind");
        let found = found.or_else(|| has_kind().then(|| "entity".into()));
        found.unwrap_or_else(|| self.definitions.style.plain(name))
    }
}
