export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** Formats the only Markdown that our descriptions use: code. */
export function markdown(text: string): string {
  return escaped(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

export function slug(text: string): string {
  return text.replaceAll(" ", "-");
}

export function json(value: unknown): string {
  return `<pre><code>${escaped(JSON.stringify(value, null, 2))}</code></pre>`;
}
