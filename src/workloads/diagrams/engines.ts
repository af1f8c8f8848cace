/** The formats we draw, each loaded on first use, and the file endings by which they are known. */
export const FORMATS = {
  mermaid: {
    endings: [".mmd", ".mermaid"],
    load: async () => new (await import("./mermaid/engine.ts")).MermaidEngine(),
  },
  d2: { endings: [".d2"], load: async () => new (await import("./d2/engine.ts")).D2Engine() },
  graphviz: { endings: [".dot", ".gv"], load: async () => new (await import("./graphviz/engine.ts")).GraphvizEngine() },
} as const;

export type Format = keyof typeof FORMATS;

export function isFormat(name: string): name is Format {
  return Object.hasOwn(FORMATS, name);
}

export function formatOfFile(path: string): Format | undefined {
  const formats = Object.keys(FORMATS) as Format[];
  return formats.find((name) => FORMATS[name].endings.some((ending) => path.toLowerCase().endsWith(ending)));
}
