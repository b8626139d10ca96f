// The picture: a canvas that shows a stage and a moment of it. Sizes are px of the level unless they end in `Px`.

/** The part of the level that is always seen. */
const SEEN = { width: 640, height: 360 };
const LARGEST_ZOOM = 3;
const SMALLEST_ZOOM = 0.25;

/** Things move in the picture between two ticks unless they have moved farther than this. */
const TELEPORTED = 80;

const TEXT = "#e8ecf4";
const BARS = ["#68d684", "#ffce5c", "#e84848"];
const LEG = "#78808e";

function mix(a, b, share) {
  return a + (b - a) * share;
}

function mixed(a, b, share) {
  if (!a || Math.hypot(b[0] - a[0], b[1] - a[1]) > TELEPORTED) return b;
  return b.map((x, i) => mix(a[i], x, share));
}

/** A moment on the way from one tick to the next. */
function between(before, now, share) {
  if (!before || share >= 1) return now;
  const byId = new Map(before.bodies.map((body) => [body.id, body]));
  const bySolid = new Map(before.platforms.map((platform) => [platform.solid, platform]));
  const bodies = now.bodies.map((body) => {
    const old = byId.get(body.id);
    if (!old) return body;
    const pos = mixed(old.pos, body.pos, share);
    const moved = [pos[0] - body.pos[0], pos[1] - body.pos[1]];
    const pieces = body.pieces && body.pieces.map((piece) => ({
      ...piece, points: piece.points.map((p) => [p[0] + moved[0], p[1] + moved[1]]),
    }));
    const hook = body.hook && { ...body.hook, tip: mixed(old.hook && old.hook.tip, body.hook.tip, share) };
    return { ...body, pos, pieces, hook };
  });
  const platforms = now.platforms.map((platform) => {
    const old = bySolid.get(platform.solid);
    return { ...platform, offset: mixed(old && old.offset, platform.offset, share) };
  });
  return { ...now, bodies, platforms };
}

/** A solid with its corners where its rotation has taken them. */
function rotated(solid, platform) {
  if (!solid.pivot || !platform || !platform.angle) return solid;
  const [[x, y], sine, cosine] = [solid.pivot, Math.sin(platform.angle), Math.cos(platform.angle)];
  const points = solid.points.map((p) => [
    x + cosine * (p[0] - x) - sine * (p[1] - y), y + sine * (p[0] - x) + cosine * (p[1] - y),
  ]);
  return { ...solid, points };
}

/** The stretches of an outline on which bodies can stand: it is counterclockwise, so these lead left. */
function groundOf(points) {
  const stands = (i) => {
    const [from, to] = [points[i % points.length], points[(i + 1) % points.length]];
    return from[0] - to[0] >= 0.5 * Math.hypot(to[0] - from[0], to[1] - from[1]);
  };
  const first = points.findIndex((_, i) => !stands(i));
  const stretches = [];
  for (let i = first + 1; i <= first + points.length; i += 1) {
    if (!stands(i)) continue;
    if (!stands(i - 1) || stretches.length === 0) stretches.push([points[i % points.length]]);
    stretches[stretches.length - 1].push(points[(i + 1) % points.length]);
  }
  return stretches;
}

class Painter {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.center = null;
    this.zoom = 1;
  }

  /** Fits the canvas to its place on the page. */
  fit() {
    const ratio = window.devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    const [wide, high] = [Math.round(this.width * ratio), Math.round(this.height * ratio)];
    if (this.canvas.width !== wide || this.canvas.height !== high) {
      [this.canvas.width, this.canvas.height] = [wide, high];
    }
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  /** Forgets where it looked. */
  forget() {
    this.center = null;
  }

  /** Follows the players, or the first body. */
  follow(stage, moment, seconds) {
    const players = moment.bodies.filter((body) => body.player > 0);
    const seen = players.length > 0 ? players : moment.bodies.slice(0, 1);
    const usual = Math.min(this.width / SEEN.width, this.height / SEEN.height);
    let zoom = Math.min(Math.max(usual, Math.min(1, this.height / SEEN.height)), LARGEST_ZOOM);
    const [low, high] = stage.bounds;
    let goal = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
    if (seen.length > 0) {
      const [xs, ys] = [seen.map((body) => body.pos[0]), seen.map((body) => body.pos[1])];
      const [left, right, down, up] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
      zoom = Math.min(zoom, this.width / (right - left + 240), this.height / (up - down + 160));
      const ahead = seen.length === 1 ? seen[0].vel[0] * 0.2 : 0;
      const above = stage.view === "side" ? this.height / zoom * 0.08 : 0;
      goal = [(left + right) / 2 + ahead, (down + up) / 2 + above];
    }
    zoom = Math.max(zoom, SMALLEST_ZOOM);
    if (!this.center) [this.center, this.zoom] = [goal, zoom];
    const away = Math.hypot(goal[0] - this.center[0], goal[1] - this.center[1]);
    const share = away > this.width / zoom ? 1 : 1 - Math.exp(-6 * seconds);
    this.zoom = mix(this.zoom, zoom, 1 - Math.exp(-4 * seconds));
    const half = [this.width / this.zoom / 2, this.height / this.zoom / 2];
    this.center = this.center.map((x, i) => {
      const next = mix(x, goal[i], share);
      const [least, most] = [low[i] + half[i], high[i] - half[i]];
      return least > most ? (low[i] + high[i]) / 2 : Math.min(Math.max(next, least), most);
    });
  }

  x(x) {
    return (x - this.center[0]) * this.zoom + this.width / 2;
  }

  y(y) {
    return this.height / 2 - (y - this.center[1]) * this.zoom;
  }

  /** The point of the level at a pixel of the canvas. */
  levelAt(xPx, yPx) {
    if (!this.center) return null;
    return [
      (xPx - this.width / 2) / this.zoom + this.center[0],
      (this.height / 2 - yPx) / this.zoom + this.center[1],
    ];
  }

  path(points, offset = [0, 0], closed = true) {
    const context = this.context;
    context.beginPath();
    points.forEach((p, i) => {
      const [x, y] = [this.x(p[0] + offset[0]), this.y(p[1] + offset[1])];
      if (i === 0) context.moveTo(x, y);
      else context.lineTo(x, y);
    });
    if (closed) context.closePath();
  }

  stroke(color, width, dashes = []) {
    const context = this.context;
    context.strokeStyle = color;
    context.lineWidth = Math.max(width * this.zoom, 1);
    context.setLineDash(dashes.map((d) => d * this.zoom));
    context.stroke();
    context.setLineDash([]);
  }

  fill(color, cover = 1) {
    const context = this.context;
    context.globalAlpha = cover;
    context.fillStyle = color;
    context.fill();
    context.globalAlpha = 1;
  }

  /** Paints everything. */
  paint(stage, moment, time) {
    const context = this.context;
    context.lineJoin = context.lineCap = "round";
    context.fillStyle = stage.background;
    context.fillRect(0, 0, this.width, this.height);
    const placed = new Map(moment.platforms.map((platform) => [platform.solid, platform]));
    const off = new Set(moment.solids_off);
    const solids = stage.solids.map((solid, i) => ({
      solid: rotated(solid, placed.get(i)), offset: placed.has(i) ? placed.get(i).offset : [0, 0], off: off.has(i),
    }));
    if (stage.view === "top") {
      paintAbove(this, { stage, moment, solids, time });
    } else {
      this.sky(time);
      this.zones(stage, moment, time);
      for (const one of solids) this.way(one);
      for (const one of solids) this.solid(one);
      for (const body of moment.bodies) this.body(body, time);
    }
    for (const thing of moment.drawn) this.drawn(thing, moment);
  }

  /** Hills far away, so that one sees the picture move. */
  sky() {
    const context = this.context;
    const light = context.createLinearGradient(0, 0, 0, this.height);
    light.addColorStop(0, "#232a4a");
    light.addColorStop(1, "#10121f");
    context.fillStyle = light;
    context.fillRect(0, 0, this.width, this.height);
    for (const [depth, color, low, tall] of [[0.15, "#1d2340", 0.62, 60], [0.35, "#171b31", 0.74, 44]]) {
      const base = this.height * low + this.center[1] * this.zoom * depth * 0.3;
      context.beginPath();
      context.moveTo(0, this.height);
      for (let x = 0; x <= this.width + 12; x += 12) {
        const at = (x + this.center[0] * this.zoom * depth) / 150;
        const hill = Math.sin(at) + 0.5 * Math.sin(at * 2.3 + 1) + 0.25 * Math.sin(at * 5.1 + 2);
        context.lineTo(x, base - hill * tall);
      }
      context.lineTo(this.width, this.height);
      context.fillStyle = color;
      context.fill();
    }
  }

  zones(stage, moment, time) {
    const off = new Set(moment.zones_off);
    stage.zones.forEach((zone, i) => {
      if (!off.has(i)) this.zone(zone, time, stage.view);
    });
  }

  zone(zone, time, view) {
    const context = this.context;
    this.path(zone.points);
    this.fill(zone.color, 0.22);
    const xs = zone.points.map((p) => p[0]);
    const ys = zone.points.map((p) => p[1]);
    const box = { left: Math.min(...xs), right: Math.max(...xs), low: Math.min(...ys), high: Math.max(...ys) };
    context.save();
    context.clip();
    context.globalAlpha = 0.5;
    if (zone.name.includes("ladder")) {
      for (const x of [box.left + 2, box.right - 2]) this.line([x, box.low], [x, box.high], zone.color, 3);
      for (let y = box.low + 8; y < box.high; y += 14) this.line([box.left, y], [box.right, y], zone.color, 2);
    }
    for (const [flow, long] of [[zone.external_accel, 14], [zone.conveyor, 8]]) {
      const speed = Math.hypot(...flow);
      if (speed > 0) this.streaks(zone, box, flow.map((x) => x / speed), Math.min(speed * 0.12, 60) * time, long);
    }
    context.restore();
    if (zone.wet && view === "side") this.line([box.left, box.high], [box.right, box.high], zone.color, 2);
  }

  /** Streaks that drift with a wind or a conveyor. */
  streaks(zone, box, toward, drifted, long) {
    const spacing = 48;
    const shift = (at) => ((at % spacing) + spacing) % spacing;
    const [right, up] = [shift(toward[0] * drifted), shift(toward[1] * drifted)];
    for (let row = 0, y = box.low - spacing + up; y < box.high + spacing; y += spacing * 0.5, row += 1) {
      for (let x = box.left - spacing + right + (row % 2) * spacing * 0.5; x < box.right + spacing; x += spacing) {
        this.line([x, y], [x + toward[0] * long, y + toward[1] * long], zone.color, 1.5);
      }
    }
  }

  line(from, to, color, width) {
    this.path([from, to], [0, 0], false);
    this.stroke(color, width);
  }

  /** The way of a platform. */
  way({ solid }) {
    if (!solid.path || solid.path.length < 2) return;
    const count = solid.points.length;
    const middle = [0, 1].map((i) => solid.points.reduce((sum, p) => sum + p[i], 0) / count);
    this.path(solid.path, middle, false);
    this.context.globalAlpha = 0.35;
    this.stroke("#ffce5c", 1, [6, 6]);
    this.context.globalAlpha = 1;
  }

  solid({ solid, offset, off }) {
    this.path(solid.points, offset, !solid.one_way);
    if (off) {
      if (!solid.one_way) this.fill(solid.edge, 0.08);
      this.context.globalAlpha = 0.6;
      this.stroke(solid.edge, 1.5, [6, 4]);
      this.context.globalAlpha = 1;
      return;
    }
    if (solid.one_way) {
      this.stroke("#0006", 8);
      this.stroke(solid.edge, 5);
      return;
    }
    this.fill(solid.fill);
    this.stroke("#0004", 1);
    const context = this.context;
    context.save();
    this.path(solid.points, offset);
    context.clip();
    for (const width of [28, 20, 12]) this.stroke("#ffffff05", width);
    context.lineCap = "butt";
    for (const ground of groundOf(solid.points)) {
      this.path(ground, offset, false);
      this.stroke(solid.edge, 7);
    }
    context.restore();
  }

  ellipse(x, y, half, angle = 0) {
    this.context.beginPath();
    this.context.ellipse(x, y, half[0] * this.zoom, half[1] * this.zoom, -angle, 0, Math.PI * 2);
  }

  /** Begins the outline of an upright body: an ellipse, a box or a capsule. */
  outline(x, y, half, form) {
    if (!form) return this.ellipse(x, y, half);
    const [wide, high] = half.map((half) => half * this.zoom);
    const radius = form === "capsule" ? Math.min(wide, high) : 0;
    this.context.beginPath();
    this.context.roundRect(x - wide, y - high, 2 * wide, 2 * high, radius);
  }

  hook(body) {
    if (!body.hook) return;
    this.line(body.pos, body.hook.tip, body.hook.color, 1.5);
    this.ellipse(this.x(body.hook.tip[0]), this.y(body.hook.tip[1]), [3, 3]);
    this.fill(body.hook.color);
  }

  body(body, time) {
    this.hook(body);
    if (body.pieces && body.pieces.length > 0) return this.vessel(body, time);
    this.round(body, [body.pos[0], body.pos[1]]);
  }

  /** An upright body with light from the upper left, and an eye on the side that it faces. */
  round(body, at) {
    const context = this.context;
    const [x, y] = [this.x(at[0]), this.y(at[1])];
    const [wide, high] = body.half.map((half) => half * this.zoom);
    this.outline(x, y, body.half, body.form);
    this.fill(body.fill);
    const large = Math.max(wide, high);
    const light = context.createRadialGradient(x - wide * 0.4, y - high * 0.5, large * 0.1, x, y, large * 1.1);
    light.addColorStop(0, "#ffffff60");
    light.addColorStop(0.5, "#ffffff00");
    light.addColorStop(1, "#00000055");
    context.fillStyle = light;
    context.fill();
    this.stroke(body.edge, 1.5);
    const up = body.inverted ? 0.45 : -0.45;
    this.eye(x + body.facing * 0.45 * wide, y + up * high, body.half[0]);
    if (body.disabled) this.mark(x, y - high - 8 * this.zoom);
  }

  eye(x, y, wide) {
    const size = Math.min(Math.max(wide * 0.28, 1), 6);
    this.ellipse(x, y, [size, size]);
    this.fill("#fafafa");
    this.ellipse(x, y, [size * 0.5, size * 0.5]);
    this.fill("#181820");
  }

  /** A sign that a script is disabled. */
  mark(x, y) {
    this.context.fillStyle = BARS[2];
    this.context.font = `bold ${14 * this.zoom}px sans-serif`;
    this.context.textAlign = "center";
    this.context.fillText("!", x, y);
  }

  vessel(body, time) {
    const context = this.context;
    const turned = (p) => {
      const [c, s] = [Math.cos(body.angle), Math.sin(body.angle)];
      return [body.pos[0] + p[0] * c - p[1] * s, body.pos[1] + p[0] * s + p[1] * c];
    };
    if (body.thrust > 0) {
      const long = (13 + 9 * Math.abs(Math.sin(time * 69))) * body.thrust;
      for (const [share, color] of [[1, "#ff9230"], [0.55, "#ffe896"]]) {
        const low = -body.half[1];
        this.path([[-4.5 * share, low + 4], [4.5 * share, low + 4], [0, low - long * share + 4]].map(turned));
        this.fill(color);
      }
    }
    for (const { points, foot } of body.pieces) {
      if (!foot) continue;
      const middle = [0, 1].map((i) => points.reduce((sum, p) => sum + p[i], 0) / points.length);
      this.line(body.pos, middle, LEG, 3);
      this.path(points);
      this.fill(LEG);
      this.stroke(body.edge, 1);
    }
    const hull = body.pieces.filter((piece) => !piece.foot);
    for (const { points } of hull) {
      this.path(points);
      this.stroke(body.edge, 3);
    }
    for (const { points } of hull) {
      this.path(points);
      this.fill(body.fill);
    }
    context.globalAlpha = 1;
    const eye = turned([body.facing * body.half[0] * 0.25, body.half[1] * 0.25]);
    this.eye(this.x(eye[0]), this.y(eye[1]), body.half[0]);
  }

  /** Something that a script draws. */
  drawn(thing, moment) {
    const place = this.placeOf(thing, moment);
    if (!place) return;
    const { x, y, scale, to, anchor } = place;
    const context = this.context;
    context.fillStyle = context.strokeStyle = thing.color || TEXT;
    context.lineWidth = Math.max((thing.width || 1) * scale, 1);
    if (thing.form === "text") {
      const high = 13 * thing.times * scale;
      context.font = `600 ${high * 0.92}px ui-monospace, monospace`;
      context.textAlign = ["left", "center", "right"][anchor[0] * 2];
      context.textBaseline = "top";
      const lines = thing.text.split("\n");
      lines.forEach((line, i) => {
        const top = y - anchor[1] * high * lines.length + i * high;
        context.save();
        context.shadowColor = "#000";
        context.shadowBlur = 3;
        context.fillText(line, x, top);
        context.restore();
      });
      context.textBaseline = "alphabetic";
    } else if (thing.form === "line") {
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(...to(thing.to));
      context.stroke();
    } else if (thing.form === "circle") {
      context.beginPath();
      context.arc(x, y, thing.radius * scale, 0, Math.PI * 2);
      if (thing.width === null) context.fill();
      else context.stroke();
    } else if (thing.form === "polygon") {
      const up = thing.space === "screen" ? scale : -scale;
      context.beginPath();
      thing.points.forEach((p) => context.lineTo(x + p[0] * scale, y + p[1] * up));
      context.closePath();
      if (thing.width === null) context.fill();
      else context.stroke();
    } else if (thing.form === "bar" || thing.form === "rect") {
      const [wide, high] = thing.size.map((length) => length * scale);
      const [left, top] = [x - anchor[0] * wide, y - anchor[1] * high];
      if (thing.form === "bar") {
        const usual = BARS[thing.share < 0.25 ? 2 : thing.share < 0.5 ? 1 : 0];
        context.fillStyle = "#0e101c";
        context.fillRect(left - scale, top - scale, wide + 2 * scale, high + 2 * scale);
        context.fillStyle = thing.color || usual;
        context.fillRect(left, top, Math.max(wide * thing.share, thing.share > 0 ? 1 : 0), high);
      } else if (thing.width === null) {
        context.fillRect(left, top, wide, high);
      } else {
        context.strokeRect(left, top, wide, high);
      }
    }
  }

  /** Where a drawn thing is on the canvas, how large a px of it is, and which part of it is there. */
  placeOf(thing, moment) {
    const align = { left: 0, center: 0.5, right: 1 };
    if (thing.space !== "screen") {
      const owner = moment.bodies.find((body) => body.id === thing.owner);
      if (thing.space === "entity" && !owner) return null;
      const origin = thing.space === "entity" ? [owner.pos[0], owner.pos[1] + owner.pos[2]] : [0, 0];
      const to = (p) => [this.x(origin[0] + p[0]), this.y(origin[1] + p[1])];
      const [x, y] = to(thing.at);
      return { x, y, to, scale: this.zoom, anchor: [align[thing.align || "center"], 0.5] };
    }
    const scale = Math.max(this.zoom * 0.8, 0.9);
    const name = thing.align || (thing.at[0] < 0 ? "right" : "left");
    const to = (p) => {
      const x = name === "center" ? this.width / 2 + p[0] * scale : p[0] * scale + (p[0] < 0 ? this.width : 0);
      return [x, p[1] < 0 ? this.height + p[1] * scale : 6 + p[1] * scale];
    };
    const [x, y] = to(thing.at);
    return { x, y, to, scale, anchor: [align[name], thing.at[1] < 0 ? 1 : 0] };
  }
}

