import { useQuery } from '@tanstack/react-query'
import { api } from '../../../client/api.ts'
import type { Operations } from '../../../client/api-types.ts'
import { Fetched } from '../../ui/page.tsx'
import type { Words } from '../../locales/texts.ts'
import { useWords } from '../../locales/words.tsx'
import type { Level } from './grantees.ts'

type Effect = Operations['POST /grants/preview']['answer']['items'][number]
type Can = Effect['gains'][number]
/** Viewers may not ask, so they have their own text. */
type RoleTexts = Readonly<Record<Can | 'viewer', string>>

/** A grant to add, or to remove if `level` is absent. */
export interface Change {
  readonly source: string
  readonly to: string
  readonly level?: Level
}

/**
 * Ascending. A gain is listed by its highest level, which includes the lower ones. A loss is listed by its lowest level,
 * which includes the higher ones.
 */
const WEIGHT: readonly Can[] = ['use', 'edit', 'share']

/** Maximum number of names listed. The tooltip lists all of them. */
const MAX_NAMES = 12

/**
 * Shows who gains and who loses access through unsaved changes, as computed by the server.
 * @param nameOf display name of a source
 */
export function Effects({ changes, nameOf }: { changes: readonly Change[]; nameOf: (source: string) => string }) {
  const query = useQuery({
    queryKey: ['/grants/preview', changes],
    queryFn: () => api.post<{ items: readonly Effect[] }>('/grants/preview', { changes }),
    placeholderData: (before) => before,
  })
  return (
    <Fetched query={query} lines={1}>
      {({ items }) => <EffectList items={items} nameOf={nameOf} />}
    </Fetched>
  )
}

/** The gains, then the losses, each with the names of the affected users. */
export function EffectList({ items, nameOf }: { items: readonly Effect[]; nameOf: (source: string) => string }) {
  const { words } = useWords()
  const groups = new Map<string, { readonly isGain: boolean; readonly text: string; readonly names: string[] }>()
  for (const { source, name, role, gains, loses } of items) {
    const textOf = (texts: RoleTexts, can: Can): string => texts[can === 'use' && role === 'viewer' ? 'viewer' : can]
    const gain = WEIGHT.findLast((can) => gains.includes(can))
    const loss = WEIGHT.find((can) => loses.includes(can))
    for (const [isGain, text] of [
      [true, gain === undefined ? undefined : textOf(words.access.gains, gain)],
      [false, loss === undefined ? undefined : textOf(words.access.loses, loss)],
    ] as const) {
      if (text === undefined) continue
      const key = `${source} ${text}`
      const before = groups.get(key)?.names ?? []
      groups.set(key, { isGain, text: `${nameOf(source)}: ${text}`, names: [...before, name] })
    }
  }
  return groups.size === 0 ? (
    <p className="text-13 text-text-2">{words.access.noEffect}</p>
  ) : (
    <ul className="flex flex-col gap-1 text-13" aria-label={words.access.effects}>
      {[...groups]
        .toSorted(([, a], [, b]) => Number(b.isGain) - Number(a.isGain))
        .map(([key, { isGain, text, names }]) => (
          <li key={key} className="wrap-anywhere" title={names.join(', ')}>
            <span className={isGain ? 'text-ok' : 'text-bad'} aria-hidden>
              {isGain ? '+' : '−'}
            </span>{' '}
            {text} · <b>{namesIn(names, words.documents.more)}</b>
          </li>
        ))}
    </ul>
  )
}

function namesIn(names: readonly string[], more: Words['documents']['more']): string {
  const listed = names.slice(0, MAX_NAMES).join(', ')
  return names.length > MAX_NAMES ? more({ names: listed, n: names.length - MAX_NAMES }) : listed
}
