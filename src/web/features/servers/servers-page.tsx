import type { Schemas } from '../../../client/api-types.ts'
import { CircleAlert, Puzzle, ShieldX, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../client/api.ts'
import { useChange, useEndpoint } from '../../app/data.ts'
import { useIsAdmin } from '../../app/session.ts'
import { Button } from '../../ui/button.tsx'
import { Difference } from '../../ui/difference.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LongField, Section } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Banner, Empty, AdminsOnly, ServerText, ErrorBanner } from '../../ui/states.tsx'
import { Fetched, Page } from '../../ui/page.tsx'
import { useWords } from '../../locales/words.tsx'

type ToolServer = Schemas['ToolServer']
type Tool = ToolServer['changed'][number]

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
    <Fetched query={useEndpoint('/servers')}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty icon={Puzzle} title={words.servers.none} hint={words.servers.noneHint}>
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
        <Banner tone="bad" icon={CircleAlert} text={<ServerText text={problem} />} className="m-4" />
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

function AcceptedTool({ tool: { name, description }, effect }: AcceptedToolProps) {
  const { words } = useWords()
  return (
    <li className="line items-start">
      <code className="mono w-52 flex-none font-medium wrap-anywhere">{name}</code>
      <span className="min-w-48 flex-1 text-text-2 wrap-anywhere">{description}</span>
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
      <ErrorBanner error={accept.error} />
      {isAsked ? <AcceptDialog server={server} accept={accept.mutate} close={() => setAsked(false)} /> : null}
    </>
  )
}

const toText = (schema: object): string => JSON.stringify(schema, undefined, 1)

/** The current description of a tool, compared with the accepted one. */
function ToolDifference({ tool, accepted = tool }: { tool: Tool; accepted: Tool | undefined }) {
  const { words } = useWords()
  return (
    <div className="text-text-2 wrap-anywhere">
      <Difference before={accepted.description} now={tool.description} />
      {accepted.readOnly === tool.readOnly ? null : (
        <span className="block">{words.servers.says[tool.readOnly ? 'reads' : 'changes']}</span>
      )}
      <pre className="mono mt-1 text-12 whitespace-pre-wrap">
        <Difference before={toText(accepted.inputSchema)} now={toText(tool.inputSchema)} />
      </pre>
    </div>
  )
}

interface AcceptDialogProps {
  readonly server: ToolServer
  readonly accept: (reason: string) => void
  readonly close: () => void
}

/** Accepts changed tools, with a reason for the log. Not accepting is the default. */
function AcceptDialog({ server, accept, close }: AcceptDialogProps) {
  const { words } = useWords()
  const [reason, setReason] = useState('')
  const { name, changed, before, added } = server
  const title = words.servers.acceptTitle({ server: name })
  return (
    <Dialog label={title} close={close} className="dialog">
      <Form
        submit={() => {
          accept(reason.trim())
          close()
        }}
      >
        <div className="flex flex-col gap-3 px-5 pt-5 pb-4 text-13">
          <h2 className="text-16 font-semibold">{title}</h2>
          <ul className="max-h-80 overflow-auto rounded-lg border border-line" tabIndex={0}>
            {[...changed, ...added].map((tool, at) => (
              <li key={tool.name} className="border-b border-line px-3 py-2 last:border-b-0">
                <code className="mono font-medium wrap-anywhere">{tool.name}</code>
                <ToolDifference tool={tool} accepted={before[at]} />
              </li>
            ))}
          </ul>
          <LongField
            label={words.servers.reason}
            hint={words.servers.reasonHint}
            rows={2}
            required
            maxLength={500}
            placeholder={words.servers.reasonExample}
            value={reason}
            onChange={setReason}
          />
        </div>
        <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">
          <Button label={words.servers.accept} type="submit" disabled={reason.trim() === ''} />
          <Button
            label={words.servers.keepOff({ n: changed.length + added.length })}
            icon={ShieldX}
            className="btn-primary"
            onClick={close}
          />
        </footer>
      </Form>
    </Dialog>
  )
}
