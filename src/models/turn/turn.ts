import { TuttiError } from '../../core/errors.ts'
import type { ModelCallOptions } from '../../core/model.ts'
import type { AssistantMessage, FinishReason, ModelTurn, TurnRequest } from '../../core/turn.ts'
import { askModels, type AskDeps, type AskTarget, type Conversation, type Progress } from '../attempts.ts'
import { isObjectSchema } from '../json-schema.ts'
import { takesSchema } from '../provider.ts'
import { DEFAULT_OUTPUT_TOKENS } from '../tokens.ts'
import { schemaRule } from '../wording.ts'
import { namedCalls } from './calls.ts'
import { turnPrompt } from './prompt.ts'

/**
 * One request to the actor's model and its reply, with retries; then to its second model. Tool calls are returned, not made.
 * @throws TuttiError `ModelUnavailable` after all of them failed, with the reason; `BudgetExceeded`; `Internal` for a
 * transcript with a call without its result; `Cancelled` on abort
 */
export async function turn(deps: AskDeps, request: TurnRequest, options: ModelCallOptions): Promise<ModelTurn> {
  const progress: Progress = { requests: 0, usage: undefined, hasShownText: false }
  const outcome = await askModels(deps, options, progress, (target) => conversation(request, target))
  if ('value' in outcome) {
    const usage = progress.usage === undefined ? {} : { usage: progress.usage }
    return { ...outcome.value, model: outcome.ref, ...usage, requests: progress.requests }
  }
  if (progress.hasShownText) options.onText?.('', 0)
  throw outcome.budget ?? new TuttiError('ModelUnavailable', `No model answered: ${outcome.reason}.`)
}

type TurnReply = Pick<ModelTurn, 'message' | 'finishReason'>

function conversation(request: TurnRequest, target: AskTarget): Conversation<TurnReply> {
  const { head, messages, name, toolChoice, outputSchema, temperature } = request
  const { ref, provider } = target
  const { kind } = provider
  return {
    maxOutputTokens: request.maxOutputTokens ?? DEFAULT_OUTPUT_TOKENS,
    request(maxOutputTokens) {
      const isSent = outputSchema !== undefined && isObjectSchema(outputSchema) && takesSchema(provider)
      const rules = outputSchema === undefined || isSent ? [] : [schemaRule(outputSchema)]
      const instructions = [head.instructions, ...rules].filter(Boolean).join('\n\n')
      return {
        name,
        prompt: turnPrompt(request, instructions, { ref, kind, withoutReasoning: false }),
        tools: head.tools,
        toolChoice,
        maxOutputTokens,
        temperature,
        schema: isSent ? outputSchema : undefined,
      }
    },
    async read(reply) {
      const parts = namedCalls(reply.parts, head.tools, [...head.messages, ...messages])
      const message: AssistantMessage = { role: 'assistant', parts, model: ref }
      // `send` returns no reply with another reason.
      return { value: { message, finishReason: reply.finishReason as FinishReason } }
    },
  }
}
