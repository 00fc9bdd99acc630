import { BarChart3, Download, Table2 } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import type { Chart as ChartData, Table } from '../../../client/run.ts'
import { savePng, saveSvg } from '../../ui/chart-file.ts'
import { IconButton } from '../../ui/button.tsx'
import { Chart } from '../../ui/chart.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Segments } from '../../ui/segments.tsx'
import { useWords } from '../../locales/words.tsx'
import { ResultRows } from './result-table.tsx'
import { cellFormat } from './table-view.ts'

/** A chart of an answer, or its rows as a table; it can be saved as an image. */
export default function ChartCard({ chart }: { chart: ChartData }) {
  const locale = useWords()
  const { words } = locale
  const [view, setView] = useState<'chart' | 'table'>('chart')
  const drawing = useRef<SVGSVGElement>(null)
  const table = useMemo(() => tableOf(chart), [chart])
  const write = useMemo(() => cellFormat(table, chart.x, locale), [table, chart, locale])
  const save = (how: typeof saveSvg | typeof savePng): void => {
    if (drawing.current !== null) void how(drawing.current, chart.title)
  }
  return (
    <section className="card overflow-hidden">
      <header className="flex min-h-11 flex-wrap items-center gap-2 border-b border-line px-4 py-1.5">
        <h2 className="text-13 font-semibold">{chart.title}</h2>
        <div className="no-print ml-auto flex items-center gap-2">
          <Segments
            value={view}
            options={[
              ['chart', words.answer.chart, BarChart3],
              ['table', words.answer.table, Table2],
            ]}
            change={setView}
          />
          {view === 'table' ? null : (
            <Menu button={<IconButton icon={Download} label={words.reading.saveChart} />}>
              <MenuItem label={words.reading.asPng} onSelect={() => save(savePng)} />
              <MenuItem label={words.reading.asSvg} onSelect={() => save(saveSvg)} />
            </Menu>
          )}
        </div>
      </header>
      {view === 'table' ? (
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
