import { z } from 'zod'
import type { Artifacts } from '../../core/artifacts.ts'
import { BY_USER } from '../../core/provenance.ts'
import { defineTool, type ToolInfo } from '../../core/tool.ts'
import { librariesOf, runKeepingImages, type PythonRunner, type RunPython } from '../python/run.ts'

/** A warm start and a few seconds of work; a model's code is rarely longer at it than this unless it never ends. */
const TIMEOUT_MS = 20_000

const USAGE =
  'Print what you need, or set the variable result. The variable data is a dict: the rows of each earlier result by its name.'

/** The tool as planners and people are told of it. */
export const RUN_PYTHON = {
  name: 'run_python',
  description: 'Runs Python in a sandbox without network, files of the host or state.',
  effect: 'read',
} as const satisfies ToolInfo

/**
 * Runs Python in the sandbox over the given data. The data is bound here and is no part of the input, since it stands in
 * the log already as the earlier agents' results. What comes out is as trusted as what went into the job.
 */
export function runPython(sandbox: PythonRunner, data: unknown, artifacts: Artifacts): RunPython {
  return defineTool({
    ...RUN_PYTHON,
    description: `${RUN_PYTHON.description} ${USAGE} It can import ${librariesOf(sandbox)}`,
    reach: 'inside',
    provenance: BY_USER,
    input: z.object({ code: z.string().min(1) }),
    run: ({ code }, { signal }) => runKeepingImages(sandbox, { code, data, signal, timeoutMs: TIMEOUT_MS }, artifacts),
  })
}
