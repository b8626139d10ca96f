// Top views: a point z px high is painted z px further up. The plane is painted in strips from north to south, each up to
// the southern end of the next body, so that what is nearer covers what is behind it.

/** The painted height of solids without an upper end. */
const ENDLESS = 18;

const TILE = 40;

/** The part of a polygon between two heights of the picture. */
function strip(points, south, north) {
  let part = points;
  for (const [limit, sign] of [[south, 1], [north, -1]]) {
    if (!Number.isFinite(limit)) continue;
    const kept = [];
    part.forEach((from, i) => {
      const to = part[(i + 1) % part.length];
      const [a, b] = [(from[1] - limit) * sign, (to[1] - limit) * sign];
      if (a >= 0) kept.push(from);
      if ((a < 0) !== (b < 0)) kept.push([mix(from[0], to[0], a / (a - b)), limit]);
    });
    part = kept;
  }
  return part;
}

/** A color, darker. */
function darker(color, share) {
  const part = (i) => Math.round(parseInt(color.slice(i, i + 2), 16) * (1 - share));
  return `rgb(${part(1)}, ${part(3)}, ${part(5)})`;
}

function paintAbove(painter, { stage, moment, solids, time }) {
  paintFloor(painter);
  const flat = solids.filter(({ solid, off }) => off || solid.top === 0);
  const blocks = solids.filter((one) => !flat.includes(one)).map(({ solid, offset }) => ({
    points: solid.points.map((p) => [p[0] + offset[0], p[1] + offset[1]]),
    height: solid.top === null ? ENDLESS : solid.top,
    color: solid.fill,
    edge: solid.edge,
  }));
  blocks.sort((a, b) => a.height - b.height);
  for (const { solid, offset, off } of flat) {
    painter.path(solid.points, offset);
    painter.fill(solid.fill, off ? 0.1 : 1);
    painter.stroke(solid.edge, 1, off ? [6, 4] : []);
  }
  painter.zones(stage, moment, time);
  const southOf = (body) => body.pos[1] - body.half[1];
  const bodies = [...moment.bodies].sort((a, b) => southOf(b) - southOf(a));
  let north = Infinity;
  for (const body of bodies) {
    paintStrip(painter, blocks, southOf(body), north);
    paintBody(painter, body, blocks);
    north = southOf(body);
  }
  paintStrip(painter, blocks, -Infinity, north);
}

function paintFloor(painter) {
  const [left, high] = painter.levelAt(0, 0);
  const [right, low] = painter.levelAt(painter.width, painter.height);
  painter.context.fillStyle = "#ffffff08";
  for (let row = Math.floor(low / TILE); row * TILE < high; row += 1) {
    for (let column = Math.floor(left / TILE); column * TILE < right; column += 1) {
      if ((row + column) % 2 !== 0) continue;
      const side = TILE * painter.zoom;
      painter.context.fillRect(painter.x(column * TILE), painter.y((row + 1) * TILE), side, side);
    }
  }
}

function paintStrip(painter, blocks, south, north) {
  for (const { points, height, color, edge } of blocks) {
    const part = strip(points, south, north);
    if (part.length < 3) continue;
    // The sides that face south.
    part.forEach((from, i) => {
      const to = part[(i + 1) % part.length];
      const isCut = from[1] === to[1] && (from[1] === south || from[1] === north);
      if (to[0] <= from[0] || isCut) return;
      painter.path([from, to, [to[0], to[1] + height], [from[0], from[1] + height]]);
      painter.fill(darker(color, 0.5));
      painter.stroke(darker(color, 0.5), 0.5);
    });
    painter.path(part, [0, height]);
    painter.fill(color);
    painter.stroke(color, 0.5);
    part.forEach((from, i) => {
      const to = part[(i + 1) % part.length];
      if (from[1] === to[1] && (from[1] === south || from[1] === north)) return;
      painter.path([from, to], [0, height], false);
      painter.stroke(edge, 1.5);
    });
  }
}

/** How high the ground below a body is. */
function groundBelow(body, blocks) {
  let ground = 0;
  for (const { points, height } of blocks) {
    if (height <= ground || height > body.pos[2] + 1) continue;
    let inside = false;
    points.forEach((a, i) => {
      const b = points[(i + 1) % points.length];
      const crosses = (a[1] > body.pos[1]) !== (b[1] > body.pos[1]);
      if (crosses && body.pos[0] < mix(a[0], b[0], (body.pos[1] - a[1]) / (b[1] - a[1]))) inside = !inside;
    });
    if (inside) ground = height;
  }
  return ground;
}

function paintBody(painter, body, blocks) {
  const ground = groundBelow(body, blocks);
  const shade = [body.half[0], body.half[1] * 0.8];
  painter.outline(painter.x(body.pos[0]), painter.y(body.pos[1] + ground), shade, body.form);
  painter.fill("#0e101c", 0.45);
  painter.hook(body);
  const head = body.pos[2] + body.half[0] * 0.6;
  painter.round(body, [body.pos[0], body.pos[1] + head]);
}

