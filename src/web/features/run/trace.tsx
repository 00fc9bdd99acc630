import { useVirtualizer } from '@tanstack/react-virtual'
import { ChevronDown, X } from 'lucide-react'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import type { RunView } from '../../run/run-log.ts'
import type { Step } from '../../run/steps.ts'
import { agentsIn, shareOf, spanOf, failuresIn, type Span, type StepFailure } from '../../run/trace.ts'
import { AgentMark, useAgentName } from '../../ui/agent-mark.tsx'
import { useKeys } from '../../ui/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import { useNow } from '../../ui/use-now.ts'
import { useWords } from '../../locales/words.tsx'
import { TimeAxis } from './span-bar.tsx'
import { TraceMap } from './trace-map.tsx'
import { OpenStep } from './trace-step.tsx'

/** Up to this number of steps, all are rendered, so that browser search and printing include them. */
const SHORT = 100

/** Every step with its calls: input, output, time, duration, cost. */
export function Trace({ steps, view, selected }: { steps: readonly Step[]; view: RunView; selected?: string }) {
  const { words, formats } = useWords()
  const nameOf = useAgentName()
  const now = useNow(!view.isOver)
  const box = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const [zoom, setZoom] = useState<Span | undefined>()
  const [only, isolate] = useState<string | undefined>()
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [goal, setGoal] = useState<StepFailure | undefined>()
  const [last, setLast] = useState<StepFailure | undefined>()
  const begun = useMemo(() => steps.filter(({ job }) => job !== undefined), [steps])
  const failures = useMemo(() => failuresIn(begun, view), [begun, view])
  const agents = useMemo(() => agentsIn(begun, view), [begun, view])
  const whole = spanOf(begun, now)
  const span = zoom ?? whole
  const visible = begun.filter(
    ({ actor, startedAt, endedAt }) =>
      (only === undefined || only === actor) &&
      (zoom === undefined || shareOf({ from: startedAt!, until: endedAt ?? now }, zoom) !== undefined),
  )
  const showAll = (): void => {
    isolate(undefined)
    setZoom(undefined)
  }
  const nextFailure = (): void => {
    const at = failures.findIndex(({ step, path }) => step === last?.step && path === last.path)
    const next = failures[(at + 1) % failures.length]
    if (next === undefined) return
    if (!visible.some(({ id }) => id === next.step)) showAll()
    setOpen(new Set(open).add(next.step))
    setLast(next)
    setGoal(next)
  }
  useKeys({ '0': showAll, ...(failures.length === 0 ? {} : { e: nextFailure }) })
  const isLong = visible.length > SHORT
  const virtual = useVirtualizer({
    count: isLong ? visible.length : 0,
    getScrollElement: () => box.current,
    estimateSize: () => 37,
    getItemKey: (index) => visible[index]!.id,
    overscan: 15,
  })
  const drawn = virtual.getVirtualItems()
  const rows = isLong ? drawn.map(({ index }) => index) : visible.map((_step, index) => index)
  useEffect(() => {
    if (goal === undefined) return
    const row = rowOf(list.current, goal.path ?? goal.step)
    if (row === undefined) return virtual.scrollToIndex(visible.findIndex(({ id }) => id === goal.step))
    row.focus()
    row.scrollIntoView({ block: 'center' })
    setGoal(undefined)
  })
  useEffect(() => {
    const index = visible.findIndex(({ id }) => id === selected)
    if (index === -1) return
    if (isLong) virtual.scrollToIndex(index, { align: 'center' })
    else rowOf(list.current, selected!)?.scrollIntoView({ block: 'nearest' })
    // oxlint-disable-next-line react/exhaustive-deps -- once for each that is chosen
  }, [selected])
  const toggle = (id: string): void => {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }
  if (whole === undefined || span === undefined) return null
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="no-print flex flex-none items-center gap-1.5 overflow-x-auto border-b border-line bg-surface px-3 py-2 sm:flex-wrap">
        {[...agents].map(([actor, count]) => (
          <button
            key={actor}
            type="button"
            className="chip flex-none"
            aria-pressed={only === actor}
            onClick={() => isolate(only === actor ? undefined : actor)}
          >
            <AgentMark actor={actor} />
            {nameOf(actor)}
            <span className="num text-text-3">{formats.number(count)}</span>
          </button>
        ))}
        {failures.length === 0 ? null : (
          <button type="button" className="chip tone-bad flex-none max-sm:order-first sm:ml-auto" onClick={nextFailure}>
            <ChevronDown size={14} aria-hidden />
            {words.trace.errors({ n: failures.length })} <kbd className="kbd max-sm:hidden">E</kbd>
          </button>
        )}
      </div>
      <TraceMap steps={begun} whole={whole} shown={span} zoom={setZoom} />
      {only === undefined && zoom === undefined ? null : (
        <p className="no-print flex flex-none flex-wrap items-center gap-2 border-b border-line bg-accent-soft px-3 py-1 text-12">
          <span role="status">
            {words.trace.shows({ n: visible.length, all: begun.length })}
            {only === undefined ? null : ` · ${words.trace.only({ agent: nameOf(only) })}`}
            {zoom === undefined
              ? null
              : ` · ${words.trace.part({ from: formats.duration(zoom.from - whole.from), until: formats.duration(zoom.until - whole.from) })}`}
          </span>
          <Button icon={X} label={words.trace.all} className="btn-sm ml-auto" onClick={showAll}>
            <kbd className="kbd max-sm:hidden">0</kbd>
          </Button>
        </p>
      )}
      <div className="@container flex min-h-0 flex-1 flex-col">
        {/* Reserve the same room for a scrollbar as the list below. */}
        <div className="flex-none overflow-hidden border-b border-line px-5 [scrollbar-gutter:stable]">
          <div className="flex flex-wrap items-center gap-x-2 py-1 @2xl:flex-nowrap">
            <span className="flex-1 text-12 text-text-2">{words.step.all({ n: begun.length })}</span>
            <TimeAxis span={span} begin={whole.from} />
            <span className="mono flex-none text-right text-text-2 @2xl:w-40">
              {formats.duration(whole.until - whole.from)}
            </span>
          </div>
        </div>
        <div ref={box} className="min-h-0 flex-1 overflow-y-auto px-3 pb-3 [scrollbar-gutter:stable]">
          <div className="relative">
            <div className="no-print pointer-events-none absolute inset-0 hidden gap-x-2 px-2 @2xl:flex" aria-hidden>
              <span className="flex-1" />
              <TimeAxis span={span} begin={whole.from} isBehind />
              <span className="w-40 flex-none" />
            </div>
            <ol
              ref={list}
              className="relative"
              style={
                isLong
                  ? {
                      paddingTop: drawn[0]?.start ?? 0,
                      paddingBottom: virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0),
                    }
                  : undefined
              }
              onKeyDown={(event) => moveIn(event, open, toggle)}
            >
              {rows.map((index) => {
                const step = visible[index]!
                return (
                  <li
                    key={step.id}
                    ref={isLong ? virtual.measureElement : undefined}
                    data-index={index}
                    className={`border-b border-line last:border-0 ${step.id === selected ? 'bg-accent-soft' : ''}`}
                  >
                    <OpenStep
                      step={step}
                      view={view}
                      span={span}
                      isOpen={open.has(step.id)}
                      toggle={() => toggle(step.id)}
                    />
                  </li>
                )
              })}
            </ol>
          </div>
        </div>
      </div>
    </div>
  )
}

function rowOf(list: HTMLElement | null, id: string): HTMLElement | undefined {
  return rowsIn(list).find(({ dataset }) => dataset['row'] === id)
}

function rowsIn(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? [])].filter((row) => row.checkVisibility())
}

/**
 * Arrow keys: up and down move through the visible steps and calls, right expands, left collapses or moves to the
 * parent.
 */
function moveIn(event: KeyboardEvent<HTMLOListElement>, open: ReadonlySet<string>, toggle: (id: string) => void): void {
  const row = event.target as HTMLElement
  const id = row.dataset['row']
  if (id === undefined || event.metaKey || event.ctrlKey || event.altKey) return
  const rows = rowsIn(event.currentTarget)
  const call = row.closest('details')
  const isOpen = call?.open ?? open.has(id)
  const fold = (): void => {
    if (call === null) toggle(id)
    else call.open = !call.open
  }
  const go = (by: number): void => rows[rows.indexOf(row) + by]?.focus()
  const acts: Readonly<Record<string, () => void>> = {
    ArrowDown: () => go(1),
    ArrowUp: () => go(-1),
    ArrowRight: () => (isOpen ? go(1) : fold()),
    ArrowLeft: () =>
      isOpen
        ? fold()
        : (call?.parentElement?.closest('details, li')?.querySelector<HTMLElement>('[data-row]') ?? row).focus(),
  }
  const act = acts[event.key]
  if (act === undefined) return
  event.preventDefault()
  act()
}
