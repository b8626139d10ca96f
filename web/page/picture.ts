// The picture: pixels of the engine on a canvas, scaled by whole numbers.

export interface PictureSize {
  width: number;
  height: number;
}

/** At least this share of the columns stays when a larger scale is worth losing some at the sides. */
const LEAST_COLUMNS = 0.55;

export class Picture {
  private context: CanvasRenderingContext2D;
  private scale = 1;

  constructor(
    readonly canvas: HTMLCanvasElement,
    private room: HTMLElement,
  ) {
    this.context = canvas.getContext("2d", { alpha: false })!;
  }

  /**
   * The size that pictures should have, for a game that asks for `wanted`. The largest whole scale at which all rows fit is
   * taken; where the room is narrow, such as on a phone, columns at the sides are left out, as next to the window's panel.
   */
  fit(wanted: PictureSize): PictureSize {
    const ratio = window.devicePixelRatio || 1;
    const room = { width: Math.floor(this.room.clientWidth * ratio), height: Math.floor(this.room.clientHeight * ratio) };
    let scale = 1;
    for (let larger = 2; larger <= 16; larger += 1) {
      const columns = Math.floor(room.width / larger);
      if (columns < wanted.width * LEAST_COLUMNS || Math.floor(room.height / larger) < wanted.height) break;
      scale = larger;
    }
    const columns = Math.min(wanted.width, Math.floor(room.width / scale));
    const width = columns >= wanted.width * LEAST_COLUMNS ? columns : wanted.width;
    this.scale = Math.min(1, room.width / width / scale, room.height / wanted.height / scale) * scale;
    if (this.scale >= 1) this.scale = Math.floor(this.scale);
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
    this.context.putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer as ArrayBuffer, pixels.byteOffset, pixels.length), width, height), 0, 0);
  }

  /** The pixel of the picture at a point of the page. */
  pixelAt(x: number, y: number): [number, number] {
    const box = this.canvas.getBoundingClientRect();
    const across = (at: number, from: number, long: number, pixels: number) => ((at - from) / Math.max(1, long)) * pixels;
    return [across(x, box.left, box.width, this.canvas.width), across(y, box.top, box.height, this.canvas.height)];
  }
}
