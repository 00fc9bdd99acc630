/**
 * Words by which people ask, in whatever they ask for. Shorter than the list of a search index, where a word that is left out can
 * never be found again, and with the verbs of requests, which an index must keep.
 */
export const ASKING_WORDS: readonly string[] = (
  'a an and any are as at be been by can could do does did for from give get has have how i if in into is it ' +
  'its let me my need of on or our please show list fetch find tell the their them there these they this ' +
  'those to us via want was we were what when where which who whose will with would you your about'
).split(' ')

/** The words of a text: lower case, without accents. */
export function plainWords(text: string): string[] {
  return (
    text
      .toLowerCase()
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}
