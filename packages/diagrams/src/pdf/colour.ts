/** As resvg writes colours: `#rrggbb`. */
export function rgbOf(colour: string): readonly [red: number, green: number, blue: number] {
  const [, red = "0", green = "0", blue = "0"] = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(colour) ?? [];
  const share = (hex: string) => Number.parseInt(hex, 16) / 255;
  return [share(red), share(green), share(blue)];
}
