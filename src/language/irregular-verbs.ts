/** English verbs whose past has another stem: the base, and its other forms. */
const VERBS = `
arise arose arisen|be was were been|bear bore borne|become became|begin began begun|bind bound|bite bit bitten|blow blew blown|
break broke broken|bring brought|build built|buy bought|catch caught|choose chose chosen|come came|deal dealt|dig dug|do did done|
draw drew drawn|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|
fly flew flown|forget forgot forgotten|freeze froze frozen|get got gotten|give gave given|go went gone|grow grew grown|hang hung|
have had|hear heard|hide hid hidden|hold held|keep kept|know knew known|lay laid|lead led|leave left|lend lent|lose lost|
make made|mean meant|meet met|pay paid|ride rode ridden|ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought|
sell sold|send sent|shake shook shaken|shoot shot|show shown|sing sang sung|sink sank sunk|sit sat|sleep slept|speak spoke spoken|
spend spent|stand stood|steal stole stolen|strike struck|swear swore sworn|swim swam swum|take took taken|teach taught|tear tore torn|
tell told|think thought|throw threw thrown|understand understood|wake woke woken|wear wore worn|win won|withdraw withdrew withdrawn|
write wrote written`
const BASES = new Map(
  VERBS.replaceAll('\n', '')
    .split('|')
    .flatMap((line) => {
      const [base = '', ...forms] = line.split(' ')
      return forms.map((form): [string, string] => [form, base])
    }),
)

/** The base of an irregular verb's past; any other word as it is, in small letters. */
export function baseOf(word: string): string {
  return BASES.get(word.toLowerCase()) ?? word.toLowerCase()
}
