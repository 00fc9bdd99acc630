import { Maximize, Minus, Plus } from 'lucide-react'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { layout, NODE, type PlacedStep } from '../../run/layout.ts'
import type { Step } from '../../run/steps.ts'
import { AgentMark, useAgentName } from '../../ui/agent-mark.tsx'
import { IconButton } from '../../ui/button.tsx'
import { StateIcon } from '../../ui/state-icon.tsx'
import { apiError } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'

const ZOOMS = [0.4, 0.5, 0.65, 0.8, 1, 1.25, 1.5] as const
const ZOOM = { size: 14, className: 'size-7! rounded-none!' } as const
const MARGIN = 24
/** As it is meant to be read, and the smallest at which it can be. */
const FULL = 4
const LEGIBLE = 3

interface PlanGraphProps {
  readonly steps: readonly Step[]
  readonly selected?: string | undefined
  readonly select: (id: string) => void
  /** The step that is pointed at here or elsewhere. */
  readonly lit?: string | undefined
  readonly light?: (id: string | undefined) => void
  /** Puts one step after another, where the plan may be changed: from port to port, or with C and a press on the later one. */
  readonly connect?: (from: string, to: string) => void
  /** Why one step cannot come after another. */
  readonly refusal?: (from: string, to: string) => string | undefined
  /** Whether what it is in scrolls. Then the graph has a minimum height. */
  readonly isInPage?: boolean
}

/** The plan as a graph of tasks and dependencies. A press on a step selects it. */
export function PlanGraph({ steps, selected, select, lit, light, connect, refusal, isInPage = false }: PlanGraphProps) {
  const { words, formats } = useWords()
  const [from, setFrom] = useState<string | undefined>()
  const [aim, setAim] = useState<Aim | undefined>()
  const content = useRef<HTMLDivElement>(null)
  const leave = (): void => {
    setFrom(undefined)
    setAim(undefined)
  }
  const choose = (id: string): void => {
    if (from !== undefined && from !== id) connect?.(from, id)
    leave()
    select(id)
  }
  const box = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState(Number.POSITIVE_INFINITY)
  const [chosen, setZoom] = useState<number | undefined>()
  const { placed, width, height } = useMemo(() => layout(steps), [steps])
  const whole = width + 2 * MARGIN
  const fitting = Math.max(
    LEGIBLE,
    ZOOMS.findLastIndex((one, at) => at <= FULL && whole * one <= room),
  )
  const zoom = chosen ?? fitting
  const scale = ZOOMS[zoom]!
  useLayoutEffect(() => {
    const watch = new ResizeObserver(([entry]) => setRoom(entry!.contentRect.width))
    watch.observe(box.current!)
    return () => watch.disconnect()
  }, [])
  // If the graph does not fit, start in the middle, where its first step is.
  useLayoutEffect(() => {
    const { current } = box
    if (current !== null) current.scrollLeft = (current.scrollWidth - current.clientWidth) / 2
  }, [whole, scale, room])
  const nameOf = useAgentName()
  const nameOfStep = (id: string): string => nameOf(steps.find((step) => step.id === id)?.actor ?? '')
  const places = new Map(placed.map((one) => [one.step.id, one]))
  const refused =
    from === undefined || aim?.over === undefined || aim.over === from ? undefined : refusal?.(from, aim.over)
  return (
    <div className={`canvas flex flex-1 flex-col overflow-hidden ${isInPage ? 'min-h-96' : 'min-h-0'}`}>
      <div
        ref={box}
        className="min-h-0 flex-1 overflow-auto"
        tabIndex={0}
        role="group"
        aria-label={words.panel.plan}
        onKeyDown={(event) => {
          if (connect === undefined) return
          const focused = (event.target as HTMLElement).closest<HTMLElement>('[data-step]')?.dataset['step'] ?? selected
          if (event.key.toLowerCase() === 'c' && !event.ctrlKey && !event.metaKey && focused !== undefined) {
            setFrom(focused)
          }
          if (event.key !== 'Escape' || from === undefined) return
          // Escape only clears the selection and does not close the surrounding panel.
          event.preventDefault()
          leave()
        }}
        onPointerMove={({ clientX, clientY }) => {
          if (from === undefined) return
          const { left, top } = content.current!.getBoundingClientRect()
          setAim({ x: (clientX - left) / scale, y: (clientY - top) / scale, over: stepAt(clientX, clientY) })
        }}
        onPointerUp={({ clientX, clientY }) => {
          const over = stepAt(clientX, clientY)
          if (from !== undefined && over !== undefined && over !== from) choose(over)
        }}
      >
        <div className="relative mx-auto" style={{ width: whole * scale, height: (height + 2 * MARGIN) * scale }}>
          <div
            ref={content}
            className="absolute origin-top-left"
            style={{ transform: `scale(${scale})`, left: MARGIN * scale, top: MARGIN * scale }}
          >
            <svg className="absolute overflow-visible" width={width} height={height} aria-hidden>
              {placed.flatMap((to) =>
                to.step.after.flatMap((id) => {
                  const from = places.get(id)
                  return from === undefined ? [] : [<Edge key={`${id}>${to.step.id}`} from={from} to={to} />]
                }),
              )}
              {from === undefined || aim === undefined || !places.has(from) ? null : (
                <path
                  className="edge"
                  data-state={refused === undefined ? 'running' : 'failed'}
                  d={`M${portOf(places.get(from)!).join(' ')}L${aim.x} ${aim.y}`}
                />
              )}
            </svg>
            {placed.map(({ step, x, y }) => (
              <PlanNode
                key={step.id}
                step={step}
                x={x}
                y={y}
                isSelected={step.id === selected}
                isFrom={step.id === from}
                isLit={step.id === lit}
                isRefused={refused !== undefined && step.id === aim?.over}
                select={choose}
                {...(light === undefined ? {} : { light })}
                {...(connect === undefined ? {} : { focus: select })}
              />
            ))}
            {(connect === undefined ? [] : placed).map((one) => {
              const { id } = one.step
              const [left, top] = portOf(one)
              return (
                <span
                  key={id}
                  className="port"
                  data-step={id}
                  aria-hidden
                  style={{ left, top }}
                  onPointerDown={(event) => {
                    event.preventDefault()
                    setFrom(id)
                  }}
                />
              )
            })}
          </div>
        </div>
      </div>
      <div className="mx-3 mt-1 mb-3 flex flex-none items-center gap-2">
        <span
          className={`min-w-0 flex-1 text-12 ${refused === undefined ? 'text-accent-text' : 'text-bad'}`}
          role="status"
        >
          {refused ?? (from === undefined ? '' : words.planEdit.chooseAfter({ name: nameOfStep(from) }))}
        </span>
        <div className="no-print flex flex-none overflow-hidden rounded-lg border border-line bg-surface shadow-sm">
          <IconButton
            {...ZOOM}
            icon={Minus}
            label={words.panel.zoomOut}
            disabled={zoom === 0}
            onClick={() => setZoom(zoom - 1)}
          />
          <span className="num grid w-12 place-items-center border-x border-line text-11">
            {formats.number(scale * 100)} %
          </span>
          <IconButton
            {...ZOOM}
            icon={Plus}
            label={words.panel.zoomIn}
            disabled={zoom === ZOOMS.length - 1}
            onClick={() => setZoom(zoom + 1)}
          />
          <IconButton {...ZOOM} icon={Maximize} label={words.panel.fit} onClick={() => setZoom(undefined)} />
        </div>
      </div>
    </div>
  )
}

/** Where the pointer is while a step is connected, and the step below it. */
interface Aim {
  readonly x: number
  readonly y: number
  readonly over: string | undefined
}

function stepAt(x: number, y: number): string | undefined {
  return document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-step]')?.dataset['step']
}

/** Where the edges of a step begin. */
function portOf({ x, y }: PlacedStep): readonly [x: number, y: number] {
  return [x + NODE.width / 2, y + NODE.height - 2]
}

interface PlanNodeProps {
  readonly step: Step
  readonly x: number
  readonly y: number
  readonly isSelected: boolean
  readonly isFrom: boolean
  readonly isLit: boolean
  readonly isRefused: boolean
  readonly select: (id: string) => void
  /** Keys apply to the focused step. */
  readonly focus?: (id: string) => void
  readonly light?: (id: string | undefined) => void
}

/** A step of the plan graph. */
function PlanNode({ step, x, y, isSelected, isFrom, isLit, isRefused, select, focus, light }: PlanNodeProps) {
  const { words, formats, describeError } = useWords()
  const name = useAgentName()(step.actor)
  const took = step.startedAt === undefined || step.endedAt === undefined ? undefined : step.endedAt - step.startedAt
  const error = step.error === undefined ? undefined : describeError(apiError(step.error)).text
  const below = error ?? step.rejection ?? step.text ?? words.step.state[step.state]
  return (
    <button
      type="button"
      className={`node absolute ${step.isReplaced ? 'opacity-50' : ''}`}
      data-state={step.state}
      data-step={step.id}
      data-selected={isSelected || isFrom}
      data-lit={isLit}
      data-refused={isRefused}
      style={{ left: x, top: y, width: NODE.width }}
      title={below}
      onClick={() => select(step.id)}
      onFocus={() => focus?.(step.id)}
      onPointerEnter={() => light?.(step.id)}
      onPointerLeave={() => light?.(undefined)}
    >
      <span className="flex items-center gap-2 text-13/4 font-semibold">
        <AgentMark actor={step.actor} />
        <span className="cut flex-1">
          {name}
          {step.round > 1 ? ` ${step.round}` : ''}
        </span>
        <StateIcon state={step.state} />
      </span>
      <span className="flex items-center gap-1.5 text-11 text-text-3">
        <span className={`cut flex-1 ${step.state === 'failed' || step.state === 'rejected' ? 'text-bad' : ''}`}>
          {below}
        </span>
        {took === undefined ? null : <span className="mono text-11">{formats.duration(took)}</span>}
      </span>
    </button>
  )
}

/** The line between two steps. From a rejection it leads to the next round. */
function Edge({ from, to }: { from: PlacedStep; to: PlacedStep }) {
  const { words } = useWords()
  const isFeedback = from.step.state === 'rejected'
  return (
    <>
      <path className="edge" data-state={isFeedback ? 'feedback' : to.step.state} d={edge(from, to)} />
      {isFeedback ? (
        <text className="halo fill-warn text-11" x={to.x + NODE.width / 2 + 8} y={to.y - 8}>
          {words.step.feedback}
        </text>
      ) : null}
    </>
  )
}

function edge(from: PlacedStep, to: PlacedStep): string {
  const [x1, y1] = portOf(from)
  const [x2, y2] = [to.x + NODE.width / 2, to.y]
  if (x1 === x2) return `M${x1} ${y1}V${y2}`
  const turn = y2 - NODE.gapY / 2
  const r = Math.min(8, Math.abs(x2 - x1) / 2) * Math.sign(x2 - x1)
  const down = Math.abs(r)
  return `M${x1} ${y1}V${turn - down}Q${x1} ${turn} ${x1 + r} ${turn}H${x2 - r}Q${x2} ${turn} ${x2} ${turn + down}V${y2}`
}
