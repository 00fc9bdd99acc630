import { sayer } from '../../../core/said/said.ts'
import { likelyLanguageOf } from '../../../language/which-language.ts'

/**
 * What the product itself says beside an answer, in the language of the question where it can say that: paragraph by paragraph.
 * What is not known stays as it is.
 */
export async function inTheirLanguage(question: string): Promise<(text: string) => string> {
  if (likelyLanguageOf(question) !== 'de') return (text) => text
  const { german } = await import('../../../core/said/de/index.ts')
  const say = sayer(german)
  return (text) =>
    text
      .split('\n\n')
      .map((paragraph) => say(paragraph) ?? paragraph)
      .join('\n\n')
}
