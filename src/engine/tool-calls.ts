import { TuttiError } from '../core/errors.ts'
import { TRUSTED, untrusted, type Provenance } from '../core/provenance.ts'
import type { Tool, ToolIo } from '../core/tool.ts'
import { attemptPath, recorded, type CallScope } from './call-scope.ts'
import { callIrreversible } from './effects.ts'
import { earlierCalls } from './outward/earlier-calls.ts'
import { requireLeave } from './outward/leave.ts'
import { loggedError, plainCopy } from './plain.ts'

/**
 * `ctx.call`: checks the input and runs the tool, journalled; irreversible tools go through the effect ledger, others wait
 * for approval where they would carry out what is not the user's own words.
 */
export async function callTool<I, O>(scope: CallScope, tool: Tool<I, O>, rawInput: I): Promise<O> {
  const input = parseInput(tool, rawInput)
  const masked = plainCopy(maskSecrets(input, tool.secretFields), inputOf(tool), 'ToolError')
  if (tool.effect === 'irreversible') return callIrreversible(scope, tool, input, masked)

  const { call, attempt } = scope
  const { host, job } = call
  const path = attemptPath(scope, tool.name, input)
  const record = recorded(scope, path)
  if (record !== undefined) return plainCopy(record.output as O, 'A recorded output')

  await requireLeave(scope, tool, input, masked)
  const startedAt = host.clock.now()
  const about = { type: 'call.finished', key: job.key, path, kind: 'tool', name: tool.name, input: masked } as const
  try {
    const output = plainCopy(await tool.run(input, ioOf(scope, path, attempt.signal)), outputOf(tool), 'ToolError')
    attempt.assertAlive()
    const provenance = provenanceOf(tool, output)
    call.hasSeen(provenance)
    host.push({
      ...about,
      output: plainCopy(output, outputOf(tool)),
      latencyMs: host.clock.now() - startedAt,
      ...(provenance === undefined ? {} : { provenance }),
    })
    return output
  } catch (thrown) {
    const provenance = provenanceOfError(tool)
    call.hasSeen(provenance)
    if (!attempt.isOver) {
      const seen = provenance === undefined ? {} : { provenance }
      host.push({ ...about, error: loggedError(thrown), latencyMs: host.clock.now() - startedAt, ...seen })
    }
    throw thrown
  }
}

function parseInput<I, O>(tool: Tool<I, O>, input: I): I {
  const parsed = tool.input.safeParse(input)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`)
  throw new TuttiError('ToolError', `Tool "${tool.name}" was called with wrong input: ${issues.join('; ')}.`)
}

function inputOf<I, O>(tool: Tool<I, O>): string {
  return `The input of tool "${tool.name}"`
}

export function outputOf<I, O>(tool: Tool<I, O>): string {
  return `The output of tool "${tool.name}"`
}

/** What a tool says of itself; undefined when that needs no mark. One that says nothing may return anybody's words. */
export function provenanceOf<I, O>({ name, provenance }: Tool<I, O>, output: O): Provenance | undefined {
  const declared = typeof provenance === 'function' ? provenance(output) : provenance
  return declared === TRUSTED ? undefined : (declared ?? untrusted(`tool ${name}`))
}

/** The words of an error may be a stranger's as well as those of an answer. */
export function provenanceOfError<I, O>({ name, provenance }: Tool<I, O>): Provenance | undefined {
  if (provenance === TRUSTED) return undefined
  return typeof provenance === 'object' ? provenance : untrusted(`an error of ${name}`)
}

/** What a tool is given beside its input. */
export function ioOf(scope: CallScope, path: string, signal: AbortSignal): ToolIo {
  return {
    signal,
    idempotencyKey: idempotencyKey(scope, path),
    get earlier() {
      return earlierCalls(scope.call)
    },
  }
}

export function idempotencyKey({ call }: CallScope, path: string): string {
  return `${call.host.state.runId}/${path}`
}

function maskSecrets(input: unknown, secretFields: readonly string[] = []): unknown {
  if (secretFields.length === 0 || typeof input !== 'object' || input === null) return input
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, secretFields.includes(name) ? '***' : value]),
  )
}
