import { createContext, useContext, useMemo, useState, type ReactNode } from 'react'
import { ApiError } from '../../client/api.ts'
import english from './en.json'
import { formatsOf, storedNumbers, storeNumbers, type Formats, type Numbers } from './formats.ts'
import { textsOf, type Words } from './texts.ts'

export type { Formats }

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES

/** What went wrong, for users: `more` is the server's English sentence where the page is in another language. */
export interface ErrorWording {
  readonly text: string
  readonly more?: string
}

export interface Localization {
  readonly language: Language
  readonly words: Words
  /** For questions that rules read, which know English alone. */
  readonly english: Words
  readonly formats: Formats
  readonly setLanguage: (language: Language) => void
  readonly numbers: Numbers
  readonly setNumberFormat: (numbers: Numbers) => void
  readonly describeError: (error: Error) => ErrorWording
}

const KEY = 'tutti.language'
const Context = createContext<Localization | undefined>(undefined)

const en = textsOf(english, 'en')

/** Loads the texts of a language; the English ones are always there. */
async function load(language: Language): Promise<Loaded> {
  if (language === 'en') return { language, words: en }
  const { default: german } = await import('./de.json')
  return { language, words: textsOf(german, language) }
}

interface Loaded {
  readonly language: Language
  readonly words: Words
}

/** The language that a person chose here, or else one that their browser asks for. */
export async function startLanguage(): Promise<Loaded> {
  const languages = [localStorage.getItem(KEY) ?? '', ...navigator.languages.map((tag) => tag.slice(0, 2))]
  const language = languages.find((one): one is Language => one in LANGUAGES) ?? 'en'
  return load(language)
}

export function WordsProvider({ start, children }: { start: Loaded; children: ReactNode }) {
  const [locale, setLocale] = useState(start)
  const [numbers, setNumbers] = useState(storedNumbers)
  const value = useMemo(
    () => ({
      language: locale.language,
      words: locale.words,
      english: en,
      describeError: (error: Error) => errorWording(error, locale),
      formats: formatsOf(localeOf(locale.language), numbers),
      numbers,
      setNumberFormat: (wanted: Numbers) => {
        storeNumbers(wanted)
        setNumbers(wanted)
      },
      setLanguage: (language: Language) => {
        localStorage.setItem(KEY, language)
        document.documentElement.lang = language
        void load(language).then(setLocale)
      },
    }),
    [locale, numbers],
  )
  return <Context value={value}>{children}</Context>
}

/** The server's sentence, which is English; in other languages behind what the error's code means. */
function errorWording(error: Error, { words }: Loaded): ErrorWording {
  const meaning = error instanceof ApiError ? words.errors[error.code] : undefined
  return meaning === undefined ? { text: error.message } : { text: meaning, more: error.message }
}

/** The words and number formats of the person's language. */
export function useWords(): Localization {
  const locale = useContext(Context)
  if (locale === undefined) throw new Error('useWords is used outside of WordsProvider.')
  return locale
}

/** Formats of the browser's region. Some browsers return invalid regions. */
function localeOf(language: Language): string {
  const isLocale = (tag: string): boolean => /^[a-z]{2}-[A-Z]{2}$/.test(tag)
  return navigator.languages.find((tag) => tag.startsWith(`${language}-`) && isLocale(tag)) ?? language
}
