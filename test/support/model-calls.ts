import type { AskOptions } from '../../src/domain/model.ts'
import { userMessage, type TranscriptMessage, type TurnRequest } from '../../src/domain/turn.ts'
import type { ProviderConfig } from '../../src/models/config.ts'

/** The provider `local`, which serves chat completions at this address. */
export function localProvider(baseUrl: string, fields: Partial<ProviderConfig> = {}): ProviderConfig {
  return { name: 'local', kind: 'compatible', source: 'TUTTI_MODEL_URL', baseUrl, defaultModel: 'm1', ...fields }
}

/** Options of one call to a model, without a budget. */
export function callOptions(fields: Partial<AskOptions> = {}): AskOptions {
  return {
    actor: 'assistant',
    models: {},
    signal: new AbortController().signal,
    reserve: () => () => {},
    ...fields,
  }
}

/** A turn of a loop with two tools. */
export function turnRequest(
  messages: readonly TranscriptMessage[] = [],
  fields: Partial<TurnRequest> = {},
): TurnRequest {
  const tools = ['mcp_weather_weather_lookup', 'query'].map((name) => ({
    name,
    description: name,
    inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
  }))
  const head = { instructions: 'Answer.', tools, messages: [userMessage('Weather?')] }
  return { name: 'test.turn', head, messages, toolChoice: 'auto', ...fields }
}
