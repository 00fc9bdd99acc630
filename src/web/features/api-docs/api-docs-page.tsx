import { FileJson, Play } from 'lucide-react'
import { useState } from 'react'
import { useGet } from '../../app/data.ts'
import { Field } from '../../ui/field.tsx'
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
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
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
  const [wanted, setWanted] = useState('')
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
        <Field label={words.apiDocs.find} type="search" value={wanted} say={setWanted} />
      </div>
      <Fetched query={useGet<OpenApi>('/openapi.json')} lines={8}>
        {({ paths }) => {
          const all = Object.entries(paths).flatMap(([path, methods]) =>
            Object.entries(methods).map(([method, operation]): Endpoint => ({ ...operation, method, path })),
          )
          const found = all.filter(({ method, path, summary = '' }) =>
            `${method} ${path} ${summary}`.toLowerCase().includes(wanted.trim().toLowerCase()),
          )
          const tags = [...new Set(found.map((one) => one.tags?.[0] ?? ''))].toSorted()
          return (
            <>
              {found.length === 0 ? <p className="text-13 text-text-2">{words.apiDocs.noMatch}</p> : null}
              {tags.map((tag) => (
                <section key={tag} className="mb-6" aria-labelledby={`of-${tag}`}>
                  <h2 id={`of-${tag}`} lang="en" className="label mb-2">
                    {tag}
                  </h2>
                  <ul className="card overflow-hidden">
                    {found.flatMap((one) =>
                      (one.tags?.[0] ?? '') === tag ? [<Entry key={`${one.method} ${one.path}`} endpoint={one} />] : [],
                    )}
                  </ul>
                </section>
              ))}
            </>
          )
        }}
      </Fetched>
    </Page>
  )
}

function Entry({ endpoint }: { endpoint: Endpoint }) {
  const [isOpen, setOpen] = useState(false)
  const { method, path, summary } = endpoint
  return (
    <li className="border-b border-line last:border-b-0">
      <button
        type="button"
        className="flex w-full flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 text-left text-13 hover:bg-surface-2"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={`badge w-14 justify-center uppercase ${TONES[method] ?? ''}`}>{method}</span>
        <code className="mono font-medium wrap-anywhere">{path}</code>
        <span lang="en" className="w-full text-text-2 sm:w-auto sm:flex-1">
          {summary}
        </span>
      </button>
      {isOpen ? <Details endpoint={endpoint} /> : null}
    </li>
  )
}

interface Reply {
  readonly status: number
  readonly text: string
}

/** Parameters and body; what only reads can be tried out. */
function Details({ endpoint }: { endpoint: Endpoint }) {
  const { words } = useWords()
  const { method, path, parameters = [], requestBody } = endpoint
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [reply, setReply] = useState<Reply | undefined>()
  const body = Object.values(requestBody?.content ?? {})[0]?.schema
  const tryIt = async (): Promise<void> => {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(values[name] ?? ''))
    const asked = new URLSearchParams(
      parameters.flatMap(({ name, in: place }) => (place === 'query' && values[name] ? [[name, values[name]]] : [])),
    )
    try {
      const response = await fetch(`${filled}${asked.size === 0 ? '' : `?${asked}`}`, {
        headers: { accept: 'application/json' },
        // A stream has no end that anybody could wait for here.
        signal: AbortSignal.timeout(10_000),
      })
      setReply({ status: response.status, text: pretty(await response.text()) })
    } catch (thrown) {
      setReply({ status: 0, text: (thrown as Error).message })
    }
  }
  return (
    <form
      className="flex flex-col gap-3 border-t border-line bg-surface-2 p-4"
      onSubmit={(event) => {
        event.preventDefault()
        void tryIt()
      }}
    >
      {parameters.length === 0 ? null : (
        <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
          {parameters.map(({ name, in: place, required = false, description, schema }) => (
            <Field
              key={`${place} ${name}`}
              label={`${name} (${place})`}
              required={required}
              disabled={method !== 'get'}
              placeholder={schema?.enum?.join(' | ') ?? String(schema?.default ?? schema?.type ?? '')}
              {...(description === undefined ? {} : { hint: description })}
              value={values[name] ?? ''}
              say={(value) => setValues({ ...values, [name]: value })}
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
        <button type="submit" className="btn btn-sm self-start">
          <Play size={14} aria-hidden />
          {words.apiDocs.tryIt}
        </button>
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
    </form>
  )
}

const MAX_CHARS = 20_000

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2).slice(0, MAX_CHARS)
  } catch {
    return text.slice(0, MAX_CHARS)
  }
}
