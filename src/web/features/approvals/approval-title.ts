import { isQuestion } from '../../../client/run.ts'
import { showInvisible } from '../../ui/show-invisible.ts'
import type { Localization } from '../../locales/words.tsx'
import { requestIn } from './http-request.ts'

interface Call {
  readonly tool: string
  readonly payload: unknown
}

type Kind = keyof Localization['words']['decided']['kinds']

/** Kinds of tools. The kind never depends on the names of the fields. */
const KINDS: Readonly<Record<string, Kind | undefined>> = {
  send_email: 'mail',
  reply_to_message: 'mail',
  draft_email: 'mail',
  run_python: 'code',
  save_team: 'team',
}

/** Returns what a call does: a request must be complete, and other tools are only calls. */
export function approvalKind({ tool, payload }: Call): Kind {
  if (isQuestion({ tool })) return 'question'
  return KINDS[tool] ?? (requestIn(tool, payload) === undefined ? 'call' : 'request')
}

export function isMail(tool: string): boolean {
  return KINDS[tool] === 'mail'
}

/** Title of an approval. */
export function approvalTitle({ tool, payload }: Call, words: Localization['words']): string {
  switch (approvalKind({ tool, payload })) {
    case 'question':
      return words.approval.question
    case 'mail':
      return words.approval.sendMail
    case 'code':
      return words.approval.runCode
    case 'team':
      return words.approval.saveTeam
    case 'request': {
      const { method, path, api } = requestIn(tool, payload)!
      return words.decided.sendRequest({ what: showInvisible(`${method} ${path}`), to: showInvisible(api) })
    }
    case 'call': {
      const [, server, name] = /^mcp:([^/]+)\/(.+)$/s.exec(tool) ?? []
      return server === undefined
        ? words.approval.callTool({ tool: showInvisible(tool) })
        : words.approval.callServerTool({ tool: showInvisible(name!), server: showInvisible(server) })
    }
  }
}
