import { TuttiError } from '../domain/errors.ts'
import { violation } from './reply.ts'

/** Messages of engines that run out of memory; the last one is V8's during garbage collection. */
const OUT_OF_MEMORY =
  /out of memory|cannot allocate memory|allocation failed|bad_alloc|OOM|Check failed: \(?result\.ptr/i
/** Signals that end an engine that runs out of memory without a message. */
const BREAKDOWNS = new Set<NodeJS.Signals | null>(['SIGTRAP', 'SIGABRT', 'SIGILL', 'SIGSEGV'])
/** Exit code of glibc's loader if it gets no memory, such as for another thread's storage. */
const LOADER_GAVE_UP = 127

export interface ProcessEnd {
  readonly signal: NodeJS.Signals | null
  readonly exitCode: number | null
  /** The last output of the process. */
  readonly stderr: string
  /** Whether nearly all of the allowed memory was in use at the last measurement. */
  readonly isFull: boolean
}

/**
 * Classifies the end of a process. Only an end that harmless code cannot cause is reported as a violation. Other ends
 * are reported as they are, because the program around the code may be at fault.
 */
export function exitError(end: ProcessEnd): TuttiError {
  const { signal, exitCode, stderr, isFull } = end
  if (signal === 'SIGSYS') return violation('it tried a system call that is not allowed')
  if (signal === 'SIGXCPU') return violation('it took too much processor time')
  if (OUT_OF_MEMORY.test(stderr) || (isFull && isBreakdown(end))) return violation('it needs too much memory')
  const ending = signal === null ? `exit code ${exitCode}` : `signal ${signal}`
  const guess = signal === 'SIGKILL' ? ' Another program ended it, perhaps because memory ran out.' : ''
  return new TuttiError(
    'ToolError',
    `The Python process ended unexpectedly (${ending}) and returned no result; the code may be correct.${guess} ` +
      'Try again. If it happens again, run "tutti doctor" to test Python on this machine.',
    { details: { signal, exitCode, stderr } },
  )
}

function isBreakdown({ signal, exitCode }: ProcessEnd): boolean {
  return BREAKDOWNS.has(signal) || exitCode === LOADER_GAVE_UP
}
