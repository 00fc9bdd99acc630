/** Words by which a sentence says of which rows its figures are, and how they lie beside others. */

export const MORE = 'more|higher|larger|greater|bigger|mehr|höher|größer'
export const LESS = 'less|fewer|lower|smaller|weniger|niedriger|kleiner'
/** What is said to go up, or down. */
export const RISEN =
  /(?<!\p{L})(?:r[io]se[ns]?|rising|gr[eo]wn?|grow(?:s|ing|th)|increas\p{L}*|climb\p{L}*|jump(?:ed|s)?|soar\p{L}*|surg(?:ed?|es)|gain(?:ed|s)?|up(?! to)|stieg\p{L}*|gestiegen|wuchs\p{L}*|gewachsen)(?!\p{L})/iu
export const FALLEN =
  /(?<!\p{L})(?:f[ae]ll(?:en|ing|s)?|dropp?(?:ed|ing|s)?|declin\p{L}*|decreas\p{L}*|shr[aiu]nk\p{L}*|sank\p{L}*|gesunken|plung\p{L}*|plummet\p{L}*|slump\p{L}*|tumbl\p{L}*|lost|los(?:es|s)|down|fiel\p{L}*|gefallen)(?!\p{L})/iu
export const COMPARED = new RegExp(
  String.raw`(?<!\p{L})(?:more|less|fewer|higher|lower|ahead|behind|differ\p{L}*|gap|lead|than|above|below|exceed\p{L}*|chang\p{L}*|mehr|weniger)(?!\p{L})|[+−-]\d|${RISEN.source}|${FALLEN.source}`,
  'iu',
)
export const ONLY = /(?<!\p{L})(?:only|one|just|alone|nur|allein)(?!\p{L})/iu
/** “The top three, with Metal the last of them”. */
export const SEVERAL =
  /(?<!\p{L})(?:together|top|first|combined|cumulative\p{L}*|rest|remaining|others?|led|zusammen|übrigen)(?!\p{L})/iu
/** What speaks of more than the rows that are named, or of all without them. */
export const WHOLE =
  /(?<!\p{L})(?:total\p{L}*|sum\p{L}*|all|overall|altogether|average\p{L}*|mean|median|together|combined|cumulative\p{L}*|not|besides|without|excluding|except|before|after|since|until|till|through|between|rest|remaining|others?|nicht|insgesamt|gesamt\p{L}*|alle|ohne|durchschnitt\p{L}*|schnitt|seit|bis|zusammen|übrigen)(?!\p{L})/iu
/** “3,400 is below that of North”: what is behind it is not whose the figure is. */
export const BESIDE_WHICH =
  /(?<!\p{L})(?:than|below|above|behind|ahead of|(?:that|those) (?:of|in|for)|als|unter|über|hinter|vor)\s(?:(?:in|for|of|the|that|those)\s)*$/iu
/** “From 9 (West) to 31 (South)”. */
export const BESIDE = /^[^\s\p{L}]+(?:\s\p{L}+)?\s\((?=_)/u
/** “4,100 against 3,400”: the other figure is of another row that is named. */
export const AGAINST = /(?<!\p{L})(?:versus|vs\.?|against|compared (?:to|with)|than|gegen|gegenüber)\s$/iu
/** “100,000 in 2024”: what a figure is told of, right behind it. */
export const BEHIND = /^[^\s\p{L}]+(?:\s\p{L}+)?\s(?:in|im|en|for|für)\s/u
/** A day from which, or up to which, something is told. */
export const RANGE =
  /(?<!\p{L})(?:since|after|before|until|till|by|from|between|through|seit|nach|vor|bis|ab)(?!\p{L})/iu
/** “Below 427”: the figure is of what the rows lie beside. */
export const BOUND =
  /(?<!\p{L})(?:than|below|above|under|over|behind|beyond|exceed(?:s|ed)|at (?:least|most)|up to|als|unter|über)\s(?:the\s)?[\p{Sc}\s]*$/iu
/** “All branches but Leeds have at least 5”. */
export const EXCEPT =
  /(?<!\p{L})(?:except(?: for)?|besides|other than|apart from|außer|(?:all|every|each|no|none)(?: \p{L}{1,20}){0,3} but)\s$/iu

const NOT = "(?:not|n['’]t|nicht)"
const NOT_SO_MANY = new RegExp(String.raw`(?<!\p{L})(?:${NOT}|rather than|instead of|statt)\s\p{Sc}?$`, 'iu')
const NOT_HAVING = new RegExp(String.raw`${NOT}(?: \p{L}{1,12}){1,2} \p{Sc}?$`, 'iu')
const BUT = /^%?(?: \p{L}{1,20})?,? (?:but|sondern)(?!\p{L})/iu
const NOT_BUT = new RegExp(
  String.raw`(${NOT}(?: \p{L}{1,12}){0,2} \p{Sc}?\d[\d.,]{0,20}%?(?: \p{L}{1,20})? )(but|sondern)(?!\p{L})`,
  'giu',
)

/** Whether what stands between these is said not to be so many. */
export function isNot(before: string, behind: string): boolean {
  return NOT_SO_MANY.test(before) || (BUT.test(behind) && NOT_HAVING.test(before))
}

/** “Not 234 but 111” is one clause: its “but” is blanked. */
export function withoutNot(text: string): string {
  return text.replace(NOT_BUT, (_, before: string, but: string) => before + '_'.repeat(but.length))
}

/** “One hundred and eleven” is one figure: its words are blanked. */
export function withoutWords(
  text: string,
  figures: readonly { readonly at: number; readonly length: number }[],
): string {
  return figures.reduce((rest, { at, length }) => {
    const isInWords = / (?:and|und|y|et|e) /iu.test(rest.slice(at, at + length))
    return isInWords ? rest.slice(0, at) + '1'.padEnd(length, '_') + rest.slice(at + length) : rest
  }, text)
}
