// How a sentence takes sides, in the languages of the templates that are asked about most. A word is the beginning of a
// word: "empf" finds empfehle and empfohlen.

/** One pattern over the words of all languages: an answer may be in another language than its question. */
function anyOf(...lists: readonly string[]): RegExp {
  const spaced = lists.map((list) => list.trim()).join("|");
  return new RegExp(`(?<!\\p{L})(?:${spaced})`, "iu");
}

/** Scripts without spaces have no beginnings of words. */
function withUnspaced(spaced: RegExp, unspaced: string): RegExp {
  return new RegExp(`${spaced.source}|${unspaced}`, "iu");
}

export const RECOMMENDS = withUnspaced(
  anyOf(
    String.raw`(?:highly |strongly )?recommend|top (?:pick|choice|option)|(?:the |my |our |your )?(?:best|first|safest|clear|obvious) (?:\p{L}+ ){0,4}?(?:choice|option|pick|bet|value|overall|provider|shop|bakery|brand|bike|tool|company|firm|is|in|for)|is (?:the|a) (?:best|standout|winner|favou?rite)|(?:great|excellent|strong|solid|good|wise|perfect|ideal|outstanding) (?:\p{L}+ ){0,2}?(?:choice|option|pick|alternative|fit|bet|value)|go (?:with|for)|I(?:['’]d| would) (?:choose|pick|suggest|buy|take|start with)|stands? out|worth (?:a look|considering|buying|trying|every)|my (?:first|favou?rite)|ideal for|perfect for|can['’]t go wrong|should (?:choose|pick|try)|favou?rite`,
    String.raw`empf(?:ehle|iehlt|ehlen|ohlen|ehlung)|(?:beste|gute|erste|ideale|ausgezeichnete|hervorragende|sichere|klare|starke) (?:\p{L}+ ){0,2}?(?:Wahl|Option|Adresse|Anbieter|Alternative)|(?:ist|sind) (?:am besten|die beste|der beste|das beste|ideal|top|führend)|würde ich (?:\p{L}+ ){0,2}(?:nehmen|wählen|kaufen)|Testsieger|mein Favorit|überzeugt|sticht heraus|lohnt sich`,
    "(?:je |nous )?(?:vous |te )?recommand|je conseille|(?:le|la|les) meilleur|(?:excellent|bon|très bon|premier|meilleur)e?s? (?:choix|option|adresse|alternative)|idéal|je choisirais|mon préféré|incontournable|vaut le détour|se démarque",
    "recom(?:iend|end)|aconsej|(?:el|la|los|las) mejor|(?:buena|excelente|gran|mejor|primera) (?:opción|elección|alternativa)|elegiría|ideal para|mi favorit|destaca|vale la pena|sobresale",
    "consigli|raccomand|(?:il|la|i|le) miglior|(?:buona|ottima|eccellente|migliore|prima) (?:scelta|opzione|alternativa)|sceglierei|ideale per|il mio preferito|spicca|vale la pena",
    "recomend|aconselh|(?:o|a|os|as) melhor|(?:boa|excelente|ótima|melhor|primeira) (?:opção|escolha|alternativa)|escolheria|ideal para|meu favorito|destaca-se|vale a pena",
    String.raw`aanbevel|aanbevol|aanrad|aan te raden|raad (?:\p{L}+ ){0,3}aan|(?:beste|goede|uitstekende|eerste|prima|sterke) (?:keuze|optie|alternatief|adres)|is (?:de|het) beste|zou ik (?:kiezen|nemen)|ideaal voor|mijn favoriet|springt eruit|de moeite waard`,
    "polec|rekomend|najlepsz|(?:dobry|dobrym|świetny|świetnym|doskonały|pierwszy) (?:wybór|wyborem)|dobra opcja|wybrał(?:bym|abym)|idealn|mój faworyt|wyróżnia się|warto (?:wybrać|rozważyć|kupić)|godn[ay] polecenia",
    "рекоменд|советую|посоветовал|лучш(?:ий|ая|ее|ие|им|ей)|(?:хороший|отличный|прекрасный|удачный) (?:выбор|вариант)|выбрал бы|идеальн|мой фаворит|выделяется|стоит (?:выбрать|попробовать|купить|обратить)",
    "rekommender|anbefal|bästa (?:val|alternativ)|bra val|godt valg|bedste valg|tavsiye|en iyi|suosittel|paras valinta|doporuč|nejlepší volba|раджу|рекоменду|найкращ",
  ),
  "おすすめ|お勧め|お薦め|推奨|一番(?:良い|いい|人気)|最適|最も(?:良い|優れ)|ベスト|推荐|首选|最好的|最佳|值得|추천|최고의|가장 좋은|أنصح|أوصي|أفضل|خيار (?:ممتاز|جيد|رائع)",
);

/** Words that advise against what they speak of. */
export const WARNS = withUnspaced(
  anyOf(
    "avoid|steer clear|stay away|scam|bankrupt|insolven|fraud|beware|complain|unreliable|poor (?:quality|service|reviews?)|bad (?:reviews?|reputation|choice)|not worth|worst|would think twice|think twice|overpriced|disappoint|went out of business|recalled|shut down|not (?:a )?(?:good|great|safe|wise)|red flag|caution|cautious|problems with|unsafe|terrible|avoided|regret|let down|hidden fees|lawsuit",
    String.raw`meide|abraten|rate (?:\p{L}+ ){0,4}ab|rät (?:\p{L}+ ){0,4}ab|Finger weg|Betrug|pleite|insolven|Insolvenz|Vorsicht|Beschwerden|unzuverlässig|schlechte (?:Qualität|Bewertungen|Wahl|Erfahrungen)|überteuert|enttäusch|warne|Warnung|am schlechtesten|lohnt sich nicht|Mängel|unseriös`,
    "évite[rz]?|à éviter|déconseill|méfi|arnaque|faillite|plaintes|peu fiable|mauvais(?:e)? (?:choix|qualité|réputation|avis)|trop cher|déç(?:u|oi)|décevant|pire|prudence",
    "evit[ae]|desaconsej|no recom|estafa|fraude|quiebra|quebró|quejas|poco fiable|mala (?:opción|calidad|reputación|elección)|malas (?:opiniones|críticas)|demasiado caro|decepcion|el peor|la peor|cuidado con|precaución",
    "evit(?:a|are|ate|erei)|sconsigli|truffa|fallit|fallimento|lamentele|reclami|inaffidabil|poco affidabil|pessim|cattiv[ao] (?:scelta|qualità|reputazione)|troppo car|delud|deludente|il peggior|attenzione a|diffid",
    "evit(?:e|ar|aria)|desaconselh|não recom|burla|fraude|golpe|falência|faliu|queixas|reclamações|pouco fiável|má (?:escolha|qualidade|reputação)|demasiado car|decepcion|desilud|o pior|a pior|cuidado com",
    String.raw`vermijd|afgeraden|af te raden|raad (?:\p{L}+ ){0,4}af|oplichting|failliet|klachten|onbetrouwbaar|slechte (?:keuze|kwaliteit|ervaringen|reviews|reputatie)|te duur|teleurgesteld|tegenvallen|valt tegen|slechtste|pas op`,
    "unika[jć]|odradza|oszust|bankru|upadł|skarg|niewiarygodn|zawodn|zł(?:a|y) (?:wybór|opinia|jakość|reputacja)|złe opinie|za drog|rozczarow|najgorsz|uważaj|ostrzega",
    "избега|не советую|не рекоменд|отговар|мошен|банкрот|жалоб|ненадёжн|ненадежн|плох(?:ой|ая|ие|ое) (?:выбор|качество|отзывы|репутация)|слишком дорог|разочаров|худш|осторожн|остерега|держитесь подальше",
    "undvik|avråd|undgå|fraråd|kaçın|dolandır|vyhněte|nedoporuč|уника|не раджу|vältä",
  ),
  "避けた方|避けるべき|お勧めしません|おすすめしません|おすすめできません|お勧めできません|詐欺|倒産|苦情|評判が悪い|品質が悪い|期待外れ|最悪|注意が必要|不建议|不推荐|避免|骗|破产|投诉|피하|사기|추천하지 않|파산|불만|لا أنصح|تجنب|احتيال|إفلاس|شكاوى",
);

/** A negation close before the words that recommend. */
export const NEGATES_RECOMMENDING = withUnspaced(
  /(?<!\p{L})(?:not|never|n['’]t|hardly|cannot|no longer|nor|neither|nicht|kaum|nie|niemals|keine?|weder|ne|pas|jamais|aucun|ni|no|nunca|tampoco|non|mai|neppure|não|nem|niet|nooit|geen|evenmin|nie|nigdy|не|никогда|ни|inte|aldrig|ikke|aldri)(?!\p{L})(?:[^\p{L}]+[\p{L}'’]+){0,4}?[^\p{L}]+(?:recomm?end|recomiend|recommand|conseil|consigli|raccomand|aconsej|aconselh|suggest|choose|pick|choice|option|best|go (?:with|for)|worth|stand out|empf|beste|gute? |erste|Wahl|meilleur|bon choix|mejor|buena|miglior|buona|melhor|boa|beste|goede|aanbevel|aanrad|aan te raden|polec|najlepsz|dobr|рекоменд|совет|лучш|хорош|ideal)|n['’]t recommend|empf\p{L}+ (?:[\p{L}]+ ){0,4}nicht/iu,
  "おすすめ(?:し|でき)ません|お勧め(?:し|でき)ません|おすすめではありません|不(?:太)?推荐|不值得|추천하지|لا أنصح|لا أوصي|ليس أفضل|ليست أفضل",
);

/** The name stands behind these words: another one is preferred to it. */
export const REJECTED_BEFORE =
  /(?<!\p{L})(?:not|rather than|instead of|nicht|statt|anstatt|statt dessen|anstelle von|et non|pas|plutôt que|au lieu de|no|en lugar de|en vez de|non|invece di|não|em vez de|niet|in plaats van|a nie|zamiast|а не|вместо|inte|ikke|i stället för)(?: the| die| der| das| dem| den| de| het| la| le| les| el| il)?[\s*_"“„«]*$/iu;
/** The name stands behind these words: it is what another one is held against. */
export const COMPARED_BEFORE =
  /(?<!\p{L})(?:than|over|above|ahead of|unlike|als|gegenüber|vor|que|devant|que la|à|por encima de|che|di|rispetto a|rispetto alla|do que|boven|dan|niż|od|чем|перед|framför|än|end|enn|より|比)[\s*_"“„«]*$/iu;

/** The model says that it does not know what it is asked about. */
export const UNKNOWN = withUnspaced(
  anyOf(
    String.raw`(?:(?:I['’]?m|I am|am) )?(?:not|un)[- ]?(?:familiar|aware) (?:with|of)|unfamiliar|(?:don['’]?t|do not|doesn['’]t) (?:\p{L}+ )?(?:have|know|recogni[sz]e|find)(?: \p{L}+){0,5} (?:information|details?|knowledge|about|of|data|records?|company|brand|name|anything)|(?:no|any) (?:specific |reliable |detailed )?(?:information|knowledge|data|record) (?:about|on|of|regarding)|(?:have|['’]ve) (?:never|not) heard|can(?:not|['’]t) (?:find|verify|confirm)(?: \p{L}+){0,3} (?:information|anything|details|that|whether)|couldn['’]t find|could not find|not (?:a )?(?:brand|company|name) (?:that )?I|does(?:n['’]t| not) (?:appear|seem) to (?:exist|be a)|my knowledge (?:does|doesn)|don['’]t recogni[sz]e|do not recogni[sz]e`,
    String.raw`(?:kenne|kennt) (?:\p{L}+ ){0,4}nicht|(?:ist|sind) mir (?:\p{L}+ ){0,3}(?:nicht|un)(?: )?bekannt|nicht bekannt|unbekannt|keine (?:\p{L}+ )?(?:Informationen|Angaben|Kenntnis|Erkenntnisse|Daten)|nie (?:davon |von \p{L}+ )?gehört|sagt mir nichts|nichts (?:über|zu) `,
    String.raw`ne (?:la |le |les )?connais pas|n['’]ai (?:pas|aucune) (?:\p{L}+['’]?){0,3}(?:\s?d['’])?\s?(?:information|connaissance|données)|pas d['’]informations?|aucune information|ne dispose pas|m['’]est inconnu|jamais entendu parler|je ne trouve (?:pas|aucun)|ne suis pas familier`,
    String.raw`no (?:la |lo )?conozco|no tengo (?:\p{L}+ ){0,3}(?:información|datos|conocimiento)|no dispongo|no (?:me )?(?:es|resulta) (?:familiar|conocid)|nunca he oído|no estoy familiarizad|no encuentro|desconozco|no he encontrado`,
    String.raw`non (?:la |lo )?conosco|non ho (?:\p{L}+ ){0,3}(?:informazioni|dati|notizie)|non dispongo|non mi è (?:not|familiar)|mai sentito|non trovo|non sono a conoscenza`,
    String.raw`não (?:a |o )?conheço|não tenho (?:\p{L}+ ){0,3}(?:informaç|dados|conhecimento)|não disponho|nunca ouvi|não estou familiarizad|não encontro|não encontrei|desconheço`,
    String.raw`ken (?:ik )?(?:\p{L}+ ){0,4}niet|niet bekend met|is mij niet bekend|geen (?:\p{L}+ )?(?:informatie|gegevens|kennis)|nooit (?:van )?(?:\p{L}+ )?gehoord|zegt mij niets|niet vertrouwd met`,
    String.raw`nie znam|nie mam (?:\p{L}+ ){0,3}(?:informacji|danych|wiedzy)|nie posiadam|nie jest mi znan|nigdy nie słyszał|nie kojarzę|nic mi nie mówi`,
    String.raw`не знаком|не знаю|нет (?:\p{L}+ ){0,3}(?:информации|данных|сведений)|мне не известн|мне неизвестн|никогда не слышал|не располагаю|не нашёл|не нашел`,
    "känner inte till|ingen information|kender ikke|kjenner ikke|ingen oplysninger|bilgim yok|tanımıyorum|en tunne|neznám|nemám informace|не знайом|немає інформації",
  ),
  "知りません|存じません|情報(?:が|は)(?:ありません|見つかり)|聞いたことが(?:ない|ありません)|把握していません|不了解|不熟悉|没有(?:关于|相关)|没听说|알지 못|모릅니다|정보가 없|لا أعرف|ليست لدي معلومات|ليس لدي معلومات|لا تتوفر لدي",
);
