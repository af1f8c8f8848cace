// Twenty small sites of different trades in six languages, with the headings that mislead on real sites: slogans, calls to
// action, people, blog posts, sections that every site has.

import type { MadeUpSite } from "./made-up.ts";

const home = (page: Omit<MadeUpSite["pages"][number], "path">) => ({ path: "/", ...page });

export const ENGLISH: readonly MadeUpSite[] = [
  {
    name: "Ironbark Joinery",
    lang: "en",
    sells: /fitted wardrobes|bespoke kitchens|staircase/i,
    pages: [
      home({
        title: "Fitted wardrobes and bespoke kitchens in York | Ironbark Joinery",
        description: "Ironbark Joinery makes fitted wardrobes, bespoke kitchens and oak staircases for homes in York.",
        h1: "Made by hand. Built for life.",
        sections: [
          ["Why choose us?", "We measure, build and install fitted wardrobes ourselves, and we clean up afterwards."],
          ["Bespoke kitchens", "Our bespoke kitchens are made of solid wood. Most bespoke kitchens take six weeks."],
          ["What our customers say", "“Wonderful people.” Helen Marsh, Selby"],
        ],
      }),
      {
        path: "/wardrobes",
        title: "Fitted wardrobes | Ironbark Joinery",
        h1: "Fitted wardrobes",
        sections: [["Prices", "Fitted wardrobes start at £2,400 with delivery in York included."]],
      },
      {
        path: "/team",
        title: "Our team | Ironbark Joinery",
        h1: "Meet the team",
        sections: [["Tom Ashdown", "Tom Ashdown has been a joiner for twenty years. Tom Ashdown also teaches."]],
      },
    ],
  },
  {
    name: "Ledgerly",
    lang: "en",
    sells: /invoic|expense|bookkeeping/i,
    jsonLd: { "@type": "SoftwareApplication", name: "Ledgerly", applicationCategory: "BusinessApplication" },
    pages: [
      home({
        title: "Ledgerly: invoicing software for freelancers",
        description: "Ledgerly is invoicing software for freelancers, with expense tracking and reminders.",
        h1: "Get paid on time",
        sections: [
          ["Expense tracking", "Take a photo and expense tracking does the rest. Nothing to type."],
          ["Start your free trial today", "Invoicing software should not need a manual. Cancel anytime."],
          ["Trusted by 4,000 freelancers", "Freelancers send invoices in a minute."],
        ],
      }),
      {
        path: "/blog/late",
        title: "Five mistakes with late payments | Ledgerly",
        h1: "Five mistakes with late payments",
        sections: [["Practical local guidance", "6 min read. Late payments hurt. Send reminders."]],
      },
    ],
  },
  {
    name: "Paws Aloft",
    lang: "en",
    sells: /dog walking|cat sitting|puppy training/i,
    pages: [
      home({
        title: "Paws Aloft | Dog walking in Bath",
        description: "Dog walking, cat sitting and puppy training in Bath by people who love animals.",
        h1: "Dog walking and cat sitting in Bath",
        sections: [
          ["Happy dogs, happy people", "Dog walking is for one hour, in groups of four at most."],
          ["Puppy training", "Puppy training takes six sessions in the park. Book your first session."],
          ["Get in touch", "Call Maya Lindqvist on 01225 000000."],
        ],
      }),
    ],
  },
  {
    name: "Northgate Dental",
    lang: "en",
    sells: /dental implants|teeth whitening|invisible braces|dental/i,
    jsonLd: {
      "@type": "Dentist",
      name: "Northgate Dental",
      address: { "@type": "PostalAddress", addressLocality: "Chester" },
      hasOfferCatalog: {
        "@type": "OfferCatalog",
        name: "Treatments",
        itemListElement: [
          { "@type": "Offer", itemOffered: { "@type": "Service", name: "Dental implants" } },
          { "@type": "Offer", itemOffered: { "@type": "Service", name: "Teeth whitening" } },
        ],
      },
    },
    pages: [
      home({
        title: "Dentist in Chester | Northgate Dental",
        description: "A friendly dentist in Chester for dental implants, teeth whitening and invisible braces.",
        h1: "Smile again",
        sections: [
          ["Dental implants", "Dental implants replace lost teeth for good. We place dental implants in one visit."],
          ["Invisible braces", "Invisible braces straighten teeth in six to twelve months."],
          ["Opening hours", "Monday to Friday, 8 to 18."],
        ],
      }),
    ],
  },
  {
    name: "Fernwood Tea",
    lang: "en",
    sells: /loose leaf tea|green tea|tea subscription/i,
    jsonLd: { "@type": "OnlineStore", name: "Fernwood Tea" },
    pages: [
      home({
        title: "Fernwood Tea – Loose leaf tea from small gardens",
        description: "Loose leaf tea from small gardens in Assam and Darjeeling, posted within a day.",
        h1: "Loose leaf tea, properly chosen",
        sections: [
          ["Green tea", "Our green tea is steamed and not roasted. Green tea is best at 75 degrees. Add to cart."],
          [
            "Tea subscription",
            "A tea subscription brings three new teas every month. Unlike Twinings we print the harvest.",
          ],
          ["As seen in", "The Guardian, Vogue"],
        ],
      }),
    ],
  },
];

export const GERMAN: readonly MadeUpSite[] = [
  {
    name: "Dachwerk Huber",
    lang: "de",
    sells: /Dachsanierung|Dachfenster|Photovoltaik|Dachdecker/i,
    pages: [
      home({
        title: "Dachsanierung in Passau | Dachwerk Huber",
        description:
          "Dachwerk Huber ist Ihr Dachdecker für Dachsanierung, Dachfenster und Photovoltaikanlagen in Passau.",
        h1: "Ihr Dach in guten Händen",
        sections: [
          ["Dachsanierung", "Eine Dachsanierung dauert etwa zwei Wochen. Wir planen die Dachsanierung mit Ihnen."],
          ["Dachfenster", "Neue Dachfenster bringen Licht. Wir bauen Dachfenster an einem Tag ein."],
          ["Jetzt Termin vereinbaren", "Rufen Sie Josef Huber an."],
        ],
      }),
      {
        path: "/team",
        title: "Unser Team | Dachwerk Huber",
        h1: "Unser Team",
        sections: [["Hans Vikoler", "Hans Vikoler ist Meister seit 1998. Hans Vikoler leitet die Werkstatt."]],
      },
    ],
  },
  {
    name: "Bergluft Fitness",
    lang: "de",
    sells: /Fitnessstudio|Personal Training|Rückentraining|Yogakurse/i,
    pages: [
      home({
        title: "Bergluft Fitness – Fitnessstudio in Brixen",
        description: "Das Fitnessstudio in Brixen mit Rückentraining, Yogakursen und Sauna.",
        h1: "Fitnessstudio mit Aussicht",
        sections: [
          [
            "Rückentraining",
            "Das Rückentraining findet zweimal in der Woche statt. Rückentraining hilft bei Schmerzen.",
          ],
          ["Yogakurse", "Unsere Yogakurse sind für Anfänger geeignet."],
          ["Öffnungszeiten", "Das Fitnessstudio ist täglich von 6 bis 22 Uhr geöffnet."],
        ],
      }),
    ],
  },
  {
    name: "Imkerei Lindgrün",
    lang: "de",
    sells: /Honig|Bienenwachs/i,
    jsonLd: { "@type": "Store", name: "Imkerei Lindgrün" },
    pages: [
      home({
        title: "Bio-Honig aus der Steiermark | Imkerei Lindgrün",
        description: "Bio-Honig, Bienenwachskerzen und Honigwein direkt aus der Imkerei in der Steiermark.",
        h1: "Bio-Honig aus eigener Imkerei",
        sections: [
          ["Bienenwachskerzen", "Die Bienenwachskerzen gießen wir selbst. Bienenwachskerzen brennen länger."],
          ["Waldhonig und Blütenhonig", "Der Waldhonig ist dunkel, der Blütenhonig hell. In den Warenkorb legen."],
          ["Cookie Hinweis", "Wir verwenden keine Cookies von Google Analytics."],
        ],
      }),
    ],
  },
  {
    name: "Kanzlei Brandt",
    lang: "de",
    sells: /Arbeitsrecht|Mietrecht|Erbrecht|Rechtsberatung/i,
    pages: [
      home({
        title: "Fachanwältin für Arbeitsrecht in Kassel | Kanzlei Brandt",
        description: "Rechtsberatung im Arbeitsrecht, Mietrecht und Erbrecht in Kassel.",
        h1: "Rechtsberatung mit klaren Worten",
        sections: [
          ["Arbeitsrecht", "Im Arbeitsrecht geht es oft um eine Kündigung. Das Arbeitsrecht kennt kurze Fristen."],
          ["Mietrecht", "Im Mietrecht vertreten wir Mieter und Vermieter."],
          ["So erreichen Sie uns", "Die Rechtsberatung ist auch am Telefon möglich."],
        ],
      }),
    ],
  },
];

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

export const DUTCH: readonly MadeUpSite[] = [
  {
    name: "Praktijk Wilgenhof",
    lang: "nl",
    sells: /relatietherapie|burn-?outcoaching|psycholo|therapie/i,
    pages: [
      home({
        title: "Relatietherapie in Gent | Praktijk Wilgenhof",
        description: "Relatietherapie en burn-outcoaching in Gent, ook online.",
        h1: "Samen verder",
        sections: [
          ["Relatietherapie", "Relatietherapie duurt meestal acht gesprekken. Relatietherapie kan ook online."],
          ["Burn-outcoaching", "Bij burn-outcoaching kijken we naar werk en rust."],
          ["Jessica", "Ik ben Jessica en ik luister graag. Jessica werkt sinds 2009 als therapeut."],
        ],
      }),
    ],
  },
  {
    name: "Fietskoerier Delta",
    lang: "nl",
    sells: /fietskoerier|pakketbezorging|pakketten|koeriersdienst/i,
    pages: [
      home({
        title: "Pakketbezorging per fiets in Utrecht | Fietskoerier Delta",
        description: "Pakketbezorging en koeriersdiensten voor winkels in Utrecht.",
        h1: "Pakketbezorging zonder uitstoot",
        sections: [
          [
            "Koeriersdiensten voor winkels",
            "Onze koeriersdiensten kosten vanaf € 6. Koeriersdiensten op zondag kan ook.",
          ],
          ["Maak een afspraak", "De pakketbezorging is dezelfde dag. Wij rijden ook in de regen en in het weekend."],
        ],
      }),
    ],
  },
];

export const MADE_UP: readonly MadeUpSite[] = [...ENGLISH, ...GERMAN, ...FRENCH, ...SPANISH, ...ITALIAN, ...DUTCH];
