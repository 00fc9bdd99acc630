/** Words that say how something is asked, not what is asked for. */
const STOP_WORDS = new Set(
  (
    'a an and any are as at be been by can could do does did for from get give has have how i if in into is it its let me my need of on or ' +
    'our please show list find tell the their them there these they this those to us via want was we were what when where which who whose ' +
    'why will with would you your about search web internet online website site look up page read open fetch url say says said summarise ' +
    'summarize according google news headlines headline today depth research'
  ).split(' '),
)

/** Words of a text, lower case, without accents. */
function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}

/** The words that count, in a form in which singular and plural meet. Those of addresses do not. */
export function contentWords(text: string): string[] {
  return wordsOf(text.replace(/https?:\/\/\S+|\bwww\.\S+/gi, ' '))
    .filter((word) => !STOP_WORDS.has(word))
    .map((word) => (word.length > 3 ? word.replace(/ies$/, 'y').replace(/(?<![su])s$/, '') : word))
}

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word.toLowerCase())
}
