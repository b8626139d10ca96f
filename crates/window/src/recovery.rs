//! What to do when the graphics driver cannot give the next picture: pure decisions.

/// What the driver answered when it was asked for the next picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// A picture of the window's size.
    Ready,
    /// A picture, but the window has changed since.
    Suboptimal,
    /// None: the window has changed.
    Outdated,
    /// None yet, or none is needed because the window is hidden.
    NotNow,
    /// None: the surface or the device is gone.
    Lost,
}

/// What to do next. Each happens once; the next picture asks again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Remedy {
    /// Draws the picture.
    Draw,
    /// Draws the picture, then adapts the surface to the window.
    DrawAndAdapt,
    /// Adapts the surface to the window, without a picture.
    Adapt,
    /// Does nothing.
    Skip,
    /// Opens the driver again.
    Reopen,
    /// Stops: opening the driver again has not helped.
    GiveUp,
}

/// How often the driver is opened again before a picture has come.
pub(super) const MAX_REOPENED: u32 = 5;

/// Remembers what has been tried since the last picture.
#[derive(Debug, Default)]
pub(super) struct Recovery {
    reopened: u32,
    adapted: bool,
}

impl Recovery {
    /// The step that follows from an answer.
    pub fn step(&mut self, answer: Answer) -> Remedy {
        match answer {
            Answer::Ready => {
                *self = Self::default();
                Remedy::Draw
            }
            // Some drivers call every picture of a rotated or scaled screen suboptimal. Adapting
            // after each would cost more than the picture does.
            Answer::Suboptimal if self.adapted => {
                self.reopened = 0;
                Remedy::Draw
            }
            Answer::Suboptimal => {
                self.reopened = 0;
                self.adapted = true;
                Remedy::DrawAndAdapt
            }
            Answer::Outdated => Remedy::Adapt,
            Answer::NotNow => Remedy::Skip,
            Answer::Lost if self.reopened == MAX_REOPENED => Remedy::GiveUp,
            Answer::Lost => {
                self.reopened += 1;
                self.adapted = false;
                Remedy::Reopen
            }
        }
    }

    /// Forgets that the surface was adapted, because the window has changed again.
    pub fn resized(&mut self) {
        self.adapted = false;
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, MAX_REOPENED, Recovery, Remedy};

    #[test]
    fn an_outdated_surface_is_adapted_once_per_picture() {
        let mut recovery = Recovery::default();
        for _ in 0..1000 {
            assert_eq!(recovery.step(Answer::Outdated), Remedy::Adapt);
        }
        assert_eq!(recovery.step(Answer::Ready), Remedy::Draw);
    }

    #[test]
    fn a_driver_that_finds_all_pictures_suboptimal_still_shows_them() {
        let mut recovery = Recovery::default();
        assert_eq!(recovery.step(Answer::Suboptimal), Remedy::DrawAndAdapt);
        for _ in 0..100 {
            assert_eq!(recovery.step(Answer::Suboptimal), Remedy::Draw);
        }
        recovery.resized();
        assert_eq!(recovery.step(Answer::Suboptimal), Remedy::DrawAndAdapt);
    }

    #[test]
    fn a_lost_driver_is_opened_again_a_few_times() {
        let mut recovery = Recovery::default();
        for _ in 0..3 {
            for _ in 0..MAX_REOPENED {
                assert_eq!(recovery.step(Answer::Lost), Remedy::Reopen);
                // Waiting does not count as a picture.
                assert_eq!(recovery.step(Answer::NotNow), Remedy::Skip);
                assert_eq!(recovery.step(Answer::Outdated), Remedy::Adapt);
            }
            assert_eq!(recovery.step(Answer::Ready), Remedy::Draw);
        }
        for _ in 0..MAX_REOPENED {
            recovery.step(Answer::Lost);
        }
        assert_eq!(recovery.step(Answer::Lost), Remedy::GiveUp);
    }
}
