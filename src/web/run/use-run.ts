import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { LiveText, RunEvent } from '../../client/run.ts'
import { RunLog, type RunView } from './run-log.ts'
import { readEvents } from '../../client/event-stream.ts'

export interface Followed {
  readonly view: RunView | undefined
  /** Why nothing comes at the moment; it is tried again. */
  readonly error: Error | undefined
}

/** Follows a run from its beginning to its end, and through lost connections: nothing is missed, nothing comes twice. */
export function useRun(runId: string | undefined): Followed {
  const [followed, setFollowed] = useState<Followed & { runId: string | undefined }>(NONE)
  useEffect(() => {
    if (runId === undefined) return
    const log = new RunLog()
    const controller = new AbortController()
    let isDrawn = true
    // One drawing for all that came since the last one.
    const draw = (error?: Error): void => {
      isDrawn = true
      if (!controller.signal.aborted) setFollowed({ runId, view: log.view(), error })
    }
    void readEvents({}, `/runs/${encodeURIComponent(runId)}/events?format=log`, {
      signal: controller.signal,
      take: (data) => {
        log.apply(JSON.parse(data) as RunEvent | LiveText)
        if (!isDrawn) return
        isDrawn = false
        requestAnimationFrame(() => draw())
      },
      isOver: () => log.view()?.isOver === true,
      onError: draw,
    })
    return () => controller.abort()
  }, [runId])
  const current = followed.runId === runId ? followed : NONE
  useWaiting(current.view)
  return current
}

/** Refetch the number of pending approvals when a run requests or gets a decision. */
function useWaiting(view: RunView | undefined): void {
  const client = useQueryClient()
  const open = view === undefined || view.isOver ? '' : [...view.state.openApprovals.keys()].join()
  const isOver = view?.isOver === true
  useEffect(() => {
    if (open !== '' || isOver) void client.invalidateQueries({ queryKey: ['approvals'] })
  }, [client, open, isOver])
}

const NONE = { runId: undefined, view: undefined, error: undefined }
