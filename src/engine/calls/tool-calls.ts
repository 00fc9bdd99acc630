import { isProvenance } from '../../core/declaration.ts'
import { TuttiError } from '../../core/errors.ts'
import type { EventBody } from '../../core/events.ts'
import { TRUSTED, untrusted, type Provenance } from '../../core/provenance.ts'
import { createSecrets, MASK, secretsIn } from '../../core/secrets.ts'
import type { Tool, ToolIo } from '../../core/tool.ts'
import { attemptPath, recorded, type CallScope } from './call-scope.ts'
import { callIrreversible } from './effects.ts'
import { earlierCalls } from '../outward/earlier-calls.ts'
import { requireLeave } from '../outward/leave.ts'
import { loggedError, plainCopy } from '../log/plain.ts'

/**
 * `ctx.call`: checks the input and runs the tool, journalled; irreversible tools go through the effect ledger, others wait
 * for approval where they would carry out what is not the user's own words.
 */
export async function callTool<I, O>(scope: CallScope, tool: Tool<I, O>, rawInput: I): Promise<O> {
  const input = parseInput(tool, rawInput)
  const { masked, secrets } = maskFields(plainCopy(input, inputOf(tool), 'ToolError'), tool.secretFields)
  if (tool.effect === 'irreversible') return callIrreversible(scope, tool, input, { payload: masked, secrets })

  const { call, attempt } = scope
  const { host, job } = call
  const path = attemptPath(scope, tool.name, input)
  const record = recorded(scope, path)
  if (record !== undefined) return plainCopy(record.output as O, 'A recorded output')

  await requireLeave(scope, tool, input, masked)
  const startedAt = host.clock.now()
  const name = { type: 'call.finished', key: job.key, path, kind: 'tool', name: tool.name } as const
  const about = { ...name, input: masked, ...secrets }
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

/** For the event of a call. */
export type DeclaredSecrets = Pick<EventBody, 'secrets'>

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
  if (declared === TRUSTED) return undefined
  return declared !== undefined && isProvenance(declared) ? declared : untrusted(`tool ${name}`)
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
    epoch: scope.call.host.epoch,
    get earlier() {
      return earlierCalls(scope.call)
    },
  }
}

export function idempotencyKey({ call }: CallScope, path: string): string {
  return `${call.host.state.runId}/${path}`
}

/** The input as people see it, and what must not be seen of what comes of it either. */
function maskFields(input: unknown, fields: readonly string[] = []): { masked: unknown; secrets: DeclaredSecrets } {
  if (fields.length === 0 || typeof input !== 'object' || input === null) return { masked: input, secrets: {} }
  const isSecret = (name: string): boolean => fields.includes(name)
  const entries = Object.entries(input)
  const secrets = [
    ...secretsIn(
      entries.filter(([name]) => isSecret(name)).map(([, value]) => value),
      true,
    ),
  ]
  const masked = Object.fromEntries(entries.map(([name, value]) => [name, isSecret(name) ? MASK : value]))
  return { masked: createSecrets(secrets).value(masked), secrets: secrets.length === 0 ? {} : { secrets } }
}
