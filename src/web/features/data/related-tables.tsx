import { KeyRound, Link2, Table2 } from 'lucide-react'
import { Cut } from '../../ui/list.tsx'
import { useWords } from '../../locales/words.tsx'
import type { TableInfo } from './table-selection.ts'

// Sizes in pixels.
const CARD_WIDTH = 200
const GAP = 72
const HEAD = 32
const ROW = 22
const CARD_HEIGHT = HEAD + ROW + 4
const CARD_STEP = CARD_HEIGHT + 12
/** Maximum number of columns of the middle table, and of tables on each side. The rest is only counted. */
const MAX_ITEMS = 12

interface Neighbour {
  readonly table: TableInfo
  /** The column of the middle table that references the other table, or is referenced by it. */
  readonly column: string
  /** The column of the other table. */
  readonly own: string
}

/** The tables that a table references. */
function referencedTables(tables: readonly TableInfo[], centre: TableInfo): readonly Neighbour[] {
  return centre.foreignKeys.flatMap(({ table: name, columns, referencedColumns }) => {
    const table = tables.find((one) => one.name === name)
    return table === undefined ? [] : [{ table, column: columns[0]!, own: referencedColumns[0] ?? '' }]
  })
}

/** The tables that reference a table. */
function referencingTables(tables: readonly TableInfo[], centre: TableInfo): readonly Neighbour[] {
  return tables.flatMap((table) =>
    table.foreignKeys
      .filter((key) => key.table === centre.name && table !== centre)
      .map(({ columns, referencedColumns }) => ({ table, column: referencedColumns[0] ?? '', own: columns[0]! })),
  )
}

const heightOf = (side: readonly Neighbour[]): number => side.length * CARD_STEP - 12

interface RelatedTablesProps {
  readonly tables: readonly TableInfo[]
  readonly centre: TableInfo
  readonly select: (name: string) => void
}

/** One table, with the tables it references on the right and the tables that reference it on the left. */
export function RelatedTables({ tables, centre, select }: RelatedTablesProps) {
  const { words } = useWords()
  const right = referencedTables(tables, centre).slice(0, MAX_ITEMS)
  const left = referencingTables(tables, centre).slice(0, MAX_ITEMS)
  const columns = centre.columns.slice(0, MAX_ITEMS)
  const rows = columns.length + (centre.columns.length > MAX_ITEMS ? 1 : 0)
  const centreHeight = HEAD + rows * ROW + 6
  const height = Math.max(centreHeight, heightOf(left), heightOf(right))
  const top = (height - centreHeight) / 2
  const centreX = left.length === 0 ? 0 : CARD_WIDTH + GAP
  const rightX = centreX + CARD_WIDTH + GAP
  const width = right.length === 0 ? centreX + CARD_WIDTH : rightX + CARD_WIDTH
  const columnY = (column: string): number => {
    const index = columns.findIndex(({ name }) => name === column)
    return top + HEAD + Math.max(0, index) * ROW + ROW / 2
  }
  const neighbours = [
    ...left.map((one, n) => ({ ...one, x: 0, y: (height - heightOf(left)) / 2 + n * CARD_STEP, isLeft: true })),
    ...right.map((one, n) => ({ ...one, x: rightX, y: (height - heightOf(right)) / 2 + n * CARD_STEP, isLeft: false })),
  ]
  return (
    <section
      className="canvas card hidden max-h-80 overflow-auto p-5 sm:block"
      aria-label={words.data.around({ table: centre.name })}
      tabIndex={0}
    >
      <div className="relative mx-auto" style={{ width, height }}>
        <svg className="absolute overflow-visible" width={width} height={height} aria-hidden>
          {neighbours.map(({ table, column, own, y, isLeft }) => {
            const [x, end, bend] = isLeft ? [CARD_WIDTH, centreX, GAP / 2] : [rightX, rightX - GAP, -GAP / 2]
            const [from, to] = [y + HEAD + ROW / 2, columnY(column)]
            return (
              <path
                key={`${x} ${table.name} ${column} ${own}`}
                className="edge"
                d={`M${x} ${from}C${x + bend} ${from} ${end - bend} ${to} ${end} ${to}`}
              />
            )
          })}
        </svg>
        {neighbours.map(({ table, column, own, x, y }) => (
          <button
            key={`${x} ${table.name} ${column} ${own}`}
            type="button"
            className="absolute overflow-hidden rounded-lg border border-line-strong bg-surface text-left hover:border-accent"
            style={{ left: x, top: y, width: CARD_WIDTH, height: CARD_HEIGHT }}
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
        ))}
        <div
          className="absolute overflow-hidden rounded-lg border-2 border-accent bg-surface"
          style={{ left: centreX, top, width: CARD_WIDTH, height: centreHeight }}
        >
          <p className="mono flex h-8 items-center gap-2 bg-accent-soft px-2.5 font-semibold text-accent-text">
            <Table2 size={14} aria-hidden className="flex-none" />
            <Cut text={centre.name} />
          </p>
          <ul>
            {columns.map((column) => (
              <li
                key={column.name}
                className="mono flex h-5.5 items-center gap-2 px-2.5"
                title={`${column.name} ${column.type}`}
              >
                <KeyIcon table={centre} column={column} />
                <span className="cut flex-1">{column.name}</span>
                <span className="cut max-w-20 text-11 text-text-3">{column.type}</span>
              </li>
            ))}
            {centre.columns.length > MAX_ITEMS ? (
              <li className="h-5.5 px-2.5 text-11 text-text-3">
                {words.data.more({ n: centre.columns.length - MAX_ITEMS })}
              </li>
            ) : null}
          </ul>
        </div>
      </div>
    </section>
  )
}

/** Marks a primary or foreign key. */
function KeyIcon({ table, column }: { table: TableInfo; column: TableInfo['columns'][number] }) {
  const isForeignKey = table.foreignKeys.some(({ columns }) => columns.includes(column.name))
  const Icon = column.primaryKey ? KeyRound : Link2
  return (
    <span className="w-3 flex-none text-text-3">
      {column.primaryKey || isForeignKey ? <Icon size={12} aria-hidden /> : null}
    </span>
  )
}
