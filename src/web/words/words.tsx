import { createContext, useContext, useMemo, useState, type ReactNode } from 'react'
import { en, type Words } from './en.ts'

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES

/** Numbers, dates and durations as people of a language write them. */
export interface Formats {
  number(value: number, digits?: number): string
  /** A share, 1 for all. */
  percent(share: number): string
  money(usd: number): string
  /** Several things in one sentence. */
  list(names: readonly string[]): string
  /** In short, for where there is little room. */
  compact(value: number): string
  time(at: number): string
  date(at: number): string
  day(at: number): string
  duration(ms: number): string
}

export interface Spoken {
  readonly language: Language
  readonly words: Words
  readonly formats: Formats
  readonly speak: (language: Language) => void
}

const KEY = 'tutti.language'
const Context = createContext<Spoken | undefined>(undefined)

/** Loads the words of a language; English is always there. */
async function load(language: Language): Promise<Words> {
  return language === 'de' ? (await import('./de.ts')).de : en
}

/** The language that a person chose here, or else one that their browser asks for. */
export async function startLanguage(): Promise<{ language: Language; words: Words }> {
  const wanted = [localStorage.getItem(KEY) ?? '', ...navigator.languages.map((tag) => tag.slice(0, 2))]
  const language = wanted.find((one): one is Language => one in LANGUAGES) ?? 'en'
  return { language, words: await load(language) }
}

export function WordsProvider({
  start,
  children,
}: {
  start: { language: Language; words: Words }
  children: ReactNode
}) {
  const [spoken, setSpoken] = useState(start)
  const value = useMemo(
    () => ({
      ...spoken,
      formats: formatsOf(localeOf(spoken.language)),
      speak: (language: Language) => {
        localStorage.setItem(KEY, language)
        document.documentElement.lang = language
        void load(language).then((words) => setSpoken({ language, words }))
      },
    }),
    [spoken],
  )
  return <Context value={value}>{children}</Context>
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

function formatsOf(language: string): Formats {
  const number = (digits: number) =>
    new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits })
  const percent = new Intl.NumberFormat(language, { style: 'percent' })
  const list = new Intl.ListFormat(language)
  const plain = new Intl.NumberFormat(language)
  const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })
  const time = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' })
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
  const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' })
  const one = number(1)
  return {
    number: (value, digits) => (digits === undefined ? plain : number(digits)).format(value),
    percent: (share) => percent.format(share),
    list: (names) => list.format(names),
    money: (usd) =>
      new Intl.NumberFormat(language, { style: 'currency', currency: 'USD', maximumSignificantDigits: 3 }).format(usd),
    compact: (value) => compact.format(value),
    time: (at) => time.format(at),
    date: (at) => date.format(at),
    day: (at) => day.format(at),
    duration: (ms) => (ms < 1000 ? `${Math.round(ms)} ms` : `${one.format(ms / 1000)} s`),
  }
}
