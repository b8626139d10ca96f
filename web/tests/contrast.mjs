// Contrast in a tab, as WCAG 2.2 asks for on level AA: of texts with what is behind them, and of the focus with what is around it.

/** What both measures need, in the page. */
function measures() {
  /** Red, green, blue and alpha, 0 to 1. */
  const colorOf = (text) => {
    const [r, g, b, a = 1] = text.match(/[\d.]+(e-\d+)?/g).map(Number);
    if (text.startsWith("color(srgb ")) return [r, g, b, a];
    if (text.startsWith("rgb")) return [r / 255, g / 255, b / 255, a];
    throw new Error(`unknown color ${text}`);
  };
  const over = ([r, g, b, a], [x, y, z]) => [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a), 1];
  const luminance = (color) => {
    const [r, g, b] = color.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => {
    const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (light + 0.05) / (dark + 0.05);
  };
  /** The share of an element that its ancestors and it let through. */
  const opacity = (element) => {
    let share = 1;
    for (let it = element; it; it = it.parentElement) share *= Number(getComputedStyle(it).opacity);
    return share;
  };
  /** What is seen at a point behind an element, with its own background or without. */
  const behind = (element, x, y, withOwn = true) => {
    const stack = document.elementsFromPoint(x, y);
    const at = stack.indexOf(element);
    if (at < 0) return null;
    const layers = stack.slice(withOwn ? at : at + 1).map((it) => {
      const { backgroundColor, backgroundImage } = getComputedStyle(it);
      if (backgroundImage !== "none") throw new Error(`a gradient or picture is behind ${nameOf(it)}`);
      const [r, g, b, a] = colorOf(backgroundColor);
      return [r, g, b, a * opacity(it)];
    });
    // A browser paints this where nothing else does.
    const canvas = matchMedia("(prefers-color-scheme: dark)").matches ? [0.07, 0.07, 0.07, 1] : [1, 1, 1, 1];
    return layers.reduceRight((below, layer) => over(layer, below), canvas);
  };
  const nameOf = (element) => {
    const id = element.id ? `#${element.id}` : "";
    const text = String(element.value || element.textContent).trim().slice(0, 30);
    return `${element.localName}${id}${element.classList.length > 0 ? `.${[...element.classList].join(".")}` : ""} "${text}"`;
  };
  const middle = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  return { colorOf, over, ratio, opacity, behind, nameOf, middle };
}

/** The visible texts, and icons of buttons, whose contrast is too low, and how many there are in all. */
export function texts(page) {
  return page.evaluate(`(${findTexts})((${measures})())`);
}

function findTexts({ colorOf, over, ratio, opacity, behind, nameOf }) {
  const [poor, scrolled] = [[], [document.scrollingElement.scrollTop]];
  let count = 0;
  const look = (element, color, rect, least) => {
    element.scrollIntoView({ block: "nearest", inline: "nearest" });
    const { left, top, width, height } = rect();
    if (width < 1 || height < 1) return;
    const [x, y] = [left + Math.min(width / 2, 20), top + height / 2];
    const ground = behind(element, x, y);
    // Something else covers it, or it is scrolled away.
    if (!ground) return;
    count += 1;
    const [r, g, b, a] = colorOf(color);
    const found = ratio(over([r, g, b, a * opacity(element)], ground), ground);
    if (found < least) poor.push(`${nameOf(element)} has ${found.toFixed(2)}, not ${least}`);
  };
  for (const element of document.querySelectorAll("body *")) {
    // What is disabled needs no contrast.
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || element.closest(":disabled, option, optgroup")) continue;
    const style = getComputedStyle(element);
    const size = parseFloat(style.fontSize);
    const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    const box = () => element.getBoundingClientRect();
    if (element.localName === "svg") {
      look(element, style.fill, box, 3);
    } else if (element.matches("select, input:not([type=range], [type=checkbox])")) {
      const shown = element.value || !element.placeholder ? style.color : getComputedStyle(element, "::placeholder").color;
      look(element, shown, box, least);
    } else {
      const text = [...element.childNodes].find((it) => it.nodeType === Node.TEXT_NODE && it.textContent.trim() !== "");
      if (!text) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      look(element, style.color, () => range.getClientRects()[0] ?? box(), least);
    }
  }
  document.scrollingElement.scrollTop = scrolled[0];
  return { poor, count };
}

/** Goes through the page by Tab. Returns what is wrong with the focus of what it comes to, and the names of all that. */
export async function focuses(page) {
  await page.evaluate(() => {
    document.activeElement?.blur();
    window.visited = new Set();
    getSelection().removeAllRanges();
  });
  const [poor, names] = [[], []];
  for (let press = 0; press < 400; press += 1) {
    await page.keyboard.press("Tab");
    const found = await page.evaluate(`(${findFocus})((${measures})())`);
    // Before the first and after the last one, the browser itself has the focus.
    if (found === null) continue;
    if (found.again) break;
    names.push(found.name);
    if (found.wrong) poor.push(`${found.name} ${found.wrong}`);
    // The editor takes Tab for itself. The first Escape may close a search.
    for (let times = 0; found.indents && times < 2; times += 1) await page.keyboard.press("Escape");
  }
  const missed = await page.evaluate(() => {
    const wanted = document.querySelectorAll("button, select, input, summary, a[href], [tabindex='0'], [contenteditable='true']");
    const misses = [...wanted].filter((it) => it.checkVisibility({ visibilityProperty: true }) && !it.disabled && it.tabIndex >= 0);
    return misses.filter((it) => !window.visited.has(it)).map((it) => it.outerHTML.slice(0, 80));
  });
  return { poor: [...poor, ...missed.map((it) => `Tab does not come to ${it}`)], names };
}

async function findFocus({ colorOf, over, ratio, behind, nameOf, middle }) {
  const element = document.activeElement;
  if (element === document.body || element === null) return null;
  if (window.visited.has(element)) return { again: true };
  window.visited.add(element);
  const name = nameOf(element);
  const indents = element.matches(".cm-content");
  // The editor marks itself a moment later.
  if (indents) await new Promise((done) => setTimeout(done, 100));
  // The editor has a shadow along its inner edge.
  const ringed = element.closest(".cm-editor") && indents ? element.closest(".cm-editor") : element;
  const style = getComputedStyle(ringed);
  const inset = style.boxShadow.match(/^(\S+\(.*?\)) 0px 0px 0px (\d+)px inset$/);
  const isOutlined = !["none", "auto"].includes(style.outlineStyle) && parseFloat(style.outlineWidth) >= 2;
  if (!inset && !isOutlined) return { name, indents, wrong: "has no visible focus" };
  element.scrollIntoView({ block: "nearest", inline: "nearest" });
  const isInside = inset !== null || parseFloat(style.outlineOffset) < 0;
  const around = behind(isInside ? ringed : element, ...middle(element), isInside);
  if (!around) return { name, indents, wrong: "has the focus behind something else" };
  const found = ratio(over(colorOf(inset ? inset[1] : style.outlineColor), around), around);
  return { name, indents, wrong: found < 3 ? `has a focus with ${found.toFixed(2)}, not 3` : "" };
}
