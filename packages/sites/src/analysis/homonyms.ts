// Brands that are English words: "Linear" is a brand and "a linear scale" is none. Such a name counts with its capital, and
// at the beginning of a sentence only if the sentence speaks of it as of a company.

import type { Mention } from "./matcher.ts";

const WORDS = new Set(
  "alive ally amazon apex apple arc arrow asana atlas aura axis bamboo base basis beacon bing blaze bloom blue bolt bridge brilliant bubble buffer calm canvas capital caterpillar chase chime circle clay clever cloud clover coach coda compass contour coral craft crown cube dash dawn delta diesel dove dragon drift dropbox eagle earth echo edge element ember empire energy envoy epic essence everything express fable falcon fathom figure fire flash flow focus force forge fossil front frame fresh front frontier fuse future galaxy gap gem general genesis ghost glow gold grain grammar grand grow guardian gulf gusto halo harbor harvest haven hero hive home honey horizon hub hunter icon ideal ignite impact index indigo infinity insight intercom iris iron ivory jaguar jet journey juice jumbo juniper kin kite lark launch leaf legend lemonade level light lightning lime linear link lion lotus loop luna lush lyft magnet maple match matter mercury meridian method metro mind mint mirror mist mode monday monster monument moon motion muse native nest nimble noble north notion nova oak oasis ocean olive omega onward opal oracle orange orbit origin outlook pandora paper patch path patriot peak pearl pilot pine pioneer pixel planet point polar polish post premier prime prism progress pulse puma quest quill radar radius rain range rapid raven reach reason rebel red ridge ring rise river rocket root rose route rover royal saga sage salt scale scout sentry shell shift shopping signal silk silver simple sky slack slate slice smart snap solo sonic source spark spectrum spirit splash spring sprout square stack stage star steam stellar step stone storm stream stripe stride subway summit sun sunday surge swift target tempo temple terra thread thrive tide tiger torch tower trace track tribe triumph true trust twist union unity upright urban valley vantage vault vector velvet venture verge vertex vessel vibe virgin vision vital vivid volt wander wave whisper wild willow wind wing wise wish wonder yeti zenith zoom".split(
    " ",
  ),
);

export function isEnglishWord(folded: string): boolean {
  return WORDS.has(folded);
}

/** Before a common noun, or a day of the week. */
const COMMON_BEFORE =
  /(?<!\p{L})(?:an?|the|this|that|these|those|your|our|my|his|her|their|its|some|any|no|each|every|one|two|on|next|last|by|until|since|of the|une?|le|la|les|des?|el|los|las|un|una|ein|eine|einen|der|die|das)\s+$/iu;
/** After a company that begins a sentence. */
const COMPANY_AFTER =
  /^(?:['’]s|\s+(?:is|are|was|has|have|had|offers?|makes?|sells?|provides?|builds?|lets?|helps?|works?|supports?|costs?|charges?|and|or|stands?|opened|launched|went|also|can|may|might|does|do|did|will|would|starts?|began|acquired|remains?|ranks?|ist|sind|hat|bietet|kostet|und|oder|est|propose|et|es|tiene|ofrece|y|è|ha|offre|heeft|biedt|kost|en|to|jest|ma|har|är|er)(?!\p{L})|\s*[,:;.!?)\]–—-]|\s*\*\*|\s*$)/iu;

export function isNamed(text: string, { start, end, text: found }: Mention): boolean {
  if (!/^\p{Lu}/u.test(found)) return false;
  const before = text.slice(Math.max(0, start - 24), start);
  if (COMMON_BEFORE.test(before)) return false;
  const begins = start === 0 || /[.!?:\n]["'“(*\s]*$/u.test(before);
  return !begins || COMPANY_AFTER.test(text.slice(end, end + 24));
}
