import { isObject, tryParseJson } from '../shared/json.ts'
import { textOfMessage, toolCallsOf, userMessage, type ModelTurn, type TurnRequest } from '../domain/turn.ts'

/** Observed abilities of a model. Shown to the operator; only the context window affects Tutti. */
export interface ModelProbe {
  /** `provider:model`. */
  readonly model: string
  readonly streaming: boolean
  readonly tools: boolean
  readonly parallelTools: boolean
  readonly structuredOutput: boolean
  /** In tokens, if it was measured: the longest prompt whose beginning the model still knew, up to 65,536. */
  readonly contextWindow?: number
  /** Why the first trial that failed did so. */
  readonly problem?: string
}

/** One request to the model; `pieces` is the number of chunks of its text. */
export type Trial = (request: TurnRequest) => Promise<{ readonly turn: ModelTurn; readonly pieces: number }>

type Ability = 'streaming' | 'tools' | 'parallelTools' | 'structuredOutput'

const CITY = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}
const NUMBER = {
  type: 'object',
  properties: { sum: { type: 'number' } },
  required: ['sum'],
  additionalProperties: false,
}
const WEATHER = { name: 'weather', description: 'Returns the weather of a city.', inputSchema: CITY }

const TRIALS: readonly {
  readonly request: TurnRequest
  readonly shows: (turn: ModelTurn, pieces: number) => Partial<Record<Ability, boolean>>
}[] = [
  {
    request: requestOf('streaming', 'Write the numbers from 1 to 40, separated by spaces.'),
    shows: (_turn, pieces) => ({ streaming: pieces > 1 }),
  },
  {
    request: requestOf('tools', 'What is the weather in Paris and in Rome? Look up both cities at once.', {
      head: { tools: [WEATHER] },
    }),
    shows({ message }) {
      const calls = toolCallsOf(message).filter(({ name, input }) => name === WEATHER.name && 'city' in input)
      return { tools: calls.length > 0, parallelTools: calls.length > 1 }
    },
  },
  {
    request: requestOf('structured-output', 'What is the sum of 17 and 25?', { outputSchema: NUMBER }),
    shows({ message }) {
      const value = tryParseJson(textOfMessage(message))
      return { structuredOutput: isObject(value) && typeof value['sum'] === 'number' }
    },
  },
]

/** Tests a model's abilities with three small requests. Missing abilities are reported, not thrown. */
export async function probeModel(model: string, trial: Trial): Promise<ModelProbe> {
  const found: Record<Ability, boolean> = {
    streaming: false,
    tools: false,
    parallelTools: false,
    structuredOutput: false,
  }
  const problems = await Promise.all(
    TRIALS.map(async ({ request, shows }) => {
      try {
        const { turn, pieces } = await trial(request)
        Object.assign(found, shows(turn, pieces))
        return undefined
      } catch (error) {
        return error instanceof Error ? error.message : String(error)
      }
    }),
  )
  const problem = problems.find((one) => one !== undefined)
  return { model, ...found, ...(problem === undefined ? {} : { problem }) }
}

/** Lengths of prompts that are tried, in tokens: all of them and the bisection cost about 200,000 tokens at most. */
const MIN_PROMPT_TOKENS = 2_048
const MAX_PROMPT_TOKENS = 65_536
const BISECTIONS = 2

/**
 * Measures how long a prompt may be before the server silently cuts off its beginning, which holds a marker. Undefined
 * if the model does not even find the marker in a short prompt.
 */
export async function measureContextWindow(trial: Trial): Promise<number | undefined> {
  let tokensPerLine = 10
  const passes = async (tokens: number): Promise<boolean> => {
    const marker = String(100_000 + Math.floor(tokens * 7.3))
    const lines = Math.floor(tokens / tokensPerLine)
    const filler = Array.from({ length: lines }, (_, i) => `Entry ${i}: nothing to report.`).join('\n')
    const text = `The number of the locker is ${marker}.\n${filler}\nWhat is the number of the locker?`
    try {
      const { turn } = await trial(requestOf('context-window', text))
      const hasMarker = textOfMessage(turn.message)
        .replace(/[^0-9]/g, '')
        .includes(marker)
      // How this model counts is known once a prompt was read whole.
      if (hasMarker && turn.usage !== undefined) tokensPerLine = Math.max(4, turn.usage.inputTokens / lines)
      return hasMarker
    } catch {
      return false
    }
  }
  let low = 0
  let high = 0
  for (let tokens = MIN_PROMPT_TOKENS; tokens <= MAX_PROMPT_TOKENS && high === 0; tokens *= 2) {
    if (await passes(tokens)) low = tokens
    else high = tokens
  }
  for (let i = 0; i < BISECTIONS && low > 0 && high > 0; i++) {
    const middle = Math.round((low + high) / 2)
    if (await passes(middle)) low = middle
    else high = middle
  }
  return low === 0 ? undefined : low
}

function requestOf(
  name: string,
  question: string,
  { head, ...more }: Partial<Omit<TurnRequest, 'head'>> & { readonly head?: Partial<TurnRequest['head']> } = {},
): TurnRequest {
  return {
    name: `probe.${name}`,
    head: { instructions: 'Answer briefly.', tools: [], messages: [userMessage(question)], ...head },
    messages: [],
    toolChoice: 'auto',
    ...more,
  }
}
