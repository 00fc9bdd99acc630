import { TuttiError } from '../core/errors.ts'
import type { Answered, AskOptions } from '../core/model.ts'
import type { Prompt } from '../core/prompt.ts'
import { readJson, readText } from './answer.ts'
import { askModels, type AskDeps, type AskTarget, type Conversation, type Progress } from './attempts.ts'
import { promptOf } from './cache-marks.ts'
import type { Failure } from './failure.ts'
import { jsonSchemaOf } from './json-schema.ts'
import { canSendSchema } from './provider.ts'
import { cutOff } from './request.ts'
import { DEFAULT_OUTPUT_TOKENS } from './tokens.ts'
import { askAgain, schemaRule, wordingOf } from './wording.ts'

/**
 * Answers one prompt: by the model, with retries and one repair, or else by the fallback, with the reason.
 * @throws TuttiError `Internal` when the input does not fit the prompt, `ConfigurationError` for a model that is not
 * configured, `Cancelled` (or the signal's own error) on abort; whatever the fallback throws
 */
export async function ask<I, O>(
  deps: AskDeps,
  prompt: Prompt<I, O>,
  rawInput: I,
  options: AskOptions,
): Promise<Answered<O>> {
  const input = parseInput(prompt, rawInput)
  const progress: Progress = { requests: 0, usage: undefined, hasShownText: false }
  const { withoutModel } = options
  const choose = withoutModel === undefined ? deps : { ...deps, ...withNoModel(withoutModel) }
  const outcome = await askModels(choose, options, progress, (target) => conversation(prompt, input, options, target))
  const told = {
    ...(outcome.ref === undefined ? {} : { model: outcome.ref }),
    ...(progress.usage === undefined ? {} : { usage: progress.usage }),
    requests: progress.requests,
  }
  if ('value' in outcome) return { value: outcome.value, by: 'model', ...told }
  const value = (await (options.fallback === undefined ? prompt.fallback(input) : options.fallback())) as O
  if (progress.hasShownText) options.onText?.(typeof value === 'string' ? value : '', 0)
  return { value, by: 'fallback', reason: outcome.reason, ...told }
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

function conversation<I, O>(prompt: Prompt<I, O>, input: I, options: AskOptions, target: AskTarget): Conversation<O> {
  const schema = prompt.format === 'json' ? jsonSchemaOf(prompt.output) : undefined
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
      const read = await (prompt.format === 'json' ? readJson(text, prompt.output) : readText(text, prompt.output))
      if (read.ok) return { value: read.value }
      wording = askAgain(wording, text, read.fault, prompt.format)
      return failed(target, `gave an answer that does not fit: ${read.fault}`, 'reask')
    },
  }
}

function failed({ provider }: AskTarget, what: string, next: Failure['next']): { readonly failure: Failure } {
  return { failure: { reason: `${provider.name} ${what}`, next, isTrouble: false, isReached: true, isFree: false } }
}
