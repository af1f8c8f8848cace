import { useState } from "react";
import { useLiveQuery, useSurroundings } from "../lib/data.ts";
import { useMetrics } from "../lib/facts.ts";
import { bytes, duration } from "../lib/format.ts";
import { addressOf, HAS_KEYS, VERSION } from "../lib/mount.ts";
import { useQueryState } from "../lib/router.ts";
import { Input, Segments } from "../ui/field.tsx";
import { Empty, Loaded, Page, Panel } from "../ui/page.tsx";
import { Audit } from "./audit.tsx";
import { Keys } from "./keys.tsx";
import "./settings.css";

type Part = "settings" | "keys" | "audit";

export function SettingsPage() {
  const { session } = useSurroundings();
  const [params, change] = useQueryState();
  const parts = [
    // Inside another application, its code has the settings and its users have no keys.
    ...(session.root && HAS_KEYS ? [["settings", "Settings"] as const] : []),
    ...(HAS_KEYS ? [["keys", "Keys"] as const] : []),
    ["audit", "Audit"] as const,
  ];
  const part = (parts.find(([name]) => name === params.get("part"))?.[0] ?? parts[0]?.[0] ?? "audit") as Part;
  return (
    <Page
      title="Settings"
      actions={
        <Segments<Part> label="Section" value={part} options={parts} onChange={(next) => change({ part: next })} />
      }
    >
      {part === "settings" && <Effective />}
      {part === "keys" && <Keys />}
      {part === "audit" && <Audit />}
    </Page>
  );
}

interface Setting {
  readonly name: string;
  readonly value: string;
  readonly doc: string;
}

function Effective() {
  const [wanted, setWanted] = useState("");
  const metrics = useMetrics().data;
  const settings = useLiveQuery<Setting[]>({
    key: ["config"],
    load: (client, signal) => client.config({ signal }),
    everyMs: false,
    concerns: NEVER,
  });
  return (
    <>
      {metrics && (
        <p className="dim">
          Up for {duration(metrics.process.uptimeSeconds * 1_000)}, {bytes(metrics.process.rssBytes)} of memory,{" "}
          {bytes(metrics.database.databaseBytes + metrics.database.walBytes)} in the store.
          {VERSION !== "" && <> Version {VERSION}.</>}{" "}
          <a href={addressOf("/docs")} className="text-link">
            API reference
          </a>
        </p>
      )}
      <Panel
        title="Settings in effect"
        aside={
          <Input
            label="Find a setting"
            labelHidden
            type="search"
            placeholder="Find a setting"
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
          />
        }
      >
        <Loaded query={settings}>
          {(all) => {
            const words = wanted.toLowerCase();
            const found = all.filter(({ name, doc }) => `${name} ${doc}`.toLowerCase().includes(words));
            if (found.length === 0) return <Empty title="No setting has this name." />;
            return (
              <div className="table-scroll">
                <table className="table settings">
                  <thead>
                    <tr>
                      <th>Name</th>
                      <th>Value</th>
                      <th className="wide">Meaning</th>
                    </tr>
                  </thead>
                  <tbody>
                    {found.map(({ name, value, doc }) => (
                      <tr key={name}>
                        <td>
                          <code>{name}</code>
                        </td>
                        <td className="setting-value">
                          {value === "" ? <span className="dim">none</span> : <code>{value}</code>}
                        </td>
                        <td className="wide dim">{doc}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            );
          }}
        </Loaded>
      </Panel>
      <p className="dim">
        Settings come from the environment or <code>.env</code> and are read when the server starts. Secrets are masked.
      </p>
    </>
  );
}

const NEVER = () => false;
