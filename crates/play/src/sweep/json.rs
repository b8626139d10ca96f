//! The results of a sweep as JSON.

use super::*;
use serde_json::json;

/// One object with the varied keys, the columns, the rows and what follows from them.
pub fn sweep_json(report: &SweepReport<'_>) -> Value {
    let sweep = report.sweep;
    let keys = sweep.plan().keys().iter();
    let keys: Vec<Value> = keys.map(|key| json!({ "key": key.key, "unit": unit_of_key(&key.key) })).collect();
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
        "columns": sweep.columns(),
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
    let mut object = json!({
        "run": row.run,
        "values": values,
        "measures": row.cells,
        "hash": hex(row.hash),
        "error": row.failure.as_ref().map(|failure| &failure.message),
    });
    if sweep.goal().is_some() {
        object["best"] = row.best.into();
    }
    if let Some(passed) = row.passed {
        object["pass"] = passed.into();
    }
    object
}

fn edges_json(edges: &PassEdges) -> Value {
    // Whole numbers are written as such.
    let number = |number: f64| -> Value { serde_json::from_str(&number.to_string()).unwrap_or(Value::Null) };
    let edge = |edge: &PassEdge| json!({ "below": number(edge.below), "above": number(edge.above), "passes_above": edge.passes_above });
    let list: Vec<Value> = edges.edges.iter().map(edge).collect();
    json!({
        "key": edges.key,
        "unit": edges.unit,
        "text": edges.sentence(),
        "edges": list,
    })
}
