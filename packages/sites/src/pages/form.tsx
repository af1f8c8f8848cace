import { Button, Check, clientFor, Input, navigate, Panel, TextArea, useAct, useSession } from "millrace/dashboard";
import { type FormEvent, useState } from "react";
import { type SiteSubmission, sites } from "../client.ts";

const EMPTY = {
  url: "",
  brand: "",
  competitors: "",
  models: "",
  prompts: "",
  promptCount: "",
  maxPages: "",
  samples: "",
  usd: "",
  calls: "",
  tenant: "",
};

export function SiteForm() {
  const session = useSession();
  const [draft, setDraft] = useState(EMPTY);
  const [review, setReview] = useState(false);
  const submit = useAct<void, { jobId: string }>({
    run: () =>
      clientFor(session.allTenants ? draft.tenant.trim() || undefined : undefined)
        .with(sites)
        .sites.submit(requestOf(draft, review)),
    after: ({ jobId }) => navigate(`/sites/${jobId}`),
  });
  const field = (name: keyof typeof EMPTY) => ({
    value: draft[name],
    onChange: (event: { target: { value: string } }) => setDraft({ ...draft, [name]: event.target.value }),
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    submit.mutate();
  };
  return (
    <Panel title="Analyse a site">
      <form className="site-form" onSubmit={send}>
        <div className="site-url">
          <Input
            label="Address of the site"
            required
            maxLength={2_000}
            placeholder="https://example.com"
            inputMode="url"
            {...field("url")}
          />
          <Button look="primary" submits busy={submit.isPending}>
            Analyse
          </Button>
        </div>
        <details>
          <summary>More: brand, rivals, models, budget, review</summary>
          <div className="site-more">
            <div className="site-texts">
              <TextArea label="Rivals" rows={3} hint="One per line." {...field("competitors")} />
              <TextArea
                label="Your own prompts"
                rows={3}
                hint="One per line, instead of generated ones."
                {...field("prompts")}
              />
              <TextArea
                label="Models"
                rows={3}
                hint="One per line, such as openai/gpt-5-mini. Empty: all models of the server."
                {...field("models")}
              />
            </div>
            <div className="site-figures">
              <Input label="Brand" placeholder="found on the site" maxLength={80} {...field("brand")} />
              <Input label="Pages" type="number" min={1} max={50} placeholder="10" {...field("maxPages")} />
              <Input label="Prompts" type="number" min={3} max={50} placeholder="10" {...field("promptCount")} />
              <Input
                label="Samples"
                type="number"
                min={1}
                max={10}
                placeholder="3"
                title="Answers per prompt and model"
                {...field("samples")}
              />
              <Input label="Budget in dollars" type="number" min={0} step="any" placeholder="none" {...field("usd")} />
              <Input label="Budget in calls" type="number" min={1} placeholder="200" {...field("calls")} />
              {session.allTenants && <Input label="Tenant" placeholder="default" maxLength={64} {...field("tenant")} />}
            </div>
            <Check
              label="Let me review the prompts before money is spent"
              checked={review}
              onChange={(event) => setReview(event.target.checked)}
            />
          </div>
        </details>
      </form>
    </Panel>
  );
}

function requestOf(draft: typeof EMPTY, review: boolean): SiteSubmission {
  const lines = (text: string) =>
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
  const competitors = lines(draft.competitors).map((name) => ({ name }));
  const models = lines(draft.models);
  const prompts = lines(draft.prompts);
  const budget = { ...(draft.usd && { usd: Number(draft.usd) }), ...(draft.calls && { calls: Number(draft.calls) }) };
  return {
    url: draft.url.trim(),
    ...(draft.brand.trim() && { brand: { name: draft.brand.trim() } }),
    ...(competitors.length > 0 && { competitors }),
    ...(models.length > 0 && { models }),
    ...(prompts.length > 0 && { prompts }),
    ...(draft.promptCount && { promptCount: Number(draft.promptCount) }),
    ...(draft.maxPages && { maxPages: Number(draft.maxPages) }),
    ...(draft.samples && { samples: Number(draft.samples) }),
    ...(Object.keys(budget).length > 0 && { budget }),
    ...(review && { reviewPrompts: true }),
  };
}
