import type { ActorContext } from '../../core/actor.ts'
import type { ArtifactRef, Artifacts } from '../../core/artifacts.ts'
import { TuttiError } from '../../core/errors.ts'
import type { Tool } from '../../core/tool.ts'
import type { Sandbox, SandboxJob, SandboxResult } from '../../sandbox/types.ts'

/** What an agent needs of the sandbox. */
export type PythonRunner = Pick<Sandbox, 'run' | 'describe'>

/** What came of a run, with its images kept beside the log. */
export type PythonResult = Omit<SandboxResult, 'images'> & { readonly images: readonly ArtifactRef[] }

export type RunPython = Tool<{ code: string }, PythonResult>

/** The tool over the data of one task, and the sandbox behind it. */
export interface Python {
  readonly tool: RunPython
  readonly sandbox: PythonRunner
}

/** Runs a job and keeps the images that the code wrote. @throws TuttiError as `Sandbox.run` does */
export async function runKeepingImages(
  sandbox: PythonRunner,
  job: SandboxJob,
  artifacts: Artifacts,
): Promise<PythonResult> {
  const { images, ...result } = await sandbox.run(job)
  const kept = images.map(({ name, mime, base64 }) => {
    return artifacts.keep({ name, mediaType: mime, bytes: Buffer.from(base64, 'base64') })
  })
  return { ...result, images: await Promise.all(kept) }
}

/** What code may import, as a sentence for a model. */
export function librariesOf(sandbox: PythonRunner): string {
  const { packages } = sandbox.describe()
  if (packages.length > 0) return `the standard library, ${packages.join(' and ')}; no other package.`
  return 'the standard library alone; no numpy, pandas, matplotlib or any other package, and no time zone data.'
}

/** Calls the tool: what the sandbox gave, or the violation that ended it. Other errors are for the engine. */
export async function tryPython(
  code: string,
  ctx: ActorContext,
  { tool, sandbox }: Python,
): Promise<PythonResult | TuttiError> {
  try {
    const result = await ctx.call(tool, { code })
    const { ok, elapsedMs, truncated, error } = result
    if (ok) ctx.note('TOOL', 'Python ran', { elapsedMs, truncated, isolation: sandbox.describe() })
    else ctx.note('ERROR', 'Python failed', { error, elapsedMs, isolation: sandbox.describe() })
    return result
  } catch (error) {
    if (TuttiError.is(error, 'SandboxViolation')) return error
    throw error
  }
}
