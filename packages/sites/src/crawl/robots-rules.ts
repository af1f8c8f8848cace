// The Robots Exclusion Protocol (RFC 9309). Its patterns are matched by two pointers and not by regular expressions: a
// file full of stars would keep those busy for hours. Where the standard is silent, whatever forbids counts and whatever allows
// does not: a rule that was mistyped was still meant.

interface Rule {
  allow: boolean;
  pattern: string;
}

export interface RobotsGroup {
  agents: string[];
  rules: Rule[];
  delayS?: number;
}

/** All that fits into the 500 KiB of a file that the standard asks us to read. */
const MAX_RULES = 50_000;
const MAX_LINE_CHARS = 2_000;
const MAX_SITEMAPS = 50;
/** A longer path counts as forbidden wherever there are rules. */
const MAX_PATH_CHARS = 2_000;

export function parseRobots(text: string, origin: string): { groups: RobotsGroup[]; sitemaps: string[] } {
  const groups: RobotsGroup[] = [];
  const sitemaps: string[] = [];
  let group: RobotsGroup | undefined;
  let rules = 0;
  for (const line of text.replace(/^[\uFEFF\uFFFD]+/, "").split(/\r\n|\n|\r/)) {
    const { name, value } = fieldOf(line.slice(0, MAX_LINE_CHARS));
    if (name === "sitemap") {
      // A "#" is part of an address here as often as not; URL knows what to do with it.
      const address = line.slice(line.indexOf(":") + 1).trim();
      if (sitemaps.length < MAX_SITEMAPS && address.length <= MAX_LINE_CHARS) sitemaps.push(address);
    } else if (name === "user-agent") {
      // Agents that follow each other share the rules after them.
      if (!group || group.rules.length > 0 || group.delayS !== undefined) {
        group = { agents: [], rules: [] };
        groups.push(group);
      }
      group.agents.push(agentOf(value));
    } else if ((name === "allow" || name === "disallow") && group && ++rules <= MAX_RULES) {
      group.rules.push({ allow: name === "allow", pattern: normal(value) });
    } else if (name === "crawl-delay" && group && Number(value) >= 0) group.delayS = Number(value);
  }
  return {
    groups,
    sitemaps: sitemaps.filter((url) => URL.canParse(url, origin)).map((url) => new URL(url, origin).href),
  };
}

/** `Disallow: /x # why`; of lines without a colon those that forbid, or name whom they forbid it. */
function fieldOf(line: string): { name: string; value: string } {
  const [, field = "", sign = "", rest = ""] =
    /^\s*([a-z]+(?:[- ]?agent)?(?:-[a-z]+)?)(\s*:|\s+)([^#]*)/i.exec(line) ?? [];
  const name = nameOf(field.toLowerCase());
  const isMistyped = !sign.includes(":");
  return isMistyped && name !== "disallow" && name !== "user-agent"
    ? { name: "", value: "" }
    : { name, value: rest.trim() };
}

function nameOf(field: string): string {
  if (/^user[- ]?agent$/.test(field)) return "user-agent";
  return /^(?:dissallow|dissalow|disalow|diasllow|disallaw)$/.test(field) ? "disallow" : field;
}

/** The product alone: "Foo/1.2", "Foo (the good bot)" and "foo" name the same agent. */
function agentOf(value: string): string {
  return value.startsWith("*") ? "*" : (/^[\w-]+/.exec(value)?.[0].toLowerCase() ?? "");
}

/** The rules for this agent, or else the rules for all agents. */
export function groupFor(groups: readonly RobotsGroup[], agent: string): RobotsGroup | undefined {
  const name = agentOf(agent);
  const own = groups.filter(({ agents }) => agents.includes(name));
  const fitting = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes("*"));
  if (fitting.length === 0) return undefined;
  const delayS = fitting.find((group) => group.delayS !== undefined)?.delayS;
  return {
    agents: fitting.flatMap(({ agents }) => agents),
    rules: fitting.flatMap((group) => group.rules),
    ...(delayS !== undefined && { delayS }),
  };
}

/** The longest pattern that fits decides; of two as long, the one that allows. */
export function allowed(group: RobotsGroup | undefined, url: URL): boolean {
  const path = normal(`${url.pathname}${url.search}`);
  if (!group || path === "/robots.txt") return true;
  if (path.length > MAX_PATH_CHARS) return false;
  let best: { length: number; allow: boolean } = { length: -1, allow: true };
  for (const { allow, pattern } of group.rules) {
    if (pattern === "" || pattern.length < best.length || !fits(pattern, path)) continue;
    if (pattern.length > best.length || allow) best = { length: pattern.length, allow };
  }
  return best.allow;
}

/** `*` stands for anything, `$` at the end for the end. */
function fits(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith("$");
  const parts = (anchored ? pattern.slice(0, -1) : pattern).split("*");
  const [first = "", ...rest] = parts;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const [i, part] of rest.entries()) {
    const last = i === rest.length - 1;
    if (last && anchored) {
      const end = path.length - part.length;
      return end >= at && path.endsWith(part);
    }
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return !anchored || at === path.length;
}

/** The same character is written in one way: letters and digits plain, others escaped, with capital digits. */
function normal(path: string): string {
  return encoded(path).replaceAll(/%([0-9a-f]{2})/gi, (written, digits: string) => {
    const char = String.fromCharCode(Number.parseInt(digits, 16));
    return /[A-Za-z0-9._~-]/.test(char) ? char : written.toUpperCase();
  });
}

function encoded(path: string): string {
  return path.toWellFormed().replaceAll(/[^\u0021-\u007E]+/g, (chars) => encodeURIComponent(chars));
}
