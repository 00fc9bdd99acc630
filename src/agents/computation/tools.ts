import { BY_USER } from '../../domain/provenance.ts'
import { defineTool, type ToolInfo } from '../../domain/tool.ts'
import { loopTool, type LoopTool } from '../../domain/toolkit.ts'
import { pythonText } from '../python/outcome.ts'
import { pythonInput, pythonUsage, runPython, type PythonParts, type PythonTool } from '../python/run.ts'

/** The tool as planners and users see it. */
export const RUN_PYTHON = {
  name: 'run_python',
  description: 'Runs Python in a sandbox without network and files.',
  effect: 'read',
} as const satisfies ToolInfo

/**
 * Runs Python in the sandbox over results of the job. The results are not part of the input, since the log already has
 * them. The output gets the labels of all that the job has read.
 */
export function runPythonTool(parts: PythonParts): PythonTool {
  return defineTool({
    ...RUN_PYTHON,
    description: `${RUN_PYTHON.description} ${pythonUsage(parts)}`,
    reach: 'inside',
    provenance: BY_USER,
    input: pythonInput,
    run: (input, io) => runPython(input, io, parts),
  })
}

export function runPythonLoopTool(parts: PythonParts): LoopTool {
  return loopTool(runPythonTool(parts), { kind: 'computation', name: 'Python' }, pythonText)
}
