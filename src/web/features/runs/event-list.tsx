import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState } from 'react'
import type { RunEvent } from '../../../client/run.ts'

/** The log as it is, entry by entry; only those in sight are drawn. */
export function EventList({ events }: { events: readonly RunEvent[] }) {
  const box = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<number | undefined>()
  const virtual = useVirtualizer({
    count: events.length,
    getScrollElement: () => box.current,
    estimateSize: () => 32,
    overscan: 20,
  })
  return (
    <div ref={box} className="min-h-0 flex-1 overflow-y-auto" tabIndex={0}>
      <ol className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const event = events[index]!
          const { runId: _run, seq, at, v: _version, type, ...rest } = event
          const key = 'key' in event ? event.key : undefined
          return (
            <li
              key={seq}
              ref={virtual.measureElement}
              data-index={index}
              className="absolute inset-x-0 border-b border-line"
              style={{ transform: `translateY(${start}px)` }}
            >
              <button
                type="button"
                className="flex min-h-8 w-full items-center gap-3 px-4 text-left text-12 hover:bg-surface-2"
                aria-expanded={open === seq}
                onClick={() => setOpen(open === seq ? undefined : seq)}
              >
                <span className="mono w-8 flex-none text-right text-text-3">{seq}</span>
                <span className="mono hidden w-26 flex-none text-text-3 sm:block">{at.slice(11, 23)}</span>
                <span className="mono flex-none font-medium">{type}</span>
                <span className="mono cut text-text-2">{key}</span>
              </button>
              {open === seq ? (
                <pre className="code mx-4 mb-2 max-h-96 overflow-auto" tabIndex={0}>
                  {JSON.stringify(rest, undefined, 2)}
                </pre>
              ) : null}
            </li>
          )
        })}
      </ol>
    </div>
  )
}
