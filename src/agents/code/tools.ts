import { BY_USER } from '../../domain/provenance.ts'
import { defineTool, type ToolInfo } from '../../domain/tool.ts'
import { loopTool, type LoopTool } from '../../domain/toolkit.ts'
import { pythonText } from '../python/outcome.ts'
import { pythonInput, pythonUsage, runPython, type PythonParts, type PythonTool } from '../python/run.ts'

/** The tool as planners and users see it. */
export const EXECUTE_CODE = {
  name: 'execute_code',
  description: 'Runs Python in a sandbox without network or files of the host, after approval of the exact code.',
  effect: 'irreversible',
} as const satisfies ToolInfo

/**
 * Runs Python in the sandbox after a user's approval of the exact code. Results that the code reads are not part of the
 * approval, since they are in the log. An interrupted run has no effects, so it is repeated.
 */
export function executeCode(parts: PythonParts): PythonTool {
  return defineTool({
    ...EXECUTE_CODE,
    description: `${EXECUTE_CODE.description} ${pythonUsage(parts)}`,
    provenance: BY_USER, // the output adds nothing to the code and the results
    input: pythonInput,
    destination: () => 'the sandbox',
    run: (input, io) => runPython(input, io, parts),
    check: async () => ({ state: 'not-done' }),
  })
}

export function executeCodeLoopTool(parts: PythonParts): LoopTool {
  return loopTool(executeCode(parts), { kind: 'computation', name: 'Python' }, pythonText)
}
