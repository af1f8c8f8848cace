// What kind of thing a question asks for, and what shows that a passage gives it, in the languages that have templates.
// A word here is the beginning of a word: `kost` finds kosten and kostet. Scripts without spaces have theirs at the end.

import { hasMoney } from "../profile/offer.ts";

export interface CoverageQuestion {
  readonly what: string;
  readonly found: (text: string) => boolean;
}

interface CoverageKind extends CoverageQuestion {
  readonly asks: RegExp;
}

/** Words that begin with one of these, or texts that hold one of the unspaced ones. */
function anyOf(beginnings: string, unspaced = ""): RegExp {
  const words = beginnings
    .trim()
    .split(/\s*\|\s*/)
    .join("|");
  const others = unspaced === "" ? "" : `|${unspaced}`;
  return new RegExp(`(?<!\\p{L})(?:${words})${others}`, "iu");
}

export const FIRST_PERSON = anyOf(
  "(?:we|our|us|wir|nous|notre|nos|noi|nós|wij|ons|onze|vi|vår|vårt|våra|vores|me|meidän|my|biz|мы|ми)(?!\\p{L})|unser|nosotros|nuestr|nostr|nosso|nossa|nasz|nasza|nasze|naš|bizim|наш|نحن",
  "当社|私たち|弊社|当店|我们|本店|저희|우리",
);

export const WHO_ASKS = anyOf(
  "(?:who|which|qui)(?!\\p{L})|provider|compan|firm|recommend|anbieter|empfehl|empfiehl|entreprise|recommand|empresa|recomiend|recomend|aziend|consigl|bedrij|aanbieder|företag|rekommend|leverant|leverandør|anbefal|yrity|polec|doporu|компани|посовет|порад|önerir|شركة|شركات|متجر|الشركات",
  "会社|業者|おすすめ|推荐|哪家|업체",
);

const DIGITS = /\d/u;

export const KINDS: readonly CoverageKind[] = [
  {
    what: "a price",
    asks: anyOf(
      "how much|cost|price|charge|expect to pay|kostet|kosten|verlangt|preis|combien|coûte|tarif|cuánto|cuesta|cobra|precio|quanto|costa|prezzo|custa|preço|hoeveel|kost(?!bar)|prijs|vraagt|kosta|pris|koster|tar .* betalt|hvad tager|hva tar|maksa|paljonko|ile|kosztuje|cena|kolik|stojí|сколько|стоит|берёт|скільки|коштує|ne kadar|tutar|ücret|كم|سعر|السعر",
      "いくら|値段|料金|多少钱|얼마|가격",
    ),
    found: hasMoney,
  },
  {
    what: "a time",
    asks: anyOf(
      "how long|how often|how soon|wie lange|wie oft|combien de temps|cuánto tiempo|quanto tempo|hoe lang|hur länge|hvor længe|hvor lenge|jak długo|jak dlouho|как долго|як довго|when|wann|quand|cuándo|quando|wanneer|när|hvornår|når|kiedy|kdy|когда|коли|ne zaman|متى",
      "いつ|何日|多久|什么时候|언제",
    ),
    found: (text) => DIGITS.test(text) || TIME.test(text),
  },
  {
    what: "a place or a way to order",
    asks: anyOf(
      "(?:where|wo|où|dónde|dove|onde|waar|var|hvor|hvorfra|gdzie|kde|где|де|nereden)(?!\\p{L})|mistä|أين",
      "どこで|どこから|哪里|어디에서",
    ),
    found: (text) => PLACE.test(text),
  },
  {
    what: "a comparison",
    asks: anyOf(
      "compare|comparison|alternativ|better than|vergleich|unterscheid|versus|vs|différen|distinguent|comparaci|comparação|diferenci|diferem|distinguono|rispetto|verschill|vergeleken|skiljer|adskiller|skiller|vaihtoehto|eroavat|różni|liší|отлича|альтернатив|відрізня|ayrılıyor|الفرق|البدائل",
      "比較|代わり|違い|区别|比较|다른",
    ),
    found: (text) => COMPARING.test(text),
  },
  {
    what: "advice",
    asks: anyOf(
      "mistake|problem|look for|go wrong|worth paying|lohnt|schiefgeh|fehler|achten|attention|erreur|fijarme|error|errori|attenzione|atenção|erros|letten|fouten|tänka på|misstag|opmærksom|fejl|se etter|feil|huomiota|virhe|uwag|błęd|pozor|chyb|обрат|ошиб|зверн|помил|dikkat|hata|الانتباه|الأخطاء",
      "注意|失敗|错误|确认|확인|실수",
    ),
    found: (text) => ADVISING.test(text),
  },
];

const TIME = anyOf(
  "one|two|three|four|five|six|seven|eight|nine|ten|twelve|daily|weekly|monthly|every|always|noon|morning|evening|jeden|jede|täglich|wöchentlich|chaque|jours|cada|semana|ogni|giorn|dag|vecka|uge|uke|päiv|dni|tydzień|den|день|дней|недел|тиждень|gün|hafta|يوم|أيام",
  "毎週|毎日|以内|每天|每周|매일|매주",
);
const PLACE = new RegExp(
  `(?<!\\p{L})(?:in|at|near|to|aus|bei|nach|à|en|a|em|i|w|v|в|у|na) \\p{Lu}|${
    anyOf(
      "order|buy|shop|store|online|deliver|bestell|liefer|kauf|command|achet|livr|boutique|comprar|pedir|pedido|envia|enví|entreg|tienda|ordin|acquist|conseg|negozi|encomend|loja|winkel|koop|beställ|köp|leverer|levere|bestil|købe|kjøp|tilat|verkko|zamów|kup|sklep|dostaw|objedn|koup|obchod|заказ|купи|магазин|доставк|замов|крамниц|sipariş|mağaza|teslim|طلب|شراء|متجر|نوصل|توصيل",
      "配送|注文|購入|店|购买|商店|配送|订购|주문|구매|매장|배송",
    ).source
  }`,
  "u",
);
const COMPARING = anyOf(
  "unlike|than|compared|versus|vs|alternative|instead of|whereas|anders als|im vergleich|statt|contrairement|plutôt|plus .* que|a diferencia|en lugar|más .* que|a differenza|invece|più .* (?:di|che|del)|ao contrário|em vez|mais .* (?:que|do)|in tegenstelling|in plaats|dan|till skillnad|istället|än|i modsætning|i stedet|end|i motsetning|enn|toisin kuin|sijaan|kuin|w przeciwieństwie|zamiast|niż|na rozdíl|místo|než|в отличие|вместо|чем|на відміну|замість|ніж|aksine|yerine|daha|على عكس|بدلا|أكثر",
  "比べ|より|不同|相比|달리|대신|보다",
);
const ADVISING = anyOf(
  "avoid|should|make sure|because|problem|mistake|instead|never|without|check|tip|vermeiden|sollte|darauf|achten|ohne|weil|évite|devez|devriez|faut|vérifie|veille|attention|sans|parce|conseil|evite|debe|conviene|compruebe|asegúr|fíjese|sin|porque|consej|evita|dovrebb|bisogna|controll|attenzione|senza|perché|deve|convém|verifique|sem|let op|vermijd|moet|zou|controleer|zonder|omdat|undvik|bör|kontrollera|utan|eftersom|undgå|bør|kontroll|uden|fordi|unngå|uten|vältä|kannattaa|tarkista|ilman|koska|unikaj|należy|warto|sprawdź|bez|ponieważ|uwag|vyhn|měl|zkontrol|protože|избега|следует|стоит|проверь|убедит|без|потому|обрат|уника|слід|варто|перевір|тому|kaçın|gerek|kontrol|olmadan|çünkü|dikkat|تجنب|يجب|تأكد|بدون|لأن",
  "注意|避け|使わず|ください|确保|避免|应该|因为|하세요|피하|확인",
);
