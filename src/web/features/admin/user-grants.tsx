import { api } from '../../../client/api.ts'
import { useChange, useEndpoint } from '../../app/data.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/field.tsx'
import { Hint, Row } from '../../ui/list.tsx'
import { Fetched } from '../../ui/page.tsx'
import { Trouble } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { useGrantees } from './grantees.ts'

/** Grants made by users for their own sources, which can be revoked here. */
export function UserGrants() {
  const { words } = useWords()
  const nameOf = useGrantees()
  const revoke = useChange(
    ({ collectionId, to }: { readonly collectionId: string; readonly to: string }) =>
      api.delete(`/collections/given/${encodeURIComponent(collectionId)}?to=${encodeURIComponent(to)}`),
    '/collections',
    '/audit',
  )
  return (
    <Section title={words.admin.gifts} lead={words.admin.giftsLead}>
      <Trouble error={revoke.error} />
      <Fetched query={useEndpoint('/collections/given?limit=200')} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <Hint>{words.admin.noGifts}</Hint>
          ) : (
            <ul>
              {items.flatMap(({ collectionId, name, owner, grants }) =>
                grants.map(({ to, name: knownName, level }) => {
                  const grantee = nameOf[to] ?? knownName ?? to
                  return (
                    <Row
                      key={`${collectionId} ${to}`}
                      title={
                        <>
                          {name} <span className="font-normal text-text-2">{words.admin.ofWhom({ name: owner })}</span>
                        </>
                      }
                      detail={`${grantee}: ${words.admin.level[level]}`}
                    >
                      <Button
                        label={words.admin.withdraw}
                        className="btn-sm"
                        aria-label={words.admin.withdrawFrom({ name, whom: grantee })}
                        disabled={revoke.isPending}
                        onClick={() => revoke.mutate({ collectionId, to })}
                      />
                    </Row>
                  )
                }),
              )}
            </ul>
          )
        }
      </Fetched>
    </Section>
  )
}
