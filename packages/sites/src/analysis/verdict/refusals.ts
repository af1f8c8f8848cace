// Whether an answer is a refusal: the model says that it will not or cannot answer, in any of the supported languages.

const SPACED = [
  "(?:I['’]?m |I am )?(?:very |so |really )?sorry,? (?:but )?I (?:can['’]?t|cannot|am (?:not able|unable)|won['’]t|must decline)",
  "I (?:can['’]?t|cannot|am unable to|['’]m unable to|am not able to|['’]m not able to|won['’]t|must decline to|have to decline) (?:help|assist|comply|provide|answer|do that|recommend|discuss|give|fulfil|with)",
  "sorry,? (?:but )?I (?:can['’]?t|cannot)",
  "as an AI(?: language)?(?: model)?,? I (?:can['’]?t|cannot|do not|don['’]t)",
  String.raw`(?:es )?tut mir leid,? (?:aber )?(?:ich kann|das kann ich|dabei kann ich|darauf kann ich|hierbei kann ich|dazu kann ich)|(?:leider )?(?:kann|darf|möchte) ich (?:\p{L}+ ){0,5}(?:nicht|keine)|(?:dabei|damit|darauf|dazu) kann ich (?:\p{L}+ ){0,3}(?:nicht|keine)|ich (?:kann|darf) (?:\p{L}+ ){0,4}(?:nicht (?:helfen|beantworten|weiterhelfen|behilflich)|keine (?:\p{L}+ ){0,2}(?:Auskunft|Empfehlung|Antwort))`,
  "(?:je suis )?(?:désolée?|navrée?),? (?:mais )?je ne (?:peux|puis|suis) (?:pas|malheureusement)|je ne (?:peux|puis) pas (?:vous )?(?:aider|répondre|fournir|donner)|je suis dans l['’]impossibilité",
  "lo siento,? (?:pero )?no (?:puedo|me es posible)|no puedo (?:ayudar|responder|proporcionar|ofrecer|dar|recomendar)|lamento no poder",
  "mi dispiace,? (?:ma )?non (?:posso|sono in grado)|non posso (?:aiutar|rispond|fornir|dare|consigliar)|spiacente,? (?:ma )?non",
  "(?:lamento|desculpe|sinto muito|peço desculpa),? (?:mas )?não (?:posso|consigo)|não posso (?:ajudar|responder|fornecer|dar|recomendar)",
  String.raw`(?:het spijt me|sorry),? (?:maar )?(?:ik kan|daar kan ik|hier kan ik)|ik kan (?:\p{L}+ ){0,4}(?:niet|geen) (?:\p{L}+ ){0,2}(?:helpen|beantwoorden|geven)|daar kan ik (?:je |u )?niet (?:mee|bij) helpen`,
  "(?:przykro mi|przepraszam|niestety),? (?:ale )?nie mogę|nie mogę (?:w tym )?(?:pomóc|odpowiedzieć|udzielić)",
  "(?:omlouvám se|je mi líto),? (?:ale )?(?:s tím |na to )?nemohu|nemohu (?:pomoci|odpovědět)",
  "(?:извините|простите|к сожалению|мне жаль),? (?:но )?я не (?:могу|смогу)|я не могу (?:помочь|ответить|предоставить|дать)",
  "(?:вибачте|на жаль|перепрошую),? (?:але )?я не можу|я не можу (?:допомогти|відповісти|надати)",
  String.raw`(?:jag är ledsen|tyvärr|förlåt),? (?:men )?(?:jag kan|kan jag) (?:\p{L}+ ){0,3}inte|jag kan inte (?:hjälpa|svara|ge)`,
  String.raw`(?:jeg er ked af det|beklager|desværre|dessverre),? (?:men )?(?:jeg kan|kan jeg|det kan jeg) (?:\p{L}+ ){0,3}ikke|jeg kan ikke (?:hjælpe|hjelpe|svare|give|gi)`,
  "(?:valitettavasti|olen pahoillani|pahoittelen),? (?:mutta )?en (?:voi|pysty)|en voi (?:auttaa|vastata)",
  "(?:üzgünüm|maalesef|özür dilerim),? (?:ama |ancak )?(?:bu konuda |buna )?(?:yardımcı olam|yanıt verem|cevap verem)|bu konuda yardımcı olam",
  "(?:عذرا|عذرًا|آسف|للأسف)،? (?:ولكن |لكن )?لا (?:أستطيع|يمكنني)|لا (?:أستطيع|يمكنني) (?:المساعدة|الإجابة|تقديم)",
];
const UNSPACED =
  "申し訳(?:ありません|ございません)[がけ、。]*.{0,30}(?:できません|お答え|いたしかねます|できかねます)|お(?:答え|手伝い)(?:できません|できかねます|いたしかねます)|(?:抱歉|对不起|很遗憾)[，,]?.{0,12}(?:无法|不能)|我(?:无法|不能)(?:提供|回答|帮助|协助|推荐)|죄송(?:합니다|하지만|하지만,)?.{0,30}(?:수 없|드릴 수)|도와드릴 수 없|답변(?:할|드릴) 수 없";

const REFUSES = new RegExp(`^[^\\p{L}]*(?:(?:${SPACED.join("|")})|${UNSPACED})`, "iu");

/** A long answer that begins with an apology still answers. */
const LONGEST_REFUSAL = 400;

export function isRefusal(text: string): boolean {
  return text.length < LONGEST_REFUSAL && REFUSES.test(text);
}
