import type { AskSettings } from '../core/actor.ts'
import { errorInfo } from '../core/errors.ts'
import type { Answered, AskOptions } from '../core/model.ts'
import type { Prompt } from '../core/prompt.ts'
import { addUsage } from '../core/usage.ts'
import { attemptPath, recorded, type CallScope } from './call-scope.ts'

/** `ctx.ask`: a recorded answer if there is one, else a model call within the budget; journalled either way. */
export async function askModel<I, O>(
  scope: CallScope,
  prompt: Prompt<I, O>,
  input: I,
  settings: AskSettings<O>,
): Promise<Answered<O>> {
  const { call, attempt } = scope
  const { host, job } = call
  const path = attemptPath(scope, prompt.name, input)
  const record = recorded(scope, path)
  if (record !== undefined) return answerFrom(record)

  const startedAt = host.clock.now()
  const ledger = host.budget.open()
  const options: AskOptions = {
    actor: call.actor.name,
    models: host.state.request.models,
    signal: attempt.signal,
    reserve: ledger.reserve,
    ...(settings.streamAnswer === true
      ? { onText: (text: string, offset: number) => host.streamAnswer(job.key, text, offset) }
      : {}),
    ...(settings.fallback === undefined ? {} : { fallback: settings.fallback }),
  }
  const about = { type: 'call.finished', key: job.key, path, kind: 'model', name: prompt.name, input } as const
  try {
    const answered = await host.models.ask(prompt, input, options)
    attempt.assertAlive()
    const { value: output, ...how } = answered
    host.push({ ...about, output, ...how, latencyMs: host.clock.now() - startedAt })
    call.usage = addUsage(call.usage, answered.usage, answered.requests)
    if (answered.by === 'model' && answered.model !== undefined) call.models.add(answered.model)
    return answered
  } catch (thrown) {
    if (!attempt.isOver) {
      host.push({ ...about, error: errorInfo(thrown), latencyMs: host.clock.now() - startedAt })
    }
    throw thrown
  } finally {
    ledger.close()
  }
}

function answerFrom<O>(record: NonNullable<ReturnType<typeof recorded>>): Answered<O> {
  const { output, by = 'model', reason, model, usage, requests = 0 } = record
  return {
    value: output as O,
    by,
    requests,
    ...(reason === undefined ? {} : { reason }),
    ...(model === undefined ? {} : { model }),
    ...(usage === undefined ? {} : { usage }),
  }
}
