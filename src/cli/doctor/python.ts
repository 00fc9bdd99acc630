import { TuttiError, toTuttiError } from '../../domain/errors.ts'
import type { Sandbox, SandboxDescription } from '../../sandbox/types.ts'

/** State of the sandbox after running a piece of code in it. */
export interface PythonReport extends SandboxDescription {
  /** Whether a piece of Python ran just now. */
  readonly works: boolean
  /** Peak memory in MiB of a process that allocated as much as it could; absent if the kernel does not report it. */
  readonly peakMb?: number
  /** Why Python does not work although it should, in one sentence. */
  readonly problem?: string
}

/** Runs a piece of Python before reporting on the sandbox: a process that starts may still fail at its first job. */
export async function checkPython(sandbox: Sandbox): Promise<PythonReport> {
  const { unavailable, backend } = sandbox.describe()
  if (unavailable !== undefined) {
    // A chosen backend must work. A sandbox that this machine cannot provide is reported as off.
    return { ...sandbox.describe(), works: false, ...(backend === 'cpython' ? { problem: unavailable } : {}) }
  }
  try {
    const measured = await sandbox.check()
    return { ...sandbox.describe(), works: true, ...measured }
  } catch (thrown) {
    const { message } = toTuttiError(thrown)
    const stderr = TuttiError.is(thrown, 'ToolError') ? thrown.details?.stderr : undefined
    const last = stderr?.trim().split('\n').at(-1)
    return { ...sandbox.describe(), works: false, problem: last ? `${message} It said at last: ${last}` : message }
  }
}
