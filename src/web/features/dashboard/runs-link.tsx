import { Link } from '@tanstack/react-router'
import { useWords } from '../../locales/words.tsx'
import type { Found } from './totals.ts'

interface RunsLinkProps {
  readonly name: string
  readonly found: Found | undefined
  readonly look: { readonly from: string; readonly agent?: readonly string[] | undefined; readonly model?: string }
  /** For use outside a table, where no header names the unit. */
  readonly isInWords?: boolean
}

/** How many runs something takes part in, and the way to them. */
export function RunsLink({ name, found, look: { agent, ...look }, isInWords = false }: RunsLinkProps) {
  const { words, formats } = useWords()
  if (found === undefined) return null
  const n = formats.number(found.runs)
  const linkText = words.dashboard.runsWith({ name, n })
  return (
    <Link
      to="/runs"
      search={{ ...look, ...(agent === undefined ? {} : { agent }) }}
      className="num inline-block hover:underline"
      aria-label={linkText}
      title={linkText}
    >
      {isInWords ? words.runsLook.runs({ n, isOne: found.runs === 1 }) : n}
    </Link>
  )
}
