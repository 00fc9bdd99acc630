/** Pairs of yes/no values; values at the same index belong together. */
export const YES = ['y', 'yes', '1', 'true', 't']
export const NO = ['n', 'no', '0', 'false', 'f']

/** Texts that are stored where there is no value. */
export const NONE = ['none', 'n/a', 'null', '-']

/**
 * Which of the values of a column say yes and no; undefined where it says anything else.
 * @param held all different values, without NULL; of one alone the other is known by how it is written
 */
export function flagValues(
  held: readonly string[],
): { readonly yes: readonly string[]; readonly no: readonly string[] } | undefined {
  const [yes, no] = [YES, NO].map((words) => held.filter((value) => words.includes(value.toLowerCase()))) as [
    string[],
    string[],
  ]
  const isFlag = held.length > 0 && yes.length <= 1 && no.length <= 1 && yes.length + no.length === held.length
  return isFlag
    ? { yes: yes.length > 0 ? yes : opposite(no, NO, YES), no: no.length > 0 ? no : opposite(yes, YES, NO) }
    : undefined
}

function opposite([value = '']: readonly string[], own: readonly string[], others: readonly string[]): string[] {
  const word = others[own.indexOf(value.toLowerCase())] ?? ''
  const isUpper = value === value.toUpperCase()
  const isCapital = !isUpper && value[0] === value[0]?.toUpperCase()
  return [isUpper ? word.toUpperCase() : isCapital ? `${word[0]?.toUpperCase()}${word.slice(1)}` : word]
}
