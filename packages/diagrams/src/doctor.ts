import { confinement, describeConfinement } from "millrace";
import { locateChromium, preferChromium } from "millrace/chromium";
import { type Finding, ok, type Setup, warn } from "millrace/workload";
import { FORMATS } from "./api/formats.ts";
import { engineVersion } from "./service/versions.ts";
import type { DiagramSettingValues } from "./settings.ts";

/** Which diagrams can be drawn here, and what confines the processes that draw them. */
export function diagramFindings(setup: Setup<DiagramSettingValues>): Finding[] {
  return [engineFinding(), ...confinementFindings(), chromiumFinding(setup)];
}

function engineFinding(): Finding {
  const engines = [...FORMATS, "png" as const].map((name) => ({ name, version: engineVersion(name) }));
  const found = engines.filter(({ version }) => version !== undefined);
  const text = found.map(({ name, version }) => `${name} ${version}`).join(", ") || "no engine is installed";
  const missing = engines.filter(({ version }) => version === undefined).map(({ name }) => name);
  if (missing.length === 0) return ok("diagrams", text);
  const todo = "Install @millrace/diagrams with its optional dependencies. Without them these formats do not work.";
  return warn("diagrams", `${text}; not ${missing.join(", ")}`, todo);
}

/** Exactly what holds on this machine: by the kernel's namespaces where it permits them. */
function confinementFindings(): Finding[] {
  const held = confinement();
  const { denied, open } = describeConfinement(held);
  const can = `confined processors can ${open.join("; ")}`;
  const isWhole = held.signals === "namespace";
  return [
    ok("isolation", `confined processors cannot ${denied.join("; ")}`),
    isWhole ? ok("isolation", can) : warn("isolation", can, MORE_ISOLATION),
  ];
}

const MORE_ISOLATION =
  "On Linux, allow user namespaces (or install bubblewrap), and install util-linux: unshare, mount, setpriv, prlimit.";

function chromiumFinding({ settings, engineSettings }: Setup<DiagramSettingValues>): Finding {
  const { renderChromium } = settings;
  const { chromiumPath } = engineSettings;
  preferChromium(chromiumPath);
  const place = locateChromium();
  if (!renderChromium) {
    const found = place === undefined ? "" : `; RENDER_CHROMIUM=true would use ${place.at}`;
    return ok("chromium", `the server draws diagrams without a browser${found}`);
  }
  if (place === undefined) {
    const todo =
      "Install a Chromium, correct CHROMIUM_PATH, or unset RENDER_CHROMIUM. Diagrams with engine: chromium are refused.";
    return warn("chromium", chromiumPath === undefined ? "none was found" : `there is none at ${chromiumPath}`, todo);
  }
  const text = `${place.at} draws diagrams with engine: chromium`;
  if (process.getuid?.() !== 0) return ok("chromium", text);
  return warn("chromium", `${text}, without its sandbox`, "Start the server as a user other than root.");
}
