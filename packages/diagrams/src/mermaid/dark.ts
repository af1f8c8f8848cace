// A drawing for light and dark readers at once: drawn in both themes, it has the same shapes twice and two stylesheets.
// The second one then goes into a media query. Where more than colours differs, both are drawn (dark-beside.ts).

import { DRAWING_ID } from "./options.ts";

const STYLE = /<style[^>]*>([\s\S]*?)<\/style>/;
// Shadows and gradients: those of the dark drawing come along under names of their own.
const PAINT = /<(filter|linearGradient|radialGradient) id="([^"]+)"[\s\S]*?<\/\1>/g;
const EMPTY_DEFS = /<defs>\s*<\/defs>/g;
const IN_CSS = /^(?:fill|stroke|color|opacity|fill-opacity|stroke-opacity|stroke-width|stroke-dasharray)$/;
const PASSED_OVER = /^(?:class|data-[\w-]+)$/;

/** Undefined where the two drawings differ in more than a stylesheet can say. */
export function withDarkStyles(light: string, dark: string): string | undefined {
  const [lightStyle, darkStyle] = [STYLE.exec(light), STYLE.exec(dark)];
  if (lightStyle === null || darkStyle === null) return undefined;
  // What only the light stylesheet says would hold in the dark as well.
  const said = declarationsOf(darkStyle[1] ?? "");
  if ([...declarationsOf(lightStyle[1] ?? "")].some((each) => !said.has(each))) return undefined;
  const told = inOneTree(bare(light), bare(dark));
  if (told === undefined) return undefined;
  let paints = (light.match(PAINT) ?? []).join("");
  let css = told.css + (darkStyle[1] ?? "");
  for (const [paint, , id = ""] of dark.matchAll(PAINT)) {
    paints += paint.replace(`id="${id}"`, () => `id="${id}-dark"`);
    css = css.replaceAll(`url(#${id})`, `url(#${id}-dark)`);
  }
  const both = `<style>${lightStyle[1]}@media (prefers-color-scheme:dark){${css}}</style><defs>${paints}</defs>`;
  return told.svg.replace("<style/>", () => both);
}

/** Each as its selector and property. */
function declarationsOf(css: string): Set<string> {
  const rules = [...css.matchAll(/([^{}]+)\{([^{}]*)\}/g)];
  return new Set(
    rules.flatMap(([, selector = "", body = ""]) =>
      body
        .split(";")
        .map((each) => each.split(":")[0]?.trim())
        .filter(Boolean)
        .map((property) => `${selector.trim()} ${property}`),
    ),
  );
}

function bare(svg: string): string {
  return svg.replace(STYLE, "<style/>").replace(PAINT, "").replace(EMPTY_DEFS, "");
}

/** The light drawing, with a mark on every element whose attributes have other colours in the dark one. */
function inOneTree(light: string, dark: string): { svg: string; css: string } | undefined {
  const [parts, others] = [light, dark].map((svg) => svg.split(/(<[^>]*>)/)) as [string[], string[]];
  if (parts.length !== others.length) return undefined;
  let css = "";
  let svg = "";
  for (const [at, part] of parts.entries()) {
    const rules = part === others[at] ? "" : differences(part, others[at] ?? "");
    if (rules === undefined) return undefined;
    // No more weight than the attributes have that it stands for.
    const where = part.startsWith("<svg ") && svg.trim() === "" ? `#${DRAWING_ID}` : `#${DRAWING_ID} `;
    if (rules !== "") css += `:where(${where}[data-dark="${at}"]){${rules}}`;
    svg += rules === "" ? part : part.replace(/\s*(\/?)>$/, ` data-dark="${at}"$1>`);
  }
  return { svg, css };
}

function differences(light: string, dark: string): string | undefined {
  const name = (tag: string) => /^<[^\s/>]+/.exec(tag)?.[0];
  if (name(light) === undefined || name(light) !== name(dark)) return undefined;
  const attributes = (tag: string) =>
    new Map([...tag.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [key, value]));
  const [before, after] = [attributes(light), attributes(dark)];
  let rules = "";
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const value = after.get(key);
    if (before.get(key) === value || PASSED_OVER.test(key)) continue;
    if (value === undefined || !IN_CSS.test(key) || /[;{}&"]/.test(value)) return undefined;
    rules += `${key}:${value};`;
  }
  return rules;
}
