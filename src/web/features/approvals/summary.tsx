import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../../client/api.ts'
import { isObject } from '../../../client/run.ts'
import type { Approval } from '../../app/types.ts'
import { showInvisible } from '../../ui/show-invisible.ts'
import type { Words } from '../../locales/texts.ts'
import { useWords, type Localization } from '../../locales/words.tsx'
import { teamOfCall } from '../teams/team-details.tsx'
import { fieldLabel, requestIn, plainValue } from './http-request.ts'
import { approvalKind } from './approval-title.ts'

interface RunReference {
  /** Absent if the run can no longer be read. */
  readonly request?: { readonly question: string; readonly conversationId?: string }
}

export function useRunOf(runId: string): RunReference | undefined {
  return useQuery({
    queryKey: ['run', runId, 'short'],
    queryFn: ({ signal }) => api.get<RunReference>(`/runs/${encodeURIComponent(runId)}`, signal),
    retry: false,
  }).data
}

/** In a line. */
function oneLineText(value: unknown, words: Pick<Words, 'data'>): string {
  if (value === undefined || value === null) return ''
  const lines = plainValue(value, words)
  return showInvisible(typeof value === 'string' ? lines : lines.replaceAll(/:\n\s*/g, ': ').replaceAll(/\n\s*/g, ', '))
}

type Line = readonly [label: string, value: unknown]

function summaryLines(
  { tool, payload }: Pick<Approval, 'tool' | 'payload'>,
  { words, formats }: Localization,
): readonly Line[] {
  const fields = isObject(payload) ? payload : {}
  const { to, cc, bcc, subject, body, question, code } = fields
  const named = (values: object): Line[] => Object.entries(values).map(([name, value]) => [fieldLabel(name), value])
  switch (approvalKind({ tool, payload: fields })) {
    case 'mail':
      return [
        [words.approval.to, to],
        [words.approval.cc, cc],
        [words.approval.bcc, bcc],
        [words.approval.subject, subject],
        ['', body],
      ]
    case 'question':
      return [['', question]]
    case 'request': {
      const request = requestIn(tool, fields)!
      const content = { ...request.query, ...(isObject(request.body) ? request.body : {}) }
      return [['', `${request.method} ${request.host}${request.path}`], ...named(content)]
    }
    default: {
      const team = teamOfCall(tool, fields)
      if (team === undefined) return code === undefined ? named(fields) : [['', code]]
      return [
        [fieldLabel(team.name), team.purpose],
        [words.teams.members, formats.list(team.agents.map(({ name }) => name))],
      ]
    }
  }
}

/**
 * A summary that distinguishes the approval from similar ones: recipients, subject and beginning of a mail; purpose and
 * members of a team.
 */
export function Summary({ approval }: { approval: Pick<Approval, 'tool' | 'payload'> }) {
  const locale = useWords()
  return summaryLines(approval, locale)
    .map(([label, value]) => [label, oneLineText(value, locale.words)] as const)
    .filter(([, text]) => text !== '')
    .slice(0, 5)
    .map(([label, text]) => (
      <p key={label} className="line-clamp-4 text-13 whitespace-pre-line wrap-anywhere" title={text}>
        {label === '' ? null : <span className="text-text-3">{label}: </span>}
        {text}
      </p>
    ))
}

/** The question of the run that requests the approval, as a link to the run. */
export function AskedByRun({ runId }: { runId: string }) {
  const { words } = useWords()
  const question = useRunOf(runId)?.request?.question
  return (
    <Link
      to="/runs/$runId"
      params={{ runId }}
      className="line-clamp-1 text-accent-text underline wrap-anywhere"
      title={question}
    >
      {question === undefined ? words.answer.openRun : words.quoted({ text: question })}
    </Link>
  )
}

/** The kind of the approval, in one or two words. */
export function ApprovalKind({ approval }: { approval: Pick<Approval, 'tool' | 'payload' | 'runId'> }) {
  const { words } = useWords()
  const question = useRunOf(approval.runId)?.request?.question
  const kind = approvalKind(approval)
  return (
    <span className="flex gap-2 text-13">
      <b className="flex-none font-medium">
        {kind === 'call' ? words.decided.kinds.call({ tool: approval.tool }) : words.decided.kinds[kind]}
      </b>
      {question === undefined ? null : (
        <span className="cut text-text-3" title={question}>
          {words.quoted({ text: question })}
        </span>
      )}
    </span>
  )
}
