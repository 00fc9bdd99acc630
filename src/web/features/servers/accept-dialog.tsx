import { ShieldX } from 'lucide-react'
import { useState } from 'react'
import type { Schemas } from '../../../client/api-types.ts'
import { Difference } from '../../ui/difference.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LongField } from '../../ui/field.tsx'
import { useWords } from '../../locales/words.tsx'

type ToolServer = Schemas['ToolServer']
type Tool = ToolServer['changed'][number]

const schemaOf = (schema: object): string => JSON.stringify(schema, undefined, 1)

/** The current description of a tool, compared with the accepted one. */
export function ToolDifference({ tool, was }: { tool: Tool; was: Tool | undefined }) {
  const { words } = useWords()
  const { description, inputSchema, readOnly } = tool
  return (
    <div className="text-text-2 wrap-anywhere">
      <Difference before={was?.description ?? description} now={description} />
      {was === undefined || was.readOnly === readOnly ? null : (
        <span className="block">{words.servers.says[readOnly ? 'reads' : 'changes']}</span>
      )}
      <pre className="mono mt-1 text-12 whitespace-pre-wrap">
        <Difference before={schemaOf(was?.inputSchema ?? inputSchema)} now={schemaOf(inputSchema)} />
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
  const tools = [
    ...changed.map((tool, at) => ({ tool, was: before[at] })),
    ...added.map((tool) => ({ tool, was: undefined })),
  ]
  return (
    <Dialog label={words.servers.acceptTitle({ server: name })} close={close} className="dialog">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          accept(reason.trim())
          close()
        }}
      >
        <div className="flex flex-col gap-3 px-5 pt-5 pb-4 text-13">
          <h2 className="text-16 font-semibold">{words.servers.acceptTitle({ server: name })}</h2>
          <ul className="max-h-80 overflow-auto rounded-lg border border-line" tabIndex={0}>
            {tools.map(({ tool, was }) => (
              <li key={tool.name} className="border-b border-line px-3 py-2 last:border-b-0">
                <code className="mono font-medium wrap-anywhere">{tool.name}</code>
                <ToolDifference tool={tool} was={was} />
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
          <button type="submit" className="btn" disabled={reason.trim() === ''}>
            {words.servers.accept}
          </button>
          <button type="button" className="btn btn-primary" onClick={close}>
            <ShieldX size={14} aria-hidden />
            {words.servers.keepOff({ n: tools.length })}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
