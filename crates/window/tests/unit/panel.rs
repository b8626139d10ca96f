//! Tests of `src/panel/mod.rs`.

use super::{PanelWindow, SharedState};
use crate::tuning_link::PanelStudies;
use egui::{Context, RawInput, Rect, Shape, epaint::ClippedShape, pos2, vec2};
use hangtime_core::{models::ModelName, sim::Inputs};
use hangtime_game::{Project, unpack_playground};
use hangtime_script::STACK;
use hangtime_workbench::{ContractFacts, ContractRow, ContractState, Workbench};
use std::sync::Arc;

/// The texts that can be seen, and where.
fn texts(shapes: &[ClippedShape]) -> Vec<(String, Rect)> {
    fn add(shape: &Shape, clip: Rect, found: &mut Vec<(String, Rect)>) {
        match shape {
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| add(shape, clip, found)),
            Shape::Text(text) => {
                let seen = text.galley.mesh_bounds.translate(text.pos.to_vec2()).intersect(clip);
                if seen.is_positive() && !text.galley.text().trim().is_empty() {
                    found.push((text.galley.text().to_string(), seen));
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    shapes.iter().for_each(|shape| add(&shape.shape, shape.clip_rect, &mut found));
    found
}

/// The texts of the panel in a window of this size.
fn panel_in(width: f32, height: f32, plots_alone: bool) -> Vec<(String, Rect)> {
    let root = unpack_playground().expect("a copy of the playground");
    let project = Project::load(&root).expect("the playground");
    let level = project.find_level("playground").expect("its level");
    let revision = Arc::new(project.open(&level, &[]).expect("a good level"));
    let shared = SharedState::new(revision.clone());
    let mut bench = Workbench::new(revision.clone(), root.clone(), false);
    for frame in 0..90 {
        bench.frame(f64::from(frame) / 60.0, &mut |_| Inputs::none());
    }
    shared.tuning.look(true);
    let mut studies = PanelStudies::new(root.clone().into());
    let facts = loop {
        shared.tuning.pass(&mut bench, &mut studies);
        let facts = shared.tuning.look(true).facts.expect("an entity is picked");
        let measuring = |row: &ContractRow| row.state == ContractState::Measuring;
        match facts.contracts.as_deref() {
            Some(ContractFacts::Rows(rows)) if !rows.iter().any(measuring) => break facts,
            _ => std::thread::sleep(std::time::Duration::from_millis(5)),
        }
    };
    let mut panel = PanelWindow::new(root.clone().into(), revision);
    panel.plots_alone = plots_alone;
    let context = Context::default();
    let mut shown = Vec::new();
    // egui needs some pictures until everything has its size.
    for _ in 0..4 {
        let screen_rect = Some(Rect::from_min_size(pos2(0.0, 0.0), vec2(width, height)));
        let input = RawInput { screen_rect, ..RawInput::default() };
        let output = context.run_ui(input, |ui| panel.next_to_the_picture(ui, Some(&facts), &shared));
        shown = texts(&output.shapes);
    }
    std::fs::remove_dir_all(root).expect("the copy can be removed");
    shown
}

#[test]
fn numbers_and_plots_print_over_each_other_in_no_window_and_both_can_be_used() {
    let run = || {
        for (width, height) in [(640.0, 360.0), (640.0, 500.0), (1280.0, 720.0)] {
            for plots_alone in [false, true] {
                let shown = panel_in(width, height, plots_alone);
                for (index, (text, place)) in shown.iter().enumerate() {
                    assert!(place.right() <= width && place.bottom() <= height, "{text} {place:?}");
                    for (other, taken) in &shown[index + 1..] {
                        let both = place.intersect(*taken);
                        let apart = both.width() <= 2.0 || both.height() <= 2.0;
                        assert!(apart, "{width} x {height}: `{text}` over `{other}`: {both:?}");
                    }
                }
                let tunables = ModelName::platformer.tunables();
                let numbers = shown.iter().filter(|(text, _)| tunables.iter().any(|one| one.name == text));
                let curves = shown.iter().filter(|(text, _)| text.starts_with("— "));
                let is_low = height < 400.0;
                assert_eq!(numbers.count() >= 2, !(is_low && plots_alone), "{width} x {height}: {shown:?}");
                assert!(
                    shown.iter().any(|(text, _)| text == "✔ all 9 contracts hold"),
                    "{width} x {height}: {shown:?}"
                );
                assert_eq!(curves.count() >= 3, !is_low || plots_alone, "{width} x {height}: {shown:?}");
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run);
    thread.expect("a thread").join().expect("the test");
}
