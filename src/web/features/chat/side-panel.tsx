import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore, type RefObject } from 'react'
import { runSteps } from '../../run/steps.ts'
import { useRun, type Followed } from '../../run/use-run.ts'
import { lazyComponent } from '../../ui/lazy.tsx'
import { Loading } from '../../ui/states.tsx'
import { useKeys } from '../../ui/use-keys.ts'
import { useWords } from '../../locales/words.tsx'
import type { PanelState } from '../run/run-panel.tsx'
import { draftKey } from '../run/start-plan.ts'

const RunPanel = lazyComponent(
  async () => ({ default: (await import('../run/run-panel.tsx')).RunPanel }),
  <Loading lines={8} />,
)

interface Panel {
  readonly runId: string
  readonly state: PanelState
}

/** The open side panel. It is part of the URL, so that it survives a reload and can be shared. */
export function usePanel(): readonly [Panel | undefined, (panel: Panel | undefined) => void] {
  const { beside, tab, source, step } = useSearch({ strict: false })
  const navigate = useNavigate()
  const set = useCallback(
    (panel: Panel | undefined) => {
      const { tab, source, step } = panel?.state ?? {}
      const opened = { beside: panel?.runId, tab, source: source === undefined ? undefined : String(source), step }
      void navigate({ to: '.', search: (now) => ({ ...now, ...opened }), replace: true })
    },
    [navigate],
  )
  if (beside === undefined) return [undefined, set]
  const isTab = tab === 'trace' || tab === 'sources'
  const state = {
    tab: isTab ? tab : 'plan',
    ...(source === undefined ? {} : { source: Number(source) }),
    ...(step === undefined ? {} : { step }),
  } as const
  return [{ runId: beside, state }, set]
}

const ID = 'beside'

/** Moves the focus into the panel when a key or button opens it, and back when it closes. */
export function usePanelFocus() {
  const opener = useRef<Element | null>(null)
  const isWanted = useRef(false)
  return useMemo(
    () => ({
      /** @param isIn whether to move the focus into the panel; false if the user only looks at it */
      opened: (isIn: boolean): void => {
        opener.current = document.activeElement
        isWanted.current = isIn
        if (isIn) document.getElementById(ID)?.focus()
      },
      isWanted,
      closed: (): void => {
        // The button that opened the panel is rendered again by then.
        setTimeout(() => {
          const back = opener.current?.isConnected === true ? opener.current : document.querySelector('[data-opens]')
          if (back instanceof HTMLElement) back.focus()
        })
      },
    }),
    [],
  )
}

interface SidePanelProps {
  readonly runId: string
  readonly live: Followed | undefined
  readonly state: PanelState
  readonly isWanted: { current: boolean }
  readonly change: (state: PanelState) => void
  readonly close: () => void
}

/**
 * Plan, trace and sources of one turn. Covers the conversation on a narrow screen; a citation covers half the screen on
 * a phone.
 */
export function SidePanel({ runId, live, isWanted, ...panel }: SidePanelProps) {
  const { words } = useWords()
  const own = useRun(live === undefined ? runId : undefined)
  const { view } = live ?? own
  const steps = useMemo(() => (view === undefined ? [] : runSteps(view)), [view])
  const client = useQueryClient()
  const box = useRef<HTMLElement>(null)
  const [isGrown, setGrown] = useState(false)
  const isPhone = useMedia('(width < 40rem)')
  const isHalf = isPhone && !isGrown && panel.state.tab === 'sources' && panel.state.source !== undefined
  useInertBackground(box, useMedia('(width < 64rem)') && !isHalf)
  useEffect(() => {
    if (!isWanted.current) return
    isWanted.current = false
    box.current?.focus()
  })
  useKeys({
    escape: () => {
      // Escape must not discard a changed plan.
      if ((client.getQueryData(draftKey(runId)) ?? null) === null) panel.close()
    },
  })
  return (
    <aside
      ref={box}
      id={ID}
      {...(isHalf ? { 'data-floats': true } : {})}
      tabIndex={-1}
      aria-label={words.panel.open}
      className={`fixed inset-x-0 bottom-0 z-20 min-h-0 overflow-hidden border-line bg-surface outline-none lg:static lg:border-l ${isHalf ? 'h-[60dvh] rounded-t-2xl border-t shadow-lg' : 'top-0'}`}
    >
      {view === undefined ? null : (
        <RunPanel view={view} steps={steps} {...panel} grow={isHalf ? () => setGrown(true) : undefined} />
      )}
    </aside>
  )
}

/** While something covers the page, what lies behind it takes neither focus nor keys. */
function useInertBackground(front: RefObject<HTMLElement | null>, isOn: boolean): void {
  useEffect(() => {
    if (!isOn || front.current === null) return
    const background: Element[] = []
    for (let at: Element = front.current; at.parentElement !== null && at !== document.body; at = at.parentElement) {
      for (const sibling of at.parentElement.children) {
        if (sibling === at || sibling.tagName === 'SCRIPT' || sibling.hasAttribute('inert')) continue
        sibling.setAttribute('inert', '')
        background.push(sibling)
      }
    }
    if (!front.current.contains(document.activeElement)) front.current.focus()
    return () => {
      for (const sibling of background) sibling.removeAttribute('inert')
    }
  }, [front, isOn])
}

/** Whether the window is as a media query says, at each moment. */
function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const media = matchMedia(query)
      media.addEventListener('change', changed)
      return () => media.removeEventListener('change', changed)
    },
    () => matchMedia(query).matches,
  )
}
