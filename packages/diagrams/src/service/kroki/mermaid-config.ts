// Kroki hands settings of Mermaid on: `flowchart_curve=linear`, `er_title-top-margin=10`. Mermaid reads them from a directive in the
// source, where every value is checked like an author's own (mermaid/check-config.ts).

const SECTIONS = new Set(
  "flowchart sequence gantt journey class state er pie quadrantChart xyChart requirement architecture mindmap kanban timeline gitGraph c4 sankey packet block radar treemap elk themeVariables".split(
    " ",
  ),
);
const NAME = /^[a-z][a-z0-9-]{0,40}$/i;
const MOST_CHARS = 200;

/** The source with those options as a directive. No line moves: the directive stands in front of the first one. */
export function withMermaidConfig(source: string, options: Readonly<Record<string, unknown>>): string {
  const config: Record<string, Record<string, unknown>> = {};
  for (const [option, value] of Object.entries(options)) {
    const [sectionName = "", name = "", ...more] = option.trim().split("_");
    const section = [...SECTIONS].find((each) => each.toLowerCase() === camelCase(sectionName).toLowerCase());
    if (section === undefined || more.length > 0 || !NAME.test(name)) continue;
    config[section] = { ...config[section], [camelCase(name)]: readValue(value) };
  }
  if (Object.keys(config).length === 0) return source;
  const directive = `%%{init: ${JSON.stringify(config)}}%% `;
  const [frontMatter = ""] = /^---[ \t]*\r?\n[\s\S]*?\n---[ \t]*\r?\n/.exec(source) ?? [];
  return frontMatter + directive + source.slice(frontMatter.length);
}

function camelCase(name: string): string {
  return name.replace(/-([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());
}

/** Braces and quotes would end the directive early. */
function readValue(value: unknown): unknown {
  const text = String(value).trim().slice(0, MOST_CHARS);
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true";
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  return text.replace(/[{}"'\\%]/g, "");
}
