import type { Operations } from '../../../client/api-types.ts'
import { api } from '../../../client/api.ts'
import { useChange, useGet } from '../../app/data.ts'
import { Section } from '../../ui/field.tsx'
import { Fetched } from '../../ui/page.tsx'
import { Trouble } from '../../ui/states.tsx'
import { useWords } from '../../locales/words.tsx'
import { useGrantees } from './grantees.ts'

type Given = Operations['GET /collections/given']['answer']

/** Grants made by users for their own sources, which can be revoked here. */
export function UserGrants() {
  const { words } = useWords()
  const nameOf = useGrantees()
  const withdraw = useChange(
    ({ collectionId, to }: { readonly collectionId: string; readonly to: string }) =>
      api.delete(`/collections/given/${encodeURIComponent(collectionId)}?to=${encodeURIComponent(to)}`),
    '/collections',
    '/audit',
  )
  return (
    <Section title={words.admin.gifts} lead={words.admin.giftsLead}>
      {withdraw.error === null ? null : <Trouble error={withdraw.error} />}
      <Fetched query={useGet<Given>('/collections/given?limit=200')} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="p-4 text-13 text-text-2">{words.admin.noGifts}</p>
          ) : (
            <ul>
              {items.flatMap(({ collectionId, name, owner, grants }) =>
                grants.map(({ to, name: known, level }) => {
                  const whom = nameOf[to] ?? known ?? to
                  return (
                    <li key={`${collectionId} ${to}`} className="line">
                      <div className="min-w-0 flex-1">
                        <p className="cut font-medium">
                          {name} <span className="font-normal text-text-2">{words.admin.ofWhom({ name: owner })}</span>
                        </p>
                        <p className="text-12 text-text-2">
                          {whom}: {words.admin.level[level]}
                        </p>
                      </div>
                      <button
                        type="button"
                        className="btn btn-sm"
                        aria-label={words.admin.withdrawFrom({ name, whom })}
                        disabled={withdraw.isPending}
                        onClick={() => withdraw.mutate({ collectionId, to })}
                      >
                        {words.admin.withdraw}
                      </button>
                    </li>
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
