/** Words by which a sentence says of which rows its figures are, and how they lie beside others. */

export const COMPARED =
  /(?<!\p{L})(?:more|less|fewer|higher|lower|ahead|behind|differ\p{L}*|gap|lead|than|above|below|exceed\p{L}*|r[io]se|gr[eo]w\p{L}*|increas\p{L}*|decreas\p{L}*|f[ae]ll|drop\p{L}*|declin\p{L}*|chang\p{L}*|up|down|mehr|weniger|stieg\p{L}*|sank\p{L}*|wuchs\p{L}*)(?!\p{L})|[+−-]\d/iu
export const RISEN = /(?<!\p{L})(?:r[io]se|gr[eo]w|increas\p{L}*|stieg|wuchs)(?!\p{L})/iu
export const FALLEN = /(?<!\p{L})(?:f[ae]ll|sank|drop\p{L}*|declin\p{L}*|decreas\p{L}*)(?!\p{L})/iu
export const ONLY = /(?<!\p{L})(?:only|one|just|alone|nur|allein)(?!\p{L})/iu
/** “The top three, with Metal the last of them”. */
export const SEVERAL =
  /(?<!\p{L})(?:together|top|first|combined|cumulative\p{L}*|rest|remaining|others?|led|zusammen|übrigen)(?!\p{L})/iu
/** What speaks of more than the rows that are named, or of all without them. */
export const WHOLE =
  /(?<!\p{L})(?:total\p{L}*|sum\p{L}*|all|overall|altogether|average\p{L}*|mean|median|together|combined|cumulative\p{L}*|not|besides|without|excluding|except|since|until|till|through|between|rest|remaining|others?|nicht|insgesamt|gesamt\p{L}*|alle|ohne|durchschnitt\p{L}*|schnitt|seit|bis|zusammen|übrigen)(?!\p{L})/iu
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
