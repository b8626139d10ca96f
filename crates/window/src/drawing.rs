//! The picture in the window.

use super::shared::Published;
use super::spectacle::FrameTimes;
use hangtime_draw::{
    Picture, Show, between, hud_line, paint, paint_banner, paint_frames, paint_ghosts, paint_menu, paint_notes,
};
use tiny_skia::Pixmap;

/// Draws the state between the last two ticks, `since` seconds after the last one.
pub(super) fn draw(canvas: &mut Pixmap, published: &Published, frames: &FrameTimes, since: f64) {
    let hz = f64::from(published.revision.stage.hz);
    let pace = hz * published.bench.speed.min(1.0);
    let share = (since * pace).clamp(0.0, 1.0);
    let share = if published.paused { 1.0 } else { share };
    let bodies = between(&published.before, &published.now, share);
    let first = published.now.iter().find(|b| b.player == 1).or(published.now.first());
    let mut hud = hud_line(first, published.revision.number);
    hud.push_str("   ");
    hud.push_str(&published.bench.status);
    let picture = Picture {
        // Platforms are drawn between the two ticks as well.
        time: (published.time - (1.0 - share) / hz).max(0.0),
        level: &published.revision.stage.level,
        changes: &published.changes,
        bodies: &bodies,
        hud: &hud,
        // The banner comes last, over the notes and the measures of ghosts.
        banner: "",
        why: &published.why,
        show: Show {
            ticks: Some(published.ticks),
            drawing: Some(&published.drawing),
            art: Some(&published.revision.art),
            ..published.spectacle.show(share, frames)
        },
    };
    paint(canvas, &picture);
    paint_ghosts(canvas, &picture, &published.bench.ghosts);
    // The panel that explains motion is at the bottom.
    let at_top = !published.why.is_empty();
    paint_notes(canvas, &published.bench.notes, at_top);
    paint_frames(canvas, &picture);
    paint_banner(canvas, &picture, &published.banner);
    let keys = &published.revision.config.keys;
    published.spectacle.paint_help(canvas, keys);
    if let Some(menu) = &published.menu {
        let title = "Levels - arrow keys and Enter, a number, or a click; Escape closes";
        paint_menu(canvas, title, &menu.rows(), menu.row());
    }
    paint_banner(canvas, &picture, &published.alert);
}
