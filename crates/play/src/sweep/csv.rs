//! The table of a sweep as CSV (RFC 4180), for other programs.

use super::row::SweepRow;
use super::session::ParameterSweep;
use std::io::{self, Write};

/// Writes a line for each row. The first line has the titles, beginning with `run`.
pub struct SweepCsv {
    out: Box<dyn Write + Send>,
}

impl SweepCsv {
    /// Begins the table.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn new(out: Box<dyn Write + Send>, sweep: &ParameterSweep) -> io::Result<Self> {
        let mut csv = Self { out };
        let mut titles = vec!["run".to_string()];
        titles.extend(sweep.plan().keys().iter().map(|key| key.key.clone()));
        titles.extend(sweep.columns().iter().map(|column| column.name.clone()));
        titles.extend(sweep.goal().map(|(_, name)| name.to_string()));
        titles.extend(sweep.has_pass().then(|| "pass".to_string()));
        titles.extend(["hash".to_string(), "error".to_string()]);
        csv.line(&titles)?;
        Ok(csv)
    }

    /// Adds a row.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn row(&mut self, sweep: &ParameterSweep, row: &SweepRow) -> io::Result<()> {
        let mut cells = vec![row.run.to_string()];
        cells.extend(sweep.plan().point(row.run).into_iter().map(|v| v.label));
        if row.failure.is_some() {
            let missing = sweep.columns().len() + usize::from(sweep.goal().is_some());
            cells.extend(std::iter::repeat_n(String::new(), missing));
        } else {
            cells.extend(row.cells.iter().map(|cell| match cell.as_json() {
                serde_json::Value::Bool(flag) => flag.to_string(),
                _ => cell.to_string(),
            }));
            if sweep.goal().is_some() {
                cells.push(row.best.map_or_else(String::new, |best| (best + 0.0).to_string()));
            }
        }
        cells.extend(row.passed.map(|passed| passed.to_string()));
        cells.push(format!("{:016x}", row.hash));
        let failure = row.failure.as_ref();
        cells.push(failure.map_or_else(String::new, |failure| failure.message.clone()));
        self.line(&cells)
    }

    /// Writes what is still in memory.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }

    fn line(&mut self, cells: &[String]) -> io::Result<()> {
        let cells: Vec<String> = cells.iter().map(|cell| field(cell)).collect();
        // One write for the whole line.
        self.out.write_all(format!("{}\r\n", cells.join(",")).as_bytes())
    }
}

/// A field, in quotes if it has characters that CSV reads in another way.
fn field(text: &str) -> String {
    let plain = !text.contains([',', '"', '\n', '\r']) && text.trim().len() == text.len();
    if plain { text.into() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}

#[cfg(test)]
mod tests {
    use super::field;

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
            assert_eq!(field(text), right);
        }
    }
}
