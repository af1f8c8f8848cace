/** Above and below the baseline, in whole pixels, rounded as Chromium rounds them. Shares of the size come in. */
export function wholeLinePx(
  ascent: number,
  descent: number,
  sizePx: number,
): { readonly ascentPx: number; readonly descentPx: number } {
  const exact = descent * sizePx;
  const ascentPx = Math.round(ascent * sizePx);
  const descentPx = Math.round(exact);
  if (descentPx < exact && ascentPx >= 1) return { ascentPx: ascentPx - 1, descentPx: descentPx + 1 };
  return { ascentPx, descentPx };
}
