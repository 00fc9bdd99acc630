/** What texts that say yes or no look like. */
export const YES = ['y', 'yes', '1', 'true', 't']
export const NO = ['n', 'no', '0', 'false', 'f']

/** Which of the values of a column say yes and no; undefined where it says anything else. */
export function flagValues(
  held: readonly string[],
): { readonly yes: readonly string[]; readonly no: readonly string[] } | undefined {
  const [yes, no] = [YES, NO].map((words) => held.filter((value) => words.includes(value.toLowerCase())))
  const isFlag = yes?.length === 1 && no?.length === 1 && held.length === 2
  return isFlag ? { yes, no } : undefined
}
