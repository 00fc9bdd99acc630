import { Check, Eye, Minus, PenLine, type LucideIcon } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { KeyboardEvent } from 'react'
import { useWords } from '../../locales/words.tsx'
import type { Level } from './grantees.ts'

const LEVEL_STYLES: Readonly<Record<Level | 'none', { readonly icon: LucideIcon; readonly tone: string }>> = {
  none: { icon: Minus, tone: 'text-text-3' },
  reader: { icon: Eye, tone: 'tone-info' },
  editor: { icon: PenLine, tone: 'tone-accent' },
}

interface MatrixCellProps {
  readonly source: string
  readonly whom: string
  readonly level: Level | 'none'
  readonly isChanged: boolean
  /** True for the one cell that Tab reaches; the arrow keys move to the others. */
  readonly isReached: boolean
  readonly say: (level: Level | 'none') => void
}

/** The access of one user or group to one source. Enter or a click opens the menu. */
export function MatrixCell({ source, whom, level, isChanged, isReached, say }: MatrixCellProps) {
  const { words } = useWords()
  const { icon: Icon, tone } = LEVEL_STYLES[level]
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        data-cell
        tabIndex={isReached ? 0 : -1}
        className={`cell ${tone} ${isChanged ? 'is-changed' : ''}`}
        aria-label={`${words.access.of({ source, whom })}: ${words.admin.level[level]}`}
        // The arrow keys move the focus; by default they would open the menu.
        onKeyDown={(event) => moveFrom(event)}
      >
        <Icon size={14} aria-hidden />
        {level === 'none' ? null : words.admin.level[level]}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu max-w-80" align="start" sideOffset={4} collisionPadding={8}>
          <DropdownMenu.Label className="px-2 pt-1.5 pb-1 text-12 text-text-2">
            <b className="text-text">{source}</b> · {whom}
          </DropdownMenu.Label>
          <DropdownMenu.RadioGroup value={level} onValueChange={(wanted) => say(wanted as Level | 'none')}>
            {(['none', 'reader', 'editor'] as const).map((one) => {
              const { icon: Own } = LEVEL_STYLES[one]
              return (
                <DropdownMenu.RadioItem key={one} value={one} textValue={words.admin.level[one]}>
                  <Own size={16} aria-hidden className="flex-none text-text-2" />
                  <span className="min-w-0 flex-1">
                    <span className="block">{words.admin.level[one]}</span>
                    <span className="block text-12 text-text-3">{words.access.levelHint[one]}</span>
                  </span>
                  <DropdownMenu.ItemIndicator>
                    <Check size={14} aria-hidden />
                  </DropdownMenu.ItemIndicator>
                </DropdownMenu.RadioItem>
              )
            })}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

/** Moves to the adjacent cell, or to the ends of the row. */
function moveFrom(event: KeyboardEvent<HTMLElement>): void {
  const own = event.currentTarget
  const rows = [...(own.closest('table')?.querySelectorAll('tr') ?? [])]
    .map((row) => [...row.querySelectorAll<HTMLElement>('[data-cell]')])
    .filter(({ length }) => length > 0)
  const y = rows.findIndex((row) => row.includes(own))
  const x = rows[y]?.indexOf(own) ?? 0
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
