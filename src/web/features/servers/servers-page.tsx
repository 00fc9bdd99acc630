import type { Schemas } from '../../../client/api-types.ts'
import { CircleAlert, Puzzle, ShieldX, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { api, type Items } from '../../../client/api.ts'
import { useChange, useGet } from '../../app/data.ts'
import { useIsAdmin } from '../../app/session.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/field.tsx'
import { Fetched, Page } from '../../ui/page.tsx'
import { Empty, AdminsOnly, ServerText, Trouble } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { useGrantees } from '../admin/grantees.ts'
import { AcceptDialog, ToolDifference } from './accept-dialog.tsx'

type ToolServer = Schemas['ToolServer']

const TONES = { read: '', write: 'tone-info', irreversible: 'tone-warn' } as const

/** MCP servers: their tools, the effects of calls, and changes that need acceptance. */
export default function ServersPage() {
  const { words } = useWords()
  return (
    <Page title={words.servers.title} lead={words.servers.lead}>
      {useIsAdmin() ? <Servers /> : <AdminsOnly />}
    </Page>
  )
}

function Servers() {
  const { words } = useWords()
  return (
    <Fetched query={useGet<Items<ToolServer>>('/servers')}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty icon={Puzzle} title={words.servers.none}>
            <p>{words.servers.noneHint}</p>
            <a href="/guide/mcp" className="btn mt-3">
              {words.palette.guide}
            </a>
          </Empty>
        ) : (
          items.map((server) => <Server key={server.name} server={server} />)
        )
      }
    </Fetched>
  )
}

function Server({ server }: { server: ToolServer }) {
  const { words } = useWords()
  const { name, problem, effects, accepted, changed, before, added, gone, leftOut } = server
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
      {changed.length + added.length === 0 ? null : <Changes server={server} />}
      <ul>
        {[...changed, ...added].map((tool, at) => (
          <li key={tool.name} className="line items-start bg-surface-2">
            <code className="mono w-52 flex-none font-medium wrap-anywhere">{tool.name}</code>
            <div className="min-w-48 flex-1">
              <ToolDifference tool={tool} accepted={before[at]} />
            </div>
            <span className="badge tone-warn">{at < changed.length ? words.servers.changed : words.servers.added}</span>
          </li>
        ))}
        {accepted.map((tool) => (
          <AcceptedTool key={tool.name} tool={tool} effect={effects[tool.name]} />
        ))}
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

interface AcceptedToolProps {
  readonly tool: ToolServer['accepted'][number]
  readonly effect: ToolServer['effects'][string] | undefined
}

function AcceptedTool({ tool: { name, description, because }, effect }: AcceptedToolProps) {
  const { words, formats } = useWords()
  const nameOf = useGrantees()
  return (
    <li className="line items-start">
      <code className="mono w-52 flex-none font-medium wrap-anywhere">{name}</code>
      <div className="min-w-48 flex-1">
        <span className="text-text-2 wrap-anywhere">{description}</span>
        {because === undefined ? null : (
          <p className="mt-1 text-12 text-text-3 wrap-anywhere">
            {words.servers.because({
              who: nameOf[`user:${because.by}`] ?? because.by,
              when: formats.date(because.at),
              reason: because.reason,
            })}
          </p>
        )}
      </div>
      {effect === undefined ? null : <span className={`badge ${TONES[effect]}`}>{words.servers.effect[effect]}</span>}
    </li>
  )
}

/** Changed and new tools, which stay off until an admin accepts them. */
function Changes({ server }: { server: ToolServer }) {
  const { words } = useWords()
  const [isKeptOff, setKeptOff] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const tools = [...server.changed, ...server.added]
  const accept = useChange(
    (reason: string) =>
      api.post(`/servers/${encodeURIComponent(server.name)}/accept`, {
        reason,
        seen: tools.map(({ name, digest }) => ({ name, digest })),
      }),
    '/servers',
  )
  const Icon = isKeptOff ? ShieldX : TriangleAlert
  return (
    <>
      <div className={`banner m-4 flex-wrap items-center ${isKeptOff ? '' : 'tone-warn'}`}>
        <Icon size={16} aria-hidden />
        <p className="min-w-48 flex-1">
          <b>{words.servers.waiting({ n: tools.length })}</b> {words.servers.waitingHint}
        </p>
        <span className="flex flex-wrap gap-2">
          <Button label={words.servers.acceptMore} className="btn-sm" onClick={() => setAsked(true)} />
          {isKeptOff ? null : (
            <Button
              label={words.servers.keepOff({ n: tools.length })}
              icon={ShieldX}
              className="btn-primary btn-sm"
              onClick={() => setKeptOff(true)}
            />
          )}
        </span>
      </div>
      <Trouble error={accept.error} />
      {isAsked ? <AcceptDialog server={server} accept={accept.mutate} close={() => setAsked(false)} /> : null}
    </>
  )
}
