//! Gets pictures into the window whatever the driver answers. Knows neither a driver nor a window, so tests
//! can answer anything.

use super::error::WindowError;
use super::recovery::{Answer, Recovery, Remedy};
use super::size::Size;
use std::time::Duration;

/// The time after which a driver that has failed is opened again.
pub(super) const REOPEN: Duration = Duration::from_millis(200);

/// An open driver with the surface of the window.
pub(super) trait Driver {
    /// A picture of the surface to draw on.
    type Frame;

    /// # Errors
    /// If opening the driver again would not help.
    fn check(&self) -> Result<(), WindowError>;

    /// Asks for the next picture, once.
    fn next_frame(&self) -> (Answer, Option<Self::Frame>);

    /// The size that the surface has been adapted to.
    fn size(&self) -> Size;

    /// Adapts the surface to a size. Sizes without pixels are ignored.
    fn adapt(&mut self, size: Size);

    /// What the driver last complained about.
    fn complaint(&self) -> String;
}

/// What a redraw leads to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RedrawStep<F> {
    /// A picture to draw on and show.
    Show(F),
    /// No picture this time.
    Nothing,
    /// No picture; the driver is opened again after [`REOPEN`].
    Wait,
}

/// The driver, and what it has answered.
pub(super) struct Presenter<D> {
    /// None while it is to be opened again.
    driver: Option<D>,
    recovery: Recovery,
    /// Whether the surface is adapted after the picture that is being shown.
    adapt_after: bool,
}

impl<D: Driver> Presenter<D> {
    pub fn new(driver: D) -> Self {
        Self { driver: Some(driver), recovery: Recovery::default(), adapt_after: false }
    }

    /// The driver; none while it is to be opened again.
    pub fn driver(&mut self) -> Option<&mut D> {
        self.driver.as_mut()
    }

    /// The size of the surface; `None` without a driver.
    pub fn size(&self) -> Option<Size> {
        self.driver.as_ref().map(D::size)
    }

    /// Whether the driver is to be opened again with [`Presenter::reopened`].
    pub fn is_closed(&self) -> bool {
        self.driver.is_none()
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
        let (answer, frame) = driver.next_frame();
        let remedy = self.recovery.step(answer);
        self.adapt_after = remedy == Remedy::DrawAndAdapt;
        Ok(match (remedy, frame) {
            (Remedy::Draw | Remedy::DrawAndAdapt, Some(frame)) => RedrawStep::Show(frame),
            (Remedy::Adapt, _) => {
                driver.adapt(size());
                RedrawStep::Nothing
            }
            (Remedy::Reopen, _) => {
                self.driver = None;
                RedrawStep::Wait
            }
            (Remedy::GiveUp, _) => return Err(WindowError::Driver(driver.complaint())),
            (Remedy::Skip | Remedy::Draw | Remedy::DrawAndAdapt, _) => RedrawStep::Nothing,
        })
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
            Err(error) if self.recovery.step(Answer::Lost) == Remedy::GiveUp => return Err(error),
            Err(_) => {}
        }
        Ok(())
    }

    /// Handles a new size of the window.
    pub fn resized(&mut self, size: Size) {
        self.recovery.resized();
        if let Some(driver) = &mut self.driver
            && driver.size() != size
        {
            driver.adapt(size);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, Driver, Presenter, RedrawStep, Size, WindowError};
    use crate::recovery::MAX_REOPENED;
    use std::cell::{Cell, RefCell};
    use std::collections::VecDeque;
    use std::rc::Rc;

    const WINDOW: Size = Size { width: 1280, height: 720 };

    /// What drivers answer one after the other, and what was done to them.
    #[derive(Default)]
    struct Script {
        answers: RefCell<VecDeque<Answer>>,
        asked: Cell<u32>,
        adapted: RefCell<Vec<Size>>,
        out_of_memory: Cell<bool>,
    }

    struct Scripted(Rc<Script>);

    impl Driver for Scripted {
        type Frame = ();

        fn check(&self) -> Result<(), WindowError> {
            match self.0.out_of_memory.get() {
                true => Err(WindowError::OutOfMemory),
                false => Ok(()),
            }
        }

        fn next_frame(&self) -> (Answer, Option<()>) {
            self.0.asked.set(self.0.asked.get() + 1);
            let answer = self.0.answers.borrow_mut().pop_front();
            let answer = answer.unwrap_or(Answer::Ready);
            let picture = matches!(answer, Answer::Ready | Answer::Suboptimal);
            (answer, picture.then_some(()))
        }

        fn size(&self) -> Size {
            let adapted = self.0.adapted.borrow();
            adapted.last().copied().unwrap_or(Size::new(640, 360))
        }

        fn adapt(&mut self, size: Size) {
            self.0.adapted.borrow_mut().push(size);
        }

        fn complaint(&self) -> String {
            "device lost".into()
        }
    }

    fn presenter(answers: &[Answer]) -> (Presenter<Scripted>, Rc<Script>) {
        let script = Rc::new(Script::default());
        script.answers.borrow_mut().extend(answers);
        (Presenter::new(Scripted(script.clone())), script)
    }

    /// A redraw, as the window does it. `opens` is whether the driver can be opened again.
    fn redraw(
        presenter: &mut Presenter<Scripted>,
        script: &Rc<Script>,
        opens: bool,
    ) -> Result<RedrawStep<()>, WindowError> {
        if presenter.is_closed() {
            let opened = match opens {
                true => Ok(Scripted(script.clone())),
                false => Err(WindowError::NoDriver),
            };
            presenter.reopened(opened)?;
            return Ok(RedrawStep::Wait);
        }
        let step = presenter.ask(|| WINDOW)?;
        if matches!(step, RedrawStep::Show(())) {
            presenter.shown(|| WINDOW);
        }
        Ok(step)
    }

    #[test]
    fn every_answer_of_a_driver_leads_to_a_picture_again() {
        use Answer::{Lost, NotNow, Outdated, Ready, Suboptimal};
        for answers in [
            vec![Ready],
            vec![Outdated],
            vec![Suboptimal],
            vec![NotNow],
            vec![Lost],
            vec![Outdated; 1000],
            vec![NotNow; 1000],
            vec![Suboptimal; 1000],
            vec![Lost; MAX_REOPENED as usize],
            vec![Lost, Outdated, Suboptimal, NotNow, Lost, Lost, Outdated],
        ] {
            let (mut presenter, script) = presenter(&answers);
            for _ in 0..2 * answers.len() {
                let asked = script.asked.get();
                redraw(&mut presenter, &script, true).expect("no error");
                // A redraw never waits for a better answer: keys must be read.
                assert!(script.asked.get() <= asked + 1, "{answers:?}");
            }
            let last = redraw(&mut presenter, &script, true).expect("no error");
            assert_eq!(last, RedrawStep::Show(()), "{answers:?}");
        }
    }

    #[test]
    fn a_surface_that_does_not_fit_is_adapted_to_the_window() {
        let (mut presenter, script) = presenter(&[Answer::Outdated, Answer::Suboptimal]);
        assert_eq!(redraw(&mut presenter, &script, true).ok(), Some(RedrawStep::Nothing));
        assert_eq!(*script.adapted.borrow(), [WINDOW]);
        assert_eq!(redraw(&mut presenter, &script, true).ok(), Some(RedrawStep::Show(())));
        assert_eq!(*script.adapted.borrow(), [WINDOW, WINDOW]);
        // The same size again costs nothing.
        presenter.resized(WINDOW);
        assert_eq!(script.adapted.borrow().len(), 2);
        presenter.resized(Size::new(300, 200));
        assert_eq!(script.adapted.borrow().len(), 3);
    }

    #[test]
    fn a_driver_that_stays_lost_ends_the_window_with_its_complaint() {
        let (mut presenter, script) = presenter(&[Answer::Lost; 100]);
        let mut redraws = 0;
        let error = loop {
            redraws += 1;
            match redraw(&mut presenter, &script, true) {
                Ok(step) => assert_eq!(step, RedrawStep::Wait),
                Err(error) => break error,
            }
        };
        assert_eq!(redraws, 2 * MAX_REOPENED + 1);
        let told = error.to_string();
        assert!(told.contains("device lost"), "{told}");
    }

    #[test]
    fn a_driver_that_cannot_be_opened_again_is_tried_some_times() {
        let (mut presenter, script) = presenter(&[Answer::Lost]);
        redraw(&mut presenter, &script, false).expect("it is opened again");
        for _ in 1..MAX_REOPENED {
            redraw(&mut presenter, &script, false).expect("it is tried again");
        }
        // It comes back, for example after a new driver was installed.
        redraw(&mut presenter, &script, true).expect("opened");
        assert_eq!(redraw(&mut presenter, &script, true).ok(), Some(RedrawStep::Show(())));
        // It does not come back.
        script.answers.borrow_mut().push_back(Answer::Lost);
        let tried = (0..100).find(|_| redraw(&mut presenter, &script, false).is_err());
        assert_eq!(tried, Some(MAX_REOPENED as usize));
    }

    #[test]
    fn a_driver_without_memory_ends_the_window_at_once() {
        let (mut presenter, script) = presenter(&[]);
        script.out_of_memory.set(true);
        let error = redraw(&mut presenter, &script, true).expect_err("it ends");
        assert!(matches!(error, WindowError::OutOfMemory));
        assert_eq!(script.asked.get(), 0);
    }
}
