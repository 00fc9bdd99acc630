const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** The last word of a profession, or the one before "of". */
const JOBS = words(
  `accountant actor administrator advisor adviser agent analyst architect artist assistant associate attorney auditor baker
   banker bookkeeper broker builder buyer captain carpenter cashier ceo cfo chef chemist chief cio clerk cmo coach
   consultant controller coo coordinator cook copywriter counsel cto dba dentist designer developer devops director doctor
   driver economist editor electrician engineer entrepreneur executive farmer founder co-founder cofounder freelancer
   gardener geologist head hr instructor intern investor journalist judge lawyer lead leader lecturer librarian logistician
   machinist manager marketer mechanic merchandiser midwife musician nurse officer operator optician owner paramedic
   partner pharmacist photographer physician physicist physiotherapist pilot planner plumber president principal producer
   professor programmer psychologist realtor receptionist recruiter representative researcher salesperson scientist
   secretary shopkeeper statistician strategist student supervisor surgeon surveyor tailor teacher technician tester
   therapist trader trainee trainer translator treasurer tutor underwriter vet veterinarian vp waiter welder writer`,
)

/** "An editor of books" is one; "a fan of the manager" and "a friend of an engineer" are none. */
export function hasJobWord(title: string): boolean {
  const [main = ''] = title.toLowerCase().split(/ (?:of|for|in) /)
  const last = main.split(/[\s/-]+/).at(-1) ?? ''
  return JOBS.has(last) || JOBS.has(main)
}

/** Capitalised words that are not names. */
const NO_NAMES = words(
  `dr mr mrs ms prof sir great irrelevant unknown hidden secret wrong missing listed spelled misspelled private important empty blank
   i i'm my the a an it this that here there today tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday
   january february march july august september october november december looking working trying writing
   back ok okay sure sorry not happy glad new sure from in on at when if what who how why where which
   american british german french italian spanish dutch indian chinese japanese korean polish russian turkish greek swiss
   austrian swedish norwegian danish finnish irish scottish portuguese brazilian mexican canadian australian african asian
   european english arab ukrainian czech hungarian romanian christian muslim jewish buddhist hindu catholic protestant
   vegan vegetarian ceo cto cfo coo cio cmo vp hr it pm qa home work school university berlin london paris`,
)

export function isNoName(name: string): boolean {
  const [first = ''] = name.toLowerCase().split(' ')
  return NO_NAMES.has(first) || NO_NAMES.has(name.toLowerCase()) || hasJobWord(first)
}

const LANGUAGES: Readonly<Record<string, string>> = {
  mandarin: 'Chinese',
  ...Object.fromEntries(
    `English German French Spanish Italian Portuguese Dutch Polish Swedish Norwegian Danish Finnish Czech Hungarian
     Romanian Greek Turkish Russian Ukrainian Arabic Hebrew Hindi Tamil Telugu Bengali Urdu Chinese Japanese Korean
     Vietnamese Thai Indonesian`
      .split(/\s+/)
      .map((name) => [name.toLowerCase(), name]),
  ),
}

/** The English name of a language; undefined if it is not one. */
export function languageOf(word: string): string | undefined {
  return LANGUAGES[word.toLowerCase()]
}
