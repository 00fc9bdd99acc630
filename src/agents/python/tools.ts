import { BY_USER } from '../../domain/provenance.ts'
import { defineTool, type ToolInfo, type ToolIo, loopTool, type LoopTool } from '../../domain/tool.ts'
import { pythonText } from './outcome.ts'
import { pythonInput, pythonUsage, runPython, type PythonInput, type PythonParts, type PythonTool } from './run.ts'

/** The tools as planners and users see them. */
export const RUN_PYTHON = {
  name: 'run_python',
  description: 'Runs Python in a sandbox without network and files.',
  effect: 'read',
} as const satisfies ToolInfo

export const EXECUTE_CODE = {
  name: 'execute_code',
  description: 'Runs Python in a sandbox without network or files of the host, after approval of the exact code.',
  effect: 'irreversible',
} as const satisfies ToolInfo

/**
 * Runs Python in the sandbox over results of the job. The results are not part of the input, since the log already has
 * them. The output gets the labels of all that the job has read.
 */
export function runPythonTool(parts: PythonParts): PythonTool {
  return defineTool({ ...RUN_PYTHON, ...partsOfTool(RUN_PYTHON, parts), reach: 'inside' })
}

/** The same after a user's approval of the exact code. An interrupted run has no effects, so it is repeated. */
export function executeCode(parts: PythonParts): PythonTool {
  return defineTool({
    ...EXECUTE_CODE,
    ...partsOfTool(EXECUTE_CODE, parts),
    destination: () => 'the sandbox',
    check: async () => ({ state: 'not-done' }),
  })
}

function partsOfTool({ description }: ToolInfo, parts: PythonParts) {
  return {
    description: `${description} ${pythonUsage(parts)}`,
    provenance: BY_USER, // the output adds nothing to the code and the results
    input: pythonInput,
    run: (input: PythonInput, io: ToolIo) => runPython(input, io, parts),
  }
}

export function pythonLoopTool(tool: PythonTool): LoopTool {
  return loopTool(tool, { kind: 'computation', name: 'Python' }, pythonText)
}
