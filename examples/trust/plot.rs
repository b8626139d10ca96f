//! The plot of memory over time.

use plotters::prelude::*;
use std::{io, path::Path};

/// Draws samples, in MiB, that were taken at equal distances over some seconds.
pub fn memory(path: &Path, seconds: f64, samples: &[f64]) -> io::Result<()> {
    draw(path, seconds, samples).map_err(io::Error::other)
}

fn draw(path: &Path, seconds: f64, samples: &[f64]) -> Result<(), String> {
    let text = |error: &dyn std::error::Error| error.to_string();
    let area = SVGBackend::new(path, (720, 280)).into_drawing_area();
    area.fill(&WHITE).map_err(|error| text(&error))?;
    let most = samples.iter().copied().fold(1.0, f64::max);
    let mut chart = ChartBuilder::on(&area)
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(48)
        .build_cartesian_2d(0.0..seconds, 0.0..most * 1.2)
        .map_err(|error| text(&error))?;
    let mut mesh = chart.configure_mesh();
    let mesh = mesh.x_desc("time, s").y_desc("memory, MiB").light_line_style(WHITE);
    mesh.draw().map_err(|error| text(&error))?;
    let step = seconds / samples.len().max(1) as f64;
    let line = samples.iter().enumerate().map(|(i, &mib)| (i as f64 * step, mib));
    chart
        .draw_series(LineSeries::new(line, BLUE.stroke_width(2)))
        .map_err(|error| text(&error))?;
    area.present().map_err(|error| text(&error))
}
