import { BarChart3, Download, Table2 } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useMemo, useRef, useState } from 'react'
import type { Chart as ChartData, Table } from '../../../client/run.ts'
import { savePng, saveSvg } from '../../ui/chart-file.ts'
import { Chart } from '../../ui/chart.tsx'
import { useWords } from '../../locales/words.tsx'
import { ResultRows } from './result-table.tsx'
import { cellFormat } from './table-view.ts'

/** A chart of an answer, or its rows as a table; it can be saved as an image. */
export default function ChartCard({ chart }: { chart: ChartData }) {
  const spoken = useWords()
  const { words } = spoken
  const [isTable, setIsTable] = useState(false)
  const drawing = useRef<SVGSVGElement>(null)
  const table = useMemo(() => tableOf(chart), [chart])
  const write = useMemo(() => cellFormat(table, chart.x, spoken), [table, chart, spoken])
  const save = (how: typeof saveSvg | typeof savePng): void => {
    if (drawing.current !== null) void how(drawing.current, chart.title)
  }
  return (
    <section className="card overflow-hidden">
      <header className="flex min-h-11 flex-wrap items-center gap-2 border-b border-line px-4 py-1.5">
        <h2 className="text-13 font-semibold">{chart.title}</h2>
        <div className="no-print ml-auto flex items-center gap-2">
          <div className="seg">
            {([false, true] as const).map((one) => (
              <button key={String(one)} type="button" aria-pressed={isTable === one} onClick={() => setIsTable(one)}>
                {one ? <Table2 size={14} aria-hidden /> : <BarChart3 size={14} aria-hidden />}
                {one ? words.answer.table : words.answer.chart}
              </button>
            ))}
          </div>
          {isTable ? null : (
            <DropdownMenu.Root modal={false}>
              <DropdownMenu.Trigger
                className="btn btn-ghost btn-icon btn-sm"
                title={words.reading.saveChart}
                aria-label={words.reading.saveChart}
              >
                <Download size={16} aria-hidden />
              </DropdownMenu.Trigger>
              <DropdownMenu.Portal>
                <DropdownMenu.Content className="menu" align="end" sideOffset={6}>
                  <DropdownMenu.Item onSelect={() => save(savePng)}>{words.reading.asPng}</DropdownMenu.Item>
                  <DropdownMenu.Item onSelect={() => save(saveSvg)}>{words.reading.asSvg}</DropdownMenu.Item>
                </DropdownMenu.Content>
              </DropdownMenu.Portal>
            </DropdownMenu.Root>
          )}
        </div>
      </header>
      {isTable ? (
        <ResultRows table={table} />
      ) : (
        <div className="p-4">
          <Chart chart={chart} write={write} drawing={drawing} />
        </div>
      )}
    </section>
  )
}

function tableOf({ x, series, rows }: ChartData): Table {
  return { columns: [x, ...series], rows, rowCount: rows.length }
}
