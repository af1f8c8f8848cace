import { Panel } from "millrace/dashboard";
import type { SiteView } from "../client.ts";
import type { Cell } from "./use-sites.ts";

const WORDS: Record<Cell["state"] | "ahead", string> = {
  answered: "answered",
  sent: "asked, no answer yet",
  waits: "waits for the rate limit",
  failed: "no answer",
  ahead: "not asked yet",
};

/** Prompts by models, filling in as answers come: a mark for every sample. */
export function Grid({ site }: { site: SiteView }) {
  const prompts = site.prompts?.prompts ?? [];
  const models = [...new Set(site.cells.map(({ model }) => model))];
  const { samples = 1 } = site.job.payload as { samples?: number };
  const states = new Map(site.cells.map((cell) => [`${cell.promptId} ${cell.model} ${cell.sample}`, cell.state]));
  return (
    <Panel title="Prompts" aside={<Legend shown={models.length > 0} />}>
      <div className="table-scroll">
        <table className="table prompts">
          <thead>
            <tr>
              <th className="wide">Prompt</th>
              <th>Intent</th>
              {models.map((model) => (
                <th key={model}>{model}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {prompts.map(({ id, text, intent, branded }) => (
              <tr key={id}>
                <td className="wide">
                  {text} {branded && <span className="tag">names the brand</span>}
                </td>
                <td className="dim">{intent}</td>
                {models.map((model) => (
                  <td key={model} data-label={model.slice(model.indexOf("/") + 1)}>
                    <Marks
                      states={Array.from(
                        { length: samples },
                        (_, i) => states.get(`${id} ${model} ${i + 1}`) ?? "ahead",
                      )}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {site.prompts?.shortfalls.map((text) => (
        <p key={text} className="panel-body dim">
          {text}
        </p>
      ))}
    </Panel>
  );
}

function Marks({ states }: { states: readonly (Cell["state"] | "ahead")[] }) {
  return (
    <span className="marks" role="img" aria-label={states.map((state) => WORDS[state]).join(", ")}>
      {states.map((state, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the samples, in their order
        <i key={i} className={state} />
      ))}
    </span>
  );
}

function Legend({ shown }: { shown: boolean }) {
  if (!shown) return null;
  return (
    <span className="marks-legend">
      {(["answered", "sent", "waits", "failed"] as const).map((state) => (
        <span key={state}>
          <span className="marks" aria-hidden="true">
            <i className={state} />
          </span>
          {WORDS[state]}
        </span>
      ))}
    </span>
  );
}
