import type { Job } from "../../src/client/index.ts";
import { clientFor, useAct } from "../lib/data.ts";
import { Button } from "../ui/button.tsx";
import { Panel } from "../ui/page.tsx";

const TEXTS = [
  { name: "Succeeds", text: "hi", about: "done in two seconds" },
  { name: "Slow, with progress", text: "takes some time", about: "a second per character" },
  { name: "Fails and retries", text: "fail", about: "ends as a dead letter" },
  { name: "Forbidden", text: "this is forbidden", about: "rejected by its processor" },
];

/** What a job can do, a click each. */
export function QuickTexts({ onSubmitted }: { onSubmitted: (job: Job) => void }) {
  const submit = useAct<string, Job>({
    run: async (_client, text) => (await clientFor().submit("text", { text })) as Job,
    after: onSubmitted,
  });
  return (
    <Panel title="Try an example">
      <div className="quick">
        {TEXTS.map(({ name, text, about }) => (
          <div key={text}>
            <Button onClick={() => submit.mutate(text)}>{name}</Button>
            <p className="dim">{about}</p>
          </div>
        ))}
      </div>
    </Panel>
  );
}
