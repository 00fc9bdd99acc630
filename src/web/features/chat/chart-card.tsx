import { BarChart3, Table2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Chart as ChartData, Table } from '../../../client/run.ts'
import { Chart } from '../../ui/chart.tsx'
import { useWords } from '../../locales/words.tsx'
import { ResultRows } from './result-table.tsx'
import { cellFormat } from './table-view.ts'

/** A chart of an answer, or its rows as a table. */
export default function ChartCard({ chart }: { chart: ChartData }) {
  const spoken = useWords()
  const { words } = spoken
  const [isTable, setIsTable] = useState(false)
  const table = useMemo(() => tableOf(chart), [chart])
  const write = useMemo(() => cellFormat(table, chart.x, spoken), [table, chart, spoken])
  return (
    <section className="card overflow-hidden">
      <header className="flex min-h-11 flex-wrap items-center gap-2 border-b border-line px-4 py-1.5">
        <h2 className="text-13 font-semibold">{chart.title}</h2>
        <div className="no-print ml-auto">
          <div className="seg">
            {([false, true] as const).map((one) => (
              <button key={String(one)} type="button" aria-pressed={isTable === one} onClick={() => setIsTable(one)}>
                {one ? <Table2 size={14} aria-hidden /> : <BarChart3 size={14} aria-hidden />}
                {one ? words.answer.table : words.answer.chart}
              </button>
            ))}
          </div>
        </div>
      </header>
      {isTable ? (
        <ResultRows table={table} />
      ) : (
        <div className="p-4">
          <Chart chart={chart} write={write} />
        </div>
      )}
    </section>
  )
}

function tableOf({ x, series, rows }: ChartData): Table {
  return { columns: [x, ...series], rows, rowCount: rows.length }
}
