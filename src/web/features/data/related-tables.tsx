import { KeyRound, Link2, Table2 } from 'lucide-react'
import { useWords } from '../../locales/words.tsx'
import type { TableInfo } from './tables.tsx'

const CARD = 200
const GAP = 72
const HEAD = 32
const ROW = 22
/** Maximum number of columns of the middle table, and of tables on each side. The rest is only counted. */
const MAX_ITEMS = 12

interface Neighbour {
  readonly table: TableInfo
  /** The column of the middle table that references the other table, or is referenced by it. */
  readonly column: string
  /** The column of the other table. */
  readonly own: string
}

/** One table, with the tables it references on the right and the tables that reference it on the left. */
export function RelatedTables({
  tables,
  centre,
  select,
}: {
  tables: readonly TableInfo[]
  centre: TableInfo
  select: (name: string) => void
}) {
  const { words } = useWords()
  const byName = new Map(tables.map((table) => [table.name, table]))
  const right = centre.foreignKeys.flatMap(({ table, columns, referencedColumns }): Neighbour[] => {
    const to = byName.get(table)
    return to === undefined ? [] : [{ table: to, column: columns[0]!, own: referencedColumns[0] ?? '' }]
  })
  const left = tables.flatMap((table) =>
    table.foreignKeys.flatMap(({ table: to, columns, referencedColumns }): Neighbour[] =>
      to === centre.name && table !== centre ? [{ table, column: referencedColumns[0] ?? '', own: columns[0]! }] : [],
    ),
  )
  const keys = new Set(centre.foreignKeys.flatMap(({ columns }) => columns))
  const columns = centre.columns.slice(0, MAX_ITEMS)
  const high = HEAD + ROW + 4
  const centreHeight = HEAD + columns.length * ROW + (centre.columns.length > MAX_ITEMS ? ROW : 0) + 6
  const sideHeight = (side: readonly Neighbour[]): number => Math.min(side.length, MAX_ITEMS) * (high + 12) - 12
  const height = Math.max(centreHeight, sideHeight(left), sideHeight(right))
  const middle = (height - centreHeight) / 2
  const at = left.length === 0 ? 0 : CARD + GAP
  const width = at + CARD + (right.length === 0 ? 0 : CARD + GAP)
  const yOf = (column: string): number =>
    middle +
    HEAD +
    Math.max(
      0,
      columns.findIndex(({ name }) => name === column),
    ) *
      ROW +
    ROW / 2
  const place = (side: readonly Neighbour[], n: number): number => (height - sideHeight(side)) / 2 + n * (high + 12)
  const curve = (x1: number, y1: number, x2: number, y2: number): string =>
    `M${x1} ${y1}C${x1 + GAP / 2} ${y1} ${x2 - GAP / 2} ${y2} ${x2} ${y2}`
  const card = ({ table, own }: Neighbour, x: number, y: number) => (
    <button
      key={`${table.name} ${own}`}
      type="button"
      className="absolute overflow-hidden rounded-lg border border-line-strong bg-surface text-left hover:border-accent"
      style={{ left: x, top: y, width: CARD, height: high }}
      title={`${table.name}.${own}`}
      onClick={() => select(table.name)}
    >
      <span className="mono flex h-8 items-center gap-2 bg-surface-2 px-2.5 font-medium">
        <Table2 size={14} aria-hidden className="flex-none text-text-3" />
        <span className="cut">{table.name}</span>
      </span>
      <span className="mono flex h-5.5 items-center gap-2 px-2.5">
        <Link2 size={12} aria-hidden className="flex-none text-text-3" />
        <span className="cut">{own}</span>
      </span>
    </button>
  )
  return (
    <section
      className="canvas card hidden max-h-80 overflow-auto p-5 sm:block"
      aria-label={words.data.around({ table: centre.name })}
      tabIndex={0}
    >
      <div className="relative mx-auto" style={{ width, height }}>
        <svg className="absolute overflow-visible" width={width} height={height} aria-hidden>
          {left.slice(0, MAX_ITEMS).map((one, n) => (
            <path
              key={`${one.table.name} ${one.own}`}
              className="edge"
              d={curve(CARD, place(left, n) + HEAD + ROW / 2, at, yOf(one.column))}
            />
          ))}
          {right.slice(0, MAX_ITEMS).map((one, n) => (
            <path
              key={`${one.table.name} ${one.column}`}
              className="edge"
              d={curve(at + CARD, yOf(one.column), at + CARD + GAP, place(right, n) + HEAD + ROW / 2)}
            />
          ))}
        </svg>
        {left.slice(0, MAX_ITEMS).map((one, n) => card(one, 0, place(left, n)))}
        <div
          className="absolute overflow-hidden rounded-lg border-2 border-accent bg-surface"
          style={{ left: at, top: middle, width: CARD, height: centreHeight }}
        >
          <p className="mono flex h-8 items-center gap-2 bg-accent-soft px-2.5 font-semibold text-accent-text">
            <Table2 size={14} aria-hidden className="flex-none" />
            <span className="cut" title={centre.name}>
              {centre.name}
            </span>
          </p>
          <ul>
            {columns.map(({ name, type, primaryKey }) => (
              <li key={name} className="mono flex h-5.5 items-center gap-2 px-2.5" title={`${name} ${type}`}>
                <span className="w-3 flex-none text-text-3">
                  {primaryKey ? (
                    <KeyRound size={12} aria-hidden />
                  ) : keys.has(name) ? (
                    <Link2 size={12} aria-hidden />
                  ) : null}
                </span>
                <span className="cut flex-1">{name}</span>
                <span className="cut max-w-20 text-11 text-text-3">{type}</span>
              </li>
            ))}
            {centre.columns.length > MAX_ITEMS ? (
              <li className="h-5.5 px-2.5 text-11 text-text-3">
                {words.data.more({ n: centre.columns.length - MAX_ITEMS })}
              </li>
            ) : null}
          </ul>
        </div>
        {right.slice(0, MAX_ITEMS).map((one, n) => card(one, at + CARD + GAP, place(right, n)))}
      </div>
    </section>
  )
}
