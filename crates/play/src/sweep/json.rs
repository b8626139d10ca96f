//! The results of a sweep as JSON.

use super::edges::PassEdges;
use super::report::SweepReport;
use super::row::SweepRow;
use super::session::ParameterSweep;
use super::unaffected::unit_of_key;
use serde_json::{Map, Value, json};

/// One object with the varied keys, the columns, the rows and what follows from them.
pub fn sweep_json(report: &SweepReport<'_>) -> Value {
    let sweep = report.sweep;
    let keys = sweep.plan().keys().iter();
    let keys: Vec<Value> = keys.map(|key| json!({ "key": key.key, "unit": unit_of_key(&key.key) })).collect();
    let columns = sweep.columns().iter();
    let columns: Vec<Value> = columns.map(|column| json!({ "name": column.name, "unit": column.unit })).collect();
    let rows: Vec<Value> = report.rows.iter().map(|row| row_json(sweep, row)).collect();
    let best = report.best.as_ref().map(|best| {
        let runs: Vec<String> = best.runs.iter().map(|run| sweep.plan().name(*run)).collect();
        json!({
            "goal": best.goal.option().trim_start_matches('-'),
            "expression": sweep.goal().map(|(_, name)| name),
            "value": best.value,
            "at": runs,
        })
    });
    json!({
        "sweep": 1,
        "level": sweep.level_name(),
        "keys": keys,
        "columns": columns,
        "rows": rows,
        "edges": report.edges.as_ref().map(edges_json),
        "best": best,
    })
}

fn row_json(sweep: &ParameterSweep, row: &SweepRow) -> Value {
    let values = sweep.plan().point(row.run).into_iter();
    let values: Vec<Value> = values
        .map(|value| match value.number {
            Some(_) => serde_json::from_str(&value.label).unwrap_or(Value::Null),
            None => Value::String(value.label),
        })
        .collect();
    let mut object = Map::new();
    object.insert("run".into(), row.run.into());
    object.insert("values".into(), values.into());
    let measures = row.cells.iter().map(super::row::SweepCell::as_json);
    object.insert("measures".into(), measures.collect());
    if sweep.goal().is_some() {
        object.insert("best".into(), row.best.into());
    }
    if let Some(passed) = row.passed {
        object.insert("pass".into(), passed.into());
    }
    object.insert("hash".into(), format!("{:016x}", row.hash).into());
    let error = row.failure.as_ref().map(|failure| failure.message.clone());
    object.insert("error".into(), error.into());
    Value::Object(object)
}

fn edges_json(edges: &PassEdges) -> Value {
    // Whole numbers are written as such.
    let number = |number: f64| -> Value { serde_json::from_str(&number.to_string()).unwrap_or(Value::Null) };
    let list: Vec<Value> = edges
        .edges
        .iter()
        .map(|edge| {
            json!({
                "below": number(edge.below),
                "above": number(edge.above),
                "passes_above": edge.passes_above,
            })
        })
        .collect();
    json!({
        "key": edges.key,
        "unit": edges.unit,
        "text": edges.sentence(),
        "edges": list,
    })
}
