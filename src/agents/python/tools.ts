import { omitUndefined } from '../../shared/json.ts'
import { BY_USER } from '../../domain/provenance.ts'
import { defineTool, type ToolInfo, type ToolIo, type Tool, loopTool, type LoopTool } from '../../domain/tool.ts'
import { pythonText, mainTable, pythonSource } from './outcome.ts'
import { z } from 'zod'
import type { ArtifactRef, Artifacts } from '../../domain/artifacts.ts'
import type { Source } from '../../domain/result.ts'
import type { Table } from '../../domain/table.ts'
import type { Sandbox, SandboxResult } from '../../sandbox/types.ts'
import { dataFor, describeData, type InputTable } from '../../tool-loop/input-tables.ts'

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

/** The part of the sandbox that an agent uses. */
export type PythonRunner = Pick<Sandbox, 'run'>

/** The output of a run. Its images are stored outside the log. */
export interface PythonOutput extends Omit<SandboxResult, 'images'> {
  readonly images: readonly ArtifactRef[]
  /** The table that the code returned, if any. */
  readonly tabular?: Table
  readonly sources: readonly Source[]
}

const pythonInput = z.object({
  code: z.string().min(1),
  results: z.array(z.string()).max(20).optional(),
})

export type PythonInput = z.infer<typeof pythonInput>

/** A tool that runs Python over the results of one job. */
type PythonTool = Tool<PythonInput, PythonOutput>

/** Dependencies of one job's Python tools. */
export interface PythonParts {
  readonly sandbox: PythonRunner
  /** Results of earlier tasks, which the code always finds in `data`. */
  readonly given: readonly InputTable[]
  readonly artifacts: Artifacts
}

/** Runs code over the results that it is given. @throws TuttiError as `Sandbox.run` does; `ToolError` for an unknown handle */
async function runPython(
  { code, results = [] }: PythonInput,
  { signal, result }: Pick<ToolIo, 'signal' | 'result'>,
  { sandbox, given: tables, artifacts }: PythonParts,
): Promise<PythonOutput> {
  const data = dataFor(tables, results, result)
  const { images, ...output } = await sandbox.run({ code, data, signal })
  const savedImages = images.map(({ name, mime, base64 }) => {
    return artifacts.keep({ name, mediaType: mime, bytes: Buffer.from(base64, 'base64') })
  })
  return {
    ...output,
    images: await Promise.all(savedImages),
    ...omitUndefined({ tabular: mainTable(output.tables) }),
    sources: output.ok ? [pythonSource(code)] : [],
  }
}

/** How code gets at data and returns its result, for the description of a tool. */
function pythonUsage({ given: tables }: PythonParts): string {
  const names = tables.length === 0 ? '' : ` data already holds the rows of ${describeData(tables)}.`
  return `Returns what is printed and the last expression; a list of dicts is a table. With \`results\` ["s1"], data["s1"] is the rows of [s1] as dicts, dates as strings; of a text, the text.${names} It can import only the standard library, without time zone data.`
}
