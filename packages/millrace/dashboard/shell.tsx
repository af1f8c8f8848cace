import { type ReactNode, useEffect, useRef, useState } from "react";
import { type ServerAnswers, useServerAnswers } from "./lib/answers.ts";
import { clientFor, useAct, useMay, useSurroundings } from "./lib/data.ts";
import { useApprovals, useDeadLetterCount } from "./lib/facts.ts";
import { clock, count, zoneName } from "./lib/format.ts";
import { type LiveState, useLiveState } from "./lib/live.ts";
import { ENVIRONMENT, HAS_KEYS } from "./lib/mount.ts";
import { usePageAddress } from "./lib/router.ts";
import { setTheme, type Theme, useTheme } from "./lib/theme.ts";
import { setZone, useZone } from "./lib/zone.ts";
import { RunningOperations, useRunningOperations } from "./operations/running.tsx";
import { ShortcutKeys } from "./palette/keys.tsx";
import { Button } from "./ui/button.tsx";
import { Icon, type IconName, type IconPath, iconNamed, Wheel } from "./ui/icon.tsx";
import { Link } from "./ui/link.tsx";
import { isBelow } from "./workloads/match.ts";
import { useWorkloads, withPages } from "./workloads/use-workloads.ts";

interface Props {
  readonly children: (path: string) => ReactNode;
  readonly onSignedOut: () => void;
}

export function Shell({ children, onSignedOut }: Props) {
  const { path } = usePageAddress();
  const [open, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const before = useRef(path);
  useEffect(() => {
    setOpen(false);
    // After a link is followed by keyboard, the focus starts at the new page, not in the menu of the old one.
    if (before.current !== path) main.current?.focus({ preventScroll: true });
    before.current = path;
  }, [path]);
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="topbar">
        <Link to="/" className="brand">
          <Wheel /> Millrace
        </Link>
        <EnvironmentName />
        <div className="actions">
          <LiveSign />
          <Button
            look="quiet"
            icon={open ? "close" : "menu"}
            aria-label="Menu"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          />
        </div>
      </header>
      <div className={open ? "side open" : "side"}>
        <Link to="/" className="brand">
          <Wheel /> Millrace
        </Link>
        <EnvironmentName />
        <ShortcutKeys />
        <Navigation path={path} />
        <div className="side-foot">
          <div className="foot-row">
            <LiveSign />
            <ZoneButton />
            <ThemeButton />
          </div>
          <Who onSignedOut={onSignedOut} />
        </div>
      </div>
      <main id="main" className="main" tabIndex={-1} ref={main}>
        <CutBanner />
        <RunningOperations />
        {children(path)}
      </main>
    </div>
  );
}

/** Which environment this is, so that an act meant for another one does not hit production. */
function EnvironmentName() {
  const { name, colour } = ENVIRONMENT;
  return name === "" ? null : <p className={`environment ${colour}`}>{name}</p>;
}

function Navigation({ path }: { path: string }) {
  const may = useMay();
  const dead = useDeadLetterCount();
  const running = useRunningOperations().length;
  const approvals = useApprovals().data?.length ?? 0;
  const entries = withPages(useWorkloads().data).flatMap(({ pages }) => pages.nav);
  const isCurrent = (to: string) => (to === "/" ? path === "/" : isBelow(path, to));
  const item = (to: string, icon: IconName | IconPath, text: string, tally?: number, of = "dead letters") => (
    <li key={to}>
      <Link to={to} aria-current={isCurrent(to) ? "page" : undefined}>
        <Icon name={icon} />
        {text}
        {tally !== undefined && tally > 0 && (
          <span className={of === "dead letters" ? "tally bad" : "tally"}>
            {count(tally)}
            <span className="visually-hidden"> {of}</span>
          </span>
        )}
      </Link>
    </li>
  );
  return (
    <nav className="nav" aria-label="Pages">
      <ul>
        {item("/", "overview", "Overview")}
        {item("/jobs", "jobs", "Jobs")}
        {item("/batches", "batches", "Batches")}
        {item("/dead-letters", "dead-letters", "Dead letters", dead)}
        {item("/operations", "operations", "Operations", running, "operations that run")}
        {item("/approvals", "check", "Approvals", approvals, "open approvals")}
        {may("root") && item("/stages", "stages", "Stages")}
        {may("root") && item("/pools", "pools", "Pools")}
        {may("root") && item("/processes", "processes", "Processes")}
        {may("admin") && item("/tenants", "tenants", "Tenants")}
        {may("root") && item("/deployments", "deployments", "Deployments")}
        {may("root") && item("/limits", "limits", "Limits")}
        {may("submit") && item("/submit", "submit", "Submit")}
        {entries.length > 0 && <li className="nav-gap" aria-hidden="true" />}
        {entries.map((entry) => item(entry.path, iconNamed(entry.icon), entry.title))}
        {may("admin") && <li className="nav-gap" aria-hidden="true" />}
        {may("admin") && item("/schedules", "schedules", "Schedules")}
        {may("admin") && item("/settings", "settings", "Settings")}
      </ul>
    </nav>
  );
}

const LIVE_WORDS = { connecting: "Connecting", open: "Live", cut: "Polling" };

function LiveSign() {
  const state = useLiveState();
  return (
    <span className={`live-state ${state}`}>
      <i aria-hidden="true" />
      {LIVE_WORDS[state]}
    </span>
  );
}

/** The server is away, it answers with errors, or only the feed is cut: each in its own words, with what happens next. */
function CutBanner() {
  const state = useLiveState();
  const answers = useServerAnswers();
  const banner = bannerOf(state, answers);
  return (
    <div role="status">
      {banner && (
        <div className={`banner ${banner.tone}`}>
          <Icon name={banner.tone === "bad" ? "warning" : "info"} />
          <p>{banner.text}</p>
        </div>
      )}
    </div>
  );
}

function bannerOf(
  live: LiveState,
  { state, lastAt }: ServerAnswers,
): { readonly tone: "bad" | "care" | "calm"; readonly text: string } | undefined {
  const since = `${clock(lastAt, true)} ${zoneName(lastAt)}`;
  if (live !== "cut") {
    if (state !== "failing") return undefined;
    const text = `The server answers with errors. This page shows the state of ${since} and tries again by itself.`;
    return { tone: "care", text };
  }
  if (state === "away") {
    const text = `No answer from the server since ${since}. Reconnecting. This page shows what it knew then.`;
    return { tone: "bad", text };
  }
  return { tone: "calm", text: "Live updates are interrupted. Reconnecting. Figures refresh every 2 s meanwhile." };
}

const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };
const THEME_ICONS: Record<Theme, IconName> = { system: "system", light: "sun", dark: "moon" };

function ThemeButton() {
  const { theme } = useTheme();
  const text = `Theme: ${theme}. Change to ${NEXT[theme]}.`;
  return (
    <Button
      look="quiet"
      icon={THEME_ICONS[theme]}
      aria-label={text}
      title={text}
      onClick={() => setTheme(NEXT[theme])}
    />
  );
}

function ZoneButton() {
  const zone = useZone();
  const now = Date.now();
  const other = zone === "utc" ? "local time" : "UTC";
  const text = `Times in ${zone === "utc" ? "UTC" : `local time (${zoneName(now)})`}. Change to ${other}.`;
  return (
    <Button
      look="quiet"
      className="zone-button"
      aria-label={text}
      title={text}
      onClick={() => setZone(zone === "utc" ? "local" : "utc")}
    >
      {zoneName(now)}
    </Button>
  );
}

function Who({ onSignedOut }: { onSignedOut: () => void }) {
  const { session } = useSurroundings();
  const signOut = useAct({ run: () => clientFor().session.signOut(), after: onSignedOut });
  if (session.name === "anonymous") return null;
  return (
    <div className="who">
      <p>
        {session.name}
        {!session.allTenants && <> · tenant {session.tenant}</>}
      </p>
      {HAS_KEYS && (
        <Button look="quiet" icon="sign-out" aria-label="Sign out" title="Sign out" onClick={() => signOut.mutate()} />
      )}
    </div>
  );
}
