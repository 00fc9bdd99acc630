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

/** Values of the variable that enables texts in traces: enabled, and other valid values. */
const WITH_CONTENT = /^(?:true|span_only|span_and_event)$/i
const WITHOUT_CONTENT = /^(?:|false|no_content|event_only)$/i

/**
 * Reads the standard variables of OpenTelemetry for traces (`OTEL_…`) and the keys of Langfuse (`LANGFUSE_…`); undefined when
 * neither names a receiver, so that nothing is sent.
 * @throws TuttiError `ConfigurationError` naming the variable that is wrong, without its value
 */
export function tracingFromEnv(env: Environment): TracingConfig | undefined {
  const read = variableReader(env)
  if (read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined
  const receivers = [otlpReceiver(read), langfuseReceiver(read)].flatMap((receiver) => receiver ?? [])
  if (receivers.length === 0) return undefined
  const resource = pairsIn(read, 'OTEL_RESOURCE_ATTRIBUTES')
  const capture = 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT'
  const content = WITH_CONTENT.test(read(capture) ?? '')
  if (!content && !WITHOUT_CONTENT.test(read(capture) ?? ''))
    throw configurationError(`${capture} is neither true nor false.`)
  const serviceName = read('OTEL_SERVICE_NAME') ?? resource?.['service.name']
  return { receivers, content, ...omitUndefined({ serviceName, resource }) }
}

function otlpReceiver(read: ReadVariable): Receiver | undefined {
  const exporters = read('OTEL_TRACES_EXPORTER') ?? 'otlp'
  const own = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')
  const shared = read('OTEL_EXPORTER_OTLP_ENDPOINT')
  if (!exporters.split(',').some((name) => name.trim() === 'otlp') || (own ?? shared) === undefined) return undefined
  const of = (name: string): string | undefined =>
    read(`OTEL_EXPORTER_OTLP_TRACES_${name}`) ?? read(`OTEL_EXPORTER_OTLP_${name}`)
  if (of('PROTOCOL') === 'grpc') {
    throw configurationError(
      'OTEL_EXPORTER_OTLP_PROTOCOL is grpc; set OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/json and an endpoint for that (port 4318 as a rule), or OTEL_TRACES_EXPORTER=none to send no traces.',
    )
  }
  const url =
    own === undefined
      ? `${serverAddress('OTEL_EXPORTER_OTLP_ENDPOINT', shared!)}/v1/traces`
      : serverAddress('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', own)
  const headers = {
    ...pairsIn(read, 'OTEL_EXPORTER_OTLP_HEADERS'),
    ...pairsIn(read, 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'),
  }
  const timeout = of('TIMEOUT')
  if (timeout !== undefined && !/^[1-9]\d{0,6}$/.test(timeout)) {
    throw configurationError('OTEL_EXPORTER_OTLP_TIMEOUT is no number of milliseconds.')
  }
  return { kind: 'otlp', url, headers, ...(timeout === undefined ? {} : { timeoutMs: Number(timeout) }) }
}

function langfuseReceiver(read: ReadVariable): Receiver | undefined {
  const [publicKey, secretKey] = [read('LANGFUSE_PUBLIC_KEY'), read('LANGFUSE_SECRET_KEY')]
  if (publicKey === undefined && secretKey === undefined) return undefined
  if (publicKey === undefined || secretKey === undefined) {
    throw configurationError('Of LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY one is missing; set both, or neither.')
  }
  const name = read('LANGFUSE_HOST') === undefined ? 'LANGFUSE_BASE_URL' : 'LANGFUSE_HOST'
  const host = serverAddress(name, read(name) ?? LANGFUSE_URL)
  const signIn = Buffer.from(`${publicKey}:${secretKey}`).toString('base64')
  const headers = { authorization: `Basic ${signIn}`, 'x-langfuse-ingestion-version': '4' }
  return { kind: 'langfuse', url: `${host}/api/public/otel/v1/traces`, headers }
}

/** `name=value,name=value`, with special characters of the values percent-encoded. */
function pairsIn(read: ReadVariable, variable: string): Record<string, string> | undefined {
  const pairs = read(variable)
    ?.split(',')
    .filter((pair) => pair.trim() !== '')
  return (
    pairs &&
    Object.fromEntries(
      pairs.map((pair) => {
        const [, name, value] = /^\s*([^=\s]+)\s*=(.*)$/s.exec(pair) ?? []
        if (name === undefined)
          throw configurationError(`${variable} is not a list of name=value, with commas between.`)
        return [name, decodePercent(value!.trim())]
      }),
    )
  )
}
