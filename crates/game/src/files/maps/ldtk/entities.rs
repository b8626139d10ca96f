//! The entities of a level.

use super::{fields::PointSpace, grids::Layer, *};

/// The name and the tag of entities that mean nothing.
const NOTE: &str = "note";

/// A walk through the layers with entities.
pub struct EntityWalk<'a> {
    definitions: &'a Definitions<'a>,
    pub fields: PropertyReader,
    properties: PropertyCount,
}

impl<'a> EntityWalk<'a> {
    /// A walk in the level with this iid.
    pub fn new(definitions: &'a Definitions<'a>, level: Option<Part<'a>>, layers: &[Layer<'a>]) -> Read<Self> {
        let mut names = BTreeMap::new();
        for entity in layers.iter().flat_map(|layer| &layer.entities) {
            let mut name = None;
            entity.each("fieldInstances", &mut |field| {
                let field = field.object()?;
                if let (Some(value), "\"name\"") = (field.get("__value"), field.need("__identifier")?.text) {
                    // Each reference to the entity gets a copy.
                    name = value.parsed().filter(|name: &String| name.len() <= LONGEST_NAME);
                }
                Ok(())
            })?;
            if let Some(iid) = entity.get("iid") {
                names.insert(iid.string()?, name);
            }
        }
        let level = level.map_or_else(|| Ok(String::new()), Part::string)?;
        let fields = PropertyReader { style: definitions.style, level, names };
        Ok(Self { definitions, fields, properties: PropertyCount::default() })
    }

    /// The entities of a layer.
    pub fn objects(&mut self, layer: &Layer<'a>, out: &mut Mistakes) -> Read<Vec<MapItem<'a>>> {
        let mut objects = Vec::new();
        for entity in &layer.entities {
            if BuildProgress::is_cancelled() || !self.properties.has_room() {
                break;
            }
            let object = self.object(layer, entity, out)?;
            self.properties.add(&object, out);
            objects.push(MapItem::Object(Box::new(object)));
        }
        Ok(objects)
    }

    fn object(&self, layer: &Layer<'_>, entity: &Members<'_>, out: &mut Mistakes) -> Read<MapObject<'a>> {
        let place = entity.need("__identifier")?.place();
        let uid = entity.whole("defUid", WHOLE)?;
        let is_ellipse = self.definitions.is_ellipse(uid).unwrap_or_else(|| {
            out.error(&place, format!("no entity definition has the uid {uid}"));
            false
        });
        let side = |key: &str| entity.whole(key, NUMBERS).map(|side| side as f64);
        let pair = |key: &str| entity.need(key)?.pair(|at| at.whole(WHOLE));
        let (size, at) = (DVec2::new(side("width")?, side("height")?), pair("px")?);
        let pivot = DVec2::from(entity.need("__pivot")?.pair(Part::share)?);
        let space = PointSpace { cell: layer.grid_size, offset: layer.offset, from: pair("__grid")? };
        let mut properties = Vec::new();
        entity.need("fieldInstances")?.each(&mut |field| {
            properties.extend(self.fields.property(field, Some(&space), out)?);
            Ok(())
        })?;
        let class = self.class(entity, &properties)?;
        let kind = match class == NOTE {
            true => ShapeKind::Text,
            false if is_ellipse => ShapeKind::Ellipse,
            false => ShapeKind::Rectangle,
        };
        Ok(MapObject {
            id: 0,
            name: None,
            class: Some((class, place.clone())),
            place,
            kind,
            at: layer.offset + DVec2::from(at.map(|at| at as f64)) - pivot * size,
            size,
            corner: DVec2::ZERO,
            rotation: 0.0,
            listed: Vec::new(),
            tile: None,
            properties,
            of_layer: Rc::default(),
        })
    }

    /// What an entity is: what it is called, or else its first tag that is a class or a kind.
    fn class(&self, entity: &Members<'_>, properties: &[Property]) -> Read<String> {
        let kinds = self.definitions.kinds;
        // A path is a field of a solid here.
        let is_class = |name: &str| name != "path" && CLASSES.contains(&name);
        let is_known = |name: &str| name == NOTE || is_class(name) || kinds.contains(name);
        let name = entity.string("__identifier")?;
        let mut found = self.definitions.known(&name, is_known);
        entity.each("__tags", &mut |tag| {
            if found.is_none() {
                found = self.definitions.known(&tag.string()?, is_known);
            }
            Ok(())
        })?;
        let has_kind = || properties.iter().any(|property| property.key.name == "kind");
        let found = found.or_else(|| has_kind().then(|| "entity".into()));
        Ok(found.unwrap_or_else(|| self.definitions.style.plain(&name)))
    }
}
