import { omitUndefined, decodePercent } from '../../shared/json.ts'
import type { Receiver, TracingConfig } from '../../tracing/config.ts'
import {
  configurationError,
  type Environment,
  type ReadVariable,
  serverAddress,
  variableReader,
} from './environment.ts'

const LANGFUSE_URL = 'https://cloud.langfuse.com'

/**
 * Reads the variables of OpenTelemetry for traces (`OTEL_…`) and of Langfuse (`LANGFUSE_…`); undefined when neither names a
 * receiver, so that nothing is sent.
 * @throws TuttiError `ConfigurationError` naming the variable that is wrong, without its value
 */
export function tracingFromEnv(env: Environment): TracingConfig | undefined {
  const read = variableReader(env)
  if (read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined
  const receivers = [otlpReceiver(read), langfuseReceiver(read)].flatMap((receiver) => receiver ?? [])
  if (receivers.length === 0) return undefined
  const capture = 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT'
  const content = read(capture)?.toLowerCase() ?? 'false'
  if (content !== 'true' && content !== 'false') throw configurationError(`${capture} is neither true nor false.`)
  return { receivers, content: content === 'true', ...omitUndefined({ serviceName: read('OTEL_SERVICE_NAME') }) }
}

function otlpReceiver(read: ReadVariable): Receiver | undefined {
  const endpoint = read('OTEL_EXPORTER_OTLP_ENDPOINT')
  if (endpoint === undefined || read('OTEL_TRACES_EXPORTER') === 'none') return undefined
  const url = `${serverAddress('OTEL_EXPORTER_OTLP_ENDPOINT', endpoint)}/v1/traces`
  return { kind: 'otlp', url, headers: pairsIn(read, 'OTEL_EXPORTER_OTLP_HEADERS') }
}

function langfuseReceiver(read: ReadVariable): Receiver | undefined {
  const [publicKey, secretKey] = [read('LANGFUSE_PUBLIC_KEY'), read('LANGFUSE_SECRET_KEY')]
  if (publicKey === undefined && secretKey === undefined) return undefined
  if (publicKey === undefined || secretKey === undefined) {
    throw configurationError('Of LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY one is missing; set both, or neither.')
  }
  const host = serverAddress('LANGFUSE_HOST', read('LANGFUSE_HOST') ?? LANGFUSE_URL)
  const signIn = Buffer.from(`${publicKey}:${secretKey}`).toString('base64')
  const headers = { authorization: `Basic ${signIn}`, 'x-langfuse-ingestion-version': '4' }
  return { kind: 'langfuse', url: `${host}/api/public/otel/v1/traces`, headers }
}

/** `name=value,name=value`, with special characters of the values percent-encoded. */
function pairsIn(read: ReadVariable, variable: string): Record<string, string> {
  const pairs = (read(variable) ?? '').split(',').filter((pair) => pair.trim() !== '')
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value] = /^\s*([^=\s]+)\s*=(.*)$/s.exec(pair) ?? []
      if (name === undefined) throw configurationError(`${variable} is not a list of name=value, with commas between.`)
      return [name, decodePercent(value!.trim())]
    }),
  )
}
