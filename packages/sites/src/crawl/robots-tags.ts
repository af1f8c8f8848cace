// Tags of `X-Robots-Tag` and of meta tags: `noindex` for everybody, `googlebot: noindex` for one bot.

import { clip } from "../page/clean.ts";

const MOST_TAGS = 50;
/** Tags that have a colon of their own. */
const WITH_VALUE = /^(?:max-snippet|max-image-preview|max-video-preview|unavailable_after)$/;

/** Tags of a header; each of its lines may be meant for another bot. */
export function tagsIn(header: string): string[] {
  return header.slice(0, 4_000).toLowerCase().split("\n").flatMap(tagsOfLine).slice(0, MOST_TAGS);
}

function tagsOfLine(line: string): string[] {
  let agent = "";
  return line.split(",").flatMap((part) => {
    const colon = part.indexOf(":");
    const name = colon < 0 ? "" : part.slice(0, colon).trim();
    const isAgent = colon >= 0 && !WITH_VALUE.test(name) && /^[\w-]{2,40}$/.test(name);
    if (isAgent) agent = `${name}: `;
    const tag = (isAgent ? part.slice(colon + 1) : part).trim();
    return tag === "" ? [] : [`${agent}${clip(tag, 100)}`];
  });
}

/** The tag itself, and the bot it is meant for; `undefined`: for all. */
export function partsOfTag(tag: string): { agent: string | undefined; tag: string } {
  const [, agent, rest] = /^([\w-]+): (.*)$/.exec(tag) ?? [];
  return agent === undefined || WITH_VALUE.test(agent) ? { agent: undefined, tag } : { agent, tag: rest ?? "" };
}
