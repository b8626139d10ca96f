//! A level as an SVG: solids in the colors of their surfaces, zones, paths of platforms, and entities.

use super::*;
use hangtime_script::text::steers;
use std::{collections::BTreeSet, fmt::Write as _};

/// The space around everything, px.
const MARGIN: f64 = 32.0;

/// The height of a line of the legend, px, in a picture that is `LEGEND_WIDTH` wide.
const LEGEND_LINE: f64 = 22.0;
const LEGEND_WIDTH: f64 = 1000.0;

/// An SVG that is being written. y points down in it.
struct SvgWriter<'a> {
    level: &'a Level,
    /// How large lines and letters are, for levels of every size.
    unit: f64,
    out: String,
}

/// Draws a whole level with its entities where they start.
pub fn level_svg(level: &Level, bodies: &[EntityView]) -> String {
    let area = area_of(level, bodies);
    let size = area.max - area.min;
    let mut svg = SvgWriter { level, unit: (size.x / LEGEND_WIDTH).max(0.5), out: String::new() };
    svg.begin(area);
    for zone in level.zones.list() {
        let color = palette::zone(zone);
        let style = format!(
            "fill=\"{0}\" fill-opacity=\"0.25\" stroke=\"{0}\" stroke-width=\"{1}\" stroke-dasharray=\"4\"",
            color.hex(),
            svg.unit
        );
        svg.polygon(&zone.points, &style, &format!("zone {}", zone.name));
    }
    let mut solids: Vec<&Solid> = level.terrain.solids().iter().collect();
    if level.view == View::Top {
        solids.sort_by(|a, b| a.top.total_cmp(&b.top));
    }
    for solid in solids {
        svg.solid(solid);
    }
    for body in bodies.iter().filter(|body| body.model.is_some()) {
        svg.body(body);
    }
    for zone in level.zones.list() {
        let at = zone.points.iter().copied().reduce(|a, b| DVec2::new(a.x.min(b.x), a.y.max(b.y)));
        svg.label(at.unwrap_or_default() + DVec2::new(4.0, -14.0) * svg.unit, &zone.name, "start");
    }
    svg.legend(area);
    svg.out + "</svg>\n"
}

/// The area that is shown: everything in the level.
pub fn area_of(level: &Level, bodies: &[EntityView]) -> Bounds {
    let mut points: Vec<DVec2> = Vec::new();
    for solid in level.terrain.solids() {
        let reach = solid.path.as_ref().map(hangtime_core::level::Path::reach);
        for bounds in [Some(DVec2::ZERO), reach.map(|r| r.min), reach.map(|r| r.max)].into_iter().flatten() {
            points.extend([solid.bounds.min + bounds, solid.bounds.max + bounds]);
        }
    }
    points.extend(level.zones.list().iter().flat_map(|zone| zone.points.iter().copied()));
    points.extend(bodies.iter().filter(|body| body.model.is_some()).map(|body| body.pos));
    if points.is_empty() {
        points.push(DVec2::ZERO);
    }
    let around = Bounds::around(&points);
    Bounds { min: around.min - DVec2::splat(MARGIN), max: around.max + DVec2::splat(MARGIN) }
}

impl SvgWriter<'_> {
    fn begin(&mut self, area: Bounds) {
        let size = area.max - area.min;
        let legend = if self.surfaces().is_empty() { 0.0 } else { LEGEND_LINE * self.unit };
        let _ = write!(
            self.out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{} {} {} {}\" font-family=\"sans-serif\">\n\
             <title>{}</title>\n<rect x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\" fill=\"{}\"/>\n",
            area.min.x,
            0.0 - area.max.y,
            size.x,
            size.y + legend,
            xml_text(&self.level.name),
            palette::background(self.level).hex()
        );
    }

    fn solid(&mut self, solid: &Solid) {
        let name = self.level.surface_name(solid.surface);
        let palette::ShapeColors { fill, edge } = palette::solid(self.level, solid);
        let is_off = solid.present == Some(false);
        let cover = if is_off { 0.15 } else { 1.0 };
        let dashes = if solid.present.is_some() { " stroke-dasharray=\"6 4\"" } else { "" };
        let (fill, edge) = (fill.hex(), edge.hex());
        let title = format!("{} ({name})", solid.name);
        if solid.one_way {
            let style = format!("fill=\"none\" stroke=\"{edge}\" stroke-width=\"{}\"{dashes}", 4.0 * self.unit);
            self.shape("polyline", &solid.points, &style, &title);
        } else {
            let style = format!(
                "fill=\"{fill}\" fill-opacity=\"{cover}\" stroke=\"{edge}\" stroke-width=\"{}\"{dashes}",
                self.unit
            );
            self.polygon(&solid.points, &style, &title);
        }
        if let Some(path) = &solid.path {
            let center = (solid.bounds.min + solid.bounds.max) / 2.0;
            let way: Vec<DVec2> = path.points().iter().map(|offset| center + *offset).collect();
            let style = format!(
                "fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-dasharray=\"8 6\"",
                palette::WARN.hex(),
                2.0 * self.unit
            );
            self.shape("polyline", &way, &style, &format!("the path of {}", solid.name));
        }
    }

    fn body(&mut self, body: &EntityView) {
        let colors = palette::body(body);
        let style = format!(
            "fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\"",
            colors.fill.hex(),
            colors.edge.hex(),
            1.5 * self.unit
        );
        let title = format!("{} ({})", body.name, body.kind);
        match &body.pieces {
            Some(pieces) => {
                let turn = DVec2::new(libm::cos(body.angle), libm::sin(body.angle));
                for piece in pieces.iter() {
                    let points: Vec<DVec2> = piece.points.iter().map(|p| body.pos + turn.rotate(*p)).collect();
                    self.polygon(&points, &style, &title);
                }
            }
            None if !body.collider().is_round() => {
                // A capsule is a box with round corners.
                let (corner, radius) = (body.pos - body.half, body.collider().round());
                let _ = writeln!(
                    self.out,
                    "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" {style}><title>{}</title></rect>",
                    corner.x,
                    0.0 - (corner.y + 2.0 * body.half.y),
                    2.0 * body.half.x,
                    2.0 * body.half.y,
                    radius.x,
                    xml_text(&title)
                );
            }
            None => {
                let _ = writeln!(
                    self.out,
                    "<ellipse cx=\"{}\" cy=\"{}\" rx=\"{}\" ry=\"{}\" {style}><title>{}</title></ellipse>",
                    body.pos.x,
                    0.0 - body.pos.y,
                    body.half.x,
                    body.half.y,
                    xml_text(&title)
                );
            }
        }
        let above = DVec2::new(0.0, body.half.y + 5.0 * self.unit);
        self.label(body.pos + above, &body.name, "middle");
    }

    fn polygon(&mut self, points: &[DVec2], style: &str, title: &str) {
        self.shape("polygon", points, style, title);
    }

    fn shape(&mut self, element: &str, points: &[DVec2], style: &str, title: &str) {
        let points: Vec<String> = points.iter().map(|p| format!("{},{}", p.x, 0.0 - p.y)).collect();
        let (points, title) = (points.join(" "), xml_text(title));
        let _ = writeln!(self.out, "<{element} points=\"{points}\" {style}><title>{title}</title></{element}>");
    }

    fn label(&mut self, at: DVec2, text: &str, anchor: &str) {
        let (x, y) = (at.x, 0.0 - at.y);
        let (size, color) = (11.0 * self.unit, palette::TEXT.hex());
        let _ = writeln!(
            self.out,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{color}\" text-anchor=\"{anchor}\">{}</text>",
            xml_text(text)
        );
    }

    /// The surfaces of the level's solids, in the order of their names.
    fn surfaces(&self) -> BTreeSet<String> {
        let solids = self.level.terrain.solids().iter();
        solids.map(|solid| self.level.surface_name(solid.surface).to_string()).collect()
    }

    /// A line with the color of each surface.
    fn legend(&mut self, area: Bounds) {
        let mut x = area.min.x + 8.0 * self.unit;
        let y = area.min.y - 15.0 * self.unit;
        for name in self.surfaces() {
            let colors = palette::surface(&name);
            let side = 11.0 * self.unit;
            let _ = writeln!(
                self.out,
                "<rect x=\"{x}\" y=\"{}\" width=\"{side}\" height=\"{side}\" fill=\"{}\" stroke=\"{}\"/>",
                0.0 - y - side * 0.85,
                colors.fill.hex(),
                colors.edge.hex()
            );
            self.label(DVec2::new(x + side * 1.4, y), &name, "start");
            x += side * 3.0 + name.chars().count() as f64 * 6.5 * self.unit;
        }
    }
}

/// A text in XML, without characters that XML cannot have or that steer a terminal.
pub fn xml_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            c if steers(c) || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
