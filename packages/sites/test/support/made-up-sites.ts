// Twenty small sites of different trades in six languages, with the headings that mislead on real sites: slogans, calls to
// action, people, blog posts, sections that every site has.

import { home, type MadeUpSite } from "./made-up.ts";
import { FRENCH, ITALIAN, SPANISH } from "./made-up-romance.ts";

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
