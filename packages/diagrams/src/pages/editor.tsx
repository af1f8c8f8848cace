import { Button, Page, Panel, Segments, Select, useQueryState } from "millrace/dashboard";
import { useRef, useState } from "react";
import type { RenderRequest } from "../client.ts";
import { useDrawing } from "./drawing.ts";
import { type DiagramFormat, FORMATS, LANGUAGES } from "./examples.ts";
import { Share } from "./share.tsx";
import { sourceFromHash } from "./shared-source.ts";
import { SourceEditor } from "./source-editor.tsx";
import { Viewer } from "./viewer.tsx";

export function DiagramsPage() {
  const [params, change] = useQueryState();
  const format = FORMATS.find(([name]) => name === params.get("format"))?.[0] ?? "mermaid";
  const outputType = OUTPUTS.find(([name]) => name === params.get("output"))?.[0] ?? "svg";
  const [sources, setSources] = useState<Readonly<Record<DiagramFormat, string>>>(() => firstSources(format));
  const source = sources[format];
  const { themes = [] } = STYLES[format] ?? {};
  const theme = themes.find((each) => each === params.get("theme")) ?? "";
  const scale = SCALES.find(([value]) => value === params.get("scale"))?.[0] ?? "";
  const options = { ...(theme && { theme }), ...(scale && { scale: Number(scale) }) };
  const { rendered, fault, busy } = useDrawing({ source, format, outputType, options } as RenderRequest);
  const text = useRef<HTMLTextAreaElement>(null);
  const write = (next: string) => {
    const all = { ...sources, [format]: next };
    setSources(all);
    keep(all);
    leaveSharedSource();
  };
  const link = rendered && new URL(rendered.url, window.location.href).href;
  return (
    <Page
      title="Diagrams"
      about="Drawn as you type. No job is kept; the drawing is, until it leaves the cache."
      actions={
        <>
          <Select
            label="Format"
            labelHidden
            value={format}
            options={FORMATS}
            onChange={({ target }) => change({ format: target.value, theme: undefined })}
          />
          {themes.length > 0 && (
            <Select
              label="Theme"
              labelHidden
              value={theme}
              options={[["", "Theme"], ...themes.map((each) => [each, each] as const)]}
              onChange={({ target }) => change({ theme: target.value })}
            />
          )}
          <Select
            label="Size"
            labelHidden
            value={scale}
            options={[["", "Size 100 %"], ...SCALES]}
            onChange={({ target }) => change({ scale: target.value })}
          />
          <Segments label="Output" value={outputType} options={OUTPUTS} onChange={(next) => change({ output: next })} />
        </>
      }
    >
      <div className="editor">
        <Panel
          title="Source"
          aside={LANGUAGES[format].examples.map(({ name, source: example }) => (
            <Button key={name} className="small" look="quiet" onClick={() => replace(text.current, example)}>
              {name}
            </Button>
          ))}
        >
          <SourceEditor value={source} onChange={write} fault={fault} field={text} />
        </Panel>
        <Panel
          title="Drawing"
          aside={
            link && (
              <Share link={link} isPicture={outputType === "svg"} source={source} query={window.location.search} />
            )
          }
        >
          <div className={`drawing ${fault ? "stale" : ""}`} aria-busy={busy}>
            {rendered && outputType === "pdf" ? (
              <p>The PDF is behind the link.</p>
            ) : rendered ? (
              <Viewer src={rendered.url} alt="The diagram as drawn" />
            ) : (
              <p>{busy ? "Drawing…" : "Write a diagram, or choose an example."}</p>
            )}
          </div>
          {rendered?.warnings?.map((warning) => (
            <p key={warning} className="notice care">
              {warning}
            </p>
          ))}
        </Panel>
      </div>
    </Page>
  );
}

/** As if it were typed, so that Ctrl+Z brings back what was there. */
function replace(field: HTMLTextAreaElement | null, example: string): void {
  if (!field) return;
  field.focus();
  field.select();
  document.execCommand("insertText", false, example);
  field.setSelectionRange(0, 0);
}

const STYLES: Partial<Record<DiagramFormat, { readonly themes: readonly string[] }>> = {
  mermaid: { themes: ["default", "base", "dark", "forest", "neutral", "neo", "redux"] },
};

const SCALES = [
  ["0.5", "50 %"],
  ["2", "200 %"],
  ["3", "300 %"],
] as const;

const OUTPUTS = [
  ["svg", "SVG"],
  ["pdf", "PDF"],
  ["png", "PNG"],
  ["jpeg", "JPEG"],
  ["webp", "WebP"],
] as const;

// What was being written is there again after a visit elsewhere, also tomorrow.
const KEY = "millrace-diagrams";

/** A diagram in the address comes first. */
function firstSources(format: DiagramFormat): Readonly<Record<DiagramFormat, string>> {
  const examples = FORMATS.map(([name]) => [name, LANGUAGES[name].examples[0]?.source ?? ""] as const);
  const first = Object.fromEntries(examples) as Record<DiagramFormat, string>;
  const shared = sourceFromHash(window.location.hash);
  return { ...first, ...keptSources(), ...(shared !== undefined && { [format]: shared }) };
}

/** After an edit a reload brings what was written, not what was shared. */
function leaveSharedSource(): void {
  const { hash, pathname, search } = window.location;
  if (sourceFromHash(hash) !== undefined) window.history.replaceState(window.history.state, "", pathname + search);
}

function keptSources(): Partial<Record<DiagramFormat, string>> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Record<DiagramFormat, string>>;
  } catch {
    return {};
  }
}

function keep(sources: Readonly<Record<DiagramFormat, string>>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(sources));
  } catch {
    // A browser that keeps nothing forgets this too.
  }
}
