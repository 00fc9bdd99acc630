import type { Operations } from '../../../client/api-types.ts'
import { api } from '../../../client/api.ts'
import { useChange, useGet } from '../../app/data.ts'
import { useIsConnectionError } from '../../app/reachability.ts'
import { Section } from '../../ui/field.tsx'
import { LoadError, Trouble } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { useGrantees } from './grantees.ts'

type Invitations = Operations['GET /people/invitations']['answer']

/** Unused invitation links; renders nothing if there are none. */
export function Invitations() {
  const { words, formats } = useWords()
  const nameOf = useGrantees()
  const open = useGet<Invitations>('/people/invitations')
  const withdraw = useChange(
    (id: string) => api.delete(`/people/invitations/${encodeURIComponent(id)}`),
    '/people/invitations',
    '/audit',
  )
  const items = open.data?.items ?? []
  const isUnreached = useIsConnectionError(open.error)
  if (items.length === 0 && (open.error === null || isUnreached)) return null
  return (
    <div className="mt-4">
      <Section title={words.admin.invitations} lead={words.admin.invitationsLead}>
        <LoadError error={open.error} />
        {withdraw.error === null ? null : <Trouble error={withdraw.error} />}
        <ul>
          {items.map(({ invitationId, role, madeBy = '', madeAt, expiresAt }) => {
            const who = nameOf[`user:${madeBy}`] ?? madeBy
            return (
              <li key={invitationId} className="line">
                <div className="min-w-0 flex-1">
                  <p className="cut font-medium">{words.role[role]}</p>
                  <p className="text-12 text-text-2">
                    {words.admin.invitationOf({
                      who,
                      made: formats.date(Date.parse(madeAt)),
                      until: formats.date(Date.parse(expiresAt)),
                    })}
                  </p>
                </div>
                <button
                  type="button"
                  className="btn btn-sm"
                  aria-label={words.admin.withdrawInvitation({ role: words.role[role], who })}
                  disabled={withdraw.isPending}
                  onClick={() => withdraw.mutate(invitationId)}
                >
                  {words.admin.withdraw}
                </button>
              </li>
            )
          })}
        </ul>
      </Section>
    </div>
  )
}
