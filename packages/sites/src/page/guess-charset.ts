// The charset of a page that names none and is not UTF-8. Each candidate decodes a sample; the one whose letters are most often
// the common letters of its languages wins.

interface Candidate {
  readonly label: string;
  /** Letters that texts in it are mostly made of. */
  readonly common: ReadonlySet<string>;
  /** The share of common letters in ordinary text, so that candidates compare. */
  readonly usual: number;
}

const of = (label: string, letters: string, usual: number): Candidate => ({ label, common: new Set(letters), usual });

const KANA =
  "あいうえおかがきくけこさしすせそただちつってでとどなにのはばひふへほまみむめもやゆよらりるれろわをんアイウカクコシスセタットトナバフプマミムラリルレロンー";
const CANDIDATES: readonly Candidate[] = [
  of("shift_jis", KANA, 0.55),
  of("euc-jp", KANA, 0.55),
  of(
    "gb18030",
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实",
    0.4,
  ),
  of(
    "big5",
    "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實",
    0.4,
  ),
  of("euc-kr", "이다는의가에을로한고하지도를은기사인서아시대해어자리스나수정그일부여전보상성원주장공국제동위", 0.5),
  of("windows-1251", "оеаинтсрвлкмдпуяії", 0.82),
  of("koi8-r", "оеаинтсрвлкмдпуя", 0.82),
  of("iso-8859-5", "оеаинтсрвлкмдпуя", 0.82),
  of("windows-1253", "αοιετσνηυρπκμλςωγδχθφβξζάέήίόύώ", 0.9),
  of("windows-1255", "אבגדהוזחטיכלמנסעפצקרשתםןץףך", 0.9),
  of("windows-1256", "ابتثجحخدذرزسشصضطظعغفقكلمنهويةأإآىپچژگ", 0.9),
  of("windows-874", "กขคงจชซญณดตถทธนบปผพฟมยรลวศษสหอะาำิีึืุูเแโใไ่้๊็์ั", 0.9),
  of("windows-1254", "ışğçöüİâî", 0.9),
  of("windows-1250", "ąćęłńóśźżáčďéěíňřšťúůýžőűöüäçăâîşţđëß", 0.9),
  of("windows-1252", "éèêëàâäçîïôöùûüßñáíóúãõåæøœÄÖÜÉ", 0.9),
];

const LATIN = new Set(["windows-1250", "windows-1252", "windows-1254"]);
const SAMPLE_BYTES = 100_000;
const LEAST_SCORE = 0.5;
/** Another reading must be clearly better than the Western one, which shares most of its letters with its neighbours. */
const CLEARLY = 0.08;

export function guessCharset(body: Uint8Array): string {
  const sample = body.subarray(0, SAMPLE_BYTES);
  let best = {
    label: "windows-1252",
    score: Math.max(LEAST_SCORE, scoreOf(sample, CANDIDATES.at(-1) as Candidate) + CLEARLY),
  };
  for (const candidate of CANDIDATES.slice(0, -1)) {
    const score = scoreOf(sample, candidate);
    if (score > best.score) best = { label: candidate.label, score };
  }
  return best.label;
}

function scoreOf(sample: Uint8Array, { label, common, usual }: Candidate): number {
  const isLatin = LATIN.has(label);
  let text: string;
  try {
    // As a stream: the sample may end in the middle of a character.
    text = new TextDecoder(label, { fatal: true }).decode(sample, { stream: true });
  } catch {
    return 0;
  }
  const all = text.match(/\P{ASCII}/gu)?.length ?? 0;
  if (all === 0) return 0;
  let fitting = 0;
  // Accented letters stand among plain ones; letters of other scripts do not.
  for (const [word] of text.matchAll(/[\p{L}\p{M}ー]+/gu)) {
    const isMixed = /[a-z]/i.test(word);
    if (isMixed !== isLatin && [...word].length > 1) continue;
    for (const char of word) if (char > "\u007F" && common.has(char)) fitting++;
  }
  return Math.min(1, fitting / all / usual);
}
