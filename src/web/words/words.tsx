import { createContext, useContext, useMemo, useState, type ReactNode } from 'react'
import { ApiError } from '../../client/api.ts'
import { en, type Words } from './en.ts'
import { formatsOf, keptNumbers, keepNumbers, type Formats, type Numbers } from './formats.ts'

export type { Formats }

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES

/** What went wrong, for people: `more` is what the server says of it in English, where that is not known in their language. */
export interface Told {
  readonly text: string
  readonly more?: string
}

/** What codes of errors mean, in languages that the server does not speak. */
type Meanings = Readonly<Record<string, { readonly text: string; readonly isAll?: true }>>

export interface Spoken {
  readonly language: Language
  readonly words: Words
  readonly formats: Formats
  readonly speak: (language: Language) => void
  readonly numbers: Numbers
  readonly writeNumbers: (numbers: Numbers) => void
  readonly tell: (error: Error) => Told
  /** What the product itself says in English, in the person's language; undefined where that is English, or it is not known. */
  readonly say: Say
}

type Say = (english: string) => string | undefined

const KEY = 'tutti.language'
const Context = createContext<Spoken | undefined>(undefined)

/** Loads the words of a language; English is always there. */
async function load(language: Language): Promise<Loaded> {
  if (language === 'en') return { language, words: en, meanings: {}, say: () => undefined }
  const [{ de, errorsDe }, { german, sayer }] = await Promise.all([import('./de.ts'), import('../../client/said.ts')])
  return { language, words: de, meanings: errorsDe, say: sayer(german) }
}

interface Loaded {
  readonly language: Language
  readonly words: Words
  readonly meanings: Meanings
  readonly say: Say
}

/** The language that a person chose here, or else one that their browser asks for. */
export async function startLanguage(): Promise<Loaded> {
  const wanted = [localStorage.getItem(KEY) ?? '', ...navigator.languages.map((tag) => tag.slice(0, 2))]
  const language = wanted.find((one): one is Language => one in LANGUAGES) ?? 'en'
  return load(language)
}

export function WordsProvider({ start, children }: { start: Loaded; children: ReactNode }) {
  const [spoken, setSpoken] = useState(start)
  const [numbers, setNumbers] = useState(keptNumbers)
  const value = useMemo(
    () => ({
      language: spoken.language,
      words: spoken.words,
      tell: (error: Error) => toldOf(error, spoken),
      say: spoken.say,
      formats: formatsOf(localeOf(spoken.language), numbers),
      numbers,
      writeNumbers: (wanted: Numbers) => {
        keepNumbers(wanted)
        setNumbers(wanted)
      },
      speak: (language: Language) => {
        localStorage.setItem(KEY, language)
        document.documentElement.lang = language
        void load(language).then(setSpoken)
      },
    }),
    [spoken, numbers],
  )
  return <Context value={value}>{children}</Context>
}

/** The server's own sentence; where it is not known in the person's language, what its code means, and the sentence after that. */
function toldOf(error: Error, { meanings, say }: Loaded): Told {
  const said = error instanceof ApiError ? say(error.message) : undefined
  if (said !== undefined) return { text: said }
  const meaning = error instanceof ApiError ? meanings[error.code] : undefined
  if (meaning === undefined) return { text: error.message }
  return { text: meaning.text, ...(meaning.isAll ? {} : { more: error.message }) }
}

/** The words and number formats of the person's language. */
export function useWords(): Spoken {
  const spoken = useContext(Context)
  if (spoken === undefined) throw new Error('useWords is used outside of WordsProvider.')
  return spoken
}

/** As people of the browser's region write; some browsers name regions that are none. */
function localeOf(language: Language): string {
  const isLocale = (tag: string): boolean => /^[a-z]{2}-[A-Z]{2}$/.test(tag)
  return navigator.languages.find((tag) => tag.startsWith(`${language}-`) && isLocale(tag)) ?? language
}
