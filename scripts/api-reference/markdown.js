// Small pieces of Markdown.

const WIDTH = 120;

/** Paragraphs and lists of a doc comment, wrapped as our documents are. */
export function prose(text) {
  const parts = text.split(/\n\s*\n|\n(?=- )/).map((each) => wrap(each.replace(/\s+/g, " ").trim()));
  const isItem = (part) => part?.startsWith("- ");
  const gap = (i) => (i === 0 ? "" : isItem(parts[i]) && isItem(parts[i - 1]) ? "\n" : "\n\n");
  return parts.map((part, i) => gap(i) + part).join("");
}

function wrap(line) {
  const indent = line.startsWith("- ") ? "  " : "";
  const lines = [];
  let current = "";
  for (const word of line.split(" ")) {
    if (current !== "" && current.length + 1 + word.length > WIDTH) {
      lines.push(current);
      current = indent + word;
    } else current = current === "" ? word : `${current} ${word}`;
  }
  return [...lines, current].join("\n");
}

export function table(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Inside a cell a line break would end the table, and a bar the cell. */
export function cell(text) {
  return text.replace(/\s+/g, " ").trim().replaceAll("|", "\\|");
}

export function code(text) {
  return text === "" ? "" : `\`${cell(text)}\``;
}

export function fence(text) {
  return `\`\`\`ts\n${text.trimEnd()}\n\`\`\``;
}

/** As the hosts of Markdown make it from a heading; the second of the same name gets a number. */
export function slugger() {
  const seen = new Map();
  return (heading) => {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-");
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}
