import { type KeyboardEvent, useId, useMemo, useState } from "react";
import type { SavedView, Tenant } from "../../src/client/index.ts";
import { useLiveQuery, useMay, useSurroundings } from "../lib/data.ts";
import { useKinds } from "../lib/facts.ts";
import { navigate } from "../lib/router.ts";
import { setTheme, useTheme } from "../lib/theme.ts";
import { setZone, useZone } from "../lib/zone.ts";
import { Dialog } from "../ui/dialog.tsx";
import { matching, type PaletteEntry } from "./entries.ts";
import { NAMED_PAGES } from "./pages.ts";
import "./palette.css";

/** Finds pages, saved views, kinds, tenants, actions and jobs by a few letters. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const all = usePaletteEntries();
  const entries = useMemo(() => matching(all, typed), [all, typed]);
  const place = Math.min(chosen, entries.length - 1);
  const go = (entry: PaletteEntry | undefined) => {
    if (!entry) return;
    onClose();
    if (entry.run) entry.run();
    else if (entry.to) navigate(entry.to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setChosen((place + step + entries.length) % entries.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      go(entries[place]);
    }
  };
  return (
    <Dialog title="Go to" onClose={onClose} actions={undefined}>
      <input
        className="input"
        role="combobox"
        aria-label="Go to a page, job, kind, tenant or action"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={entries.length > 0 ? `${id}-${place}` : undefined}
        placeholder="Page, job id, kind, tenant, action…"
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div className="palette" id={id} role="listbox" aria-label="Found">
        {entries.map((entry, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
          <div
            key={`${entry.sort} ${entry.title}`}
            id={`${id}-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === place}
            onClick={() => go(entry)}
          >
            <span>{entry.title}</span>
            <span className="dim">{entry.sort}</span>
          </div>
        ))}
      </div>
    </Dialog>
  );
}

function usePaletteEntries(): readonly PaletteEntry[] {
  const may = useMay();
  const { session } = useSurroundings();
  const kinds = useKinds().data;
  const views = useLiveQuery<SavedView[]>({ key: ["views"], load: (client, signal) => client.views.list({ signal }) });
  const tenants = useLiveQuery<Tenant[]>({
    key: ["tenants"],
    load: (client, signal) => client.tenants({ signal }),
    enabled: may("admin") && session.allTenants,
  });
  const { theme } = useTheme();
  const zone = useZone();
  return useMemo(
    () => [
      ...NAMED_PAGES.filter(({ scope }) => scope === undefined || may(scope)).map(
        ({ title, path }): PaletteEntry => ({ title, sort: "page", to: path }),
      ),
      ...(views.data ?? []).map(({ name, path }): PaletteEntry => ({ title: name, sort: "view", to: path })),
      ...(kinds ?? []).flatMap(({ kind }): PaletteEntry[] => [
        { title: kind, sort: "kind", to: `/jobs?kind=${encodeURIComponent(kind)}` },
        ...(may("submit")
          ? [{ title: `Submit ${kind}`, sort: "action", to: `/submit?kind=${encodeURIComponent(kind)}` }]
          : []),
      ]),
      ...(tenants.data ?? []).map(
        ({ tenant }): PaletteEntry => ({
          title: tenant,
          sort: "tenant",
          to: `/tenants?tenant=${encodeURIComponent(tenant)}`,
        }),
      ),
      ...(["light", "dark", "system"] as const)
        .filter((each) => each !== theme)
        .map((each): PaletteEntry => ({ title: `Theme: ${each}`, sort: "action", run: () => setTheme(each) })),
      zone === "utc"
        ? { title: "Times in local time", sort: "action", run: () => setZone("local") }
        : { title: "Times in UTC", sort: "action", run: () => setZone("utc") },
    ],
    [may, kinds, views.data, tenants.data, theme, zone],
  );
}
