// Sentences that were written and labelled after the last change of the rules. No rule is tuned to them, so they say how the rules
// do on answers that they have not seen: `label | brand | sentence`. Replace the set when a rule changes because of it.

import { type LabelledSentence, sentencesOf } from "./all.ts";

const en = `
recommended | Larkfield | Among these, Larkfield offers the best value for most households.
recommended | Larkfield | 1. **Larkfield** – Best for beginners. Friendly staff and clear prices.
recommended | Quillon | For what you describe, Quillon would be my recommendation.
recommended | Quillon | Quillon is widely considered the leading option for small law firms.
mentioned | Larkfield | A few names to look at: Larkfield, Penrose and Wye Valley Tools.
mentioned | Quillon | Quillon was bought by a competitor in 2021.
mentioned | Quillon | Penrose has more templates than Quillon.
warned | Larkfield | I'd think twice before signing with Larkfield.
warned | Quillon | Quillon has been criticised for slow support, so I'd avoid it.
unknown | Larkfield | I couldn't find any details about Larkfield; please check its website.
unknown | Quillon | As of my last update, I have no information on Quillon.
absent | Penrose | Larkfield and Quillon are the two I would compare.
absent | Basis | Prices change on a monthly basis.
`;

const de = `
recommended | Lindenau | Für Familien ist Lindenau die beste Wahl.
recommended | Lindenau | Besonders empfehlenswert ist Lindenau.
recommended | Küchenwerk | Wenn Ihnen Beratung wichtig ist, nehmen Sie Küchenwerk.
mentioned | Küchenwerk | In Frage kommen Küchenwerk, Hansen und Möbel Roth.
mentioned | Lindenau | Lindenaus Filiale am Markt hat samstags geöffnet.
mentioned | Küchenwerk | Hansen liefert schneller als Küchenwerk.
warned | Lindenau | Von Lindenau rate ich ab.
warned | Küchenwerk | Küchenwerk hat viele schlechte Bewertungen.
unknown | Lindenau | Leider habe ich keine Informationen über Lindenau.
unknown | Küchenwerk | Die Firma Küchenwerk kenne ich nicht.
absent | Lindenau | Hansen und Möbel Roth bieten beide eine gute Beratung.
`;

const nl = `
recommended | Bakker Brink | Bakker Brink is de beste keuze als je vers brood wilt.
recommended | Tuinrijk | Tuinrijk kan ik van harte aanbevelen.
mentioned | Tuinrijk | Je kunt kijken bij Tuinrijk, Groenhof of Plantje.
mentioned | Bakker Brink | Bakker Brink zit sinds 1974 aan de markt.
warned | Tuinrijk | Over Tuinrijk zijn veel klanten ontevreden, dus ik zou het vermijden.
unknown | Tuinrijk | Ik ken Tuinrijk niet.
unknown | Bakker Brink | Over Bakker Brink heb ik geen gegevens.
absent | Tuinrijk | Groenhof heeft een rijk gevulde tuin.
`;

const fr = `
recommended | Maison Perrin | Maison Perrin reste le meilleur choix pour un mariage.
recommended | Atelio | Je recommande Atelio sans hésiter.
recommended | Atelio | Si vous débutez, Atelio est idéal.
mentioned | Atelio | Plusieurs sociétés existent, dont Atelio, Norvia et Béa.
mentioned | Maison Perrin | Maison Perrin propose des ateliers le samedi.
warned | Atelio | Attention, Atelio est souvent jugé trop cher et peu fiable.
warned | Maison Perrin | Je vous déconseille Maison Perrin.
unknown | Atelio | Je n'ai trouvé aucune information sur Atelio.
unknown | Maison Perrin | Maison Perrin m'est inconnue.
absent | Atelio | L'atelier ouvre à neuf heures.
`;

const es = `
recommended | Huerta Clara | Para empezar, Huerta Clara es la mejor alternativa.
recommended | Tecnova | Recomiendo Tecnova por su servicio técnico.
recommended | Tecnova | Si buscas rapidez, Tecnova destaca sobre el resto.
mentioned | Tecnova | Puedes comparar Tecnova, Digimar y Norte Soft.
mentioned | Huerta Clara | Huerta Clara reparte los martes y los viernes.
warned | Tecnova | Yo no contrataría Tecnova ahora mismo.
warned | Huerta Clara | Huerta Clara acumula malas opiniones por sus retrasos.
unknown | Tecnova | No conozco Tecnova.
unknown | Huerta Clara | No dispongo de datos sobre Huerta Clara.
absent | Tecnova | Digimar y Norte Soft ofrecen precios parecidos.
`;

const it = `
recommended | Casa Verde | Casa Verde è la scelta migliore per le famiglie.
recommended | Lumiva | Consiglio vivamente Lumiva.
mentioned | Lumiva | Tra le alternative ci sono Lumiva, Solara e Nido.
mentioned | Casa Verde | Casa Verde ha sede a Bologna.
warned | Lumiva | Sconsiglio Lumiva a chi cerca assistenza.
warned | Casa Verde | Molti clienti si lamentano di Casa Verde, quindi la eviterei.
unknown | Lumiva | Non ho trovato notizie su Lumiva.
absent | Casa Verde | La casa ha le persiane verdi.
`;

const pt = `
recommended | Mar Azul | Para famílias, o Mar Azul é a melhor opção.
recommended | Novatek | Recomendo vivamente a Novatek.
mentioned | Novatek | Pode comparar a Novatek, a Digital Sul e a Brisa.
mentioned | Mar Azul | O Mar Azul fica em Cascais desde 1990.
warned | Novatek | Eu evitaria a Novatek por causa das reclamações.
unknown | Novatek | Não encontrei informações sobre a Novatek.
absent | Mar Azul | O mar está calmo hoje.
`;

const pl = `
recommended | Zielony Dom | Zielony Dom to najlepszy wybór dla rodzin.
recommended | Meblik | Zdecydowanie polecam Meblik.
mentioned | Meblik | Można porównać Meblik, Komfort i Ładny Kąt.
mentioned | Meblik | Salon Mebliku otwarto w 2005 roku.
warned | Meblik | Nie polecam Mebliku, bo dostawy się spóźniają.
unknown | Meblik | Nie mam danych na temat firmy Meblik.
absent | Meblik | Komfort i Ładny Kąt mają podobne ceny.
`;

const ru = `
recommended | Уютдом | Для семьи лучше всего подойдёт Уютдом.
recommended | Техносфера | Рекомендую Техносферу: у неё быстрый ремонт.
mentioned | Техносфера | Можно сравнить Техносферу, Мир Ремонта и Сервис-Плюс.
mentioned | Уютдом | Уютдом работает с 2003 года.
warned | Техносфера | Не советую Техносферу из-за плохих отзывов.
unknown | Уютдом | Я не располагаю сведениями об Уютдоме.
absent | Техносфера | Мир Ремонта и Сервис-Плюс работают без выходных.
`;

const ja = `
recommended | ひかり工房 | 家族向けなら、ひかり工房が一番おすすめです。
recommended | ノルテック | サポートを重視するなら、ノルテックがベストです。
mentioned | ノルテック | ノルテック、アサヒ電子、ミライなどがあります。
mentioned | ひかり工房 | ひかり工房は京都に店舗があります。
warned | ノルテック | ノルテックはおすすめしません。
unknown | ひかり工房 | ひかり工房については情報がありません。
absent | ノルテック | アサヒ電子とミライの料金は似ています。
`;

export const HELD_OUT: readonly LabelledSentence[] = sentencesOf({ en, de, nl, fr, es, it, pt, pl, ru, ja });
