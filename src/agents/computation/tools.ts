import { z } from 'zod'
import { defineTool, type Tool } from '../../core/tool.ts'
import type { Sandbox, SandboxResult } from '../../sandbox/types.ts'

/** What this agent needs of the sandbox. */
export type PythonRunner = Pick<Sandbox, 'run' | 'describe'>

export type RunPython = Tool<{ code: string }, SandboxResult>

/** A warm start and a few seconds of work; a model's code is rarely longer at it than this unless it never ends. */
const TIMEOUT_MS = 20_000

/**
 * Runs Python in the sandbox over the given data. The data is bound here and is no part of the input, since it stands in
 * the log already as the earlier agents' results. What comes out is as trusted as what went into the job.
 */
export function runPython(sandbox: PythonRunner, data: unknown): RunPython {
  return defineTool({
    name: 'run_python',
    description: 'Runs Python (standard library) in a sandbox without network, files of the host or state.',
    effect: 'read',
    input: z.object({ code: z.string().min(1) }),
    run: ({ code }, { signal }) => sandbox.run({ code, data, signal, timeoutMs: TIMEOUT_MS }),
  })
}
