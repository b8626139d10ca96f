//! Writing SVG: shapes and texts at positions in px, from the top left corner.

use super::colors::INK;
use hangtime_draw::xml_text;
use std::fmt::Write as _;

/// The font of all texts. Programs replace those that they lack.
const FONT: &str = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

/// Where a text is, relative to its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A picture that is being drawn.
pub(super) struct Svg {
    text: String,
}

impl Svg {
    /// A white picture.
    pub fn new(width: f64, height: f64) -> Self {
        let mut text = String::new();
        let (width, height) = (px(width), px(height));
        // `OutputKind::Svg` knows earlier pictures by how they begin.
        let _ = writeln!(
            text,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"{FONT}\">"
        );
        let mut svg = Self { text };
        let _ = writeln!(svg.text, "<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>");
        svg
    }

    pub fn rect(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), fill: &str) {
        let [x, y, width, height] = [x, y, width, height].map(px);
        let _ = writeln!(
            self.text,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\" \
             shape-rendering=\"crispEdges\"/>"
        );
    }

    /// A straight line. `dashes` is empty for a solid one.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), (color, width): (&str, f64), dashes: &str) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(px);
        let dashes = match dashes {
            "" => String::new(),
            dashes => format!(" stroke-dasharray=\"{dashes}\""),
        };
        let _ = writeln!(
            self.text,
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{color}\" \
             stroke-width=\"{width}\"{dashes}/>"
        );
    }

    pub fn polyline(&mut self, points: &[(f64, f64)], color: &str) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{},{}", px(*x), px(*y))).collect();
        let _ = writeln!(
            self.text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.8\" \
             stroke-linejoin=\"round\"/>",
            points.join(" ")
        );
    }

    pub fn dot(&mut self, (x, y): (f64, f64), radius: f64, fill: &str) {
        let (x, y) = (px(x), px(y));
        let _ = writeln!(self.text, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\"/>");
    }

    pub fn label(&mut self, (x, y): (f64, f64), size: f64, anchor: Anchor, text: &str) {
        self.colored((x, y), size, anchor, (text, INK));
    }

    pub fn colored(&mut self, (x, y): (f64, f64), size: f64, anchor: Anchor, (text, color): (&str, &str)) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let (x, y) = (px(x), px(y));
        let _ = writeln!(
            self.text,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{color}\">{}</text>",
            xml_text(text)
        );
    }

    /// A text that reads upwards, around its middle.
    pub fn upwards(&mut self, (x, y): (f64, f64), size: f64, text: &str) {
        let (x, y) = (px(x), px(y));
        let _ = writeln!(
            self.text,
            "<text transform=\"translate({x} {y}) rotate(-90)\" font-size=\"{size}\" \
             text-anchor=\"middle\" fill=\"{INK}\">{}</text>",
            xml_text(text)
        );
    }

    pub fn finish(mut self) -> String {
        self.text += "</svg>\n";
        self.text
    }
}

/// A length with at most two decimal places.
fn px(x: f64) -> String {
    let text = format!("{x:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::px;
    use hangtime_draw::xml_text;

    #[test]
    fn texts_are_xml() {
        assert_eq!(xml_text("a < b && c > \"d\""), "a &lt; b &amp;&amp; c &gt; &quot;d&quot;");
        assert_eq!(xml_text("a\u{1b}[2J\n"), "a\u{fffd}[2J\u{fffd}");
    }

    #[test]
    fn lengths_are_short() {
        assert_eq!([1.0, 0.126, -0.001, 1200.0].map(px), ["1", "0.13", "0", "1200"]);
    }
}
