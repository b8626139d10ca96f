//! Gets pictures into the window whatever the driver answers. Knows neither a driver nor a window, so tests
//! can answer anything.

use super::*;

/// The time after which a driver that has failed is opened again.
pub const REOPEN: Duration = Duration::from_millis(200);

/// How often the driver is opened again before a picture has come.
const MAX_REOPENED: u32 = 5;

/// What the driver answers when it is asked for the next picture.
#[derive(Clone, Copy, Debug)]
pub enum DriverAnswer<F> {
    /// A picture of the window's size.
    Ready(F),
    /// A picture, but the window has changed since.
    Suboptimal(F),
    /// None: the window has changed.
    Outdated,
    /// None yet, or none is needed because the window is hidden.
    NotNow,
    /// None: the surface or the device is gone.
    Lost,
}

/// An open driver with the surface of the window.
pub trait Driver {
    /// A picture of the surface to draw on.
    type Frame;

    /// # Errors
    /// If opening the driver again would not help.
    fn check(&self) -> Result<(), WindowError>;

    /// Asks for the next picture, once.
    fn next_frame(&self) -> DriverAnswer<Self::Frame>;

    /// The size that the surface has been adapted to.
    fn size(&self) -> Size;

    /// Adapts the surface to a size. Sizes without pixels are ignored.
    fn adapt(&mut self, size: Size);

    /// The last error that the driver has reported.
    fn last_error(&self) -> String;
}

/// What a redraw leads to.
#[derive(Debug, PartialEq)]
pub enum RedrawStep<F> {
    /// A picture to draw on and show.
    Show(F),
    /// No picture this time.
    Nothing,
    /// No picture; the driver is opened again after [`REOPEN`].
    Wait,
}

/// The driver, and what has been tried since the last picture.
pub struct Presenter<D> {
    /// None while it is to be opened again.
    driver: Option<D>,
    /// How often it was opened again.
    reopened: u32,
    /// Whether the surface was adapted to a suboptimal picture.
    adapted: bool,
    /// Whether the surface is adapted after the picture that is being shown.
    adapt_after: bool,
}

impl<D: Driver> Presenter<D> {
    pub fn new(driver: D) -> Self {
        Self { driver: Some(driver), reopened: 0, adapted: false, adapt_after: false }
    }

    /// The driver; none while it is to be opened again with [`Presenter::reopened`].
    pub fn driver(&mut self) -> Option<&mut D> {
        self.driver.as_mut()
    }

    /// The size of the surface; `None` without a driver.
    pub fn size(&self) -> Option<Size> {
        self.driver.as_ref().map(D::size)
    }

    /// Asks the driver for a picture, once. `size` is the window's size, which may not have been reported yet.
    ///
    /// # Errors
    /// If the driver will not draw any more.
    pub fn ask(&mut self, size: impl Fn() -> Size) -> Result<RedrawStep<D::Frame>, WindowError> {
        let Some(driver) = &mut self.driver else {
            return Ok(RedrawStep::Wait);
        };
        driver.check()?;
        self.adapt_after = false;
        Ok(match driver.next_frame() {
            DriverAnswer::Ready(frame) => {
                (self.reopened, self.adapted) = (0, false);
                RedrawStep::Show(frame)
            }
            // Some drivers call every picture of a rotated or scaled screen suboptimal. Adapting
            // after each would cost more than the picture does.
            DriverAnswer::Suboptimal(frame) => {
                self.reopened = 0;
                self.adapt_after = !mem::replace(&mut self.adapted, true);
                RedrawStep::Show(frame)
            }
            DriverAnswer::Outdated => {
                driver.adapt(size());
                RedrawStep::Nothing
            }
            DriverAnswer::NotNow => RedrawStep::Nothing,
            DriverAnswer::Lost => {
                let error = WindowError::Driver(driver.last_error());
                self.lose(error)?;
                RedrawStep::Wait
            }
        })
    }

    /// The driver is opened again, unless that has not helped for some times.
    fn lose(&mut self, error: WindowError) -> Result<(), WindowError> {
        if self.reopened == MAX_REOPENED {
            return Err(error);
        }
        (self.driver, self.adapted) = (None, false);
        self.reopened += 1;
        Ok(())
    }

    /// A picture was shown.
    pub fn shown(&mut self, size: impl Fn() -> Size) {
        if let Some(driver) = self.driver.as_mut().filter(|_| self.adapt_after) {
            driver.adapt(size());
        }
    }

    /// The driver was opened again, or could not be: then it is tried again, as if it were lost once more.
    ///
    /// # Errors
    /// If that has not helped for some times.
    pub fn reopened(&mut self, opened: Result<D, WindowError>) -> Result<(), WindowError> {
        match opened {
            Ok(driver) => self.driver = Some(driver),
            Err(error) => self.lose(error)?,
        }
        Ok(())
    }

    /// Handles a new size of the window.
    pub fn resized(&mut self, size: Size) {
        self.adapted = false;
        if let Some(driver) = &mut self.driver
            && driver.size() != size
        {
            driver.adapt(size);
        }
    }
}

#[cfg(test)]
#[path = "../tests/unit/presenter.rs"]
mod tests;
