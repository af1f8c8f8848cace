// A second set of sentences of answers in English, German and Dutch: `label | brand | sentence`. When the rules first met it they
// judged 77 % of it right; they were widened after that.

export const SECOND_EN = `
recommended | Brightwell | If I had to pick one, it would be Brightwell.
recommended | Brightwell | Most reviewers put Brightwell at the top of the list, and I agree: it's the one to get.
recommended | Brightwell | **Best overall: Brightwell** – quick setup and fair prices.
recommended | Oakhaven | For a first visit, Oakhaven is hard to beat.
recommended | Oakhaven | You'll be in good hands with Oakhaven.
recommended | Tidepool | Tidepool is an excellent fit for teams of up to twenty people.
mentioned | Brightwell | Other options include Northgate, Brightwell and Calder & Sons.
mentioned | Brightwell | Brightwell charges $12 a month, Northgate $15.
mentioned | Oakhaven | Founded in 1987, Oakhaven employs around forty people.
mentioned | Calder & Sons | Calder and Sons has branches in Leeds and York.
mentioned | Tidepool | Compared with Tidepool, Northgate offers more integrations.
warned | Brightwell | I'd steer clear of Brightwell until its support improves.
warned | Oakhaven | Be careful with Oakhaven: several customers report that deposits were never refunded.
warned | Tidepool | Tidepool isn't something I can recommend at the moment.
warned | Brightwell | Choose Northgate rather than Brightwell.
warned | Oakhaven | Oakhaven has a poor track record on delivery times.
unknown | Brightwell | I don't have reliable information on a company named Brightwell.
unknown | Oakhaven | Oakhaven doesn't appear in anything I know; could you share more details?
unknown | Tidepool | I'm not aware of any product called Tidepool.
absent | Brightwell | Northgate and Calder & Sons are both bright, well-run firms.
absent | Tide | The tide comes in twice a day.
absent | Harvest | Harvest the tomatoes when they are fully red.
absent | Brightwell | I can't verify which companies operate in your town.
`;

export const SECOND_DE = `
recommended | Sonnenhof | Am ehesten würde ich zum Sonnenhof raten.
recommended | Sonnenhof | Sonnenhof ist hier die erste Adresse.
recommended | Kellermann | Mit Kellermann machen Sie nichts falsch.
recommended | Kellermann | Meine Empfehlung: Kellermann, wegen der langen Garantie.
recommended | Radwerk | Radwerk schneidet in Tests regelmäßig am besten ab.
mentioned | Sonnenhof | Der Sonnenhof liegt am Ortsrand und hat 30 Zimmer.
mentioned | Kellermann | Zu den bekannten Anbietern gehören Kellermann, Huber und Lindt & Söhne.
mentioned | Radwerk | Radwerks Werkstatt öffnet um neun Uhr.
mentioned | Radwerk | Bei Radwerk kostet die Inspektion 60 Euro.
mentioned | Kellermann | Verglichen mit Kellermann ist Huber günstiger.
warned | Sonnenhof | Vom Sonnenhof würde ich eher abraten.
warned | Kellermann | Bei Kellermann häufen sich Beschwerden über lange Wartezeiten.
warned | Radwerk | Radwerk kann ich Ihnen leider nicht empfehlen.
warned | Radwerk | Nehmen Sie lieber Huber statt Radwerk.
unknown | Sonnenhof | Zu Sonnenhof liegen mir keine verlässlichen Informationen vor.
unknown | Kellermann | Ein Unternehmen namens Kellermann ist mir nicht bekannt.
unknown | Radwerk | Radwerk sagt mir leider nichts.
absent | Sonnenhof | Im Sommer sitzt man dort in der Sonne im Hof.
absent | Kellermann | Die besten Anbieter sind Huber und Lindner.
absent | Radwerk | Ein Rad ist ein Meisterwerk der Technik.
`;

export const SECOND_NL = `
recommended | Zonneveld | Ik zou voor Zonneveld gaan.
recommended | Zonneveld | Zonneveld is een uitstekende keuze voor gezinnen.
recommended | De Vries Bouw | De Vries Bouw springt eruit door zijn vakmanschap.
recommended | Fietsmaat | Mijn voorkeur gaat uit naar Fietsmaat.
mentioned | Zonneveld | Zonneveld werd in 1995 opgericht in Utrecht.
mentioned | Fietsmaat | Bekende winkels zijn Fietsmaat, Trapper en De Kring.
mentioned | De Vries Bouw | De Vries Bouw rekent 55 euro per uur.
mentioned | Fietsmaat | In vergelijking met Fietsmaat is Trapper duurder.
warned | Zonneveld | Ik raad Zonneveld af vanwege de slechte service.
warned | Fietsmaat | Er zijn veel klachten over Fietsmaat.
warned | Fietsmaat | Kies liever Trapper in plaats van Fietsmaat.
unknown | Zonneveld | Ik heb geen betrouwbare informatie over Zonneveld.
unknown | Fietsmaat | Fietsmaat ken ik helaas niet.
absent | Zonneveld | Het veld ligt de hele dag in de zon.
absent | Fietsmaat | Trapper en De Kring zijn de beste winkels.
`;
