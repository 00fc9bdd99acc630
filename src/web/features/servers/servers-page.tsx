import type { Schemas } from '../../../client/api-types.ts'
import { CircleAlert, Puzzle, ShieldX, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { api, type Items } from '../../../client/api.ts'
import { useChange, useGet } from '../../app/data.ts'
import { useIsAdmin } from '../../app/session.ts'
import { Section } from '../../ui/field.tsx'
import { Fetched, Page } from '../../ui/page.tsx'
import { Empty, AdminsOnly, ServerText, Trouble } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { useGrantees } from '../admin/grantees.ts'
import { AcceptDialog, ToolDifference } from './accept-dialog.tsx'

type ToolServer = Schemas['ToolServer']
type Tool = ToolServer['changed'][number]
type Accepted = ToolServer['accepted'][number]

const TONES = { read: '', write: 'tone-info', irreversible: 'tone-warn' } as const

/** MCP servers: their tools, the effects of calls, and changes that need acceptance. */
export default function ServersPage() {
  const { words } = useWords()
  const isAdmin = useIsAdmin()
  const servers = useGet<Items<ToolServer>>('/servers', isAdmin)
  const [asked, setAsked] = useState<ToolServer | undefined>()
  const accept = useChange(
    ({ server: { name, changed, added }, reason }: { server: ToolServer; reason: string }) =>
      api.post(`/servers/${encodeURIComponent(name)}/accept`, {
        reason,
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
        <AdminsOnly />
      )}
      {asked === undefined ? null : (
        <AcceptDialog
          server={asked}
          accept={(reason) => accept.mutate({ server: asked, reason })}
          close={() => setAsked(undefined)}
        />
      )}
    </Page>
  )
}

function Entry({ server, accept }: { server: ToolServer; accept: () => void }) {
  const { words, formats } = useWords()
  const { name, problem, effects, accepted, changed, before, added, gone, leftOut } = server
  const nameOf = useGrantees()
  const [isKept, setKept] = useState(false)
  const waiting = changed.length + added.length
  const line = (tool: Tool | Accepted, state?: string, was?: Tool) => (
    <li key={`${state} ${tool.name}`} className={`line items-start ${state === undefined ? '' : 'bg-surface-2'}`}>
      <code className="mono w-52 flex-none font-medium wrap-anywhere">{tool.name}</code>
      <div className="min-w-48 flex-1">
        {state === undefined ? (
          <span className="text-text-2 wrap-anywhere">{tool.description}</span>
        ) : (
          <ToolDifference tool={tool} was={was} />
        )}
        {'because' in tool && tool.because !== undefined ? (
          <p className="mt-1 text-12 text-text-3 wrap-anywhere">
            {words.servers.because({
              who: nameOf[`user:${tool.because.by}`] ?? tool.because.by,
              when: formats.date(Date.parse(tool.because.at)),
              reason: tool.because.reason,
            })}
          </p>
        ) : null}
      </div>
      {state !== undefined ? (
        <span className="badge tone-warn">{state}</span>
      ) : effects[tool.name] === undefined ? null : (
        <span className={`badge ${TONES[effects[tool.name]!]}`}>{words.servers.effect[effects[tool.name]!]}</span>
      )}
    </li>
  )
  return (
    <Section
      title={name}
      lead={words.servers.tools({ n: accepted.length })}
      actions={
        <span className={`badge ${problem === undefined ? 'tone-ok' : 'tone-bad'}`}>
          {problem === undefined ? words.servers.answers : words.servers.isDown}
        </span>
      }
    >
      {problem === undefined ? null : (
        <p className="banner tone-bad m-4">
          <CircleAlert size={16} aria-hidden />
          <span className="min-w-0 wrap-anywhere">
            <ServerText text={problem} />
          </span>
        </p>
      )}
      {waiting === 0 ? null : (
        <div className={`banner m-4 flex-wrap items-center ${isKept ? '' : 'tone-warn'}`}>
          {isKept ? <ShieldX size={16} aria-hidden /> : <TriangleAlert size={16} aria-hidden />}
          <p className="min-w-48 flex-1">
            <b>{words.servers.waiting({ n: waiting })}</b> {words.servers.waitingHint}
          </p>
          <span className="flex flex-wrap gap-2">
            <button type="button" className="btn btn-sm" onClick={accept}>
              {words.servers.acceptMore}
            </button>
            {isKept ? null : (
              <button type="button" className="btn btn-primary btn-sm" onClick={() => setKept(true)}>
                <ShieldX size={14} aria-hidden />
                {words.servers.keepOff({ n: waiting })}
              </button>
            )}
          </span>
        </div>
      )}
      <ul>
        {changed.map((tool, at) => line(tool, words.servers.changed, before[at]))}
        {added.map((tool) => line(tool, words.servers.added))}
        {accepted.map((tool) => line(tool))}
      </ul>
      {gone.length + leftOut.length === 0 ? null : (
        <p className="border-t border-line px-4 py-2 text-12 text-text-2 wrap-anywhere">
          {gone.length === 0 ? null : <span className="block">{words.servers.gone({ tools: gone.join(', ') })}</span>}
          {leftOut.length === 0 ? null : (
            <span className="block">{words.servers.leftOut({ why: leftOut.join('; ') })}</span>
          )}
        </p>
      )}
    </Section>
  )
}
