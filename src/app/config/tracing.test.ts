import { describe, expect, it } from 'vitest'
import { tracingFromEnv } from './tracing.ts'

const OTLP = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }
const LANGFUSE = { LANGFUSE_PUBLIC_KEY: 'pk-lf-1', LANGFUSE_SECRET_KEY: 'sk-lf-2' }

describe('tracingFromEnv', () => {
  it('sends nothing without a receiver', () => {
    expect(tracingFromEnv({})).toBeUndefined()
  })

  it('reads the standard variables', () => {
    expect(tracingFromEnv(OTLP)).toEqual({
      receivers: [{ kind: 'otlp', url: 'http://collector:4318/v1/traces', headers: {} }],
      content: false,
    })
    const all = {
      ...OTLP,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%3Db, x-team = coffee',
      OTEL_SERVICE_NAME: 'shop',
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'TRUE',
    }
    const headers = { authorization: 'Bearer a=b', 'x-team': 'coffee' }
    expect(tracingFromEnv(all)).toEqual({
      receivers: [{ kind: 'otlp', url: 'http://collector:4318/v1/traces', headers }],
      content: true,
      serviceName: 'shop',
    })
  })

  it('reads the keys of Langfuse, in addition to another receiver', () => {
    const headers = { authorization: 'Basic cGstbGYtMTpzay1sZi0y', 'x-langfuse-ingestion-version': '4' }
    const url = (host: string): string => `${host}/api/public/otel/v1/traces`
    expect(tracingFromEnv(LANGFUSE)?.receivers).toEqual([
      { kind: 'langfuse', url: url('https://cloud.langfuse.com'), headers },
    ])
    const own = { ...OTLP, ...LANGFUSE, LANGFUSE_HOST: 'http://langfuse.internal:3000/' }
    expect(tracingFromEnv(own)?.receivers.map((receiver) => receiver.url)).toEqual([
      'http://collector:4318/v1/traces',
      url('http://langfuse.internal:3000'),
    ])
  })

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://me:geheim@collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    [{ ...OTLP, OTEL_EXPORTER_OTLP_HEADERS: 'geheim' }, 'OTEL_EXPORTER_OTLP_HEADERS'],
    [{ ...OTLP, OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'geheim' }, 'CAPTURE_MESSAGE_CONTENT'],
    [{ LANGFUSE_PUBLIC_KEY: 'geheim' }, 'LANGFUSE_SECRET_KEY'],
    [{ ...LANGFUSE, LANGFUSE_HOST: 'geheim' }, 'LANGFUSE_HOST'],
  ])('reports the fault of %j without its value', (env, variable) => {
    expect(() => tracingFromEnv(env)).toThrow(
      expect.objectContaining({ code: 'ConfigurationError', message: expect.stringContaining(variable) }),
    )
    expect(() => tracingFromEnv(env)).not.toThrow('geheim')
  })
})
