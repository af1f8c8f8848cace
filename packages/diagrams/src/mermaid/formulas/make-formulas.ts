// TeX to SVG by MathJax. The function also runs in a browser's page, by its source, so it uses nothing from outside itself.

/** What stands between two pairs of dollar signs, as an SVG element that stands in a line of text. */
export interface Formulas {
  /** Throws an error with the name `FormulaError`; its `reason` is the TeX. */
  renderToString(tex: string): string;
}

/** MathJax's components, as they stand in `MathJax._`. */
// biome-ignore lint/suspicious/noExplicitAny: MathJax's bundles have no types, and only this function touches them.
export function makeFormulas(parts: any, packages: readonly string[]): Formulas {
  /** What KaTeX knows and MathJax does not; Mermaid's own examples use it. */
  const KATEX = { relax: "", phase: ["\\enclose{phasorangle}{#1}", 1] };
  /** Of frames and strokes; MathJax has it in a stylesheet. In thousandths of an em. */
  const LINE = 60;
  /** Each shape gets the colour that it has from the groups around it: stylesheets of diagrams colour every path. */
  const coloured = (markup: string): string => {
    const colours = ["currentColor"];
    return markup.replace(
      /<(\/?)(\w+)([^>]*?)(\/?)>/g,
      (tag, end: string, name: string, given: string, own: string) => {
        if (end !== "") {
          if (name === "g") colours.pop();
          return tag;
        }
        const colour = / fill="([^"]*)"/.exec(given)?.[1] ?? colours.at(-1);
        if (name === "g" && own === "") colours.push(colour ?? "currentColor");
        if (!/^(?:path|rect|text|line)$/.test(name)) return tag;
        const isLine = name === "line" || colour === "none";
        const drawn = isLine ? colours.at(-1) : colour;
        const style = isLine
          ? `fill:none!important;stroke:${drawn}!important;stroke-width:${LINE}!important`
          : `fill:${drawn}!important;stroke:none!important`;
        return `<${name}${given} style="${style}"${own}>`;
      },
    );
  };
  const adaptor = parts.adaptors.liteAdaptor.liteAdaptor();
  const { mathjax } = parts.mathjax;
  parts.handlers.html_ts.RegisterHTMLHandler(adaptor);
  const font = new parts.output.svg.fonts.tex_ts.TeXFont();
  const OutputJax = new parts.output.svg_ts.SVG({ fontCache: "none", font });
  const formatError = (_: unknown, error: unknown) => {
    throw error;
  };
  return {
    renderToString(tex) {
      // A fresh reader for each formula, because a reader keeps the macros that a formula defines.
      const limits = { formatError, maxMacros: 1000 };
      const InputJax = new parts.input.tex_ts.TeX({ packages: [...packages], macros: KATEX, ...limits });
      let markup: string;
      try {
        const drawn = mathjax.document("", { InputJax, OutputJax }).convert(tex, { display: true, em: 16, ex: 8 });
        markup = adaptor.innerHTML(drawn);
      } catch (thrown) {
        const said = thrown instanceof Error ? thrown.message : String((thrown as { message?: unknown }).message);
        const error = new Error(`The formula "${tex}" is not valid TeX: ${said.replace(/\.$/, "")}.`);
        throw Object.assign(error, { name: "FormulaError", reason: tex });
      }
      // 1,000 units are one em of the text around the formula, and the baseline is at 0.
      const [, y = 0, width = 0, height = 0] = (/viewBox="([^"]*)"/.exec(markup)?.[1] ?? "").split(" ").map(Number);
      const em = (units: number) => `${Math.round(units) / 1000}em`;
      const size = `width="${em(width)}" height="${em(height)}" style="vertical-align:${em(-(y + height))}"`;
      return coloured(markup)
        .replace(/^<svg[^>]*>/, (tag) => `<svg ${size}${/ viewBox="[^"]*"/.exec(tag)?.[0] ?? ""}>`)
        .replace(/ (?:data-[\w-]+|role|focusable|font-family|aria-\w+)="[^"]*"/g, "");
    },
  };
}
