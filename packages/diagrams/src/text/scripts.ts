// The writing system of a letter, by its name in Unicode.

const NAMES =
  "Latin Greek Cyrillic Han Hiragana Katakana Hangul Arabic Hebrew Devanagari Bengali Tamil Telugu Kannada Malayalam Thai Lao Khmer Myanmar Gujarati Gurmukhi Oriya Sinhala Armenian Georgian Ethiopic Tibetan Mongolian Bopomofo Cherokee Canadian_Aboriginal Thaana Syriac Nko Tifinagh Vai Javanese Balinese Ol_Chiki Yi Braille Adlam Ahom Anatolian_Hieroglyphs Avestan Bamum Bassa_Vah Batak Bhaiksuki Brahmi Buginese Buhid Carian Caucasian_Albanian Chakma Cham Chorasmian Coptic Cuneiform Cypriot Cypro_Minoan Deseret Dives_Akuru Dogra Duployan Egyptian_Hieroglyphs Elbasan Elymaic Garay Glagolitic Gothic Grantha Gunjala_Gondi Gurung_Khema Hanifi_Rohingya Hanunoo Hatran Imperial_Aramaic Inscriptional_Pahlavi Inscriptional_Parthian Kaithi Kawi Kayah_Li Kharoshthi Khitan_Small_Script Khojki Khudawadi Kirat_Rai Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian Mahajani Makasar Mandaic Manichaean Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mro Multani Nabataean Nag_Mundari Nandinagari New_Tai_Lue Newa Nushu Nyiakeng_Puachue_Hmong Ogham Old_Hungarian Old_Italic Old_North_Arabian Old_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur Ol_Onal Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham SignWriting Sogdian Sora_Sompeng Soyombo Sundanese Sunuwar Syloti_Nagri Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri Tangsa Tangut Tirhuta Todhri Toto Tulu_Tigalari Ugaritic Vithkuqi Wancho Warang_Citi Yezidi Zanabazar_Square".split(
    " ",
  );
const MOST_KNOWN = 20_000;

const known = new Map<string, string | undefined>();
let patterns: readonly (readonly [string, RegExp])[] | undefined;

/** Undefined for signs that many scripts share: digits, punctuation, symbols, marks. */
export function scriptOf(character: string): string | undefined {
  if (known.has(character)) return known.get(character);
  patterns ??= NAMES.flatMap(patternFor);
  const script = patterns.find(([, pattern]) => pattern.test(character))?.[0];
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(character, script);
  return script;
}

/** A runtime may not know the newest scripts. */
function patternFor(name: string): (readonly [string, RegExp])[] {
  try {
    return [[name.replaceAll("_", " "), new RegExp(`\\p{Script=${name}}`, "u")]];
  } catch {
    return [];
  }
}
