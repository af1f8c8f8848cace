import { Badge, Panel, plural, type Tone } from "millrace/dashboard";
import type { SiteView } from "../client.ts";
import type { Check, Profile as SiteProfile } from "./use-sites.ts";

const TONES: Record<Check["status"], Tone> = { pass: "good", warn: "care", fail: "bad", "n/a": "off" };

/** What the first stage understood of the site. */
export function Profile({ profile }: { profile: SiteProfile }) {
  const { brand, offer, rivalsNamed } = profile;
  const texts = (name: "summary" | "keyphrases" | "audiences" | "prices") =>
    (offer[name] ?? []).map(({ text }) => text);
  const rows = [
    ["Brand", [`${brand.name} (from ${brand.from}, confidence ${brand.confidence})`]],
    ["About", texts("summary")],
    ["Key phrases", texts("keyphrases")],
    ["For", texts("audiences")],
    ["Prices", texts("prices")],
    ["Rivals named", rivalsNamed.map(({ name }) => name)],
  ] as const;
  return (
    <Panel title="What the site is about">
      <dl className="facts">
        {rows
          .filter(([, values]) => values.length > 0)
          .map(([name, values]) => (
            <div key={name} className="fact">
              <dt>{name}</dt>
              <dd>{name === "About" ? values.join(" ") : values.slice(0, 12).join(", ")}</dd>
            </div>
          ))}
      </dl>
    </Panel>
  );
}

const WORST_FIRST = ["fail", "warn", "pass", "n/a"] as const;

/** What to mend comes first. */
export function Readiness({ checks }: { checks: readonly Check[] }) {
  const passed = checks.filter(({ status }) => status === "pass").length;
  const sorted = WORST_FIRST.flatMap((wanted) => checks.filter(({ status }) => status === wanted));
  return (
    <Panel title="Readiness" aside={<span>{`${passed} of ${plural(checks.length, "check")} passed`}</span>}>
      <ul className="checks">
        {sorted.map(({ id, label, status, finding, fix }) => (
          <li key={id}>
            <Badge tone={TONES[status]}>{status}</Badge>
            <div>
              <p>{label}</p>
              <p className="dim">{status === "pass" || !fix ? finding : `${finding} ${fix}`}</p>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function Pages({ pages }: { pages: SiteView["pages"] }) {
  if (pages.length === 0) return null;
  return (
    <Panel title="Pages" aside={<span>{plural(pages.filter(({ skipped }) => !skipped).length, "page")} read</span>}>
      <ul className="pages">
        {pages.map(({ url, title, words, skipped }) => (
          <li key={url}>
            <span className="pages-title">{title || url}</span>
            <span className="dim pages-url">{title && url}</span>
            <span className="dim number nowrap">{skipped ?? (words === undefined ? "" : plural(words, "word"))}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
