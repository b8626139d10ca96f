"""A window that shows pictures of a level. Needs the package `pygame`."""

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray


class Window:
    """A window of 640 x 360 px that shows one picture after another."""

    def __init__(self, title: str, pictures_per_second: float) -> None:
        try:
            import pygame  # type: ignore[import-not-found, unused-ignore]
        except ImportError:
            raise gymnasium.error.DependencyNotInstalled(
                'render_mode="human" needs the package pygame: pip install pygame'
            ) from None
        self._pygame: Any = pygame
        self._title, self._pace = title, pictures_per_second
        self._clock = pygame.time.Clock()
        self._screen: Any = None

    def show(self, picture: NDArray[np.uint8]) -> None:
        """Shows a picture, when it is time for it. Closing the window raises `KeyboardInterrupt`."""
        pygame = self._pygame
        height, width, _ = picture.shape
        if self._screen is None:
            pygame.display.init()
            pygame.display.set_caption(self._title)
            self._screen = pygame.display.set_mode((width, height), pygame.SCALED | pygame.RESIZABLE)
        self._screen.blit(pygame.image.frombuffer(picture.tobytes(), (width, height), "RGB"), (0, 0))
        pygame.display.flip()
        self._clock.tick(self._pace)
        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            self.close()
            raise KeyboardInterrupt("the window was closed")

    def close(self) -> None:
        """Closes the window. The next picture opens it again."""
        self._screen = None
        self._pygame.display.quit()
