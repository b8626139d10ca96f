//! Draws egui over the picture.

use crate::size::Size;
use egui::{ClippedPrimitive, TexturesDelta};
use egui_wgpu::{Renderer, RendererOptions, ScreenDescriptor};
use pixels::wgpu;

/// What egui wants to be drawn in one picture.
pub(crate) struct PanelPicture {
    pub shapes: Vec<ClippedPrimitive>,
    pub textures: TexturesDelta,
    pub pixels_per_point: f32,
}

/// egui's textures and pipelines in the driver.
pub(super) struct PanelLayer(Renderer);

impl PanelLayer {
    pub fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        Self(Renderer::new(device, format, RendererOptions::default()))
    }

    /// Draws over what the target holds. Returns commands that must run before those of the encoder.
    pub fn draw(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        encoder: &mut wgpu::CommandEncoder,
        (target, size): (&wgpu::TextureView, Size),
        picture: &PanelPicture,
    ) -> Vec<wgpu::CommandBuffer> {
        for (id, delta) in &picture.textures.set {
            self.0.update_texture(device, queue, *id, delta);
        }
        let screen =
            ScreenDescriptor { size_in_pixels: [size.width, size.height], pixels_per_point: picture.pixels_per_point };
        let shapes = &picture.shapes;
        let before = self.0.update_buffers(device, queue, encoder, shapes, &screen);
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target,
                resolve_target: None,
                depth_slice: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
            })],
            ..wgpu::RenderPassDescriptor::default()
        });
        self.0.render(&mut pass.forget_lifetime(), shapes, &screen);
        for id in &picture.textures.free {
            self.0.free_texture(id);
        }
        before
    }
}
