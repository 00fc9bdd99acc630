import { ShieldX } from 'lucide-react'
import { useState } from 'react'
import type { Schemas } from '../../../client/api-types.ts'
import { Button } from '../../ui/button.tsx'
import { Difference } from '../../ui/difference.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LongField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { useWords } from '../../locales/words.tsx'

type ToolServer = Schemas['ToolServer']
type Tool = ToolServer['changed'][number]

const toText = (schema: object): string => JSON.stringify(schema, undefined, 1)

/** The current description of a tool, compared with the accepted one. */
export function ToolDifference({ tool, accepted = tool }: { tool: Tool; accepted: Tool | undefined }) {
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
export function AcceptDialog({ server, accept, close }: AcceptDialogProps) {
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
            say={setReason}
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
