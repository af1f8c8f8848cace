// The fonts of the world's scripts that come with @millrace/diagrams, made of packages of npm. Arimo, Cousine and the emoji are
// packages that it depends on.

const SCRIPTS = [
  ["Arabic"],
  ["Hebrew"],
  ["Devanagari"],
  ["Bengali"],
  ["Gurmukhi"],
  ["Gujarati"],
  ["Oriya"],
  ["Tamil"],
  ["Telugu"],
  ["Kannada"],
  ["Malayalam"],
  ["Sinhala"],
  ["Thai"],
  ["Lao"],
  ["Khmer"],
  ["Myanmar"],
  ["Armenian"],
  ["Georgian"],
  // Rarely bold in a diagram, and large.
  ["Ethiopic", { weights: [400] }],
  ["Cherokee", { weights: [400] }],
  ["Canadian Aboriginal", { weights: [400] }],
  ["Thaana", { weights: [400] }],
  ["Syriac", { weights: [400] }],
  ["Javanese", { weights: [400] }],
  ["Balinese", { weights: [400] }],
  ["Ol Chiki", { weights: [400] }],
  ["NKo", { isStatic: true }],
  ["Mongolian", { isStatic: true, letters: { 400: (codePoint) => codePoint < IDEOGRAPHS } }],
  ["Tifinagh", { isStatic: true }],
  ["Vai", { isStatic: true }],
];

const IDEOGRAPHS = 0x2e80;

/**
 * Each with the parts of its package that are taken ("all": but those of Latin, Greek and Cyrillic) and of those the letters.
 * The order is that in which the families are asked for a letter.
 */
export const WORLD_FONTS = [
  {
    family: "Noto Sans",
    package: "@fontsource-variable/noto-sans",
    parts: ["latin-ext", "greek-ext", "cyrillic-ext", "vietnamese"],
    weights: [400, 700],
    keepsLayout: true,
  },
  ...SCRIPTS.map(([script, { weights = [400, 700], isStatic = false, letters } = {}]) => {
    const name = `noto-sans-${script.toLowerCase().replaceAll(" ", "-")}`;
    return {
      family: `Noto Sans ${script}`,
      package: `@fontsource${isStatic ? "" : "-variable"}/${name}`,
      parts: [name.slice("noto-sans-".length)],
      weights: isStatic ? [400] : weights,
      isStatic,
      letters,
      keepsLayout: true,
    };
  }),
  {
    family: "Noto Serif Tibetan",
    package: "@fontsource-variable/noto-serif-tibetan",
    parts: ["tibetan"],
    weights: [400],
    keepsLayout: true,
  },
  {
    family: "Noto Sans Math",
    package: "@expo-google-fonts/noto-sans-math",
    files: ["400Regular/NotoSansMath_400Regular.ttf"],
    weights: [400],
    // It also has letters of Arabic, which it cannot join.
    letters: { 400: (codePoint) => (codePoint >= 0x2000 && codePoint < IDEOGRAPHS) || codePoint >= 0x1d400 },
    keepsLayout: false,
  },
  {
    family: "Noto Sans Symbols",
    package: "@fontsource-variable/noto-sans-symbols",
    parts: ["symbols"],
    weights: [400, 700],
    keepsLayout: false,
  },
  {
    family: "Noto Sans Symbols 2",
    package: "@fontsource/noto-sans-symbols-2",
    parts: ["symbols", "math", "braille"],
    weights: [400],
    isStatic: true,
    keepsLayout: false,
  },
  han("SC", [
    [400, () => true],
    [700, among(["gb18030", 0xb0, 0xd7], ["big5", 0xa4, 0xc6], ["euc-jp", 0xb0, 0xcf])],
  ]),
  // The forms of Japan, for text with kana.
  han("JP", [
    [400, among(["euc-jp", 0xa1, 0xf4])],
    [700, among(["euc-jp", 0xb0, 0xcf])],
  ]),
  // Of Taiwan's signs those that the first font lacks.
  { ...han("TC", [[400, among(["big5", 0xa1, 0xf9])]]), beside: "Noto Sans SC" },
  han("KR", [
    [400, (codePoint) => codePoint < IDEOGRAPHS || isHangul(codePoint)],
    [700, among(["euc-kr", 0xb0, 0xc8])],
  ]),
];

function han(region, letters) {
  return {
    family: `Noto Sans ${region}`,
    package: `@fontsource-variable/noto-sans-${region.toLowerCase()}`,
    parts: "all",
    weights: letters.map(([weight]) => weight),
    letters: Object.fromEntries(letters),
    keepsLayout: false,
  };
}

function isHangul(codePoint) {
  return (
    (codePoint >= 0x1100 && codePoint <= 0x11ff) || (codePoint >= 0x3130 && codePoint <= 0x318f) || codePoint >= 0xa960
  );
}

/** Letters of old encodings, by the first byte of two: lists of common signs that everybody's decoder brings. */
function among(...encodings) {
  let letters;
  return (codePoint) => {
    letters ??= new Set(encodings.flatMap(([encoding, first, last]) => [...lettersOf(encoding, first, last)]));
    return letters.has(codePoint) || isKana(codePoint);
  };
}

function isKana(codePoint) {
  return codePoint >= 0x3000 && codePoint <= 0x30ff;
}

function* lettersOf(encoding, first, last) {
  const decoder = new TextDecoder(encoding);
  for (let lead = first; lead <= last; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      const text = decoder.decode(Uint8Array.of(lead, trail));
      const codePoint = text.codePointAt(0);
      if ([...text].length === 1 && codePoint >= IDEOGRAPHS && codePoint !== 0xfffd) yield codePoint;
    }
  }
}
