// The most frequent small words of languages that share a script. They tell one from the other, also in short texts.

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

export const SMALL_WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  en: words(
    "the and of to in is you that it for on are with as at this have from or by we our your can be will not but all",
  ),
  de: words(
    "der die das und ist nicht mit ein eine den von zu für auf sich dem des im auch als wir wird werden sie ihr bei oder aus unsere",
  ),
  fr: words(
    "le la les et des du une est pour dans que qui vous nous sur avec par pas plus au aux ce votre notre nos sont ou en de un",
  ),
  es: words(
    "el los las y del una es para en que por con se no su más como lo al nuestro nuestra nuestros está son o tu sus de la un",
  ),
  it: words(
    "il gli della di che e per una un con non sono del le dei nel alla più anche si da come è i nostra nostro delle ai di la",
  ),
  pt: words(
    "o os as da do dos das uma um para em que com não por mais se ao é na no são você nossa nosso também pela pelo ou de",
  ),
  nl: words(
    "de het een van en is op te dat in voor met niet zijn aan ook wij je u onze naar door bij uit om als of er",
  ),
  sv: words("och att det är en som för på av med till den inte har vi du om ett kan från så din våra eller ut också"),
  da: words("og at det er en som for på af med til den ikke har vi du om et kan fra så din vores eller ud også jeg de"),
  no: words("og å det er en som for på av med til den ikke har vi du om et kan fra så din våre eller ut også jeg hos"),
  fi: words("ja on ei että se hän oli joka mutta myös kun tai sekä kanssa ovat meidän voit sinun jos mitä olla niin"),
  is: words("og að er í á sem til við með ekki um það hann frá fyrir eru en þú okkar"),
  pl: words("i w na z się do nie jest że to dla o jak od po przez oraz są lub nasze nasz twój za ze czy co być które"),
  cs: words("a v na se je že to s z do o pro jako po za by od ve i naše jsou nebo který pokud také vám si"),
  sk: words("a v na sa je že to s z do o pre ako po za by od vo aj naše sú alebo ktorý ak tiež vám si"),
  hu: words("a az és hogy nem is egy van meg de ez volt csak mint vagy már ha el ki ön mi minden"),
  ro: words("și în de la cu pe nu este o un care pentru din sau mai ce se ne sunt prin dumneavoastră"),
  hr: words("i u je na se za su od da s o koji kao ili do kako nas naše po vam biti što"),
  sl: words("in v je na se za so od da s o ki kot ali do kako nas naše po vam biti kaj"),
  lt: words("ir į yra kad su iš tai ne bet kaip ar mūsų jūsų už per apie nuo jo"),
  lv: words("un ir uz ar no ka par vai kā mēs jūsu mūsu lai pēc tas ne bet arī"),
  et: words("ja on ei et see kui ka oma meie teie või mis selle välja siis kes"),
  tr: words("ve bir bu için ile de da olarak çok daha en gibi olan var ne ya sizin bizim her kadar"),
  id: words("dan yang di dengan untuk dari ini pada adalah tidak itu atau kami anda dalam akan ke juga bisa"),
  ms: words("dan yang di dengan untuk dari ini pada adalah tidak itu atau kami anda dalam akan ke juga boleh ialah"),
  vi: words("và của là cho có các được không với trong một những này chúng tôi bạn đã để khi"),
  ca: words("el els les i del una és per en que amb no la més com al nostre nostra són o també"),
  eu: words("eta da ez bat du dira egin izan ere dugu gure zure batean"),
  gl: words("o os as e do da unha é para en que con non por máis como ao nosa noso son ou tamén"),
  sq: words("dhe të në me për një nga është që ne se janë"),
  af: words("die en van is het in te nie wat vir met op ons jou sal ook"),
  sw: words("na ya wa kwa ni katika za la kuwa hii"),
  tl: words("ang ng sa na mga at ay ito para kami"),
  ru: words("и в на не с что по для это как мы вы из от до или но у к за ваш наш при все"),
  uk: words("і в на не з що по для це як ми ви із від до або але у та за ваш наш при всі є"),
  be: words("і ў на не з што па для гэта як мы вы ад да або але"),
  bg: words("и в на не с че по за това как ние вие от до или но се са ще си е да"),
  sr: words("и у на не са да се за је су од или али што као наш ваш"),
  mk: words("и во на не со да се за е се од или но што како нашите"),
  kk: words("және мен бұл үшін бір да де бойынша біздің"),
  ar: words("في من على إلى أن هذا التي الذي مع عن ما لا كل أو هو هي نحن كما"),
  fa: words("و در به از که این را با است برای آن می ما شما یک تا هم بر"),
  ur: words("کے کی میں ہے اور سے کا کو پر یہ ہیں نے آپ"),
  he: words("של את על לא זה עם הוא היא אנחנו כל או אם גם יש לך"),
  hi: words("के में है की और से का को पर यह हैं आप एक"),
  mr: words("आणि आहे च्या ते या हे मध्ये आहेत साठी"),
  ne: words("र छ को मा लाई हो पनि गर्न छन्"),
};
