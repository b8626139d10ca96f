//! Tests of `src/presenter.rs`.

use super::{Driver, DriverAnswer, MAX_REOPENED, Presenter, RedrawStep, Size, WindowError};
use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    rc::Rc,
};

const READY: DriverAnswer<()> = DriverAnswer::Ready(());
const SUBOPTIMAL: DriverAnswer<()> = DriverAnswer::Suboptimal(());
const WINDOW: Size = Size { width: 1280, height: 720 };

/// What drivers answer one after the other, and what was done to them.
#[derive(Default)]
struct Script {
    answers: RefCell<VecDeque<DriverAnswer<()>>>,
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

    fn next_frame(&self) -> DriverAnswer<()> {
        self.0.asked.set(self.0.asked.get() + 1);
        self.0.answers.borrow_mut().pop_front().unwrap_or(READY)
    }

    fn size(&self) -> Size {
        let adapted = self.0.adapted.borrow();
        adapted.last().copied().unwrap_or(Size::new(640, 360))
    }

    fn adapt(&mut self, size: Size) {
        self.0.adapted.borrow_mut().push(size);
    }

    fn last_error(&self) -> String {
        "device lost".into()
    }
}

fn presenter(answers: &[DriverAnswer<()>]) -> (Presenter<Scripted>, Rc<Script>) {
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
    if presenter.driver().is_none() {
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
    use DriverAnswer::{Lost, NotNow, Outdated};
    for answers in [
        vec![READY],
        vec![Outdated],
        vec![SUBOPTIMAL],
        vec![NotNow],
        vec![Lost],
        vec![Outdated; 1000],
        vec![NotNow; 1000],
        vec![SUBOPTIMAL; 1000],
        vec![Lost; MAX_REOPENED as usize],
        vec![Lost, Outdated, SUBOPTIMAL, NotNow, Lost, Lost, Outdated],
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
    let (mut presenter, script) = presenter(&[DriverAnswer::Outdated, SUBOPTIMAL]);
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
fn a_driver_that_stays_lost_ends_the_window_with_its_last_error() {
    let (mut presenter, script) = presenter(&[DriverAnswer::Lost; 100]);
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
    let (mut presenter, script) = presenter(&[DriverAnswer::Lost]);
    redraw(&mut presenter, &script, false).expect("it is opened again");
    for _ in 1..MAX_REOPENED {
        redraw(&mut presenter, &script, false).expect("it is tried again");
    }
    // It comes back, for example after a new driver was installed.
    redraw(&mut presenter, &script, true).expect("opened");
    assert_eq!(redraw(&mut presenter, &script, true).ok(), Some(RedrawStep::Show(())));
    // It does not come back.
    script.answers.borrow_mut().push_back(DriverAnswer::Lost);
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

#[test]
fn an_outdated_surface_is_adapted_once_per_picture() {
    let (mut presenter, script) = presenter(&[DriverAnswer::Outdated; 1000]);
    for times in 1..=1000 {
        assert_eq!(redraw(&mut presenter, &script, true).ok(), Some(RedrawStep::Nothing));
        assert_eq!(script.adapted.borrow().len(), times);
    }
    assert_eq!(redraw(&mut presenter, &script, true).ok(), Some(RedrawStep::Show(())));
}

#[test]
fn a_driver_that_finds_all_pictures_suboptimal_still_shows_them() {
    let (mut presenter, script) = presenter(&[SUBOPTIMAL; 200]);
    for _ in 0..100 {
        assert_eq!(redraw(&mut presenter, &script, true).ok(), Some(RedrawStep::Show(())));
        assert_eq!(script.adapted.borrow().len(), 1);
    }
    // The window has changed again.
    presenter.resized(WINDOW);
    redraw(&mut presenter, &script, true).expect("a picture");
    assert_eq!(script.adapted.borrow().len(), 2);
}

#[test]
fn a_lost_driver_is_opened_again_a_few_times() {
    // Waiting does not count as a picture.
    let lost = [DriverAnswer::Lost, DriverAnswer::NotNow, DriverAnswer::Outdated].repeat(MAX_REOPENED as usize);
    let times = [lost.clone(), vec![READY]].concat().repeat(3);
    let (mut presenter, script) = presenter(&[times, lost, vec![DriverAnswer::Lost]].concat());
    let redraws = (0..1000).take_while(|_| redraw(&mut presenter, &script, true).is_ok()).count();
    // Each loss takes a redraw more, to open the driver again.
    assert_eq!(redraws as u32, script.asked.get() - 1 + 4 * MAX_REOPENED);
}
