import { BY_USER } from '../../core/provenance.ts'
import { defineTool, type ToolInfo } from '../../core/tool.ts'
import { loopTool, type LoopTool } from '../../core/toolkit.ts'
import { pythonText } from '../python/outcome.ts'
import { pythonInput, pythonUsage, runPython, type PythonParts, type PythonTool } from '../python/run.ts'

/** A warm start and a few seconds of work; a model's code rarely takes longer unless it never ends. */
const TIMEOUT_MS = 20_000

/** The tool as planners and users are told of it. */
export const RUN_PYTHON = {
  name: 'run_python',
  description: 'Runs Python in a sandbox without network, files of the host or state.',
  effect: 'read',
} as const satisfies ToolInfo

/**
 * Runs Python in the sandbox over results of the job. These are no part of the input, since the log holds them already. The output
 * has the labels of all that the job has seen.
 */
export function runPythonTool(parts: PythonParts): PythonTool {
  return defineTool({
    ...RUN_PYTHON,
    description: `${RUN_PYTHON.description} ${pythonUsage(parts)}`,
    reach: 'inside',
    provenance: BY_USER,
    input: pythonInput,
    run: (input, io) => runPython(input, io, parts, TIMEOUT_MS),
  })
}

export function runPythonLoopTool(parts: PythonParts): LoopTool {
  return loopTool(runPythonTool(parts), { kind: 'computation', name: 'Python' }, pythonText)
}
