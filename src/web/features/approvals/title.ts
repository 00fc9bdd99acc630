import { isQuestion } from '../../../client/run.ts'
import { showInvisible } from '../../ui/show-invisible.ts'
import type { Spoken } from '../../locales/words.tsx'
import { requestIn } from './request.ts'

type Words = Spoken['words']

interface Asked {
  readonly tool: string
  readonly payload: unknown
}

/** Title of an approval. */
export function approvalTitle({ tool, payload }: Asked, words: Words): string {
  if (isQuestion({ tool })) return words.approval.question
  if (isMail(tool)) return words.approval.sendMail
  if (tool === 'run_python') return words.approval.runCode
  if (tool === 'save_team') return words.approval.saveTeam
  const request = requestIn(tool, payload)
  if (request !== undefined)
    return words.decided.sendRequest({
      what: showInvisible(`${request.method} ${request.path}`),
      to: showInvisible(request.api),
    })
  const [, server, name] = /^mcp:([^/]+)\/(.+)$/s.exec(tool) ?? []
  return server === undefined
    ? words.approval.callTool({ tool: showInvisible(tool) })
    : words.approval.callServerTool({ tool: showInvisible(name!), server: showInvisible(server) })
}

/** Tools whose calls are emails. Other tools never count as emails, whatever their fields are called. */
const MAILS = new Set(['send_email', 'reply_to_message', 'draft_email'])

export function isMail(tool: string): boolean {
  return MAILS.has(tool)
}
