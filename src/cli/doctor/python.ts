import { TuttiError, toTuttiError } from '../../domain/errors.ts'
import type { Sandbox, SandboxDescription } from '../../sandbox/types.ts'

/** What the sandbox is, after a piece of code has really run in it. */
export interface PythonReport extends SandboxDescription {
  /** Whether a piece of Python ran just now. */
  readonly works: boolean
  /** The most memory that a process had which took all it could get; absent where the kernel does not tell. */
  readonly peakMb?: number
  /** Why Python does not work although it should, one sentence. */
  readonly problem?: string
}

/** Runs a piece of Python before anything is said of the sandbox: a process that comes up may still fail at its first job. */
export async function checkPython(sandbox: Sandbox): Promise<PythonReport> {
  const { unavailable, backend } = sandbox.describe()
  if (unavailable !== undefined) {
    // What was chosen must work; what this machine cannot do by nature is off, and said.
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
