//! Tables for people.

/// Lines whose cells begin at the same places in the columns that are `left`, and end at the same places in the others.
/// The last cells of a line may be missing.
pub fn aligned(lines: &[Vec<String>], left: impl Fn(usize) -> bool) -> Vec<String> {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
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

#[cfg(test)]
mod tests {
    use super::{aligned, csv_field};

    #[test]
    fn cells_are_below_each_other() {
        let lines = [["a", "bb", "1"], ["µµµ", "c", "20"]].map(|line| line.map(String::from).to_vec());
        assert_eq!(aligned(&lines, |column| column < 2), ["a    bb   1", "µµµ  c   20"]);
        assert_eq!(aligned(&lines, |column| column == 2), ["  a  bb  1", "µµµ   c  20"]);
        assert_eq!(aligned(&[vec!["a".into(), "b".into()], vec!["ccc".into()]], |_| false), ["  a  b", "ccc"]);
    }

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        for (text, right) in [
            ("", ""),
            ("1.5", "1.5"),
            ("a b", "a b"),
            (" a", "\" a\""),
            ("a,b", "\"a,b\""),
            ("say \"hi\"", "\"say \"\"hi\"\"\""),
            ("a\nb", "\"a\nb\""),
            ("größe", "größe"),
        ] {
            assert_eq!(csv_field(text), right);
        }
    }
}
