import { templatesOf } from "./template.ts";

// Customers put the subject first when they write to an assistant ("Cargo bikes in Leeds: which shop …"). This form also
// spares the subject every ending that its role in a sentence would give it.

export const WESTERN = {
  en: templatesOf(`
    category: Which companies are recommended for {what} in {where}?
    category: Which providers of {what} would you recommend for {who}?
    category: Who is known for good {what}?
    category: {What}: which providers do you recommend?
    purchase: How much should I expect to pay for {what}?
    purchase+: Where can I order {what} online?
    purchase: {What}: what does a fair price include?
    comparison: What are good alternatives to {rival} for {what}?
    comparison: {What}: how do the leading providers differ?
    comparison: How does {brand} compare with {rival}?
    problem: What should I look for when choosing a provider of {what}?
    problem: {What}: what are common mistakes to avoid?
    fact: What does {brand} offer?
    fact: How much does {brand} charge for {what}?
    fact: Is {brand} a good choice for {what}?`),
  de: templatesOf(`
    category: {What} in {where}: Welche Anbieter sind zu empfehlen?
    category: {What} für {who}: Welche Anbieter sind empfehlenswert?
    category: {What}: Welche Anbieter sind dafür bekannt?
    category: {What}: Welchen Anbieter würdest du empfehlen?
    purchase: {What}: Mit welchen Kosten muss ich rechnen?
    purchase+: {What}: Wo kann ich online bestellen?
    purchase: {What}: Was gehört zu einem fairen Preis?
    comparison: {What}: Was sind gute Alternativen zu {rival}?
    comparison: {What}: Wie unterscheiden sich die wichtigsten Anbieter?
    comparison: Wie schneidet {brand} im Vergleich zu {rival} ab?
    problem: {What}: Worauf sollte ich bei der Auswahl achten?
    problem: {What}: Welche Fehler sollte ich vermeiden?
    fact: Was bietet {brand} an?
    fact: {What}: Was verlangt {brand} dafür?
    fact: {What}: Ist {brand} eine gute Wahl?`),
  fr: templatesOf(`
    category: {What} à {where} : quelles entreprises recommandez-vous ?
    category: {What} pour {who} : quelles entreprises recommandez-vous ?
    category: {What} : quelles entreprises sont réputées ?
    category: {What} : à qui faire confiance ?
    purchase: {What} : combien faut-il prévoir ?
    purchase+: {What} : où commander en ligne ?
    purchase: {What} : que doit comprendre un prix juste ?
    comparison: {What} : quelles sont les bonnes alternatives à {rival} ?
    comparison: {What} : comment se distinguent les principales entreprises ?
    comparison: Que vaut {brand} par rapport à {rival} ?
    problem: {What} : à quoi faire attention au moment de choisir ?
    problem: {What} : quelles erreurs faut-il éviter ?
    fact: Que propose {brand} ?
    fact: {What} : quels sont les tarifs de {brand} ?
    fact: {What} : est-ce que {brand} est un bon choix ?`),
  es: templatesOf(`
    category: {What} en {where}: ¿qué empresas recomiendas?
    category: {What} para {who}: ¿qué empresas recomiendas?
    category: {What}: ¿qué empresas tienen buena fama?
    category: {What}: ¿en qué empresa se puede confiar?
    purchase: {What}: ¿cuánto cuesta normalmente?
    purchase+: {What}: ¿dónde se puede comprar en línea?
    purchase: {What}: ¿qué debe incluir un precio justo?
    comparison: {What}: ¿cuáles son buenas alternativas a {rival}?
    comparison: {What}: ¿en qué se diferencian las principales empresas?
    comparison: ¿Cómo es {brand} en comparación con {rival}?
    problem: {What}: ¿en qué debo fijarme al elegir?
    problem: {What}: ¿qué errores conviene evitar?
    fact: ¿Qué ofrece {brand}?
    fact: {What}: ¿cuánto cobra {brand}?
    fact: {What}: ¿es {brand} una buena opción?`),
  it: templatesOf(`
    category: {What} a {where}: quali aziende consigli?
    category: {What} per {who}: quali aziende consigli?
    category: {What}: quali aziende sono conosciute?
    category: {What}: a quale azienda rivolgersi?
    purchase: {What}: quanto costa di solito?
    purchase+: {What}: dove si può ordinare online?
    purchase: {What}: cosa comprende un prezzo giusto?
    comparison: {What}: quali sono buone alternative a {rival}?
    comparison: {What}: in cosa si distinguono le aziende principali?
    comparison: Com'è {brand} rispetto a {rival}?
    problem: {What}: a cosa devo fare attenzione quando scelgo?
    problem: {What}: quali errori è meglio evitare?
    fact: Che cosa offre {brand}?
    fact: {What}: quanto chiede {brand}?
    fact: {What}: {brand} è una buona scelta?`),
  pt: templatesOf(`
    category: {What} em {where}: que empresas recomendas?
    category: {What} para {who}: que empresas recomendas?
    category: {What}: que empresas têm boa reputação?
    category: {What}: em que empresa se pode confiar?
    purchase: {What}: quanto custa normalmente?
    purchase+: {What}: onde se pode comprar online?
    purchase: {What}: o que deve incluir um preço justo?
    comparison: {What}: quais são boas alternativas a {rival}?
    comparison: {What}: em que diferem as principais empresas?
    comparison: Como é {brand} em comparação com {rival}?
    problem: {What}: a que devo dar atenção ao escolher?
    problem: {What}: que erros convém evitar?
    fact: O que oferece {brand}?
    fact: {What}: quanto cobra {brand}?
    fact: {What}: {brand} é uma boa escolha?`),
  nl: templatesOf(`
    category: {What} in {where}: welke bedrijven raad je aan?
    category: {What} voor {who}: welke bedrijven raad je aan?
    category: {What}: welke bedrijven staan goed bekend?
    category: {What}: welke aanbieder zou je kiezen?
    purchase: {What}: wat kost dat gemiddeld?
    purchase+: {What}: waar kan ik online bestellen?
    purchase: {What}: wat hoort er bij een eerlijke prijs?
    comparison: {What}: wat zijn goede alternatieven voor {rival}?
    comparison: {What}: hoe verschillen de belangrijkste aanbieders?
    comparison: Hoe is {brand} vergeleken met {rival}?
    problem: {What}: waar moet ik op letten bij het kiezen?
    problem: {What}: welke fouten kan ik beter vermijden?
    fact: Wat biedt {brand} aan?
    fact: {What}: wat vraagt {brand} daarvoor?
    fact: {What}: is {brand} een goede keuze?`),
} as const;
