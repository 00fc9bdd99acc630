import { FileJson, Play } from 'lucide-react'
import { useState } from 'react'
import { useGet } from '../../app/data.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { DisclosureRow } from '../../ui/list.tsx'
import { Fetched, Page } from '../../ui/page.tsx'
import { useWords } from '../../locales/words.tsx'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: { readonly type?: string; readonly enum?: readonly string[]; readonly default?: unknown }
}

interface Operation {
  readonly tags?: readonly string[]
  readonly summary?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: unknown }>> }
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Endpoint extends Operation {
  readonly method: string
  readonly path: string
}

const TONES: Readonly<Record<string, string>> = {
  get: 'tone-info',
  post: 'tone-ok',
  put: 'tone-warn',
  patch: 'tone-warn',
  delete: 'tone-bad',
}

/** All endpoints of the HTTP API, from the OpenAPI document of the server. */
export default function ApiDocsPage() {
  const { words } = useWords()
  const [text, setText] = useState('')
  return (
    <Page
      title={words.apiDocs.title}
      lead={words.apiDocs.lead}
      actions={
        <a className="btn btn-sm ml-auto" href="/openapi.json">
          <FileJson size={14} aria-hidden />
          openapi.json
        </a>
      }
    >
      <div className="mb-4 max-w-90">
        <Field label={words.apiDocs.find} type="search" value={text} onChange={setText} />
      </div>
      <Fetched query={useGet<OpenApi>('/openapi.json')} lines={8}>
        {({ paths }) => {
          const groups = groupByTag(endpointsOf(paths).filter((endpoint) => isMatch(endpoint, text)))
          if (groups.length === 0) return <p className="text-13 text-text-2">{words.apiDocs.noMatch}</p>
          return groups.map(({ tag, endpoints }) => (
            <section key={tag} className="mb-6" aria-labelledby={`of-${tag}`}>
              <h2 id={`of-${tag}`} lang="en" className="label mb-2">
                {tag}
              </h2>
              <ul className="card overflow-hidden">
                {endpoints.map((endpoint) => (
                  <Entry key={`${endpoint.method} ${endpoint.path}`} endpoint={endpoint} />
                ))}
              </ul>
            </section>
          ))
        }}
      </Fetched>
    </Page>
  )
}

function endpointsOf(paths: OpenApi['paths']): readonly Endpoint[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
  )
}

function isMatch({ method, path, summary = '' }: Endpoint, text: string): boolean {
  return `${method} ${path} ${summary}`.toLowerCase().includes(text.trim().toLowerCase())
}

function groupByTag(endpoints: readonly Endpoint[]) {
  const tagOf = ({ tags }: Endpoint): string => tags?.[0] ?? ''
  const tags = [...new Set(endpoints.map(tagOf))].toSorted()
  return tags.map((tag) => ({ tag, endpoints: endpoints.filter((endpoint) => tagOf(endpoint) === tag) }))
}

function Entry({ endpoint }: { endpoint: Endpoint }) {
  const { method, path, summary } = endpoint
  return (
    <DisclosureRow
      summary={
        <>
          <span className={`badge w-14 justify-center uppercase ${TONES[method] ?? ''}`}>{method}</span>
          <code className="mono font-medium wrap-anywhere">{path}</code>
          <span lang="en" className="w-full text-text-2 sm:w-auto sm:flex-1">
            {summary}
          </span>
        </>
      }
      className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5"
    >
      <Details endpoint={endpoint} />
    </DisclosureRow>
  )
}

/** Parameters and body of an endpoint. Those that only read can be called. */
function Details({ endpoint }: { endpoint: Endpoint }) {
  const { words } = useWords()
  const { method, path, parameters = [], requestBody } = endpoint
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [reply, setReply] = useState<{ readonly status: number; readonly text: string }>()
  const body = Object.values(requestBody?.content ?? {})[0]?.schema
  const send = async (): Promise<void> => {
    const filledPath = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(values[name] ?? ''))
    const query = new URLSearchParams(
      parameters.flatMap(({ name, in: place }) => (place === 'query' && values[name] ? [[name, values[name]]] : [])),
    )
    try {
      const response = await fetch(`${filledPath}?${query}`, {
        headers: { accept: 'application/json' },
        // Event streams do not end.
        signal: AbortSignal.timeout(10_000),
      })
      setReply({ status: response.status, text: indentJson(await response.text()) })
    } catch (thrown) {
      setReply({ status: 0, text: (thrown as Error).message })
    }
  }
  return (
    <Form className="flex flex-col gap-3 border-t border-line bg-surface-2 p-4" submit={() => void send()}>
      {parameters.length === 0 ? null : (
        <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
          {parameters.map(({ name, in: place, required = false, description, schema }) => (
            <Field
              key={`${place} ${name}`}
              label={`${name} (${place})`}
              required={required}
              disabled={method !== 'get'}
              placeholder={schema?.enum?.join(' | ') ?? String(schema?.default ?? schema?.type ?? '')}
              hint={description}
              value={values[name] ?? ''}
              onChange={(value) => setValues({ ...values, [name]: value })}
            />
          ))}
        </div>
      )}
      {body === undefined ? null : (
        <>
          <h3 className="text-12 font-medium">{words.apiDocs.body}</h3>
          <pre className="code max-h-72 overflow-auto" tabIndex={0}>
            {JSON.stringify(body, undefined, 2)}
          </pre>
        </>
      )}
      {method === 'get' ? (
        <Button label={words.apiDocs.tryIt} icon={Play} type="submit" className="btn-sm self-start" />
      ) : null}
      {reply === undefined ? null : (
        <div role="status">
          <span className={`badge mb-1 ${reply.status >= 200 && reply.status < 300 ? 'tone-ok' : 'tone-bad'}`}>
            {reply.status}
          </span>
          <pre className="code max-h-96 overflow-auto" tabIndex={0}>
            {reply.text}
          </pre>
        </div>
      )}
    </Form>
  )
}

/** Maximum length of a shown response. */
const MAX_CHARS = 20_000

function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2).slice(0, MAX_CHARS)
  } catch {
    return text.slice(0, MAX_CHARS)
  }
}
