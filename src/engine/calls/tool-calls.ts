import { TuttiError } from '../../domain/errors.ts'
import { omitUndefined, isObject } from '../../shared/json.ts'
import { combine, type Provenance } from '../../domain/provenance.ts'
import { problemsIn } from '../../domain/schema-problems.ts'
import { createSecrets, MASK, secretsIn } from '../../domain/secrets.ts'
import type { Tool, ToolInfo } from '../../domain/tool.ts'
import { attemptPath, outcomeAt, recordedCall, usesRights, type CallSite } from './call-site.ts'
import { callIrreversible } from './irreversible-calls.ts'
import { ioOf, outputOf, provenanceOf, provenanceOfError, type DeclaredSecrets } from './tool-io.ts'
import { checkEgress } from '../egress/check.ts'
import { loggedError, plainCopy } from '../log/plain-json.ts'

/**
 * `ctx.call`: validates the input and runs the tool, journalled. Irreversible tools use the effect ledger. Other tools
 * wait for approval if the call would carry out something other than the user's own words.
 */
export async function callTool<I, O, P>(site: CallSite, tool: Tool<I, O, P>, rawInput: I): Promise<O> {
  const { call, attempt } = site
  const { host, job } = call
  const known = site.position && outcomeAt(host.state, job.key, site.position)
  if (known?.error !== undefined) throw TuttiError.fromInfo(known.error)
  if (known !== undefined && known.isOpen !== true) return plainCopy(known.output as O, 'A recorded output')
  const input = parseInput(tool, rawInput)
  if (host.state.request.shadow === true && tool.effect !== 'read') throw trialRunError(tool.name)
  const { masked, secrets } = maskFields(plainCopy(input, inputOf(tool), 'ToolError'), tool.secretFields)
  const parse = (payload: unknown): P => parseInput(tool, withSecrets(payload, input, tool.secretFields) as I)
  if (tool.effect === 'irreversible') return callIrreversible(site, tool, input, { payload: masked, secrets, parse })
  // The tool may never have been declared.
  if (tool.effect !== 'read' && tool.effect !== 'write') {
    const message = `The effect of the tool "${tool.name}" must be "read", "write" or "irreversible"; make it with defineTool.`
    throw new TuttiError('ConfigurationError', message)
  }

  const path = attemptPath(site, tool.name, input)
  const record = recordedCall(site, path)
  if (record !== undefined) {
    call.addLabels(record.provenance)
    return plainCopy(record.output as O, 'A recorded output')
  }

  tool.assertPossible?.(input)
  const sent = await checkEgress(site, tool, { input, payload: masked }, path, parse)
  if (usesRights(site)) await host.assertPermitted()
  const startedAt = host.clock.now()
  const name = { type: 'call.finished', key: job.key, path, kind: 'tool', name: tool.name } as const
  const entry = {
    ...name,
    input: sent.payload,
    effect: tool.effect,
    ...secrets,
  }
  // Recorded with the call: when the journal answers it later, its code does not run and reads nothing.
  const read = new Set<Provenance>()
  const { signal } = attempt
  const cutOff = (): void => {
    const reason = 'This call was cut off half-way and may have taken place.'
    if (tool.effect === 'write') host.push({ type: 'effect.unknown', key: job.key, path, tool: tool.name, reason })
  }
  signal.addEventListener('abort', cutOff, { once: true })
  try {
    const ran = await call.watchReads(read, () => tool.run(sent.input, ioOf(site, path, signal)))
    const output = plainCopy(ran, outputOf(tool), 'ToolError')
    attempt.assertAlive()
    const provenance = withReads(provenanceOf(tool, output), read)
    call.addLabels(provenance)
    host.push({
      ...entry,
      output: plainCopy(output, outputOf(tool)),
      latencyMs: host.clock.now() - startedAt,
      ...omitUndefined({ provenance }),
    })
    return output
  } catch (thrown) {
    const provenance = withReads(provenanceOfError(tool), read)
    call.addLabels(provenance)
    if (!attempt.isOver) {
      const latencyMs = host.clock.now() - startedAt
      host.push({ ...entry, error: loggedError(thrown), latencyMs, ...omitUndefined({ provenance }) })
    } else if (!signal.aborted) cutOff()
    throw thrown
  } finally {
    signal.removeEventListener('abort', cutOff)
  }
}

function withReads(declared: Provenance | undefined, read: ReadonlySet<Provenance>): Provenance | undefined {
  return read.size === 0 ? declared : combine([declared, ...read])
}

/** The error of a call that a trial run does not make. */
function trialRunError(tool: string): TuttiError {
  const message = `This is a trial run, in which "${tool}" is not called, since it would change something.`
  return new TuttiError('ApprovalDenied', message, { details: { tool, reason: 'trial_run' } })
}

function parseInput<I, O, P>(tool: Tool<I, O, P>, input: I): P {
  const parsed = tool.input.safeParse(input)
  if (parsed.success) return parsed.data
  const issues = problemsIn(parsed.error).map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`)
  throw new TuttiError('ToolError', `Tool "${tool.name}" was called with wrong input: ${issues.join('; ')}.`)
}

function inputOf({ name }: Pick<ToolInfo, 'name'>): string {
  return `The input of tool "${name}"`
}

/** An edited payload with the secrets of the original input, which are hidden from users. */
function withSecrets(payload: unknown, input: unknown, fields: readonly string[] = []): unknown {
  if (!isObject(payload) || !isObject(input)) return payload
  const hidden = fields.filter((name) => payload[name] === MASK)
  return { ...payload, ...Object.fromEntries(hidden.map((name) => [name, input[name]])) }
}

/** The input with secret fields masked, and the secrets to mask in its outcome. */
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
