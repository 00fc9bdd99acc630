import { createHash } from 'node:crypto'
import { LARGE_VALUE } from '../domain/artifacts.ts'

/** Events with fewer characters of JSON are stored unchanged; nearly all events are. */
const LARGE_EVENT = 16_384

/** The event's field with positions and hashes of the extracted values. */
const LIST = '$values'

type Path = readonly (string | number)[]
type Entry = readonly [path: Path, hash: string]
type Holder = Record<string | number, unknown>

/** A value that is stored once for all events of a run that contain it. */
export interface LargeValue {
  readonly hash: string
  readonly data: string
  /** Kept once for all runs. */
  readonly isShared?: true
}

/** Parts of the head of a transcript that are the same in most runs of an agent. */
const SHARED_PARTS = ['instructions', 'tools']

export interface LightEvent {
  /** The event's JSON with null in place of extracted values, and a list of their positions and hashes. */
  readonly data: string
  readonly values: readonly LargeValue[]
}

/**
 * Extracts large values from an event. The same table is the output of a tool, part of a result, input of the next
 * agent and part of the answer, but should be stored once.
 * @param data the event as JSON, without fields that have their own columns
 */
export function extractLargeValues(type: string, data: string): LightEvent {
  const isLarge = data.length >= (type === 'transcript.started' ? LARGE_VALUE : LARGE_EVENT)
  // A started job is a task, which the audit reads by SQL.
  if ((!isLarge && !data.includes(LIST)) || type === 'job.started') return { data, values: [] }
  const body = JSON.parse(data) as Holder
  const holder = holderOf(body)
  const values: LargeValue[] = []
  const list: Entry[] = []
  const keep = (text: string, path: Path, isShared = false): null => {
    const hash = createHash('sha256').update(text).digest('base64url')
    values.push({ hash, data: text, ...(isShared && { isShared }) })
    list.push([path, hash])
    return null
  }
  const take = (value: unknown, path: Path): null => keep(JSON.stringify(value), path)
  const head = body['head'] as Holder | null | undefined
  for (const part of type === 'transcript.started' && holder === body ? SHARED_PARTS : []) {
    const text = JSON.stringify(head?.[part]) ?? ''
    // Sealed values are sealed for one run, so they are not shared between runs.
    if (text.length >= LARGE_VALUE && !text.includes('⟦sealed:')) head![part] = keep(text, ['head', part], true)
  }
  for (const key of Object.keys(holder)) {
    // A list that someone else wrote must not be mistaken for ours.
    if (key === LIST) take(holder[key], [key])
    else if (isLarge) holder[key] = shrink(holder[key], [key], take).value
  }
  if (list.length === 0) return { data, values }
  // Outer values are restored before the values that they contain.
  holder[LIST] = list.toReversed()
  return { data: JSON.stringify(body), values }
}

/** The part of an event that holds the list. For results the result itself, so that SQL queries on results find it. */
function holderOf(body: Holder): Holder {
  const { result } = body
  return typeof result === 'object' && result !== null && !Array.isArray(result) ? (result as Holder) : body
}

/** Inner values first, so that equal tables are found even if a long cell was extracted from one. */
function shrink(
  value: unknown,
  path: Path,
  take: (value: unknown, path: Path) => null,
): { readonly value: unknown; readonly size: number } {
  let size = 2
  if (typeof value === 'string') size += value.length
  else if (typeof value === 'object' && value !== null) {
    const inside = value as Holder
    for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
      const inner = shrink(inside[key], [...path, key], take)
      inside[key] = inner.value
      size += inner.size + (typeof key === 'string' ? key.length + 3 : 1)
    }
  } else size = String(value).length
  return size < LARGE_VALUE ? { value, size } : { value: take(value, path), size: 4 }
}

/** Hashes of the values that were extracted from a parsed event or result. */
export function extractedHashes(body: unknown): readonly string[] {
  return listOf(body).map(([, hash]) => hash)
}

/** Puts the values back, in place. @throws Error when one is missing */
export function restoreValues(body: unknown, values: ReadonlyMap<string, string>): void {
  const list = listOf(body)
  if (list.length === 0) return
  const holder = holderOf(body as Holder)
  delete holder[LIST]
  for (const [path, hash] of list) {
    const text = values.get(hash)
    if (text === undefined) throw new Error(`The value ${hash} is missing.`)
    let place: Holder = holder
    for (const key of path.slice(0, -1)) place = place[key] as Holder
    place[path.at(-1)!] = JSON.parse(text) as unknown
  }
}

function listOf(body: unknown): readonly Entry[] {
  if (typeof body !== 'object' || body === null) return []
  const list = holderOf(body as Holder)[LIST]
  return Array.isArray(list) ? (list as Entry[]) : []
}
