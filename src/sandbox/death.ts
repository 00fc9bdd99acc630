import type { ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import { TuttiError } from '../core/errors.ts'
import { violation } from './reply.ts'

/** The signal that ended a process; bubblewrap tells of its child's as a shell does, by an exit code of 128 and more. */
export function endedBy({ signalCode, exitCode }: ChildProcess): NodeJS.Signals | null {
  if (signalCode !== null || exitCode === null || exitCode <= 128) return signalCode
  const [name] = Object.entries(constants.signals).find(([, number]) => number === exitCode - 128) ?? []
  return (name as NodeJS.Signals | undefined) ?? null
}

/**
 * What the end of a process says about the code in it. Only an end that honest code cannot have is laid to the code; any
 * other is told as what it is, since the program around the code may be at fault.
 * @param stderr what the process said last
 */
export function deathOf(signal: NodeJS.Signals | null, exitCode: number | null, stderr: string): TuttiError {
  if (signal === 'SIGSYS') return violation('it tried a system call that is not allowed')
  if (signal === 'SIGXCPU') return violation('it took too much processor time')
  if (/out of memory|allocation failed|bad_alloc|OOM/i.test(stderr)) return violation('it needs too much memory')
  const how = signal === null ? `exit code ${exitCode}` : `signal ${signal}`
  const guess = signal === 'SIGKILL' ? ' Something outside of Tutti ended it, perhaps for want of memory.' : ''
  return new TuttiError(
    'ToolError',
    `The process that Python runs in ended by itself (${how}), so there is no result; this says nothing about the ` +
      `code.${guess} Try again; if it happens again, "tutti doctor" tries Python on this machine and shows what it said.`,
    { details: { signal, exitCode, stderr } },
  )
}
