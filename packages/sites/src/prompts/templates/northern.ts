import { templatesOf } from "./template.ts";

export const NORTHERN = {
  sv: templatesOf(`
    category: {What} i {where}: vilka företag rekommenderar du?
    category: {What}: vilka företag är kända för bra kvalitet?
    category: {What}: vilken leverantör skulle du välja?
    purchase: {What}: vad brukar det kosta?
    purchase+: {What}: var kan jag beställa på nätet?
    comparison: {What}: vilka är bra alternativ till {rival}?
    comparison: {What}: hur skiljer sig de ledande företagen åt?
    problem: {What}: vad ska jag tänka på när jag väljer?
    problem: {What}: vilka misstag bör jag undvika?
    fact: Vad erbjuder {brand}?
    fact: {What}: vad tar {brand} betalt?
    fact: {What}: är {brand} ett bra val?`),
  da: templatesOf(`
    category: {What} i {where}: hvilke firmaer anbefaler du?
    category: {What}: hvilke firmaer er kendt for god kvalitet?
    category: {What}: hvilken leverandør ville du vælge?
    purchase: {What}: hvad koster det normalt?
    purchase+: {What}: hvor kan jeg bestille på nettet?
    comparison: {What}: hvad er gode alternativer til {rival}?
    comparison: {What}: hvordan adskiller de førende firmaer sig?
    problem: {What}: hvad skal jeg være opmærksom på, når jeg vælger?
    problem: {What}: hvilke fejl bør jeg undgå?
    fact: Hvad tilbyder {brand}?
    fact: {What}: hvad tager {brand} for det?
    fact: {What}: er {brand} et godt valg?`),
  no: templatesOf(`
    category: {What} i {where}: hvilke firmaer anbefaler du?
    category: {What}: hvilke firmaer er kjent for god kvalitet?
    category: {What}: hvilken leverandør ville du valgt?
    purchase: {What}: hva koster det vanligvis?
    purchase+: {What}: hvor kan jeg bestille på nett?
    comparison: {What}: hva er gode alternativer til {rival}?
    comparison: {What}: hvordan skiller de ledende firmaene seg fra hverandre?
    problem: {What}: hva bør jeg se etter når jeg velger?
    problem: {What}: hvilke feil bør jeg unngå?
    fact: Hva tilbyr {brand}?
    fact: {What}: hva tar {brand} betalt?
    fact: {What}: er {brand} et godt valg?`),
  fi: templatesOf(`
    category: {What} ({where}): mitä yrityksiä suosittelet?
    category: {What}: mitkä yritykset tunnetaan hyvästä laadusta?
    category: {What}: minkä yrityksen valitsisit?
    purchase: {What}: paljonko se yleensä maksaa?
    purchase+: {What}: mistä voi tilata verkossa?
    comparison: {What}: mitkä ovat hyviä vaihtoehtoja yritykselle {rival}?
    comparison: {What}: miten johtavat yritykset eroavat toisistaan?
    problem: {What}: mihin kannattaa kiinnittää huomiota valinnassa?
    problem: {What}: mitä virheitä kannattaa välttää?
    fact: Mitä {brand} tarjoaa?
    fact: {What}: paljonko {brand} veloittaa?
    fact: {What}: onko {brand} hyvä valinta?`),
  pl: templatesOf(`
    category: {What} ({where}): jakie firmy polecasz?
    category: {What}: które firmy mają dobrą opinię?
    category: {What}: jaką firmę warto wybrać?
    purchase: {What}: ile to zwykle kosztuje?
    purchase+: {What}: gdzie można zamówić przez internet?
    comparison: {What}: jakie są dobre alternatywy dla {rival}?
    comparison: {What}: czym różnią się najważniejsze firmy?
    problem: {What}: na co zwrócić uwagę przy wyborze?
    problem: {What}: jakich błędów lepiej unikać?
    fact: Co oferuje {brand}?
    fact: {What}: ile bierze {brand}?
    fact: {What}: czy {brand} to dobry wybór?`),
  cs: templatesOf(`
    category: {What} ({where}): které firmy doporučujete?
    category: {What}: které firmy mají dobrou pověst?
    category: {What}: jakou firmu se vyplatí vybrat?
    purchase: {What}: kolik to obvykle stojí?
    purchase+: {What}: kde se dá objednat online?
    comparison: {What}: jaké jsou dobré alternativy k {rival}?
    comparison: {What}: v čem se liší hlavní firmy?
    problem: {What}: na co si dát pozor při výběru?
    problem: {What}: jakým chybám se vyhnout?
    fact: Co nabízí {brand}?
    fact: {What}: kolik si účtuje {brand}?
    fact: {What}: je {brand} dobrá volba?`),
  ru: templatesOf(`
    category: {What} ({where}): какие компании вы посоветуете?
    category: {What}: какие компании известны хорошим качеством?
    category: {What}: к какой компании лучше обратиться?
    purchase: {What}: сколько это обычно стоит?
    purchase+: {What}: где можно заказать онлайн?
    comparison: {What}: какие есть хорошие альтернативы {rival}?
    comparison: {What}: чем отличаются ведущие компании?
    problem: {What}: на что обратить внимание при выборе?
    problem: {What}: каких ошибок стоит избегать?
    fact: Что предлагает {brand}?
    fact: {What}: сколько берёт {brand}?
    fact: {What}: стоит ли выбрать {brand}?`),
  uk: templatesOf(`
    category: {What} ({where}): які компанії ви порадите?
    category: {What}: які компанії відомі доброю якістю?
    category: {What}: до якої компанії краще звернутися?
    purchase: {What}: скільки це зазвичай коштує?
    purchase+: {What}: де можна замовити онлайн?
    comparison: {What}: які є хороші альтернативи {rival}?
    comparison: {What}: чим відрізняються провідні компанії?
    problem: {What}: на що звернути увагу при виборі?
    problem: {What}: яких помилок варто уникати?
    fact: Що пропонує {brand}?
    fact: {What}: скільки бере {brand}?
    fact: {What}: чи варто обрати {brand}?`),
  tr: templatesOf(`
    category: {What} ({where}): hangi firmaları önerirsin?
    category: {What}: hangi firmalar kalitesiyle tanınıyor?
    category: {What}: hangi firmayı seçmek gerekir?
    purchase: {What}: genellikle ne kadar tutar?
    purchase+: {What}: internetten nereden sipariş edilir?
    comparison: {What}: {rival} yerine iyi alternatifler neler?
    comparison: {What}: önde gelen firmalar nasıl ayrılıyor?
    problem: {What}: seçerken nelere dikkat etmeliyim?
    problem: {What}: hangi hatalardan kaçınmak gerekir?
    fact: {brand} neler sunuyor?
    fact: {What}: {brand} ne kadar ücret alıyor?
    fact: {What}: {brand} iyi bir seçim mi?`),
} as const;
