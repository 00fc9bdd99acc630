import { useWords } from '../../locales/words.tsx'

/** The time that is looked at, ISO 8601; absent where it is not narrowed. */
interface TimeRange {
  readonly from?: string
  readonly until?: string
}

/** The first and the last day of the runs that are shown. */
export function DayFields({ from = '', until = '', look }: TimeRange & { look: (range: TimeRange) => void }) {
  const { words } = useWords()
  const fields = [
    // The last day is shown to its end.
    [words.runsLook.from, dayOf(Date.parse(from)), (day: string) => look({ from: isoOf(day, 0) })],
    [words.runsLook.to, dayOf(Date.parse(until) - 1), (day: string) => look({ until: isoOf(day, 1) })],
  ] as const
  return fields.map(([label, day, say]) => (
    <label key={label} className="flex items-center gap-1.5 text-12 text-text-2">
      {label}
      <input type="date" className="input w-auto!" value={day} onChange={(event) => say(event.target.value)} />
    </label>
  ))
}

/** Start of a local day, or of the day `n` days later. */
function isoOf(day: string, after: number): string {
  const at = new Date(`${day}T00:00`)
  if (Number.isNaN(at.getTime())) return ''
  at.setDate(at.getDate() + after)
  return at.toISOString()
}

function dayOf(time: number): string {
  if (Number.isNaN(time)) return ''
  const at = new Date(time)
  return new Date(time - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}
