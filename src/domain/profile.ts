import type { RunId, Owner } from './events.ts'

/** All that is stored about a user: facts that they stated about themselves, and their preferences for answers. */
const FACT_FIELDS = ['userName', 'companyName', 'jobTitle', 'recentProjects'] as const

const PREFERENCE_FIELDS = ['tone', 'detailLevel', 'language'] as const

export const PROFILE_FIELDS = [...FACT_FIELDS, ...PREFERENCE_FIELDS] as const

export type ProfileField = (typeof PROFILE_FIELDS)[number]

/** The name of a field for users: `job-title`. */
export function profileFieldLabel(field: ProfileField): string {
  return field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** A list for `recentProjects`, newest first; a text for all others. */
export type ProfileValue = string | readonly string[]

export type ProfileValues = Readonly<Partial<Record<ProfileField, ProfileValue>>>

/** Long-term memory of one user, as actors see it. It only contains the user's own statements, so it is trusted. */
export interface Profile {
  readonly facts: {
    readonly userName?: string
    readonly companyName?: string
    readonly jobTitle?: string
    readonly recentProjects?: readonly string[]
  }
  readonly preferences: { readonly tone?: string; readonly detailLevel?: string; readonly language?: string }
}

/** Its source and time: the question of a run, or an edit of the memory. `at` is milliseconds since the epoch. */
export interface MemorySource {
  readonly by: 'run' | 'user'
  readonly runId?: RunId
  readonly at: number
}

export interface ProfileEntry {
  readonly field: ProfileField
  readonly value: ProfileValue
  readonly source: MemorySource
}

/** One entry of the history. No `before`: the field was empty. */
export interface ProfileChange {
  readonly field: ProfileField
  readonly before?: ProfileValue
  readonly after: ProfileValue
  readonly source: MemorySource
}

export interface ProfileUpdate {
  readonly values: ProfileValues
  readonly source: MemorySource
  /** The same for every repetition of one update, which is then written once. */
  readonly key: string
}

/** Where profiles are kept. Every call names one owner; no call covers several. */
export interface ProfileStore {
  /** In the order of `PROFILE_FIELDS`. */
  entries(owner: Owner): Promise<readonly ProfileEntry[]>
  /** Writes new and changed values, with history, and returns them; a repetition returns the first call's changes. */
  update(owner: Owner, update: ProfileUpdate): Promise<readonly ProfileChange[]>
  /** Oldest first. */
  history(owner: Owner): Promise<readonly ProfileChange[]>
  /** Erases fields with their history; all if none is named. Returns the fields that had values. */
  forget(owner: Owner, fields?: readonly ProfileField[]): Promise<readonly ProfileField[]>
}

const MAX_VALUE_CHARS = 120

const MAX_PROJECTS = 6

/** A valid value of a field: one line of limited length. Undefined when nothing is left. */
export function cleanValue(field: ProfileField, value: ProfileValue | undefined): ProfileValue | undefined {
  if (field === 'recentProjects') {
    const texts = (typeof value === 'string' ? [value] : (value ?? [])).map(cleanText).filter((text) => text !== '')
    return texts.length === 0 ? undefined : distinct(texts).slice(0, MAX_PROJECTS)
  }
  const text = cleanText(typeof value === 'string' ? value : (value ?? []).join(', '))
  return text === '' ? undefined : text
}

function cleanText(text: string): string {
  return text
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, MAX_VALUE_CHARS)
    .trim()
}

/** The first of each, whatever its case. */
function distinct(texts: readonly string[]): string[] {
  const seen = new Set<string>()
  return texts.filter((text) => {
    const key = text.toLowerCase()
    return seen.has(key) ? false : seen.add(key)
  })
}

/**
 * The changes that an update makes. Projects that a run mentions are put before the known ones; a user who edits the
 * memory writes the whole list.
 */
export function changesOf(entries: readonly ProfileEntry[], { values, source }: ProfileUpdate): ProfileChange[] {
  return PROFILE_FIELDS.flatMap((field) => {
    const before = entries.find((entry) => entry.field === field)?.value
    const cleaned = cleanValue(field, values[field])
    if (cleaned === undefined) return []
    const isAdded = Array.isArray(cleaned) && Array.isArray(before) && source.by === 'run'
    const after = isAdded ? cleanValue(field, [...(cleaned as string[]), ...(before as string[])])! : cleaned
    if (JSON.stringify(after) === JSON.stringify(before)) return []
    return [{ field, ...(before === undefined ? {} : { before }), after, source }]
  })
}

/** Undefined when nothing is known. */
export function profileOf(entries: readonly ProfileEntry[]): Profile | undefined {
  if (entries.length === 0) return undefined
  const pick = (fields: readonly ProfileField[]): object =>
    Object.fromEntries(entries.flatMap(({ field, value }) => (fields.includes(field) ? [[field, value]] : [])))
  return { facts: pick(FACT_FIELDS), preferences: pick(PREFERENCE_FIELDS) }
}
