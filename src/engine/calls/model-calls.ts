import type { AskSettings } from '../../core/actor.ts'
import type { Answered, AskOptions } from '../../core/model.ts'
import type { Prompt } from '../../core/prompt.ts'
import type { CallRecord } from '../../core/state.ts'
import { attemptPath, jobPath, recorded, type CallSite } from './call-site.ts'
import { loggedError, plainCopy } from '../log/plain-json.ts'
import { feedbackOf } from './job-inputs.ts'
import { feedbackSection, preambleOf } from '../run/preamble.ts'

/** What the engine asks for a job itself: once for all its attempts, by the model of another actor. */
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
  const record = recorded(site, path)
  if (record !== undefined) return answerFrom(record)

  const startedAt = host.clock.now()
  const ledger = host.budget.open()
  const { streamAnswer = false } = settings
  const release = typeof streamAnswer === 'function' ? streamAnswer : undefined
  const show = (text: string, offset: number): void => {
    if (!attempt.isOver) host.streamAnswer(job.key, text, offset, release)
  }
  const { recollection } = host.state
  const feedback = settings.asActor === undefined ? feedbackOf(call) : undefined
  const preamble = prompt.withoutMemory === true ? undefined : preambleOf(recollection)
  const before = [settings.about, feedback === undefined ? undefined : feedbackSection(feedback)].filter(Boolean)
  const again = prompt.withoutMemory === true || before.length === 0 ? undefined : before.join('\n\n')
  const told = preamble === undefined ? undefined : recollection?.provenance
  call.hasSeen(told)
  const options: AskOptions = {
    actor: settings.asActor ?? settings.modelOf ?? call.actor.name,
    job: job.key,
    models: host.state.request.models,
    signal: attempt.signal,
    ...withinOf(attempt.leftMs),
    ...(call.withoutModel === undefined ? {} : { withoutModel: call.withoutModel }),
    reserve: ledger.reserve,
    ...(preamble === undefined ? {} : { preamble }),
    ...(again === undefined ? {} : { feedback: again }),
    ...(streamAnswer === false ? {} : { onText: show }),
    ...(settings.fallback === undefined ? {} : { fallback: settings.fallback }),
  }
  const about = {
    type: 'call.finished',
    key: job.key,
    path,
    kind: 'model',
    name: prompt.name,
    input,
    ...(told === undefined ? {} : { provenance: told }),
  } as const
  try {
    const answered = await host.models.ask(prompt, rawInput, options)
    attempt.assertAlive()
    const value = plainCopy(answered.value, `The answer to prompt "${prompt.name}"`)
    const { value: _value, ...how } = answered
    host.push({ ...about, output: plainCopy(value, 'An answer'), ...how, latencyMs: host.clock.now() - startedAt })
    call.hasAsked(answered.usage, answered.requests, answered.by === 'model' ? answered.model : undefined)
    return { ...answered, value }
  } catch (thrown) {
    // Requests that were made count, also when nobody waits for their answer.
    const { calls: requests, ...usage } = ledger.used
    if (!attempt.isOver || requests > 0) {
      const paid = requests > 0 ? { requests, usage } : {}
      host.push({ ...about, error: loggedError(thrown), ...paid, latencyMs: host.clock.now() - startedAt })
      call.hasAsked(usage, requests, undefined)
    }
    throw thrown
  } finally {
    ledger.close()
  }
}

/** The last tenth of a job's time is for its fallback and for what comes after the answer. */
function withinOf(leftMs: number | undefined): { withinMs?: number } {
  return leftMs === undefined ? {} : { withinMs: Math.floor(leftMs * 0.9) }
}

function answerFrom<O>(record: CallRecord): Answered<O> {
  const { output, by = 'model', reason, model, usage, requests = 0 } = record
  return {
    value: plainCopy(output as O, 'A recorded answer'),
    by,
    requests,
    ...(reason === undefined ? {} : { reason }),
    ...(model === undefined ? {} : { model }),
    ...(usage === undefined ? {} : { usage }),
  }
}
