import type { Step } from "../../src/client/index.ts";
import { preview } from "../lib/format.ts";
import { Json } from "../ui/json.tsx";
import { Panel } from "../ui/page.tsx";
import { SomeFirst } from "../ui/some-first.tsx";
import { Ago } from "../ui/time.tsx";

/** What is done and paid for: a retry does not do it again. */
export function Steps({ steps }: { steps: readonly Step[] }) {
  if (steps.length === 0) return null;
  return (
    <Panel title="Steps" aside={<span>stored results, not repeated by a retry</span>}>
      <SomeFirst items={steps} most={12}>
        {(shown) => (
          <ul className="steps">
            {shown.map(({ stage, name, value, savedAt }) => (
              <li key={`${stage}/${name}`}>
                <details>
                  <summary>
                    <span className="step-name">{name}</span>
                    <span className="dim step-value">{preview(value, 80)}</span>
                    <span className="dim number">
                      <Ago at={savedAt} />
                    </span>
                  </summary>
                  <Json value={value} label={`Result of ${name}`} />
                </details>
              </li>
            ))}
          </ul>
        )}
      </SomeFirst>
    </Panel>
  );
}
