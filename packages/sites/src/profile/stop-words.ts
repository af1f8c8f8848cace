const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** The small words of a language: they end a phrase, and tell the language. */
export const STOP_WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  en: words(
    "a about above after again all also am an and any are as at be because been before being below between both but by can could did do does doing down during each even every few for from further get had has have having he her here hers him his how i if in into is it its itself just like make many me more most much my new no nor not now of off on once one only or other our ours out over own per same she should so some such than that the their theirs them then there these they this those through to too under until up us use using very via was way we were what when where which while who whom why will with within without would you your yours let lets need want see start today first best",
  ),
  de: words(
    "aber alle allem allen aller alles als also am an andere auch auf aus bei beim bin bis bist da damit dann das dass dein deine dem den der des dich die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es etwas euch euer für gegen hat hatte haben hier hinter ich ihr ihre ihrem ihren ihrer im in ist ja jede jeder jedes jetzt kann kein keine können machen man mehr mein meine mit muss nach nicht noch nun nur ob oder ohne sehr sein seine seit sich sie sind so soll sowie über um und uns unser unsere unserem unseren unserer unter viel vom von vor war was weil welche wenn wer werden wie wieder wir wird wo zu zum zur zwischen bereits",
  ),
  fr: words(
    "à afin ai alors au aussi autre aux avec avez avoir car ce cela ces cet cette chaque chez comme comment dans de depuis des dès deux donc du elle elles en encore entre est et été être eux faire fait ici il ils je jour la le les leur leurs lui ma mais me même mes moi mon ne ni nos notre nous on ou où par pas peu peut plus pour pourquoi qu que quel quelle qui sa sans se ses si son sont sous sur ta tes toi ton tous tout toute toutes très tu un une vos votre vous y",
  ),
  es: words(
    "a al algo como con cual cuando de del desde donde dos el ella ellos en entre era es esa ese eso esta está estas este esto estos fue ha hasta hay la las le les lo los más me mi muy nada ni no nos nosotros nuestra nuestro o os otra otro para pero poco por porque que qué quien se ser si sí sin sobre son su sus también te tiene todo todos tu tus un una uno y ya yo",
  ),
  it: words(
    "a ad al alla alle anche che chi ci come con cosa cui da dal dalla dei del della delle di dove e è ed era fra gli ha hai ho i il in io la le lei lo loro lui ma mi mio nel nella nei no noi non nostra nostro o ogni per perché più può qua quale quando quello questa questo qui se sei senza si sia sono su sua sul sulla suo tra tu tua tuo tutti tutto un una uno vi voi vostra vostro",
  ),
  nl: words(
    "aan al alle als bij dan dat de deze die dit door een en er ga geen haar had heb hebben heeft hem het hier hij hoe hun iets ik in is je jij jou jouw kan kunnen maar meer met mij mijn moet na naar niet nog nu of om omdat onder ons onze ook op over te tot u uit uw van veel voor waar was wat we wel werd wie wij wil wordt ze zich zij zijn zo zonder zou",
  ),
  pt: words(
    "a ao aos as até com como da das de dela dele do dos e é ela ele em entre era essa esse esta está este eu foi há isso isto já lhe mais mas me mesmo meu minha muito na não nas nem no nos nós nossa nosso num o os ou para pela pelo por qual quando que quem são se sem ser seu seus só sua também te tem um uma você",
  ),
};

/** Headings and links that every site has. */
export const EVERYDAY: ReadonlySet<string> = words(
  "learn-more read-more contact contact-us about about-us sign-up log-in login home menu search privacy privacy-policy terms cookie cookies cookie-policy imprint impressum datenschutz kontakt faq faqs frequently-asked-questions blog news welcome pricing prices price features feature products product services service support help docs documentation careers team our-team customers testimonials newsletter copyright rights-reserved agb startseite preise produkte leistungen questions answers question answer month year monthly yearly day days hours people time plan plans everything thing things work works page pages click free euro dollars included 料金 価格 質問 販売 注文 会社 概要 送料 無料 製品 商品 案内 一覧",
);

export function stopWordsOf(lang: string): ReadonlySet<string> {
  return STOP_WORDS[lang] ?? new Set();
}
