import { isQuestion } from '../../../client/run.ts'
import { showInvisible } from '../../ui/show-invisible.ts'
import type { Spoken } from '../../locales/words.tsx'
import { requestIn } from './request.ts'

interface Call {
  readonly tool: string
  readonly payload: unknown
}

type Kind = keyof Spoken['words']['decided']['kinds']

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

const TITLES = { question: 'question', mail: 'sendMail', code: 'runCode', team: 'saveTeam' } as const

/** Title of an approval. */
export function approvalTitle({ tool, payload }: Call, { approval, decided }: Spoken['words']): string {
  const kind = approvalKind({ tool, payload })
  if (kind === 'request') {
    const { method, path, api } = requestIn(tool, payload)!
    return decided.sendRequest({ what: showInvisible(`${method} ${path}`), to: showInvisible(api) })
  }
  if (kind !== 'call') return approval[TITLES[kind]]
  const [, server, name] = /^mcp:([^/]+)\/(.+)$/s.exec(tool) ?? []
  return server === undefined
    ? approval.callTool({ tool: showInvisible(tool) })
    : approval.callServerTool({ tool: showInvisible(name!), server: showInvisible(server) })
}
