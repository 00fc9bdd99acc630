import { TuttiError } from '../../domain/errors.ts'
import type { ModelCallOptions } from '../../domain/model.ts'
import type { AssistantMessage, FinishReason, ModelTurn, TurnRequest } from '../../domain/turn.ts'
import { askModels, type AskDeps, type AskTarget, type Conversation, type Progress } from '../attempts.ts'
import { canSendSchema } from '../provider.ts'
import { DEFAULT_OUTPUT_TOKENS } from '../tokens.ts'
import { schemaRule } from '../wording.ts'
import { namedCalls } from './calls.ts'
import { turnPrompt } from './prompt.ts'
import { textCalls } from './text-calls.ts'

/**
 * One request to the actor's model and its reply, with retries; then to its second model. Tool calls are returned, not made.
 * @throws TuttiError `ModelUnavailable` after all of them failed, with the reason; `BudgetExceeded`; `Internal` for a
 * transcript with a call without its result; `Cancelled` on abort
 */
export async function turn(deps: AskDeps, request: TurnRequest, options: ModelCallOptions): Promise<ModelTurn> {
  const progress: Progress = { requests: 0, usage: undefined, hasShownText: false }
  const outcome = await askModels(deps, options, progress, (target) => conversation(request, target, options))
  if ('value' in outcome) {
    const usage = progress.usage === undefined ? {} : { usage: progress.usage }
    return { ...outcome.value, model: outcome.ref, ...usage, requests: progress.requests }
  }
  if (progress.hasShownText) options.onText?.('', 0)
  throw outcome.budget ?? new TuttiError('ModelUnavailable', `No model answered: ${outcome.reason}.`)
}

type TurnReply = Pick<ModelTurn, 'message' | 'finishReason'>

function conversation(
  request: TurnRequest,
  target: AskTarget,
  { onText }: Pick<ModelCallOptions, 'onText'>,
): Conversation<TurnReply> {
  const { head, messages, name, toolChoice, outputSchema, temperature } = request
  const { ref, provider } = target
  const { kind } = provider
  return {
    maxOutputTokens: request.maxOutputTokens ?? DEFAULT_OUTPUT_TOKENS,
    request(given) {
      const { quirks } = given
      const isSent = outputSchema !== undefined && canSendSchema(outputSchema, provider, quirks)
      const rules = outputSchema === undefined || isSent ? [] : [schemaRule(outputSchema)]
      const instructions = [head.instructions, ...rules].filter(Boolean).join('\n\n')
      return {
        ...given,
        name,
        prompt: turnPrompt(request, instructions, { ref, kind, withoutReasoning: quirks.has('reasoning') }),
        tools: head.tools,
        toolChoice,
        temperature,
        schema: isSent ? outputSchema : undefined,
      }
    },
    async read(reply) {
      const mayCall = toolChoice === 'auto' && head.tools.length > 0 && reply.finishReason === 'stop'
      const written = mayCall ? textCalls(reply.text, head.tools) : undefined
      const note = written === undefined || written.text === '' ? [] : [{ type: 'text' as const, text: written.text }]
      const own =
        written === undefined
          ? reply.parts
          : [...reply.parts.filter(({ type }) => type !== 'text'), ...note, ...written.calls]
      const parts = namedCalls(own, head.tools, [...head.messages, ...messages])
      const message: AssistantMessage = { role: 'assistant', parts, model: ref }
      if (written !== undefined) onText?.(written.text, 0)
      // `send` returns no reply with another reason.
      const finishReason = written === undefined ? (reply.finishReason as FinishReason) : 'tool-calls'
      return { value: { message, finishReason } }
    },
  }
}
