import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { knowledgeStore } from '../../../test/documents/support/knowledge-store.ts'
import { documentOf } from '../../../test/documents/support/stored-document.ts'
import { searchTerms } from './analysis.ts'
import { ENGLISH, LANGUAGES, wordsForQuestion, languageWords, type Language } from './languages.ts'

/** A text for each language, and questions with other word forms, which exact words do not find. */
const TEXTS: Readonly<Record<Language, readonly [text: string, ...questions: string[]]>> = {
  de: [
    'Die Kündigungen der Verträge sind mit einer Frist von drei Monaten schriftlich einzureichen.',
    'Kündigung',
    'Wie ist der Vertrag?',
  ],
  fr: [
    'Les étudiants et les salariés peuvent emprunter des livres dans la bibliothèque pour une durée fixée.',
    'étudiante',
    'le livre',
  ],
  es: [
    'Los trabajadores de la empresa tienen derecho a las vacaciones pagadas y son informados por el jefe.',
    'trabajador',
    'informar',
  ],
  it: [
    'Gli impiegati della ditta sono pagati con il bonifico e le ferie non possono essere vendute nella stagione.',
    'impiegato',
    'una stagioni',
  ],
  pt: [
    'Os funcionários não podem vender as férias e os contratos da empresa são assinados no escritório.',
    'funcionário',
    'assinar',
  ],
  nl: [
    'De werknemers van het bedrijf hebben recht op vakantiedagen en de contracten zijn met een handtekening geldig.',
    'werknemer',
    'vakantiedag',
  ],
}
const ENGLISH_TEXT =
  'The contract number 4711 of Müller is kept in the office for three years, and the staff may read it.'

const store = knowledgeStore()
beforeAll(async () => {
  for (const [language, [text]] of Object.entries(TEXTS)) await store.put(language, documentOf(language, [text]))
  await store.put('mixed', documentOf('english', [ENGLISH_TEXT]))
  for (const [language, [text]] of Object.entries(TEXTS)) await store.put('mixed', documentOf(language, [text]))
})

it.each(Object.entries(TEXTS))(
  'words of the language %s are found in other forms',
  async (language, [text, ...questions]) => {
    for (const question of questions) {
      const [best] = await store.lexical(language, question, 1)
      expect(best?.document.name, question).toBe(language)
      expect(best?.coverage, question).toBe(1)
    }
    expect(questions.some((question) => searchTerms(question).every((term) => !searchTerms(text).includes(term)))).toBe(
      true,
    )
  },
)

it('a question in another language than the document finds it by words and numbers', async () => {
  const [byNumber] = await store.lexical('mixed', 'Wo ist der Vertrag 4711 von Müller?', 1)
  expect(byNumber?.document.name).toBe('english')
  const [english] = await store.lexical('mixed', 'How long is the contract of Müller kept?', 1)
  expect(english?.document.name).toBe('english')
  expect((await wordsForQuestion('How long is it kept?', new Map([['de', 0.9]]))).language).toBeUndefined()
})

it('a removed document leaves nothing, and is found after it is added again', async () => {
  for (const record of await store.documents('fr')) await store.remove('fr', record.documentId)
  expect(await store.lexical('fr', 'étudiante', 1)).toEqual([])
  await store.put('fr', documentOf('fr', [ENGLISH_TEXT]))
  await store.put('fr', documentOf('fr', [TEXTS.fr[0], 'Un autre texte sur les étudiants est dans la ville.']))
  expect((await store.lexical('fr', 'étudiante', 5)).length).toBe(2)
})

it('every language has one term per content word, in the same form for index and question', async () => {
  for (const language of LANGUAGES) {
    const words = await languageWords(language)
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (text) => {
        const terms = words.terms(text)
        expect(words.alternatives(text).map(([stem]) => stem)).toEqual(terms)
        const held = new Set([...searchTerms(text), ...words.stems(text)])
        for (const term of terms) expect(held.has(term), `${language}: ${term}`).toBe(true)
      }),
    )
  }
  expect(ENGLISH.alternatives('two words').length).toBe(2)
})
