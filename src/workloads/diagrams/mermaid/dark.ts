// A drawing for light and dark readers at once: drawn in both themes, it has the same shapes twice and two stylesheets.
// The second one then goes into a media query. Where more than the stylesheet differs, it cannot be done.

const STYLE = /<style[^>]*>([\s\S]*?)<\/style>/;

/** Undefined where the two drawings differ outside of their stylesheets. */
export function withDarkStyles(light: string, dark: string): string | undefined {
  const [lightStyle, darkStyle] = [STYLE.exec(light), STYLE.exec(dark)];
  if (lightStyle === null || darkStyle === null) return undefined;
  const bare = (svg: string) => svg.replace(STYLE, "").replace(/ data-(?:color-id|look)="[^"]*"/g, "");
  if (bare(light) !== bare(dark)) return undefined;
  const both = `<style>${lightStyle[1]}@media (prefers-color-scheme:dark){${darkStyle[1]}}</style>`;
  return light.replace(STYLE, () => both);
}
