import assert from "node:assert/strict";
import { test } from "node:test";
import { languageOf } from "./language.ts";

const TEXTS: Readonly<Record<string, string>> = {
  en: "We bake bread for the offices of the city, and we bring it to you every morning. You can order online, and it is fresh.",
  de: "Wir backen Brot für die Büros der Stadt und bringen es jeden Morgen. Sie können es auch online bestellen, und es ist frisch.",
  fr: "Nous cuisons le pain pour les bureaux de la ville et nous le livrons chaque matin. Vous pouvez aussi le commander en ligne.",
  es: "Horneamos pan para las oficinas de la ciudad y lo llevamos cada mañana. También se puede pedir por internet, y es muy fresco.",
  it: "Cuociamo il pane per gli uffici della città e lo portiamo ogni mattina. Si può anche ordinare in rete, ed è sempre fresco.",
  pt: "Fazemos pão para os escritórios da cidade e entregamos todas as manhãs. Você também pode pedir pela internet, e é fresco.",
  nl: "Wij bakken brood voor de kantoren van de stad en brengen het elke ochtend. U kunt het ook online bestellen, en het is vers.",
  sv: "Vi bakar bröd för kontoren i staden och levererar det varje morgon. Du kan också beställa det på nätet, och det är färskt.",
  da: "Vi bager brød til kontorerne i byen og leverer det hver morgen. Du kan også bestille det på nettet, og det er friskt af os.",
  no: "Vi baker brød til kontorene i byen og leverer det hver morgen. Du kan også bestille det på nettet, og det er ferskt av oss.",
  fi: "Leivomme leipää kaupungin toimistoille ja tuomme sen joka aamu. Voit tilata sen myös verkosta, ja se on tuoretta, kun se tulee.",
  pl: "Pieczemy chleb dla biur w mieście i dostarczamy go każdego ranka. Można go też zamówić przez internet, a jest to świeży chleb.",
  cs: "Pečeme chléb pro kanceláře ve městě a vozíme ho každé ráno. Můžete si ho také objednat na internetu, a je čerstvý i večer.",
  hu: "Kenyeret sütünk a város irodáinak, és minden reggel elvisszük. Az interneten is megrendelhető, és nem csak a hét elején friss.",
  ro: "Coacem pâine pentru birourile din oraș și o livrăm în fiecare dimineață. Se poate comanda și pe internet, și este proaspătă.",
  tr: "Şehirdeki ofisler için ekmek pişiriyor ve her sabah getiriyoruz. İnternet ile de sipariş verebilirsiniz, bu çok taze bir ekmek.",
  id: "Kami membuat roti untuk kantor di kota dan mengantarnya setiap pagi. Anda juga bisa memesan dengan internet, dan ini tidak mahal.",
  vi: "Chúng tôi nướng bánh cho các văn phòng trong thành phố và giao mỗi sáng. Bạn có thể đặt hàng qua mạng, và bánh được giao nóng.",
  ru: "Мы печём хлеб для офисов города и привозим его каждое утро. Вы можете заказать его и в интернете, он всегда свежий.",
  uk: "Ми печемо хліб для офісів міста і привозимо його щоранку. Ви можете замовити його в інтернеті, він завжди свіжий.",
  bg: "Ние печем хляб за офисите на града и го носим всяка сутрин. Може да се поръча и в интернет, и винаги е пресен.",
  sr: "Печемо хлеб за канцеларије у граду и доносимо га свако јутро. Можете га наручити и на интернету, увек је свеж.",
  el: "Ψήνουμε ψωμί για τα γραφεία της πόλης και το φέρνουμε κάθε πρωί.",
  he: "אנחנו אופים לחם למשרדים של העיר ומביאים אותו בכל בוקר.",
  ar: "نخبز الخبز لمكاتب المدينة ونوصله كل صباح، ويمكن طلبه من خلال الإنترنت.",
  fa: "ما برای دفترهای شهر نان می‌پزیم و هر روز صبح آن را می‌آوریم. شما می‌توانید در اینترنت هم سفارش دهید.",
  ur: "ہم شہر کے دفتروں کے لیے روٹی پکاتے ہیں اور ہر صبح پہنچاتے ہیں۔",
  ja: "私たちは街のオフィスのために毎朝パンを焼いてお届けしています。",
  zh: "我们每天早上为城市里的办公室烤面包并送货上门，网上也可以订购。",
  ko: "우리는 매일 아침 도시의 사무실을 위해 빵을 굽고 배달합니다.",
  th: "เราอบขนมปังให้สำนักงานในเมืองทุกเช้าและจัดส่งถึงที่",
  hi: "हम शहर के दफ़्तरों के लिए रोटी बनाते हैं और हर सुबह पहुँचाते हैं।",
};

for (const [lang, text] of Object.entries(TEXTS)) {
  test(`${lang} is known by its text, whatever the template says`, () => {
    assert.equal(languageOf("", text), lang, "nothing declared");
    assert.equal(languageOf(lang, text), lang, "declared");
    if (lang !== "no" && lang !== "da") assert.equal(languageOf("en-US", text), lang, "a template in English");
  });
}

test("a short text is of the language that the page declares, if its letters can be", () => {
  assert.equal(languageOf("nl-BE", "Praktijk Koester"), "nl");
  assert.equal(languageOf("mk", "Контакт"), "mk");
  assert.equal(languageOf("nb-NO", "Kontakt"), "no");
  assert.equal(languageOf("", "Kontakt"), "en");
  assert.equal(languageOf("en", "Свежий хлеб каждый день, быстро и вкусно"), "ru");
});
