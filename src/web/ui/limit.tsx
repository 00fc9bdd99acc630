import type { Operations } from '../../client/api-types.ts'
import { useWords, type Localization } from '../locales/words.tsx'

/** A limit of the server; cost in millionths of a US dollar, storage in bytes. */
export type Quota = Operations['GET /limits/all']['answer']['items'][number] & { readonly used?: number }
export type Measure = Quota['measure']
export type Period = Quota['period']

/** An amount of a measure, as people say it. */
export function formatAmount(measure: Measure, amount: number, { formats }: Pick<Localization, 'formats'>): string {
  if (measure === 'cost') return formats.money(amount / 1_000_000)
  return measure === 'storage' ? `${formats.number(Math.round(amount / 1_000_000))} MB` : formats.compact(amount)
}

/** One limit with how much of it is used. */
export function Limit({ quota }: { quota: Quota }) {
  const spoken = useWords()
  const { words } = spoken
  const { measure, period, most, used = 0 } = quota
  const share = most === 0 ? 1 : Math.min(1, used / most)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-3 text-13 last:border-b-0">
      <span className="w-44 font-medium">
        {words.limit.measure[measure]} <span className="font-normal text-text-3">{words.limit.period[period]}</span>
      </span>
      <progress className="bar min-w-24 flex-1" data-full={share > 0.8} value={share} aria-hidden />
      <span className="num text-text-2">
        {formatAmount(measure, used, spoken)} / {formatAmount(measure, most, spoken)}
      </span>
    </li>
  )
}
