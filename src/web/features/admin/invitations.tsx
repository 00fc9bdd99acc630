import { api } from '../../../client/api.ts'
import { useChange, useEndpoint } from '../../app/data.ts'
import { useIsConnectionError } from '../../app/reachability.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/field.tsx'
import { Row } from '../../ui/list.tsx'
import { LoadError, Trouble } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { useGrantees } from './grantees.ts'

/** Unused invitation links; renders nothing if there are none. */
export function Invitations() {
  const { words, formats } = useWords()
  const nameOf = useGrantees()
  const invitations = useEndpoint('/people/invitations')
  const withdraw = useChange(
    (id: string) => api.delete(`/people/invitations/${encodeURIComponent(id)}`),
    '/people/invitations',
    '/audit',
  )
  const items = invitations.data?.items ?? []
  const isUnreached = useIsConnectionError(invitations.error)
  if (items.length === 0 && (invitations.error === null || isUnreached)) return null
  return (
    <Section title={words.admin.invitations} lead={words.admin.invitationsLead}>
      <LoadError error={invitations.error} />
      <Trouble error={withdraw.error} />
      <ul>
        {items.map(({ invitationId, role, madeBy = '', madeAt, expiresAt }) => {
          const who = nameOf[`user:${madeBy}`] ?? madeBy
          const [made, until] = [formats.date(madeAt), formats.date(expiresAt)]
          return (
            <Row key={invitationId} title={words.role[role]} detail={words.admin.invitationOf({ who, made, until })}>
              <Button
                label={words.admin.withdraw}
                className="btn-sm"
                aria-label={words.admin.withdrawInvitation({ role: words.role[role], who })}
                disabled={withdraw.isPending}
                onClick={() => withdraw.mutate(invitationId)}
              />
            </Row>
          )
        })}
      </ul>
    </Section>
  )
}
