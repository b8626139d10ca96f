// The picture: pixels of the engine on a canvas, scaled by whole numbers where that is possible.

export interface PictureSize {
  width: number;
  height: number;
}

/** At least this share of the columns stays when a larger scale is worth losing some at the sides. */
const LEAST_COLUMNS = 0.55;

/**
 * Where this many pixels of the screen are one of the page, nothing shows that some pixels of the picture are larger than
 * others. If the largest whole scale is less than this share of the largest one, the latter is taken.
 */
const SMALL_PIXELS = 2;
const LEAST_SHARE = 0.75;

export class Picture {
  private context: CanvasRenderingContext2D | null;
  private scale = 1;

  constructor(
    readonly canvas: HTMLCanvasElement,
    private room: HTMLElement,
  ) {
    this.context = canvas.getContext("2d", { alpha: false });
  }

  /** Whether the browser lets it paint. */
  get paints(): boolean {
    return this.context !== null;
  }

  /**
   * The size that pictures should have, for a game that asks for `wanted`. The largest whole scale at which all rows fit is
   * taken; where the room is narrow, such as on a phone, columns at the sides are left out, as next to the window's panel.
   */
  fit(wanted: PictureSize): PictureSize {
    const ratio = window.devicePixelRatio || 1;
    const room = { width: Math.floor(this.room.clientWidth * ratio), height: Math.floor(this.room.clientHeight * ratio) };
    const least = Math.round(wanted.width * LEAST_COLUMNS);
    let scale = 1;
    for (let larger = 2; larger <= 16; larger += 1) {
      const columns = Math.floor(room.width / larger);
      if (columns < least || Math.floor(room.height / larger) < wanted.height) break;
      scale = larger;
    }
    const largest = Math.min(room.height / wanted.height, room.width / least);
    if (ratio >= SMALL_PIXELS && scale < largest * LEAST_SHARE) scale = largest;
    // The division may round down.
    const columns = Math.min(wanted.width, Math.floor(room.width / scale + 1e-6));
    const width = columns >= least ? columns : wanted.width;
    this.scale = Math.min(scale, room.width / width, room.height / wanted.height);
    const css = (pixels: number) => `${(pixels * this.scale) / ratio}px`;
    this.canvas.style.width = css(width);
    this.canvas.style.height = css(wanted.height);
    return { width, height: wanted.height };
  }

  show(pixels: Uint8Array, width: number, height: number): void {
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    this.context?.putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer as ArrayBuffer, pixels.byteOffset, pixels.length), width, height), 0, 0);
  }

  /** The pixel of the picture at a point of the page. */
  pixelAt(x: number, y: number): [number, number] {
    const box = this.canvas.getBoundingClientRect();
    const across = (at: number, from: number, long: number, pixels: number) => ((at - from) / Math.max(1, long)) * pixels;
    return [across(x, box.left, box.width, this.canvas.width), across(y, box.top, box.height, this.canvas.height)];
  }
}
