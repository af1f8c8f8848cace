// Sentences of answers in French, Spanish and Italian, labelled by hand as in germanic.ts.

export const FR = `
recommended | Rive Douce | Je recommande Rive Douce pour un week-end au calme.
recommended | Rive Douce | Rive Douce est le meilleur choix de la région.
recommended | Clair Compta | Clair Compta est un excellent choix pour les indépendants.
recommended | Rive Douce | Mon préféré reste Rive Douce.
recommended | Halte Nuisibles | Pour les punaises de lit, je choisirais Halte Nuisibles.
recommended | Rive Douce | Adresses recommandées :\\n- Le Moulin\\n- Rive Douce
recommended | Clair Compta | Clair Compta se démarque par ses tarifs, mais Compta Plus est plus ancien.
mentioned | Rive Douce | On trouve aussi Rive Douce, Le Moulin et La Treille.
mentioned | Rive Douce | Le Moulin est plus grand que Rive Douce.
mentioned | Rive Douce | Rive Douce a ouvert en 2004.
mentioned | Hermès | La maison Hermes est née à Paris.
mentioned | Clair Compta | Je recommande Compta Plus ; Clair Compta existe aussi.
mentioned | Clair Compta | Le site clair-compta.com donne les tarifs.
warned | Rive Douce | Je ne recommande pas Rive Douce.
warned | Rive Douce | Évitez Rive Douce en été.
warned | Clair Compta | Compta Plus est fiable, mais Clair Compta est en faillite.
warned | Rive Douce | Prenez Le Moulin plutôt que Rive Douce.
warned | Halte Nuisibles | Plusieurs plaintes visent Halte Nuisibles.
warned | Clair Compta | Clair Compta est trop cher pour ce service.
warned | Rive Douce | Rive Douce est à éviter.
unknown | Rive Douce | Je ne connais pas Rive Douce.
unknown | Rive Douce | Je n'ai pas d'informations sur Rive Douce.
unknown | Clair Compta | Aucune information n'est disponible sur Clair Compta.
absent | Rive Douce | La rive est douce et le lac est calme.
absent | Rive Douce | Le Moulin est le meilleur choix.
absent | Orange | Ajoutez une orange et deux citrons.
`;

export const ES = `
recommended | Huerta Clara | Recomiendo Huerta Clara por su verdura.
recommended | Huerta Clara | Huerta Clara es la mejor opción en Valencia.
recommended | Reformas Tajo | Reformas Tajo es una buena opción para la cocina.
recommended | Huerta Clara | Yo elegiría Huerta Clara.
recommended | Correo Firme | Entre los filtros destaca Correo Firme.
recommended | Huerta Clara | Empresas recomendadas:\\n1. La Cesta\\n2. Huerta Clara
recommended | Huerta Clara | Te aconsejo Huerta Clara, aunque La Cesta es más barata.
mentioned | Huerta Clara | En Valencia están La Cesta, Huerta Clara y Campo Vivo.
mentioned | Huerta Clara | La Cesta es más barata que Huerta Clara.
mentioned | Huerta Clara | Huerta Clara reparte los jueves.
mentioned | Telefónica | La sede de Telefonica está en Madrid.
mentioned | Reformas Tajo | Recomiendo Obras Sur; Reformas Tajo también trabaja allí.
mentioned | Huerta Clara | Más datos en huertaclara.com.
warned | Huerta Clara | No recomiendo Huerta Clara.
warned | Huerta Clara | Evita Huerta Clara si buscas puntualidad.
warned | Reformas Tajo | Obras Sur es fiable, pero Reformas Tajo quebró en 2024.
warned | Huerta Clara | Elige La Cesta en lugar de Huerta Clara.
warned | Reformas Tajo | Hay muchas quejas sobre Reformas Tajo.
warned | Correo Firme | Correo Firme es demasiado caro.
warned | Huerta Clara | Huerta Clara no es una buena opción.
unknown | Huerta Clara | No conozco Huerta Clara.
unknown | Huerta Clara | No tengo información sobre Huerta Clara.
unknown | Reformas Tajo | No dispongo de datos de Reformas Tajo.
absent | Huerta Clara | La huerta es clara y grande.
absent | Huerta Clara | La Cesta es la mejor opción.
absent | Zara | Lázara vive en Madrid.
`;

export const IT = `
recommended | Bici Brenta | Consiglio Bici Brenta a chi viene per la prima volta.
recommended | Bici Brenta | Bici Brenta è la migliore scelta a Trento.
recommended | Studio Verde | Studio Verde è un'ottima scelta per i giardini piccoli.
recommended | Bici Brenta | Io sceglierei Bici Brenta.
recommended | Bici Brenta | Noleggi consigliati:\\n- Ruota Libera\\n- Bici Brenta
recommended | Studio Verde | Studio Verde spicca per la cura, mentre Flora costa meno.
mentioned | Bici Brenta | A Trento ci sono Ruota Libera, Bici Brenta e Pedala.
mentioned | Bici Brenta | Ruota Libera costa meno di Bici Brenta.
mentioned | Bici Brenta | Bici Brenta apre alle nove.
mentioned | Studio Verde | Consiglio Flora; Studio Verde lavora a Parma.
mentioned | Bici Brenta | Gli orari sono su bicibrenta.com.
mentioned | Nestlé | La Nestle vende anche acqua.
warned | Bici Brenta | Non consiglio Bici Brenta.
warned | Bici Brenta | Evita Bici Brenta in agosto.
warned | Studio Verde | Flora è affidabile, ma Studio Verde è fallito.
warned | Bici Brenta | Meglio Ruota Libera invece di Bici Brenta.
warned | Studio Verde | Ci sono molte lamentele su Studio Verde.
warned | Bici Brenta | Bici Brenta è troppo cara.
unknown | Bici Brenta | Non conosco Bici Brenta.
unknown | Bici Brenta | Non ho informazioni su Bici Brenta.
unknown | Studio Verde | Non dispongo di dati su Studio Verde.
absent | Bici Brenta | La bici lungo il fiume è bella.
absent | Bici Brenta | Ruota Libera è la migliore scelta.
absent | Studio Verde | Lo studio ha le pareti verdi.
`;
