// Sentences of answers in English, German and Dutch, labelled by hand: `label | brand | sentence`. The label says how the
// answer speaks of the brand: recommended, mentioned, warned, unknown, or absent where it does not name it.

export const EN = `
recommended | Pedalwerk | For a family of four I would choose Pedalwerk.
recommended | Pedalwerk | Pedalwerk is the best cargo bike for hilly towns.
recommended | Pedalwerk | My first choice is Pedalwerk, because its frames last.
recommended | Pedalwerk | Pedalwerk stands out for its repairs, while Tern is cheaper.
recommended | Linear | I'd go with Linear for a small team.
recommended | Notion | Notion is a great choice for shared notes.
recommended | McDonald's | McDonalds is a safe choice if you are in a hurry; I would recommend it.
recommended | Acme Inc | Acme is highly recommended by builders.
recommended | The North Face | North Face makes the best jacket in this price range.
recommended | Pedalwerk | Top picks:\\n1. **Tern** – folds\\n2. **Pedalwerk** – leasing
recommended | Ironbark | You can't go wrong with Ironbark, and there are no complaints.
mentioned | Pedalwerk | Pedalwerk was founded in 2011 and has a shop in Bristol.
mentioned | Pedalwerk | I recommend Tern over Pedalwerk.
mentioned | Pedalwerk | Some makers are Tern, Urban Arrow and Pedalwerk.
mentioned | Nike | Many Nikes are made in Vietnam.
mentioned | Zalando | Zalando's returns are free for 30 days.
mentioned | Target | Target has opened a store near the station.
mentioned | Pedalwerk | See www.pedalwerk.com for the range.
warned | Pedalwerk | I would not recommend Pedalwerk for daily use.
warned | Pedalwerk | Tern is a great choice, but Pedalwerk went bankrupt last year.
warned | Pedalwerk | I recommend Tern, not Pedalwerk.
warned | Pedalwerk | Avoid Pedalwerk: buyers complain about hidden fees.
warned | Ironbark | There are many complaints about Ironbark.
warned | Ironbark | Ironbark is not worth the price.
unknown | Pedalwerk | I'm not familiar with Pedalwerk.
unknown | Pedalwerk | I don't have any information about Pedalwerk in my training data.
unknown | Ironbark | I could not find a company called Ironbark.
absent | Linear | A linear scale is easier to read.
absent | Notion | The notion of quality differs between people.
absent | Monday | The shop is closed on Monday and on holidays.
absent | Target | Your target should be five reviews a week.
absent | Apple | Add one apple and two pears to the bowl.
absent | Square | The store has 300 square metres of floor.
absent | Pedalwerk | Tern and Urban Arrow are the best makers.
absent | Slack | There is some slack in the schedule.
`;

export const DE = `
recommended | Pedalwerk | Ich empfehle Pedalwerk, weil die Werkstatt in der Nähe ist.
recommended | Pedalwerk | Pedalwerk ist die beste Wahl für Familien.
recommended | Sonnenhof | Der Sonnenhof ist eine ausgezeichnete Adresse für Gemüsekisten.
recommended | Bergluft Fitness | Für Anfänger würde ich Bergluft Fitness wählen.
recommended | Pedalwerk | Testsieger ist Pedalwerk vor Tern.
recommended | Pedalwerk | Sehr zu empfehlen ist Pedalwerk.
recommended | Dachwerk Huber | Empfehlenswerte Betriebe:\\n- Dachwerk Huber (Passau)\\n- Bau Meier
recommended | Pedalwerk | Pedalwerk überzeugt mit guter Beratung, Tern mit dem Preis.
mentioned | Pedalwerk | Zu den Herstellern gehören Tern, Pedalwerk und Urban Arrow.
mentioned | Pedalwerk | Ich empfehle Tern; Pedalwerk gibt es auch.
mentioned | Zalando | Die Rücksendung ist bei Zalando kostenlos.
mentioned | Pedalwerk | Pedalwerks Werkstatt liegt in Freiburg.
mentioned | Pedalwerk | Tern ist günstiger als Pedalwerk.
mentioned | Müller | Bei Mueller gibt es auch Fotos.
mentioned | Pedalwerk | Mehr steht auf pedalwerk.com.
warned | Pedalwerk | Von Pedalwerk rate ich ab.
warned | Pedalwerk | Pedalwerk kann ich nicht empfehlen.
warned | Pedalwerk | Tern ist gut, aber Pedalwerk ist seit März insolvent.
warned | Pedalwerk | Nehmen Sie Tern statt Pedalwerk.
warned | Sonnenhof | Über den Sonnenhof gibt es viele Beschwerden.
warned | Bergluft Fitness | Finger weg von Bergluft Fitness!
warned | Pedalwerk | Pedalwerk ist überteuert.
unknown | Pedalwerk | Pedalwerk ist mir leider nicht bekannt.
unknown | Pedalwerk | Zu Pedalwerk habe ich keine Informationen.
unknown | Sonnenhof | Ich kenne den Sonnenhof nicht.
absent | Pedalwerk | Das Tretpedalwerk ist kaputt.
absent | Pedalwerk | Tern und Urban Arrow sind beide gut.
absent | LI | Die Liste ist lang.
absent | Nike | Die Nikelegierung rostet nicht.
`;

export const NL = `
recommended | Wilgenhof | Ik raad Wilgenhof van harte aan.
recommended | Wilgenhof | Wilgenhof is de beste keuze voor koppels.
recommended | Fietskoerier Delta | Voor Utrecht is Fietskoerier Delta een goede keuze.
recommended | Wilgenhof | Wilgenhof is aan te raden.
recommended | Wilgenhof | Mijn favoriet is Wilgenhof, al is Linde goedkoper.
recommended | Wilgenhof | Aanbevolen praktijken:\\n1. Linde\\n2. Wilgenhof
mentioned | Wilgenhof | In Gent zijn er Linde, Wilgenhof en De Brug.
mentioned | Wilgenhof | Linde is duurder dan Wilgenhof.
mentioned | Wilgenhof | Wilgenhof bestaat sinds 2009.
mentioned | Wilgenhof | Wilgenhofs website is wilgenhof.com.
mentioned | Fietskoerier Delta | Fietskoerier Delta rijdt ook op zondag.
mentioned | Wilgenhof | Ik raad Linde aan; Wilgenhof ken ik van naam.
warned | Wilgenhof | Ik zou Wilgenhof niet aanbevelen.
warned | Wilgenhof | Vermijd Wilgenhof, want er zijn veel klachten.
warned | Wilgenhof | Linde is goed, maar Wilgenhof is failliet.
warned | Wilgenhof | Kies Linde in plaats van Wilgenhof.
warned | Wilgenhof | Over Wilgenhof lees ik slechte ervaringen.
warned | Fietskoerier Delta | Fietskoerier Delta is te duur.
unknown | Wilgenhof | Ik ben niet bekend met Wilgenhof.
unknown | Wilgenhof | Over Wilgenhof heb ik geen informatie.
unknown | Fietskoerier Delta | Ik ken Fietskoerier Delta niet.
absent | Wilgenhof | Linde en De Brug zijn allebei goed.
absent | Wilgenhof | De wilgen in het hof zijn oud.
absent | Delta | Deltametingen zijn nauwkeurig.
absent | Fietskoerier Delta | Een fietskoerier in de stad is snel.
`;
