import { z } from 'zod'

const DEFAULT_STEPS = 8
const MS = { ms: 1, s: 1_000, m: 60_000 } as const

/** Seconds, or a number with a unit: `30`, `30s`, `2m`. */
const duration = z
  .union([z.number(), z.string().regex(/^\d+(\.\d+)?(ms|s|m)?$/, 'must be seconds, or such as 90s or 5m')])
  .transform((value) => {
    const [, amount, unit] = /^([\d.]+)(ms|s|m)?$/.exec(String(value)) ?? []
    return Number(amount) * MS[(unit as keyof typeof MS | undefined) ?? 's']
  })
  .pipe(z.number('must be seconds, or such as 90s or 5m').positive('must be more than zero'))

const text = z.string().trim().min(1, 'must not be empty')

/** Not every provider takes more than 1, but all take as much. */
const temperature = z.number().min(0).max(2)

const modelName = z.string().regex(/^[^:\s]+:\S/, 'must be provider:model, such as openai:gpt-5.4-mini')

interface ModelSettings {
  /** `provider:model`. */
  readonly name?: string
  readonly temperature?: number | undefined
  readonly maxOutputTokens?: number | undefined
}

interface PromptSettings {
  readonly instructions: string
  /** JSON Schema of the data that the agent returns with its answer. */
  readonly output?: Readonly<Record<string, unknown>> | undefined
}

const model = z.union([
  modelName.transform((name): ModelSettings => ({ name })),
  z
    .strictObject({
      name: modelName.optional(),
      provider: z.string().min(1).optional(),
      model: z.string().min(1).optional(),
      temperature: temperature.optional(),
      maxOutputTokens: z.number().int().positive().optional(),
    })
    .refine((given) => given.name === undefined || (given.provider ?? given.model) === undefined, {
      message: 'takes either name, or provider and model',
    })
    .refine((given) => (given.provider === undefined) === (given.model === undefined), {
      message: 'needs provider and model together',
    })
    .transform(({ name, provider, model: own, ...rest }): ModelSettings => ({
      ...rest,
      ...(name === undefined && own === undefined ? {} : { name: name ?? `${provider}:${own}` }),
    })),
])

const prompt = z.union([
  text.transform((instructions): PromptSettings => ({ instructions })),
  z.strictObject({
    instructions: text,
    output: z.record(z.string(), z.unknown()).optional(),
  }),
])

const words = z.array(text)

/** The declaration of an agent in YAML, with camelCase names. */
export const definitionSchema = z.strictObject({
  name: z.string().regex(/^[A-Za-z][\w-]*$/, 'must begin with a letter and hold letters, digits, _ and - only'),
  description: text,
  capabilities: words.default([]),
  keywords: words.optional(),
  useCases: words.default([]),
  requiredContext: words.optional(),
  tools: words.refine((names) => new Set(names).size === names.length, 'names a tool twice').default([]),
  timeout: duration.optional(),
  retries: z.number().int().min(0).max(10).optional(),
  model: model.optional(),
  temperature: temperature.optional(),
  maxOutputTokens: z.number().int().positive().optional(),
  maxSteps: z.number().int().min(1).max(50).default(DEFAULT_STEPS),
  prompt: prompt.optional(),
})

export type Definition = z.output<typeof definitionSchema>

/** Other names for fields, under which registries of agents know them. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['typicalUseCases', 'useCases'],
  ['defaultTimeout', 'timeout'],
  ['maxRetries', 'retries'],
])

/** `max_retries` and `maxRetries` are `retries`. */
export function normalizeField(key: string): string {
  const camel = key.replaceAll(/(?<=[a-z\d])[_-]([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return ALIASES.get(camel) ?? camel
}
