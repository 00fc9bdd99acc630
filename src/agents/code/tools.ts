import { z } from 'zod'
import type { Artifacts } from '../../core/artifacts.ts'
import { BY_USER } from '../../core/provenance.ts'
import { defineTool, type ToolInfo } from '../../core/tool.ts'
import { runKeepingImages, type PythonRunner, type RunPython } from '../python/run.ts'

/** What a person has agreed to may take its time. */
const TIMEOUT_MS = 60_000

/** The tool as planners and people are told of it. */
export const EXECUTE_CODE = {
  name: 'execute_code',
  description: 'Runs Python in a sandbox without network or files of the host, after approval of the exact code.',
  effect: 'irreversible',
} as const satisfies ToolInfo

/**
 * Runs Python in the sandbox after a person's approval of the exact code (SPEC R10). The data is bound here and is no
 * part of what is approved: it stands in the log already as the earlier agents' results. A run that was cut off has left
 * nothing behind, so it is simply made again.
 */
export function executeCode(sandbox: PythonRunner, data: unknown, artifacts: Artifacts): RunPython {
  return defineTool({
    ...EXECUTE_CODE,
    provenance: BY_USER, // whatever it says was in the code or the data
    input: z.object({ code: z.string().min(1) }),
    destination: () => 'the sandbox',
    run: ({ code }, { signal }) => runKeepingImages(sandbox, { code, data, signal, timeoutMs: TIMEOUT_MS }, artifacts),
    check: async () => ({ state: 'not-done' }),
  })
}
