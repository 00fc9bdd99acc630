import { Eye, Minus, PenLine } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { KeyboardEvent } from 'react'
import { Menu, MenuChoice } from '../../ui/menu.tsx'
import { useWords } from '../../locales/words.tsx'
import type { Level } from './grantees.ts'

type CellLevel = Level | 'none'

const STYLES = {
  none: { icon: Minus, tone: 'text-text-3' },
  reader: { icon: Eye, tone: 'tone-info' },
  editor: { icon: PenLine, tone: 'tone-accent' },
}

interface MatrixCellProps {
  readonly source: string
  readonly grantee: string
  readonly level: CellLevel
  readonly isChanged: boolean
  /** True for the one cell that Tab reaches; the arrow keys move to the others. */
  readonly isTabStop: boolean
  readonly onChange: (level: CellLevel) => void
}

/** The access of one user or group to one source. Enter or a click opens the menu. */
export function MatrixCell({ source, grantee, level, isChanged, isTabStop, onChange }: MatrixCellProps) {
  const { words } = useWords()
  const { icon: Icon, tone } = STYLES[level]
  const button = (
    <button
      type="button"
      data-cell
      tabIndex={isTabStop ? 0 : -1}
      className={`cell ${tone} ${isChanged ? 'is-changed' : ''}`}
      aria-label={`${words.access.of({ source, whom: grantee })}: ${words.admin.level[level]}`}
      // The arrow keys move the focus; by default they would open the menu.
      onKeyDown={(event) => moveFrom(event)}
    >
      <Icon size={14} aria-hidden />
      {level === 'none' ? null : words.admin.level[level]}
    </button>
  )
  return (
    <Menu button={button} className="max-w-80" align="start">
      <DropdownMenu.Label className="px-2 pt-1.5 pb-1 text-12 text-text-2">
        <b className="text-text">{source}</b> · {grantee}
      </DropdownMenu.Label>
      <DropdownMenu.RadioGroup value={level} onValueChange={(value) => onChange(value as CellLevel)}>
        {(['none', 'reader', 'editor'] as const).map((one) => (
          <MenuChoice key={one} value={one} label={words.admin.level[one]} hint={words.access.levelHint[one]} />
        ))}
      </DropdownMenu.RadioGroup>
    </Menu>
  )
}

/** Moves to the adjacent cell, or to the ends of the row. */
function moveFrom(event: KeyboardEvent<HTMLElement>): void {
  const cell = event.currentTarget
  const rows = [...(cell.closest('table')?.querySelectorAll('tr') ?? [])]
    .map((row) => [...row.querySelectorAll<HTMLElement>('[data-cell]')])
    .filter(({ length }) => length > 0)
  const y = rows.findIndex((row) => row.includes(cell))
  const x = rows[y]?.indexOf(cell) ?? 0
  const next = {
    ArrowLeft: rows[y]?.[x - 1],
    ArrowRight: rows[y]?.[x + 1],
    ArrowUp: rows[y - 1]?.[x],
    ArrowDown: rows[y + 1]?.[x],
    Home: rows[y]?.[0],
    End: rows[y]?.at(-1),
  }
  if (!(event.key in next)) return
  event.preventDefault()
  next[event.key as keyof typeof next]?.focus()
}
