//! The graphics driver: puts pictures into the window, through a surface that this module owns.
//!
//! `pixels` has a surface as well, but keeps it private and asks it again and again, with the size
//! that it knows, until it gets a picture. While a window is being resized that never ends, because
//! the new size is only read once the picture is there. Here each redraw asks once.

mod overlay;
mod scaler;

use super::error::WindowError;
use super::presenter::Driver;
use super::recovery::Answer;
use super::size::{Placement, Size};
use overlay::PanelLayer;
pub(super) use overlay::PanelPicture;
use pixels::wgpu;
use scaler::Scaler;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use tiny_skia::Pixmap;
use winit::event_loop::OwnedDisplayHandle;
use winit::window::Window;

/// An open driver with the window's surface.
pub(super) struct Gpu {
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    device: wgpu::Device,
    queue: wgpu::Queue,
    scaler: Scaler,
    overlay: PanelLayer,
    trouble: Arc<Trouble>,
}

/// A picture of the surface to draw on.
pub(super) struct SurfacePicture(wgpu::SurfaceTexture);

/// What the driver reports at any time, on any thread.
#[derive(Default)]
struct Trouble {
    lost: AtomicBool,
    out_of_memory: AtomicBool,
    last: Mutex<String>,
}

impl Trouble {
    fn note(&self, error: &wgpu::Error) {
        if matches!(error, wgpu::Error::OutOfMemory { .. }) {
            self.out_of_memory.store(true, Ordering::Relaxed);
        }
        self.lose(&error.to_string());
    }

    fn lose(&self, reason: &str) {
        // The first line says what failed; the others are for people who debug the driver.
        let line = reason.lines().find(|line| !line.trim().is_empty());
        let mut last = self.last.lock().unwrap_or_else(|e| e.into_inner());
        *last = line.unwrap_or_default().trim().to_string();
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
                return Err(match drivers.is_empty() {
                    true => WindowError::NoDriver,
                    false => WindowError::Driver(error.to_string()),
                });
            }
        };
        let adapter = find_adapter(&instance, &surface).await?;
        let limits = adapter.limits();
        let (device, queue) = adapter
            .request_device(&wgpu::DeviceDescriptor {
                required_limits: limits.clone(),
                ..wgpu::DeviceDescriptor::default()
            })
            .await
            .map_err(|error| WindowError::Driver(error.to_string()))?;
        let trouble = Arc::new(Trouble::default());
        watch(&device, &trouble);
        pixels::check_texture_size(&device, picture.width, picture.height)
            .map_err(|_| WindowError::Picture(picture.width, picture.height))?;
        let config = configuration(&surface, &adapter).ok_or(WindowError::NoDriver)?;
        let scaler = Scaler::new(&device, config.format, picture);
        let mut gpu =
            Self { overlay: PanelLayer::new(&device, config.format), surface, config, device, queue, scaler, trouble };
        let size = window.inner_size();
        gpu.adapt(Size::new(size.width, size.height));
        gpu.check()?;
        Ok(gpu)
    }

    /// The longest side of a surface, px.
    pub fn longest(&self) -> u32 {
        self.device.limits().max_texture_dimension_2d
    }

    /// Shows a picture at its place in the window, and the panel over it.
    pub fn show(
        &mut self,
        frame: SurfacePicture,
        (picture, place): (&Pixmap, Placement),
        panel: Option<&PanelPicture>,
        window: &Window,
    ) {
        let size = Size::new(picture.width(), picture.height());
        self.scaler.resize(&self.device, size);
        self.scaler.upload(&self.queue, picture.data());
        let SurfacePicture(texture) = frame;
        let view = texture.texture.create_view(&Default::default());
        let mut encoder = self.device.create_command_encoder(&Default::default());
        self.scaler.draw(&mut encoder, &view, place);
        let (driver, size) = ((&self.device, &self.queue), self.size());
        let before = panel.map(|panel| {
            let target = (&view, size);
            self.overlay.draw(driver, &mut encoder, target, panel)
        });
        let commands = before.into_iter().flatten().chain([encoder.finish()]);
        self.queue.submit(commands);
        // Wayland tells the window when the next picture is due.
        window.pre_present_notify();
        texture.present();
    }
}

impl Driver for Gpu {
    type Frame = SurfacePicture;

    /// Fails if the driver has run out of memory.
    fn check(&self) -> Result<(), WindowError> {
        match self.trouble.out_of_memory.load(Ordering::Relaxed) {
            true => Err(WindowError::OutOfMemory),
            false => Ok(()),
        }
    }

    /// This may wait for the screen, for a second at most.
    fn next_frame(&self) -> (Answer, Option<SurfacePicture>) {
        use wgpu::CurrentSurfaceTexture as Current;
        if self.trouble.lost.load(Ordering::Relaxed) {
            return (Answer::Lost, None);
        }
        match self.surface.get_current_texture() {
            Current::Success(texture) => (Answer::Ready, Some(SurfacePicture(texture))),
            Current::Suboptimal(texture) => (Answer::Suboptimal, Some(SurfacePicture(texture))),
            Current::Outdated => (Answer::Outdated, None),
            Current::Timeout | Current::Occluded => (Answer::NotNow, None),
            Current::Lost | Current::Validation => (Answer::Lost, None),
        }
    }

    fn size(&self) -> Size {
        Size::new(self.config.width, self.config.height)
    }

    fn adapt(&mut self, size: Size) {
        let size = size.within(self.longest());
        if !size.is_empty() {
            (self.config.width, self.config.height) = (size.width, size.height);
            self.surface.configure(&self.device, &self.config);
        }
    }

    fn complaint(&self) -> String {
        let last = self.trouble.last.lock();
        last.unwrap_or_else(|e| e.into_inner()).clone()
    }
}

/// Notes what the driver reports. Without this, an error would end the program.
fn watch(device: &wgpu::Device, trouble: &Arc<Trouble>) {
    let (errors, losses) = (trouble.clone(), trouble.clone());
    device.on_uncaptured_error(Arc::new(move |error| errors.note(&error)));
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
