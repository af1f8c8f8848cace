// The second set in the Romance languages.

export const SECOND_FR = `
recommended | Lumière & Fils | Pour un budget moyen, je choisirais Lumière & Fils.
recommended | Valmont | Valmont est sans doute la meilleure adresse du quartier.
recommended | Valmont | Je vous conseille Valmont pour la qualité de ses conseils.
recommended | Cyclaria | Cyclaria sort du lot grâce à son service après-vente.
recommended | Cyclaria | Vous pouvez y aller les yeux fermés : Cyclaria ne déçoit pas.
mentioned | Valmont | Valmont a été fondée à Lyon en 1962.
mentioned | Cyclaria | On peut citer Cyclaria, Vélo+ et Mobilis.
mentioned | Lumière & Fils | Lumière et Fils facture 45 € de l'heure.
mentioned | Cyclaria | Par rapport à Cyclaria, Mobilis est plus cher.
warned | Valmont | Mieux vaut éviter Valmont pour le moment.
warned | Cyclaria | Je ne recommande pas Cyclaria pour un usage quotidien.
warned | Cyclaria | Préférez Mobilis plutôt que Cyclaria.
warned | Valmont | Valmont a fait l'objet de nombreuses plaintes.
unknown | Valmont | Je ne dispose pas d'informations fiables sur Valmont.
unknown | Cyclaria | Cyclaria ne me dit rien.
unknown | Lumière & Fils | Je ne connais pas d'entreprise appelée Lumière & Fils.
absent | Valmont | Le val du mont est très boisé.
absent | Cyclaria | Les meilleurs magasins sont Mobilis et Vélo+.
`;

export const SECOND_ES = `
recommended | Casa Olmedo | Yo iría a Casa Olmedo sin dudarlo.
recommended | Casa Olmedo | La mejor opción para familias es Casa Olmedo.
recommended | Ruedalia | Ruedalia es muy recomendable por su taller propio.
recommended | Ruedalia | Me quedaría con Ruedalia.
mentioned | Ruedalia | Entre las tiendas conocidas están Ruedalia, Bicimundo y Pedalea.
mentioned | Casa Olmedo | Casa Olmedo abre de martes a domingo.
mentioned | Ruedalia | Comparado con Ruedalia, Bicimundo es más barato.
mentioned | Ruedalia | Las bicicletas de Ruedalia cuestan desde 900 euros.
warned | Casa Olmedo | No recomendaría Casa Olmedo para grupos grandes.
warned | Ruedalia | Conviene evitar Ruedalia: hay muchas quejas.
warned | Ruedalia | Elige Bicimundo en lugar de Ruedalia.
unknown | Casa Olmedo | No tengo información sobre Casa Olmedo.
unknown | Ruedalia | No me consta ninguna empresa llamada Ruedalia.
unknown | Ruedalia | Ruedalia no me suena.
absent | Casa Olmedo | La casa tiene un olmo en el jardín.
absent | Ruedalia | Bicimundo y Pedalea son las mejores tiendas.
`;

export const SECOND_IT = `
recommended | Forno Bellini | Io andrei da Forno Bellini.
recommended | Forno Bellini | Forno Bellini è tra i migliori della città.
recommended | Ciclopea | Ti consiglio Ciclopea per l'assistenza.
recommended | Ciclopea | Con Ciclopea vai sul sicuro.
mentioned | Ciclopea | Tra i negozi più noti ci sono Ciclopea, Ruota Libera e Velox.
mentioned | Forno Bellini | Forno Bellini apre alle sette del mattino.
mentioned | Ciclopea | Rispetto a Ciclopea, Velox costa meno.
warned | Forno Bellini | Eviterei Forno Bellini nel fine settimana: troppe lamentele.
warned | Ciclopea | Non consiglierei Ciclopea a chi ha fretta.
warned | Ciclopea | Meglio Velox che Ciclopea.
unknown | Forno Bellini | Non ho informazioni attendibili su Forno Bellini.
unknown | Ciclopea | Non conosco nessuna azienda di nome Ciclopea.
absent | Ciclopea | Velox e Ruota Libera sono ottime scelte.
absent | Forno Bellini | Il pane si cuoce nel forno a legna.
`;

export const SECOND_PT = `
recommended | Padaria Sol | Eu escolheria a Padaria Sol.
recommended | Padaria Sol | A Padaria Sol é uma ótima escolha para o pequeno-almoço.
recommended | Rodavento | Recomendo a Rodavento pela assistência.
recommended | Rodavento | A Rodavento é a referência na cidade.
mentioned | Rodavento | Entre as lojas conhecidas estão a Rodavento, a Bike Norte e a Velocita.
mentioned | Padaria Sol | A Padaria Sol foi fundada em 1978.
mentioned | Rodavento | Em comparação com a Rodavento, a Velocita é mais barata.
warned | Padaria Sol | Não recomendo a Padaria Sol aos domingos.
warned | Rodavento | Evite a Rodavento: há muitas queixas.
warned | Rodavento | Escolha a Velocita em vez da Rodavento.
unknown | Padaria Sol | Não tenho informações sobre a Padaria Sol.
unknown | Rodavento | Não conheço nenhuma empresa chamada Rodavento.
absent | Rodavento | A Velocita e a Bike Norte são as melhores lojas.
absent | Padaria Sol | O sol nasce às seis.
`;
