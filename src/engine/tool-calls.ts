import { TuttiError } from '../core/errors.ts'
import type { Provenance } from '../core/provenance.ts'
import type { Tool } from '../core/tool.ts'
import { attemptPath, recorded, type CallScope } from './call-scope.ts'
import { callIrreversible } from './effects.ts'
import { loggedError, plainCopy } from './plain.ts'

/** `ctx.call`: checks the input and runs the tool, journalled; irreversible tools go through the effect ledger. */
export async function callTool<I, O>(scope: CallScope, tool: Tool<I, O>, rawInput: I): Promise<O> {
  const input = parseInput(tool, rawInput)
  const masked = plainCopy(maskSecrets(input, tool.secretFields), inputOf(tool), 'ToolError')
  if (tool.effect === 'irreversible') return callIrreversible(scope, tool, input, masked)

  const { call, attempt } = scope
  const { host, job } = call
  const path = attemptPath(scope, tool.name, input)
  const record = recorded(scope, path)
  if (record !== undefined) return plainCopy(record.output as O, 'A recorded output')

  const startedAt = host.clock.now()
  const about = { type: 'call.finished', key: job.key, path, kind: 'tool', name: tool.name, input: masked } as const
  try {
    const output = plainCopy(
      await tool.run(input, { signal: attempt.signal, idempotencyKey: idempotencyKey(scope, path), epoch: host.epoch }),
      outputOf(tool),
      'ToolError',
    )
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
    if (!attempt.isOver) {
      host.push({ ...about, error: loggedError(thrown), latencyMs: host.clock.now() - startedAt })
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

export function provenanceOf<I, O>(tool: Tool<I, O>, output: O): Provenance | undefined {
  return typeof tool.provenance === 'function' ? tool.provenance(output) : tool.provenance
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
