// Sentences of answers in Polish, Russian and Japanese, labelled by hand as in germanic.ts.

export const PL = `
recommended | Zielony Dach | Polecam Zielony Dach, bo mają własną ekipę.
recommended | Zielony Dach | Zielony Dach to najlepsza firma w Krakowie.
recommended | Allegro | Do zakupów wybrałbym Allegro.
recommended | Rowerex | Rowerex to dobry wybór dla rodzin.
recommended | Rowerex | Polecane sklepy:\\n1. Kółko\\n2. Rowerex
mentioned | Rowerex | W Krakowie są Kółko, Rowerex i Pedał.
mentioned | Rowerex | Kółko jest tańsze niż Rowerex.
mentioned | Rowerex | Serwis Rowerexu działa od 2010 roku.
mentioned | Allegro | Na Allegro jest wiele ofert.
mentioned | Rowerex | Klienci Rowereksa i Rowerexem jeżdżą; Rowerex działa lokalnie.
mentioned | Zielony Dach | Polecam Nowy Dom; Zielony Dach też tam działa.
warned | Rowerex | Nie polecam Rowerexu.
warned | Rowerex | Unikaj Rowerex, bo jest wiele skarg.
warned | Rowerex | Kółko jest dobre, ale Rowerex ogłosił upadłość i bankructwo.
warned | Zielony Dach | Odradzam Zielony Dach.
warned | Rowerex | Wybierz Kółko zamiast Rowerex.
unknown | Rowerex | Nie znam firmy Rowerex.
unknown | Rowerex | Nie mam informacji o Rowerexie.
absent | Rowerex | Rower ekspresowy jest szybki.
absent | Zielony Dach | Na domu jest zielony, stary dach z blachy i trawy obok.
absent | Rowerex | Kółko to najlepsza firma.
`;

export const RU = `
recommended | Яндекс | Рекомендую Яндекс для этой задачи.
recommended | Велодом | Велодом — лучший выбор для семьи.
recommended | Велодом | Я бы выбрал Велодом: хороший вариант для города.
recommended | Велодом | Рекомендуемые магазины:\\n1. Колесо\\n2. Велодом
recommended | Лента | Советую Ленту: цены ниже.
mentioned | Яндекс | С Яндексом работают многие магазины.
mentioned | Велодом | Колесо дешевле, чем Велодом.
mentioned | Велодом | В Казани есть Колесо, Велодом и Педаль.
mentioned | Велодом | Магазин Велодома открыт с девяти.
mentioned | Велодом | Рекомендую Колесо; Велодом тоже есть в городе.
mentioned | Сбербанк | Счёт в Сбербанке открывают за день.
warned | Велодом | Не рекомендую Велодом.
warned | Велодом | Избегайте Велодома: много жалоб.
warned | Велодом | Колесо хорошее, но Велодом обанкротился, это банкрот.
warned | Велодом | Выбирайте Колесо, а не Велодом.
warned | Яндекс | На Яндекс много жалоб.
unknown | Велодом | Я не знаком с компанией Велодом.
unknown | Велодом | У меня нет информации о Велодоме.
absent | Велодом | Велосипед стоит дома.
absent | Велодом | Колесо — лучший выбор.
absent | Яндекс | Яндексация — это не слово.
`;

export const JA = `
recommended | 山田製茶 | 抹茶なら山田製茶がおすすめです。
recommended | 山田製茶 | 山田製茶は最適な選択です。
recommended | 山田製茶 | 一番人気は山田製茶です。
recommended | ニトリ | 家具はニトリをお勧めします。
recommended | 山田製茶 | おすすめの会社：\\n1. 鈴木園\\n2. 山田製茶
mentioned | 山田製茶 | 宇治には鈴木園と山田製茶があります。
mentioned | 山田製茶 | 山田製茶は1950年に創業しました。
mentioned | 山田製茶 | 鈴木園は山田製茶より安いです。
mentioned | ニトリ | ニトリは全国に店舗があります。
mentioned | 山田製茶 | 鈴木園がおすすめです。山田製茶もあります。
warned | 山田製茶 | 山田製茶はおすすめできません。
warned | 山田製茶 | 山田製茶は避けた方がよいでしょう。
warned | 山田製茶 | 山田製茶には苦情が多いです。
warned | 山田製茶 | 鈴木園は良いですが、山田製茶は昨年倒産しました。
unknown | 山田製茶 | 山田製茶については知りません。
unknown | 山田製茶 | 山田製茶に関する情報はありません。
unknown | ニトリ | 申し訳ないですが、ニトリは存じません。
absent | 山田製茶 | 山田さんは製茶の会社で働いています。
absent | 山田製茶 | 鈴木園がおすすめです。
absent | トリ | ニトリは全国に店舗があります。
`;
