// The second set in Polish, Russian and Japanese.

export const SECOND_PL = `
recommended | Rowerex | Najlepiej wybrać Rowerex.
recommended | Rowerex | Z czystym sumieniem polecam Rowerexa.
recommended | Piekarnia Złoty Kłos | Warto zajrzeć do Piekarni Złoty Kłos, bo pieczywo jest znakomite.
recommended | Domar | Domar to świetny wybór dla rodzin.
mentioned | Domar | Wśród znanych firm są Domar, Bud-Max i Solid.
mentioned | Rowerex | W Rowereksie przegląd kosztuje 150 zł.
mentioned | Domar | W porównaniu z Domarem Solid jest tańszy.
mentioned | Domar | Firma Domar powstała w 1994 roku.
warned | Domar | Odradzam Domar ze względu na opóźnienia.
warned | Rowerex | Nie poleciłbym Rowereksu początkującym.
warned | Domar | Lepiej wybrać Solid niż Domar.
unknown | Domar | Nie mam wiarygodnych informacji o firmie Domar.
unknown | Rowerex | Nie znam marki Rowerex.
absent | Domar | Najlepsze firmy to Solid i Bud-Max.
absent | Rowerex | Rower ekstra lekki waży dziesięć kilogramów.
`;

export const SECOND_RU = `
recommended | ВелоМир | Я бы выбрал ВелоМир.
recommended | ВелоМир | Советую обратиться в ВелоМир: там хороший сервис.
recommended | Пекарня Заря | Лучший хлеб в городе печёт Пекарня Заря.
recommended | Стройград | Стройград заслуживает внимания благодаря гарантии.
mentioned | Стройград | Среди известных компаний: Стройград, Дом-Сервис и Мастер.
mentioned | ВелоМир | В ВелоМире ремонт стоит 2000 рублей.
mentioned | Стройград | По сравнению со Стройградом Мастер дешевле.
mentioned | Стройград | Компания Стройград основана в 1998 году.
warned | Стройград | Я бы не рекомендовал Стройград из-за задержек.
warned | ВелоМир | На ВелоМир много жалоб.
warned | ВелоМир | Лучше выбрать Мастер, а не ВелоМир.
unknown | Стройград | У меня нет достоверной информации о компании Стройград.
unknown | ВелоМир | Мне не знакома компания ВелоМир.
absent | ВелоМир | Лучшие магазины — Мастер и Педаль.
absent | Стройград | В городе много строек.
`;

export const SECOND_JA = `
recommended | 山田製作所 | 品質を重視するなら山田製作所が最適です。
recommended | 山田製作所 | 私なら山田製作所を選びます。
recommended | アオバ | 初心者にはアオバがおすすめです。
recommended | アオバ | アオバは評判が良く、安心して利用できます。
mentioned | アオバ | 代表的な会社には、アオバ、ミドリ、サクラがあります。
mentioned | 山田製作所 | 山田製作所は1950年に設立されました。
mentioned | アオバ | アオバの料金は月額1000円です。
mentioned | アオバ | アオバと比べると、ミドリのほうが安いです。
warned | アオバ | アオバは避けたほうがよいでしょう。
warned | 山田製作所 | 山田製作所はあまりおすすめできません。
warned | アオバ | アオバについては苦情が多く寄せられています。
unknown | 山田製作所 | 山田製作所については存じ上げません。
unknown | アオバ | アオバに関する情報は見つかりませんでした。
absent | アオバ | ミドリとサクラがおすすめです。
absent | アオバ | アオバト科の鳥は森に住んでいます。
`;
