import type { AskSettings } from '../../domain/actor.ts'
import { omitUndefined } from '../../shared/json.ts'
import type { Answered, AskOptions } from '../../domain/model.ts'
import type { Prompt } from '../../domain/prompt.ts'
import type { CallRecord } from '../../domain/state.ts'
import { attemptPath, jobPath, recordedCall, type CallSite } from './call-site.ts'
import { loggedError, plainCopy } from '../log/plain-json.ts'
import { feedbackOf } from './job-inputs.ts'
import { feedbackSection, modelContext } from '../run/model-context.ts'

/** A question that the engine itself asks for a job, once for all its attempts, with another actor's model. */
interface OwnAsk<O> extends AskSettings<O> {
  readonly asActor?: string
}

/** `ctx.ask`: a recorded answer if there is one, else a model call within the budget; journalled either way. */
export async function askModel<I, O>(
  site: CallSite,
  prompt: Prompt<I, O>,
  rawInput: I,
  settings: OwnAsk<O>,
): Promise<Answered<O>> {
  const { call, attempt } = site
  const { host, job } = call
  const input = plainCopy(rawInput, `The input of prompt "${prompt.name}"`)
  const pathOf = settings.asActor === undefined ? attemptPath : jobPath
  const path = pathOf(site, prompt.name, input)
  const record = recordedCall(site, path)
  if (record !== undefined) {
    call.addLabels(record.provenance)
    return answerFrom(record)
  }

  const startedAt = host.clock.now()
  const ledger = host.budget.open()
  const { streamAnswer = false } = settings
  const release = typeof streamAnswer === 'function' ? streamAnswer : undefined
  const show = (text: string, offset: number): void => {
    if (!attempt.isOver) host.streamAnswer(job.key, text, offset, release)
  }
  const { recollection } = host.state
  const feedback = settings.asActor === undefined ? feedbackOf(call) : undefined
  const preamble = prompt.withoutMemory === true ? undefined : modelContext(recollection)
  const before = [settings.about, feedback === undefined ? undefined : feedbackSection(feedback)].filter(Boolean)
  const hints = prompt.withoutMemory === true || before.length === 0 ? undefined : before.join('\n\n')
  const preambleLabels = preamble === undefined ? undefined : recollection?.provenance
  call.addLabels(preambleLabels)
  const options: AskOptions<O> = {
    actor: settings.asActor ?? settings.modelOf ?? call.actor.name,
    job: job.key,
    models: host.state.request.models,
    signal: attempt.signal,
    reserve: ledger.reserve,
    // The last tenth of a job's time is reserved for the work after the answer.
    ...omitUndefined({ withinMs: attempt.leftMs && Math.floor(attempt.leftMs * 0.9), withoutModel: call.withoutModel }),
    ...omitUndefined({ problemWith: settings.problemWith, preamble, feedback: hints }),
    ...(streamAnswer === false ? {} : { onText: show }),
  }
  const entry = {
    type: 'call.finished',
    key: job.key,
    path,
    kind: 'model',
    name: prompt.name,
    input,
    ...omitUndefined({ provenance: preambleLabels }),
  } as const
  try {
    const answered = await host.models.ask(prompt, rawInput, options)
    attempt.assertAlive()
    const { value, refused, ...how } = { refused: undefined, ...answered }
    const outcome = plainCopy(omitUndefined({ output: value, refused }), `The answer to prompt "${prompt.name}"`)
    host.push({ ...entry, ...outcome, ...how, latencyMs: host.clock.now() - startedAt })
    call.recordUsage(answered.usage, answered.requests, answered.by === 'model' ? answered.model : undefined)
    return answered.by === 'model' ? { ...answered, value: plainCopy(answered.value, 'An answer') } : answered
  } catch (thrown) {
    // Requests count as usage even if nothing waits for their answer any longer.
    const { calls: requests, ...usage } = ledger.used
    if (!attempt.isOver || requests > 0) {
      const paid = requests > 0 ? { requests, usage } : {}
      host.push({ ...entry, error: loggedError(thrown), ...paid, latencyMs: host.clock.now() - startedAt })
      call.recordUsage(usage, requests, undefined)
    }
    throw thrown
  } finally {
    ledger.close()
  }
}

function answerFrom<O>(record: CallRecord): Answered<O> {
  const { output, refused, by, reason = 'no reason is known', model, usage, requests = 0 } = record
  const metadata = { requests, ...omitUndefined({ model, usage }) }
  const value = plainCopy((by === 'fallback' ? refused : output) as O, 'A recorded answer')
  return by === 'fallback'
    ? { by, reason, ...omitUndefined({ refused: value }), ...metadata }
    : { by: 'model', value, ...metadata }
}
