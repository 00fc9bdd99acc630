import { omitUndefined } from '../shared/json.ts'
import { TuttiError } from '../domain/errors.ts'
import type { Answered, AskOptions } from '../domain/model.ts'
import type { Prompt } from '../domain/prompt.ts'
import { parseJsonAnswer, parseTextAnswer } from './answer.ts'
import { askModels, type AskDeps, type AskTarget, type Conversation, type Progress } from './attempts.ts'
import { promptOf } from './cache-marks.ts'
import type { Failure } from './failure.ts'
import { outputJsonSchema } from './json-schema.ts'
import { canSendSchema } from './provider.ts'
import { cutOff } from './request.ts'
import { DEFAULT_OUTPUT_TOKENS } from './tokens.ts'
import { repairWording, schemaRule, wordingOf } from './wording.ts'

/**
 * Sends a prompt to the models, with retries and one repair each. If all of them fail, the reason is returned.
 * @throws TuttiError `Internal` when the input does not fit the prompt, `ConfigurationError` for a model that is not
 * configured, `Cancelled` (or the signal's own error) on abort
 */
export async function ask<I, O>(
  deps: AskDeps,
  prompt: Prompt<I, O>,
  rawInput: I,
  options: AskOptions<O>,
): Promise<Answered<O>> {
  const input = parseInput(prompt, rawInput)
  const progress: Progress = { requests: 0, usage: undefined, hasShownText: false }
  const { withoutModel } = options
  const choose = withoutModel === undefined ? deps : { ...deps, ...withNoModel(withoutModel) }
  let refused: { readonly refused?: O } = {}
  const problemWith = (value: O): string | undefined => {
    const problem = options.problemWith?.(value)
    if (problem !== undefined) refused = { refused: value }
    return problem
  }
  const asking = { ...options, problemWith }
  const outcome = await askModels(choose, options, progress, (target) => conversation(prompt, input, asking, target))
  const askOptions = {
    ...omitUndefined({ model: outcome.ref, usage: progress.usage }),
    requests: progress.requests,
  }
  if ('value' in outcome) return { value: outcome.value, by: 'model', ...askOptions }
  if (progress.hasShownText) options.onText?.('', 0)
  return { by: 'fallback', reason: outcome.reason, ...refused, ...askOptions }
}

function parseInput<I, O>(prompt: Prompt<I, O>, input: I): I {
  const parsed = prompt.input.safeParse(input)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map((issue) => `${issue.path.map(String).join('.')}: ${issue.message}`).join('; ')
  throw new TuttiError('Internal', `The input of the prompt ${prompt.name} is not valid: ${issues}.`)
}

function withNoModel(reason: string): Pick<AskDeps, 'choose' | 'chooseSecond'> {
  return { choose: async () => ({ reason }), chooseSecond: async () => undefined }
}

type Asking<O> = AskOptions<O> & Required<Pick<AskOptions<O>, 'problemWith'>>

function conversation<I, O>(prompt: Prompt<I, O>, input: I, options: Asking<O>, target: AskTarget): Conversation<O> {
  const schema = prompt.format === 'json' ? outputJsonSchema(prompt.output) : undefined
  let wording = wordingOf(prompt.render(input), options)
  return {
    maxOutputTokens: prompt.maxOutputTokens ?? DEFAULT_OUTPUT_TOKENS,
    request(given) {
      const isSent = schema !== undefined && canSendSchema(schema, target.provider, given.quirks)
      const rules = schema === undefined || isSent ? [] : [schemaRule(schema)]
      const instructions = [wording.instructions, ...rules].filter(Boolean).join('\n\n')
      return {
        ...given,
        name: prompt.name,
        prompt: promptOf({ ...wording, instructions }, target.provider.kind),
        temperature: prompt.temperature,
        schema: isSent ? schema : undefined,
      }
    },
    async read({ text, finishReason }, request) {
      if (finishReason === 'length') return cutOff(target, request)
      if (finishReason === 'content-filter') return failed(target, 'withheld its answer (content filter)', 'give-up')
      if (finishReason === 'tool-calls') return failed(target, 'called a tool that it was not given', 'retry')
      const read = await (prompt.format === 'json'
        ? parseJsonAnswer(text, prompt.output)
        : parseTextAnswer(text, prompt.output))
      const fault = read.ok ? options.problemWith(read.value)?.replace(/\.$/, '') : read.fault
      if (read.ok && fault === undefined) return { value: read.value }
      wording = repairWording(wording, text, fault!, prompt.format)
      return failed(target, `gave an answer that does not fit: ${fault}`, 'reask')
    },
  }
}

function failed({ provider }: AskTarget, what: string, next: Failure['next']): { readonly failure: Failure } {
  return { failure: { reason: `${provider.name} ${what}`, next, isReached: true, isFree: false } }
}
