import type { Schemas } from '../../../client/api-types.ts'
import { CircleAlert, Puzzle, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { api, type Items } from '../../../client/api.ts'
import { useChange, useGet } from '../../app/data.ts'
import { useIsAdmin } from '../../app/session.ts'
import { Difference } from '../../ui/difference.tsx'
import { Section } from '../../ui/field.tsx'
import { Fetched, Page } from '../../ui/page.tsx'
import { Empty, ForAdmins, Trouble } from '../../ui/states.tsx'
import { Sure } from '../../ui/sure.tsx'
import { useWords } from '../../words/words.tsx'

type ToolServer = Schemas['ToolServer']
type Tool = ToolServer['changed'][number]

const TONES = { read: '', write: 'tone-info', irreversible: 'tone-warn' } as const

/** The MCP servers whose tools agents use: what each offers, what a call may do, and what waits to be accepted. */
export default function ServersPage() {
  const { words } = useWords()
  const isAdmin = useIsAdmin()
  const servers = useGet<Items<ToolServer>>('/servers', isAdmin)
  const [asked, setAsked] = useState<ToolServer | undefined>()
  const accept = useChange(
    ({ name, changed, added }: ToolServer) =>
      api.post(`/servers/${encodeURIComponent(name)}/accept`, {
        seen: [...changed, ...added].map(({ name: tool, digest }) => ({ name: tool, digest })),
      }),
    '/servers',
  )
  return (
    <Page title={words.servers.title} lead={words.servers.lead}>
      {isAdmin ? (
        <>
          {accept.error === null ? null : <Trouble error={accept.error} />}
          <Fetched query={servers}>
            {({ items }) =>
              items.length === 0 ? (
                <Empty icon={Puzzle} title={words.servers.none}>
                  <p>{words.servers.noneHint}</p>
                  <a href="/guide/mcp" className="btn mt-3">
                    {words.palette.guide}
                  </a>
                </Empty>
              ) : (
                <>
                  {items.map((server) => (
                    <Entry key={server.name} server={server} accept={() => setAsked(server)} />
                  ))}
                </>
              )
            }
          </Fetched>
        </>
      ) : (
        <ForAdmins />
      )}
      {asked === undefined ? null : (
        <Sure action={words.servers.accept} yes={() => accept.mutate(asked)} close={() => setAsked(undefined)}>
          {words.servers.acceptSure(asked.name, [...asked.changed, ...asked.added].map(({ name }) => name).join(', '))}
        </Sure>
      )}
    </Page>
  )
}

const schemaOf = (schema: object): string => JSON.stringify(schema, undefined, 1)

function Entry({ server, accept }: { server: ToolServer; accept: () => void }) {
  const { words } = useWords()
  const { name, problem, effects, accepted, changed, before, added, gone, leftOut } = server
  const waiting = changed.length + added.length
  const line = ({ name: tool, description, inputSchema, readOnly }: Tool, state?: string, was?: Tool) => (
    <li key={`${state} ${tool}`} className={`line items-start ${state === undefined ? '' : 'bg-surface-2'}`}>
      <code className="mono w-52 flex-none font-medium wrap-anywhere">{tool}</code>
      <span className="min-w-48 flex-1 text-text-2 wrap-anywhere">
        <Difference before={was?.description ?? description} now={description} />
        {was === undefined || was.readOnly === readOnly ? null : (
          <span className="block">{words.servers.says[readOnly ? 'reads' : 'changes']}</span>
        )}
        {state === undefined ? null : (
          <pre className="mono mt-1 text-12 whitespace-pre-wrap">
            <Difference before={schemaOf(was?.inputSchema ?? inputSchema)} now={schemaOf(inputSchema)} />
          </pre>
        )}
      </span>
      {state !== undefined ? (
        <span className="badge tone-warn">{state}</span>
      ) : effects[tool] === undefined ? null : (
        <span className={`badge ${TONES[effects[tool]]}`}>{words.servers.effect[effects[tool]]}</span>
      )}
    </li>
  )
  return (
    <Section
      title={name}
      lead={words.servers.tools(accepted.length)}
      actions={
        <span className={`badge ${problem === undefined ? 'tone-ok' : 'tone-bad'}`}>
          {problem === undefined ? words.servers.answers : words.servers.isDown}
        </span>
      }
    >
      {problem === undefined ? null : (
        <p className="banner tone-bad m-4">
          <CircleAlert size={16} aria-hidden />
          <span className="min-w-0 wrap-anywhere">{problem}</span>
        </p>
      )}
      {waiting === 0 ? null : (
        <div className="banner tone-warn m-4 items-center">
          <TriangleAlert size={16} aria-hidden />
          <p className="min-w-0 flex-1">
            <b>{words.servers.waiting(waiting)}</b> {words.servers.waitingHint}
          </p>
          <button type="button" className="btn btn-sm" onClick={accept}>
            {words.servers.accept}
          </button>
        </div>
      )}
      <ul>
        {changed.map((tool, at) => line(tool, words.servers.changed, before[at]))}
        {added.map((tool) => line(tool, words.servers.added))}
        {accepted.map((tool) => line(tool))}
      </ul>
      {gone.length + leftOut.length === 0 ? null : (
        <p className="border-t border-line px-4 py-2 text-12 text-text-2 wrap-anywhere">
          {gone.length === 0 ? null : <span className="block">{words.servers.gone(gone.join(', '))}</span>}
          {leftOut.length === 0 ? null : <span className="block">{words.servers.leftOut(leftOut.join('; '))}</span>}
        </p>
      )}
    </Section>
  )
}
