//! Tables for people.

/// A line of titles and one for each row. Cells begin at the same places in the columns that are `left`, and end at the same
/// places in the others. The last cells of a row may be missing.
pub fn aligned<S: AsRef<str>>(
    titles: &[S],
    rows: impl IntoIterator<Item = Vec<String>>,
    left: impl Fn(usize) -> bool,
) -> Vec<String> {
    let titles = titles.iter().map(|title| title.as_ref().to_string()).collect();
    let lines: Vec<Vec<String>> = std::iter::once(titles).chain(rows).collect();
    let mut widths: Vec<usize> = Vec::new();
    for line in &lines {
        widths.resize(widths.len().max(line.len()), 0);
        let cells = widths.iter_mut().zip(line);
        cells.for_each(|(width, cell)| *width = cell.chars().count().max(*width));
    }
    let cell = |(column, cell): (usize, &String)| {
        let width = widths[column];
        if left(column) { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
    };
    let line = |line: &Vec<String>| {
        let cells: Vec<String> = line.iter().enumerate().map(cell).collect();
        cells.join("  ").trim_end().to_string()
    };
    lines.iter().map(line).collect()
}

/// A field of a CSV file (RFC 4180), in quotes if it has characters that CSV reads in another way.
fn csv_field(text: &str) -> String {
    let plain = !text.contains([',', '"', '\n', '\r']) && text.trim().len() == text.len();
    if plain { text.into() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}

/// A line of a CSV file.
pub fn csv_line(cells: &[String]) -> String {
    let fields: Vec<String> = cells.iter().map(|cell| csv_field(cell)).collect();
    format!("{}\r\n", fields.join(","))
}
