import { Link } from '@tanstack/react-router'
import { useWords } from '../../locales/words.tsx'
import type { RunCount } from './totals.ts'

interface RunsLinkProps {
  readonly name: string
  readonly count: RunCount | undefined
  readonly search: { readonly from: string; readonly agent?: readonly string[] | undefined; readonly model?: string }
  /** For use outside a table, where no header names the unit. */
  readonly isInWords?: boolean
}

/** How many runs something takes part in, and the way to them. */
export function RunsLink({ name, count, search: { agent, ...search }, isInWords = false }: RunsLinkProps) {
  const { words, formats } = useWords()
  if (count === undefined) return null
  const n = formats.number(count.runs)
  const linkText = words.dashboard.runsWith({ name, n })
  return (
    <Link
      to="/runs"
      search={{ ...search, ...(agent === undefined ? {} : { agent }) }}
      className="num inline-block hover:underline"
      aria-label={linkText}
      title={linkText}
    >
      {isInWords ? words.runsLook.runs({ n, isOne: count.runs === 1 }) : n}
    </Link>
  )
}
