// The Markdown of the script reference: paragraphs, code, and nothing else.

/** A part of a paragraph, or a paragraph, as elements. */
function inline(text: string): Node[] {
  const parts = text.split(/`([^`]*)`/);
  return parts.map((part, i) => {
    if (i % 2 === 0) return document.createTextNode(part);
    return Object.assign(document.createElement("code"), { textContent: part });
  });
}

/** A text of the reference as an element. */
export function markdown(text: string): HTMLElement {
  const box = document.createElement("div");
  box.className = "reference";
  text.split(/^```\w*\n([^]*?)^```$/m).forEach((part, i) => {
    if (i % 2 === 1) {
      box.append(Object.assign(document.createElement("pre"), { textContent: part.trimEnd() }));
      return;
    }
    for (const paragraph of part.split(/\n\n+/)) {
      if (paragraph.trim() === "") continue;
      if (paragraph.trim() === "---") {
        box.append(document.createElement("hr"));
        continue;
      }
      const element = document.createElement("p");
      element.append(...inline(paragraph.trim()));
      box.append(element);
    }
  });
  return box;
}
