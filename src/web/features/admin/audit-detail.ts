import { formatAmount, type Measure, type Period } from '../../ui/limit.tsx'
import type { Localization } from '../../locales/words.tsx'

type Detail = Readonly<Record<string, unknown>>

/** Internal fields: the server uses them to detect whether a tool has changed. */
const INTERNAL = new Set(['digests'])

/** Ids of people and groups. */
const WHO = new Set(['to', 'owner', 'userId', 'runId'])

/** Describes the recorded details of a change. @param who returns the name of an id */
export function describeDetail(
  { measure, period, most, level, ...detail }: Detail,
  who: (id: string) => string,
  spoken: Pick<Localization, 'words' | 'formats'>,
): string {
  const { words } = spoken
  const { limit } = words
  const roles: Readonly<Record<string, string>> = words.role
  const valueOf = (name: string, value: unknown): string => {
    if (Array.isArray(value)) return value.map((one) => valueOf(name, one)).join(', ')
    if (typeof value !== 'string') return JSON.stringify(value)
    if (name === 'reason') return words.quoted({ text: value })
    if (name === 'role') return roles[value] ?? value
    return WHO.has(name) ? who(value) : value
  }
  const entries = Object.entries(detail)
    .filter(([name]) => !INTERNAL.has(name))
    .map(([name, value]) => `${words.admin.changed[name] ?? name}: ${valueOf(name, value)}`)
  const levels: Readonly<Record<string, string>> = words.admin.level
  if (level !== undefined) entries.push(levels[String(level)] ?? String(level))
  if (measure !== undefined) {
    const [what, when] = [limit.measure[measure as Measure], limit.period[period as Period]]
    entries.push(
      typeof most === 'number'
        ? words.admin.limitOf({ what, most: formatAmount(measure as Measure, most, spoken), period: when })
        : words.admin.noLimitOf({ what, period: when }),
    )
  }
  return entries.join(' · ')
}
