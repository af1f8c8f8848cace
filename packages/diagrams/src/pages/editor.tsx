import { Button, CopyButton, Page, Panel, Segments, Select, useQueryState } from "millrace/dashboard";
import { useState } from "react";
import { useDrawing } from "./drawing.ts";
import { type DiagramFormat, FORMATS, LANGUAGES } from "./examples.ts";
import { SourceEditor } from "./source-editor.tsx";

export function DiagramsPage() {
  const [params, change] = useQueryState();
  const format = FORMATS.find(([name]) => name === params.get("format"))?.[0] ?? "mermaid";
  const outputType = OUTPUTS.find(([name]) => name === params.get("output"))?.[0] ?? "svg";
  const [sources, setSources] = useState<Readonly<Record<DiagramFormat, string>>>(firstSources);
  const source = sources[format];
  const { rendered, fault, busy } = useDrawing({ source, format, outputType });
  const write = (next: string) => {
    const all = { ...sources, [format]: next };
    setSources(all);
    keep(all);
  };
  const link = rendered && new URL(rendered.url, window.location.href).href;
  return (
    <Page
      title="Diagrams"
      about="Drawn as you type, stored behind a short link."
      actions={
        <>
          <Select
            label="Format"
            labelHidden
            value={format}
            options={FORMATS}
            onChange={({ target }) => change({ format: target.value })}
          />
          <Segments label="Output" value={outputType} options={OUTPUTS} onChange={(next) => change({ output: next })} />
        </>
      }
    >
      <div className="editor">
        <Panel
          title="Source"
          aside={LANGUAGES[format].examples.map(({ name, source: example }) => (
            <Button key={name} className="small" look="quiet" onClick={() => write(example)}>
              {name}
            </Button>
          ))}
        >
          <SourceEditor value={source} onChange={write} fault={fault} />
        </Panel>
        <Panel
          title="Drawing"
          aside={
            link && (
              <>
                <CopyButton text={`![](${link})`} what="Markdown">
                  Markdown
                </CopyButton>
                <CopyButton text={link} what="Link">
                  Copy link
                </CopyButton>
                <a className="button" href={`${link}?download=true`} download>
                  Download
                </a>
              </>
            )
          }
        >
          <div className={`drawing ${fault ? "stale" : ""}`} aria-busy={busy}>
            {rendered && outputType === "pdf" ? (
              <p>The PDF is behind the link.</p>
            ) : rendered ? (
              <img src={rendered.url} alt="The diagram as drawn" />
            ) : (
              <p>{busy ? "Drawing…" : "Write a diagram, or choose an example."}</p>
            )}
          </div>
          {link && (
            <p className="drawing-link">
              <a href={link} target="_blank" rel="noreferrer" className="mono">
                {link}
              </a>
            </p>
          )}
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

const OUTPUTS = [
  ["svg", "SVG"],
  ["pdf", "PDF"],
  ["png", "PNG"],
  ["jpeg", "JPEG"],
  ["webp", "WebP"],
] as const;

// What was being written is there again after a visit elsewhere, in this tab.
const KEY = "millrace-diagrams";

function firstSources(): Readonly<Record<DiagramFormat, string>> {
  const examples = FORMATS.map(([format]) => [format, LANGUAGES[format].examples[0]?.source ?? ""] as const);
  const first = Object.fromEntries(examples) as Record<DiagramFormat, string>;
  try {
    return { ...first, ...JSON.parse(sessionStorage.getItem(KEY) ?? "{}") };
  } catch {
    return first;
  }
}

function keep(sources: Readonly<Record<DiagramFormat, string>>): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(sources));
  } catch {
    // A browser that keeps nothing forgets this too.
  }
}
