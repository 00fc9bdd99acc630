import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Choice, Field, optionsOf } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Message } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import {
  hasValue,
  expectedInput,
  type Filter,
  type FilterOperator,
  type TableInfo,
  type TableSelection,
} from './table-selection.ts'

/** An active filter; a press removes it. */
export function FilterChip({ filter: { column, how, value }, remove }: { filter: Filter; remove: () => void }) {
  const { words } = useWords()
  const text = [column, words.data.sign[how], ...(hasValue(how) ? [value === '' ? '“”' : value] : [])].join(' ')
  return (
    <button
      type="button"
      className="chip"
      aria-pressed
      title={words.data.unfilter({ what: text })}
      aria-label={words.data.unfilter({ what: text })}
      onClick={remove}
    >
      <span className="mono cut">{text}</span>
      <X size={12} aria-hidden className="flex-none" />
    </button>
  )
}

export function FilterForm({ table, add }: { table: TableInfo; add: (filter: Filter) => void }) {
  const { words } = useWords()
  const [column, setColumn] = useState(table.columns[0]?.name ?? '')
  const [how, setHow] = useState<FilterOperator>('is')
  const [value, setValue] = useState('')
  /** The filter that was tried last. Its error does not apply to another value, column or operator. */
  const [tried, setTried] = useState<Filter>()
  const { holds = 'other' } = table.columns.find(({ name }) => name === column) ?? {}
  const filter = { column, how, value: holds === 'text' ? value : value.trim() }
  const expected = expectedInput(holds, how, filter.value)
  const isTried = tried?.column === column && tried.how === how && tried.value === filter.value
  const problem =
    expected === undefined || !isTried ? undefined : words.data.wanted[expected]({ column, value: filter.value })
  return (
    <Form
      className="grid items-end gap-3 border-b border-line bg-surface-2 p-4 sm:grid-cols-[1fr_1fr_1fr_auto]"
      submit={() => (expected === undefined ? add(filter) : setTried(filter))}
    >
      <Choice
        label={words.data.column}
        value={column}
        options={optionsOf(table.columns.map(({ name }) => name))}
        onChange={setColumn}
      />
      <Choice label={words.data.filter} value={how} options={words.data.how} onChange={setHow} />
      {hasValue(how) ? <Field label={words.data.value} value={value} onChange={setValue} /> : <span />}
      <Button label={words.data.add} type="submit" className="btn-primary h-9" />
      <Message tone="bad" text={problem} className="sm:col-span-4" />
    </Form>
  )
}

interface SortHeadProps {
  readonly name: string
  readonly side: string
  readonly sort: TableSelection['sort']
  readonly onChange: (sort: TableSelection['sort']) => void
}

/** Header of a column. Presses sort ascending, then descending, then not at all. */
export function SortHead({ name, side, sort, onChange }: SortHeadProps) {
  const { words } = useWords()
  const isThis = sort?.column === name
  const isDown = isThis && sort.isDown
  const Arrow = isDown ? ArrowDown : ArrowUp
  const label = isDown
    ? words.data.unsort({ column: name })
    : isThis
      ? words.data.sortDown({ column: name })
      : words.data.sortUp({ column: name })
  return (
    <th className={`mono ${side}`} aria-sort={!isThis ? 'none' : isDown ? 'descending' : 'ascending'}>
      <button
        type="button"
        className="inline-flex items-center gap-1 hover:text-text"
        title={label}
        onClick={() => onChange(isDown ? undefined : { column: name, isDown: isThis })}
      >
        {name}
        {isThis ? <Arrow size={12} aria-hidden /> : null}
      </button>
    </th>
  )
}
