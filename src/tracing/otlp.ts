import { omitUndefined } from '../shared/json.ts'
import type { Receiver, TracingConfig } from './config.ts'
import { tagsOf, type Attributes, type AttributeValue, type Span, type SpanKind } from './span.ts'

/** An OTLP request in JSON (opentelemetry.io/docs/specs/otlp): hexadecimal IDs, 64-bit numbers as strings. */
export interface OtlpTraces {
  readonly resourceSpans: readonly unknown[]
}

/** Name of the installation, and the kind of receiver. */
export type OtlpOptions = Pick<TracingConfig, 'serviceName'> & { readonly kind?: Receiver['kind'] }

const INTERNAL = 1
const CLIENT = 3
const STATUS_ERROR = 2
const COST = 'tutti.usage.cost_usd'

const OBSERVATIONS: Readonly<Record<SpanKind, string>> = {
  run: 'chain',
  job: 'agent',
  model: 'generation',
  tool: 'tool',
  approval: 'guardrail',
  reflection: 'evaluator',
  transition: 'event',
}

/** Converts spans to OTLP. */
export function otlpOf(spans: readonly Span[], { serviceName = 'tutti', kind }: OtlpOptions): OtlpTraces {
  const encodedSpans = spans.map((span) => {
    const { traceId, spanId, parentId, name, startMs, endMs, attributes, errorType, content } = span
    const all = {
      ...attributes,
      ...contentAttributes(span),
      'error.type': errorType,
      ...(kind === 'langfuse' && langfuseAttributes(span)),
    }
    return {
      traceId,
      spanId,
      ...omitUndefined({ parentSpanId: parentId }),
      name,
      kind: attributes['gen_ai.operation.name'] === 'chat' ? CLIENT : INTERNAL,
      startTimeUnixNano: `${startMs}000000`,
      endTimeUnixNano: `${Math.max(startMs, endMs)}000000`,
      attributes: encoded(all),
      status: errorType === undefined ? {} : { code: STATUS_ERROR, ...omitUndefined({ message: content?.error }) },
    }
  })
  const attributes = encoded({ 'service.name': serviceName })
  return {
    resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: 'tutti' }, spans: encodedSpans }] }],
  }
}

function contentAttributes({ kind, content: { input, output } = {} }: Span): Attributes {
  if (kind === 'tool') return { 'gen_ai.tool.call.arguments': input, 'gen_ai.tool.call.result': output }
  const messageJson = (role: string, content: string | undefined, more = {}): string | undefined =>
    content === undefined ? undefined : JSON.stringify([{ role, parts: [{ type: 'text', content }], ...more }])
  return {
    'gen_ai.input.messages': messageJson('user', input),
    'gen_ai.output.messages': messageJson('assistant', output, { finish_reason: 'stop' }),
  }
}

function langfuseAttributes(span: Span): Attributes {
  const { kind, attributes, content = {}, tags } = span
  const labels = Object.entries(tagsOf(span)).map(([name, value]) => [`langfuse.observation.metadata.${name}`, value])
  return {
    'langfuse.observation.type': OBSERVATIONS[kind],
    'session.id': attributes['gen_ai.conversation.id'],
    'langfuse.trace.name': 'tutti',
    'langfuse.trace.tags': tags,
    'langfuse.observation.input': content.input,
    'langfuse.observation.output': content.output,
    ...(Object.fromEntries(labels) as Attributes),
  }
}

function encoded(attributes: Attributes): unknown[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    // Cost is always a double, so that its type does not depend on the value.
    value === undefined ? [] : [{ key, value: key === COST ? { doubleValue: value } : valueOf(value) }],
  )
}

function valueOf(value: AttributeValue): unknown {
  // An unpaired surrogate would make the receiver refuse the whole request.
  if (typeof value === 'string') return { stringValue: Buffer.from(value).toString() }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  return { arrayValue: { values: value.map(valueOf) } }
}
