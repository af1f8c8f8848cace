// The made-up sites in French, Spanish and Italian.

import { home, type MadeUpSite } from "./made-up.ts";

export const FRENCH: readonly MadeUpSite[] = [
  {
    name: "Halte Nuisibles",
    lang: "fr",
    sells: /punaises|dératisation|guêpes|désinsectisation|nuisibles/i,
    pages: [
      home({
        title: "Dératisation et désinsectisation à Lyon | Halte Nuisibles",
        description: "Dératisation, désinsectisation et traitement des punaises de lit à Lyon, avec devis gratuit.",
        h1: "Dératisation à Lyon",
        sections: [
          ["Traitement des punaises de lit", "Le traitement des punaises de lit se fait en deux passages."],
          ["Nids de guêpes", "Nous enlevons les nids de guêpes en une heure. Déplacement gratuit."],
          ["Demandez votre devis", "La dératisation et la désinsectisation sont garanties six mois."],
        ],
      }),
    ],
  },
  {
    name: "Rive Douce",
    lang: "fr",
    sells: /chambres d.hôtes|location de vélos|table d.hôtes/i,
    pages: [
      home({
        title: "Chambres d'hôtes en Dordogne | Rive Douce",
        description: "Chambres d'hôtes au bord de la Dordogne, avec location de vélos et table d'hôtes.",
        h1: "Bienvenue à Rive Douce",
        sections: [
          ["Chambres d'hôtes", "Nos chambres d'hôtes ont une terrasse. Les chambres d'hôtes sont calmes."],
          ["Location de vélos", "La location de vélos coûte 12 € par jour."],
          ["Nos horaires", "Arrivée à partir de 16 heures."],
        ],
      }),
    ],
  },
  {
    name: "Atelier Cuir Morel",
    lang: "fr",
    sells: /sacs? en cuir|ceintures|sellerie|maroquinerie/i,
    jsonLd: {
      "@type": "Store",
      name: "Atelier Cuir Morel",
      address: { "@type": "PostalAddress", addressLocality: "Limoges" },
    },
    pages: [
      home({
        title: "Maroquinerie artisanale – Atelier Cuir Morel",
        description: "Maroquinerie artisanale à Limoges : ceintures sur mesure et sacs.",
        h1: "Maroquinerie artisanale",
        sections: [
          ["Ceintures sur mesure", "Les ceintures sur mesure sont cousues à la main. Ajouter au panier."],
          [
            "Notre histoire",
            "La maroquinerie artisanale est notre métier depuis 1974. Nous travaillons des peaux du Limousin.",
          ],
        ],
      }),
    ],
  },
  {
    name: "Clair Compta",
    lang: "fr",
    sells: /comptab|déclarations|paie/i,
    pages: [
      home({
        title: "Expert-comptable en ligne pour indépendants | Clair Compta",
        description: "La comptabilité en ligne pour indépendants : déclarations fiscales et bulletins de paie.",
        h1: "La comptabilité en ligne, simplement",
        sections: [
          [
            "Déclarations fiscales",
            "Nous préparons vos déclarations fiscales. Les déclarations fiscales partent à temps.",
          ],
          ["Bulletins de paie", "Les bulletins de paie sont prêts le 25 du mois. La comptabilité en ligne suit."],
          ["Questions fréquentes", "Tout est expliqué."],
        ],
      }),
    ],
  },
];

export const SPANISH: readonly MadeUpSite[] = [
  {
    name: "Huerta Clara",
    lang: "es",
    sells: /cestas de verdura|aceite de oliva|fruta ecológica|verdura ecológica/i,
    jsonLd: { "@type": "OnlineStore", name: "Huerta Clara" },
    pages: [
      home({
        title: "Cestas de verdura ecológica en Valencia | Huerta Clara",
        description: "Cestas de verdura ecológica y aceite de oliva en Valencia, del campo a tu casa.",
        h1: "Del campo a tu mesa",
        sections: [
          ["Cestas de verdura ecológica", "Las cestas de verdura ecológica llegan cada jueves. Añadir al carrito."],
          ["Aceite de oliva", "El aceite de oliva es de primera prensada. Nuestro aceite de oliva es de Jaén."],
          ["Conócenos", "Somos Lucía y Andrés."],
        ],
      }),
    ],
  },
  {
    name: "Reformas Tajo",
    lang: "es",
    sells: /reformas? de (?:cocinas|baños|pisos)|reformas integrales/i,
    pages: [
      home({
        title: "Reformas integrales en Toledo | Reformas Tajo",
        description: "Reformas integrales, reformas de cocinas y reformas de baños en Toledo.",
        h1: "Reformas integrales sin sorpresas",
        sections: [
          ["Reformas de cocinas", "Las reformas de cocinas duran tres semanas de media."],
          ["Reformas de baños", "En las reformas de baños cambiamos también las tuberías."],
          ["¿Por qué elegirnos?", "Las reformas integrales tienen un precio cerrado."],
        ],
      }),
    ],
  },
  {
    name: "Correo Firme",
    lang: "es",
    sells: /correo electrónico|copias de seguridad|filtro de spam|protección/i,
    pages: [
      home({
        title: "Protección del correo electrónico para empresas | Correo Firme",
        description: "Protección del correo electrónico y filtro de spam para empresas pequeñas.",
        h1: "Protección del correo electrónico",
        sections: [
          ["Filtro de spam", "El filtro de spam aprende de cada mensaje. Un filtro de spam ahorra horas."],
          ["Solicita una demo", "La protección del correo electrónico empieza hoy."],
        ],
      }),
    ],
  },
];

export const ITALIAN: readonly MadeUpSite[] = [
  {
    name: "Bici Brenta",
    lang: "it",
    sells: /noleggio (?:di )?(?:bici|biciclette)|bici elettriche|biciclette elettriche|tour guidati/i,
    pages: [
      home({
        title: "Noleggio di biciclette elettriche a Trento | Bici Brenta",
        description: "Noleggio di biciclette elettriche e tour guidati a Trento e dintorni.",
        h1: "Noleggio di biciclette elettriche",
        sections: [
          ["Tour guidati", "I tour guidati partono ogni sabato. I tour guidati durano tre ore."],
          ["Prenota ora", "Il noleggio di biciclette elettriche costa 35 € al giorno."],
          ["Chi siamo", "Marco Zanella e Giulia Ferri."],
        ],
      }),
    ],
  },
  {
    name: "Studio Verde",
    lang: "it",
    sells: /giardini|impianti di irrigazione|potatura/i,
    pages: [
      home({
        title: "Progettazione di giardini a Parma | Studio Verde",
        description: "Progettazione di giardini, potatura di alberi e impianti di irrigazione a Parma.",
        h1: "Il tuo giardino, tutto l'anno",
        sections: [
          [
            "Progettazione di giardini",
            "La progettazione di giardini comincia con una visita. Poi prepariamo un disegno e scegliamo insieme le piante.",
          ],
          ["Impianti di irrigazione", "Gli impianti di irrigazione risparmiano acqua."],
          ["I nostri valori", "Qualità e passione."],
        ],
      }),
    ],
  },
];
