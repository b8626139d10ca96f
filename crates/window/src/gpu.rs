//! The graphics driver: puts pictures into the window, through a surface that this module owns. egui's renderer draws
//! the game's picture as a texture and the panel over it.

use super::{
    presenter::{Driver, DriverAnswer},
    size::{is_empty, within},
    *,
};
use egui::{
    ClippedPrimitive, Color32, ColorImage, Mesh, Rect, TextureId, TextureOptions, TexturesDelta,
    epaint::{ImageDelta, Primitive},
    pos2, vec2,
};
use egui_wgpu::{Renderer, RendererOptions, ScreenDescriptor};
use pixels::wgpu;
use winit::event_loop::OwnedDisplayHandle;

/// The texture of the game's picture.
const PICTURE: TextureId = TextureId::User(0);

/// An open driver with the window's surface.
pub struct Gpu {
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    device: wgpu::Device,
    queue: wgpu::Queue,
    renderer: Renderer,
    /// The size of the picture's texture, once there is one.
    stored: Option<[usize; 2]>,
    errors: Arc<DriverErrors>,
}

/// A picture of the surface to draw on.
pub struct SurfacePicture(wgpu::SurfaceTexture);

/// What egui wants to be drawn in one picture.
#[derive(Default)]
pub struct PanelPicture {
    pub shapes: Vec<ClippedPrimitive>,
    pub textures: TexturesDelta,
    pub pixels_per_point: f32,
}

/// What the driver reports at any time, on any thread.
#[derive(Default)]
struct DriverErrors {
    lost: AtomicBool,
    out_of_memory: AtomicBool,
    last: Mutex<String>,
}

impl DriverErrors {
    fn note(&self, error: &wgpu::Error) {
        if matches!(error, wgpu::Error::OutOfMemory { .. }) {
            self.out_of_memory.store(true, Ordering::Relaxed);
        }
        self.lose(&error.to_string());
    }

    fn lose(&self, reason: &str) {
        // The first line says what failed; the others are for people who debug the driver.
        let line = reason.lines().find(|line| !line.trim().is_empty());
        *self.last.lock() = line.unwrap_or_default().trim().to_string();
        self.lost.store(true, Ordering::Relaxed);
    }
}

impl Gpu {
    /// Opens a driver that can draw in the window.
    ///
    /// # Errors
    /// If there is no driver, or it cannot hold the picture.
    pub fn open(display: OwnedDisplayHandle, window: &Arc<Window>, picture: Size) -> Result<Self, WindowError> {
        pollster::block_on(Self::open_async(display, window, picture))
    }

    async fn open_async(display: OwnedDisplayHandle, window: &Arc<Window>, picture: Size) -> Result<Self, WindowError> {
        let options = wgpu::InstanceDescriptor::new_with_display_handle(Box::new(display));
        let instance = wgpu::Instance::new(options.with_env());
        let surface = match instance.create_surface(window.clone()) {
            Ok(surface) => surface,
            Err(error) => {
                let drivers = instance.enumerate_adapters(wgpu::Backends::all()).await;
                return Err(if drivers.is_empty() {
                    WindowError::NoDriver
                } else {
                    WindowError::Driver(error.to_string())
                });
            }
        };
        let adapter = find_adapter(&instance, &surface).await?;
        let required_limits = adapter.limits();
        let wanted = wgpu::DeviceDescriptor { required_limits, ..Default::default() };
        let opened = adapter.request_device(&wanted).await;
        let (device, queue) = opened.map_err(|error| WindowError::Driver(error.to_string()))?;
        let errors = Arc::new(DriverErrors::default());
        watch(&device, &errors);
        pixels::check_texture_size(&device, picture.width, picture.height)
            .map_err(|_| WindowError::Picture(picture.width, picture.height))?;
        let config = configuration(&surface, &adapter).ok_or(WindowError::NoDriver)?;
        let renderer = Renderer::new(&device, config.format, RendererOptions::default());
        let mut gpu = Self { surface, config, device, queue, renderer, stored: None, errors };
        gpu.adapt(window.inner_size());
        gpu.check()?;
        Ok(gpu)
    }

    /// The longest side of a surface, px.
    pub fn longest(&self) -> u32 {
        self.device.limits().max_texture_dimension_2d
    }

    /// Shows a picture at its place in the window, on black, and the panel over it.
    pub fn show(
        &mut self,
        frame: SurfacePicture,
        (picture, place): (&Pixmap, Placement),
        panel: Option<PanelPicture>,
        window: &Window,
    ) {
        let mut panel = panel.unwrap_or_else(|| PanelPicture { pixels_per_point: 1.0, ..Default::default() });
        panel.shapes.insert(0, self.stored(picture, place, panel.pixels_per_point));
        let SurfacePicture(texture) = frame;
        let view = texture.texture.create_view(&Default::default());
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let before = self.draw(&mut encoder, &view, &panel);
        self.queue.submit(before.into_iter().chain([encoder.finish()]));
        // Wayland tells the window when the next picture is due.
        window.pre_present_notify();
        texture.present();
    }

    /// Stores the pixels of the game's picture. Returns it as a shape that does not mix them.
    fn stored(&mut self, picture: &Pixmap, place: Placement, pixels_per_point: f32) -> ClippedPrimitive {
        let size = [picture.width() as usize, picture.height() as usize];
        let image = ColorImage::from_rgba_premultiplied(size, picture.data());
        let delta = if self.stored.replace(size) == Some(size) {
            ImageDelta::partial([0, 0], image, TextureOptions::NEAREST)
        } else {
            ImageDelta::full(image, TextureOptions::NEAREST)
        };
        self.renderer.update_texture(&self.device, &self.queue, PICTURE, &delta);
        let corner = pos2(place.x as f32, place.y as f32) / pixels_per_point;
        let size = vec2(place.size.width as f32, place.size.height as f32) / pixels_per_point;
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        let mut mesh = Mesh::with_texture(PICTURE);
        mesh.add_rect_with_uv(Rect::from_min_size(corner, size), whole, Color32::WHITE);
        ClippedPrimitive { clip_rect: Rect::EVERYTHING, primitive: Primitive::Mesh(mesh) }
    }

    /// Draws shapes on black. Returns commands that must run before the encoder's commands.
    fn draw(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        picture: &PanelPicture,
    ) -> Vec<wgpu::CommandBuffer> {
        for (id, delta) in &picture.textures.set {
            self.renderer.update_texture(&self.device, &self.queue, *id, delta);
        }
        let screen = ScreenDescriptor {
            size_in_pixels: [self.config.width, self.config.height],
            pixels_per_point: picture.pixels_per_point,
        };
        let before = self.renderer.update_buffers(&self.device, &self.queue, encoder, &picture.shapes, &screen);
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target,
                resolve_target: None,
                depth_slice: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        });
        self.renderer.render(&mut pass.forget_lifetime(), &picture.shapes, &screen);
        for id in &picture.textures.free {
            self.renderer.free_texture(id);
        }
        before
    }
}

impl Driver for Gpu {
    type Frame = SurfacePicture;

    /// Fails if the driver has run out of memory.
    fn check(&self) -> Result<(), WindowError> {
        if self.errors.out_of_memory.load(Ordering::Relaxed) {
            Err(WindowError::OutOfMemory)
        } else {
            Ok(())
        }
    }

    /// This may wait for the screen, for a second at most.
    fn next_frame(&self) -> DriverAnswer<SurfacePicture> {
        use wgpu::CurrentSurfaceTexture as Current;
        if self.errors.lost.load(Ordering::Relaxed) {
            return DriverAnswer::Lost;
        }
        match self.surface.get_current_texture() {
            Current::Success(texture) => DriverAnswer::Ready(SurfacePicture(texture)),
            Current::Suboptimal(texture) => DriverAnswer::Suboptimal(SurfacePicture(texture)),
            Current::Outdated => DriverAnswer::Outdated,
            Current::Timeout | Current::Occluded => DriverAnswer::NotNow,
            Current::Lost | Current::Validation => DriverAnswer::Lost,
        }
    }

    fn size(&self) -> Size {
        Size::new(self.config.width, self.config.height)
    }

    fn adapt(&mut self, size: Size) {
        let size = within(size, self.longest());
        if !is_empty(size) {
            (self.config.width, self.config.height) = (size.width, size.height);
            self.surface.configure(&self.device, &self.config);
        }
    }

    fn last_error(&self) -> String {
        self.errors.last.lock().clone()
    }
}

/// Notes what the driver reports. Without this, an error would end the program.
fn watch(device: &wgpu::Device, errors: &Arc<DriverErrors>) {
    let (noted, losses) = (errors.clone(), errors.clone());
    device.on_uncaptured_error(Arc::new(move |error| noted.note(&error)));
    device.set_device_lost_callback(move |reason, text| {
        if reason != wgpu::DeviceLostReason::Destroyed {
            losses.lose(&text);
        }
    });
}

/// The driver that `WGPU_ADAPTER_NAME` asks for, or else the system's choice.
async fn find_adapter(instance: &wgpu::Instance, surface: &wgpu::Surface<'_>) -> Result<wgpu::Adapter, WindowError> {
    if let Ok(name) = std::env::var("WGPU_ADAPTER_NAME") {
        let name = name.to_lowercase();
        let adapters = instance.enumerate_adapters(wgpu::Backends::all()).await;
        let named = adapters.into_iter().find(|adapter| {
            adapter.get_info().name.to_lowercase().contains(&name) && adapter.is_surface_supported(surface)
        });
        if let Some(adapter) = named {
            return Ok(adapter);
        }
    }
    let options = wgpu::RequestAdapterOptions {
        power_preference: wgpu::PowerPreference::from_env().unwrap_or_default(),
        compatible_surface: Some(surface),
        ..wgpu::RequestAdapterOptions::default()
    };
    let found = instance.request_adapter(&options).await;
    found.map_err(|_| WindowError::NoDriver)
}

/// How the surface is used: colors are stored as the picture has them, and a picture waits for at
/// most one other.
fn configuration(surface: &wgpu::Surface<'_>, adapter: &wgpu::Adapter) -> Option<wgpu::SurfaceConfiguration> {
    use wgpu::TextureFormat::{Bgra8Unorm, Rgba8Unorm};
    let formats = surface.get_capabilities(adapter).formats;
    let plain = formats.iter().find(|format| matches!(format, Bgra8Unorm | Rgba8Unorm));
    let format = *plain.or(formats.first())?;
    let mut config = surface.get_default_config(adapter, 1, 1)?;
    config.format = format;
    config.present_mode = wgpu::PresentMode::AutoVsync;
    config.desired_maximum_frame_latency = 1;
    Some(config)
}
