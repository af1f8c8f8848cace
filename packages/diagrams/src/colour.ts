const NAMES = new Set(
  "aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato transparent turquoise violet wheat white whitesmoke yellow yellowgreen currentcolor".split(
    " ",
  ),
);

/** Whether CSS knows this colour. */
export function isColour(text: string): boolean {
  const value = text.trim().toLowerCase();
  return (
    NAMES.has(value) ||
    /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.test(value) ||
    /^(?:rgb|hsl)a?\([\d\s.,%/+-]+(?:deg|turn|rad)?[\d\s.,%/+-]*\)$/.test(value)
  );
}

/** In the words of SVG 1.1: resvg takes a hue or a channel with decimals for no colour at all. */
export function plainColour(text: string): string {
  const value = text.trim();
  if (/^rebeccapurple$/i.test(value)) return "#663399";
  // resvg wants commas, and an alpha that is a number.
  const [, channels, alpha] = /^rgba?\(([^/,]+)\/\s*([\d.]+%?)\s*\)$/i.exec(value) ?? [];
  if (channels !== undefined && alpha !== undefined) {
    const share = alpha.endsWith("%") ? Number.parseFloat(alpha) / 100 : Number(alpha);
    return plainColour(`rgba(${channels.trim().split(/\s+/).join(",")},${share})`);
  }
  if (/^rgba?\(/i.test(value))
    return value.replace(/(\d*\.\d+)(?=\s*[,\s]\s*[\d.]|\s*\)$)/g, (number, _, at: number) =>
      isAlpha(value, at) ? number : String(Math.round(Number(number))),
    );
  return rgbOfHsl(value);
}

function isAlpha(value: string, at: number): boolean {
  return (value.slice(0, at).match(/[,/]/g)?.length ?? 0) === 3 || value.slice(0, at).includes("/");
}

function rgbOfHsl(text: string): string {
  const [, hueText, saturationText, lightnessText, alpha] =
    /^hsla?\(\s*(-?[\d.]+)(?:deg)?[\s,]+([\d.]+)%[\s,]+([\d.]+)%\s*(?:[,/]\s*([\d.]+%?)\s*)?\)$/i.exec(text) ?? [];
  if (hueText === undefined) return text;
  const hue = ((Number(hueText) % 360) + 360) % 360;
  const [saturation, lightness] = [saturationText, lightnessText].map(
    (share) => Math.min(100, Number(share)) / 100,
  ) as [number, number];
  const spread = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const at = (offset + hue / 30) % 12;
    return Math.round(255 * (lightness - spread * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
  };
  const channels = `${channel(0)},${channel(8)},${channel(4)}`;
  return alpha === undefined ? `rgb(${channels})` : `rgba(${channels},${alpha})`;
}

/** A colour that is partly transparent, in two; undefined for all others. */
export function alphaOf(text: string | undefined): { readonly colour: string; readonly alpha: number } | undefined {
  const value = (text ?? "").trim();
  const [, short, long] = /^#(?:([\da-f]{4})|([\da-f]{8}))$/i.exec(value) ?? [];
  if (long !== undefined) return { colour: `#${long.slice(0, 6)}`, alpha: Number.parseInt(long.slice(6), 16) / 255 };
  if (short !== undefined) return { colour: `#${short.slice(0, 3)}`, alpha: Number.parseInt(short.slice(3), 16) / 15 };
  const [, channels, alpha] = /^rgba\(\s*([^,]+,[^,]+,[^,]+?)\s*,\s*([\d.]+%?)\s*\)$/i.exec(value) ?? [];
  if (channels === undefined || alpha === undefined) return undefined;
  const share = alpha.endsWith("%") ? Number.parseFloat(alpha) / 100 : Number(alpha);
  return { colour: `rgb(${channels})`, alpha: Math.min(1, share) };
}

/** Whether pale lines are meant to stand on it; false for what is no plain colour. */
export function isDark(text: string): boolean {
  const value = text.trim().toLowerCase();
  if (value === "black") return true;
  const [, short, long] = /^#(?:([\da-f]{3})|([\da-f]{6}))$/.exec(value) ?? [];
  const digits = long ?? (short === undefined ? undefined : [...short].map((digit) => digit + digit).join(""));
  const channels =
    digits === undefined
      ? (/^rgb\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)$/.exec(plainColour(value))?.slice(1).map(Number) ?? [])
      : [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
  const [red, green, blue] = channels;
  if (red === undefined || green === undefined || blue === undefined) return false;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 110;
}
