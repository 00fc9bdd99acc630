import type { Clock } from '../../shared/clock.ts'
import type { RunEvent } from '../../domain/events.ts'
import type { Output } from '../output.ts'
import { ProgressLines, type ProgressLine } from './progress-lines.ts'

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const FRAME_MS = 100

/** Shows the progress of a run on standard error: one redrawn line on a terminal, plain lines otherwise. */
export interface Progress {
  event(event: RunEvent): void
  /** Stops drawing, so that something else can be written; the next event starts it again. */
  pause(): void
  /** Stops for good. */
  stop(): void
}

/** @param lines may have taken earlier events, which are not shown */
export function createProgress(err: Output, clock: Clock, lines = new ProgressLines()): Progress {
  return err.isLive ? liveProgress(err, clock, lines) : plainProgress(err, lines)
}

function plainProgress(err: Output, lines: ProgressLines): Progress {
  return {
    event(event) {
      const line = lines.take(event)
      if (line !== undefined) err.line(line.text)
    },
    pause: () => undefined,
    stop: () => undefined,
  }
}

function liveProgress(err: Output, clock: Clock, lines: ProgressLines): Progress {
  let frame = 0
  let cancelTimer: (() => void) | undefined
  let isStopped = false

  const draw = (): void => {
    const activity = lines.activity(clock.now())
    const mark = err.style.green(FRAMES[frame++ % FRAMES.length]!)
    err.draw(activity === '' ? '' : `${mark} ${activity}`)
    cancelTimer = clock.timer(FRAME_MS, draw)
  }
  const pause = (): void => {
    if (cancelTimer === undefined) return
    cancelTimer()
    cancelTimer = undefined
    err.draw('')
  }
  return {
    event(event) {
      const line = lines.take(event)
      if (isStopped) return
      if (line !== undefined && line.kind !== 'step') {
        pause()
        err.line(marked(line, err))
      }
      if (cancelTimer === undefined) draw()
    },
    pause,
    stop() {
      pause()
      isStopped = true
    },
  }
}

function marked({ kind, text }: ProgressLine, { style }: Output): string {
  switch (kind) {
    case 'done':
      return `${style.green('✓')} ${text}`
    case 'failed':
      return `${style.red('✗')} ${text}`
    default:
      return style.yellow(text)
  }
}
