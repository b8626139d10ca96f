//! Scales the picture to the window without mixing its pixels, on black.

use crate::size::{Placement, Size};
use pixels::wgpu;

/// Two triangles of a square, with the picture on it. The viewport puts it where it belongs.
const SHADER: &str = "
struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) at: vec2<f32>,
}

@vertex
fn corner(@builtin(vertex_index) index: u32) -> Corner {
    let at = vec2<f32>(f32(index & 1u), f32(index >> 1u));
    var corner: Corner;
    corner.at = at;
    corner.position = vec4<f32>(at.x * 2.0 - 1.0, 1.0 - at.y * 2.0, 0.0, 1.0);
    return corner;
}

@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var nearest: sampler;

@fragment
fn color(corner: Corner) -> @location(0) vec4<f32> {
    return vec4<f32>(textureSample(picture, nearest, corner.at).rgb, 1.0);
}
";

/// The picture in the driver's memory, and how it is drawn.
pub(super) struct Scaler {
    stored: Stored,
    sampler: wgpu::Sampler,
    pipeline: wgpu::RenderPipeline,
    /// How the picture's colors are stored.
    format: wgpu::TextureFormat,
}

/// A picture of one size.
struct Stored {
    texture: wgpu::Texture,
    size: Size,
    bound: wgpu::BindGroup,
}

impl Scaler {
    /// For pictures of this size on surfaces of this format.
    pub fn new(device: &wgpu::Device, format: wgpu::TextureFormat, size: Size) -> Self {
        let pipeline = pipeline(device, format);
        // A surface that converts colors needs a picture that converts them back.
        let format = match format.is_srgb() {
            true => wgpu::TextureFormat::Rgba8UnormSrgb,
            false => wgpu::TextureFormat::Rgba8Unorm,
        };
        // The default sampler takes the nearest pixel.
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor::default());
        Self { stored: stored(device, (&pipeline, &sampler), format, size), sampler, pipeline, format }
    }

    /// Continues with pictures of another size.
    pub fn resize(&mut self, device: &wgpu::Device, size: Size) {
        if size != self.stored.size {
            let bound_to = (&self.pipeline, &self.sampler);
            self.stored = stored(device, bound_to, self.format, size);
        }
    }

    /// Stores the pixels of the next picture: rows of red, green, blue and alpha.
    pub fn upload(&self, queue: &wgpu::Queue, pixels: &[u8]) {
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(4 * self.stored.size.width),
            rows_per_image: None,
        };
        queue.write_texture(self.stored.texture.as_image_copy(), pixels, layout, extent(self.stored.size));
    }

    /// Clears the target and draws the picture at its place.
    pub fn draw(&self, encoder: &mut wgpu::CommandEncoder, target: &wgpu::TextureView, place: Placement) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target,
                resolve_target: None,
                depth_slice: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Store },
            })],
            ..wgpu::RenderPassDescriptor::default()
        });
        let (width, height) = (place.size.width as f32, place.size.height as f32);
        pass.set_viewport(place.x as f32, place.y as f32, width, height, 0.0, 1.0);
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.stored.bound, &[]);
        pass.draw(0..4, 0..1);
    }
}

/// Room for a picture of this size.
fn stored(
    device: &wgpu::Device,
    (pipeline, sampler): (&wgpu::RenderPipeline, &wgpu::Sampler),
    format: wgpu::TextureFormat,
    size: Size,
) -> Stored {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: extent(size),
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
    let bound = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&view) },
            wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(sampler) },
        ],
    });
    Stored { texture, size, bound }
}

fn extent(size: Size) -> wgpu::Extent3d {
    wgpu::Extent3d { width: size.width, height: size.height, depth_or_array_layers: 1 }
}

fn pipeline(device: &wgpu::Device, format: wgpu::TextureFormat) -> wgpu::RenderPipeline {
    let shader = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(SHADER.into()),
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: None,
        layout: None,
        vertex: wgpu::VertexState {
            module: &shader,
            entry_point: Some("corner"),
            buffers: &[],
            compilation_options: Default::default(),
        },
        primitive: wgpu::PrimitiveState { topology: wgpu::PrimitiveTopology::TriangleStrip, ..Default::default() },
        depth_stencil: None,
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module: &shader,
            entry_point: Some("color"),
            targets: &[Some(format.into())],
            compilation_options: Default::default(),
        }),
        multiview_mask: None,
        cache: None,
    })
}
