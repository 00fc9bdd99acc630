import { Trash2, UsersRound, X } from 'lucide-react'
import { useState } from 'react'
import { api, type Items } from '../../../client/api.ts'
import type { Operations } from '../../../client/api-types.ts'
import { useChange, useGet } from '../../app/data.ts'
import { Choice, Field, Section } from '../../ui/field.tsx'
import { Fetched } from '../../ui/page.tsx'
import { Empty, Trouble } from '../../ui/states.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useWords } from '../../locales/words.tsx'
import { EffectList } from './access-changes.tsx'
import { useSourceName } from './source-kinds.ts'
import { useGroups, usePeople, type Group } from './grantees.ts'
import { IconButton } from '../../ui/button.tsx'

/** Groups of people, which can be given sources and limits together. */
export function Groups() {
  const { words } = useWords()
  const [name, setName] = useState('')
  const [gone, setGone] = useState<Group | undefined>()
  const make = useChange(async () => {
    await api.post('/groups', { name: name.trim() })
    setName('')
  }, '/groups')
  const remove = useChange((id: string) => api.delete(`/groups/${encodeURIComponent(id)}`), '/groups', '/grants')
  return (
    <>
      <form
        className="card mb-4 flex flex-wrap items-end gap-3 p-4"
        onSubmit={(event) => {
          event.preventDefault()
          make.mutate()
        }}
      >
        <div className="min-w-48 flex-1">
          <Field label={words.admin.newGroup} required maxLength={200} value={name} say={setName} />
        </div>
        <button type="submit" className="btn btn-primary h-9" disabled={make.isPending}>
          {words.app.add}
        </button>
      </form>
      {[make.error, remove.error].map((error, at) => (error === null ? null : <Trouble key={at} error={error} />))}
      <Fetched query={useGroups()}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={UsersRound} title={words.admin.noGroups}>
              {words.admin.noGroupsHint}
            </Empty>
          ) : (
            <>
              {items.map((group) => (
                <Section
                  key={group.groupId}
                  title={group.name}
                  lead={words.admin.members({ n: group.members })}
                  actions={
                    <IconButton
                      icon={Trash2}
                      label={`${words.admin.removeGroup}: ${group.name}`}
                      title={words.admin.removeGroup}
                      onClick={() => setGone(group)}
                    />
                  }
                >
                  <Members group={group} />
                </Section>
              ))}
            </>
          )
        }
      </Fetched>
      {gone === undefined ? null : (
        <Removal group={gone} yes={() => remove.mutate(gone.groupId)} close={() => setGone(undefined)} />
      )}
    </>
  )
}

interface RemovalProps {
  readonly group: Group
  readonly yes: () => void
  readonly close: () => void
}

/** Shows who loses access before a group is removed. It cannot be removed until this is loaded. */
function Removal({ group: { groupId, name }, yes, close }: RemovalProps) {
  const { words } = useWords()
  const sourceName = useSourceName()
  const query = useGet<Operations['GET /groups/{groupId}/removal']['answer']>(
    `/groups/${encodeURIComponent(groupId)}/removal`,
  )
  return (
    <ConfirmDialog
      action={words.admin.removeGroup}
      yes={yes}
      close={close}
      isReady={query.data !== undefined && !query.isFetching}
      besides={
        <Fetched query={query} lines={2}>
          {({ items, limits }) => (
            <>
              <EffectList items={items} nameOf={sourceName} />
              {limits === 0 ? null : <p className="mt-1 text-13 text-text-2">{words.admin.limitsGo({ n: limits })}</p>}
            </>
          )}
        </Fetched>
      }
    >
      {words.admin.removeGroupSure({ name })}
    </ConfirmDialog>
  )
}

function Members({ group: { groupId, name } }: { group: Group }) {
  const { words } = useWords()
  const path = `/groups/${encodeURIComponent(groupId)}/members`
  const people = usePeople().data?.items ?? []
  const members = useGet<Items<string>>(path)
  const put = useChange((id: string) => api.put(`${path}/${encodeURIComponent(id)}`, {}), '/groups')
  const take = useChange((id: string) => api.delete(`${path}/${encodeURIComponent(id)}`), '/groups')
  return (
    <>
      {[put.error, take.error].map((error, at) => (error === null ? null : <Trouble key={at} error={error} />))}
      <Fetched query={members} lines={1}>
        {({ items }) => (
          <div className="flex flex-wrap items-center gap-2 p-4">
            {items.map((id) => {
              const who = people.find(({ userId }) => userId === id)?.displayName ?? id
              return (
                <span key={id} className="chip pr-1">
                  <span className="cut">{who}</span>
                  <button
                    type="button"
                    className="grid size-6 place-items-center rounded hover:bg-surface-3"
                    aria-label={words.admin.takeOut({ name: who })}
                    title={words.admin.takeOut({ name: who })}
                    onClick={() => take.mutate(id)}
                  >
                    <X size={12} aria-hidden />
                  </button>
                </span>
              )
            })}
            <div className="w-52">
              <Choice
                label={words.admin.putInto({ name })}
                isQuiet
                value=""
                options={{
                  '': words.admin.addMember,
                  ...Object.fromEntries(
                    people.flatMap(({ userId, displayName }) =>
                      items.includes(userId) ? [] : [[userId, displayName]],
                    ),
                  ),
                }}
                say={(id) => put.mutate(id)}
              />
            </div>
          </div>
        )}
      </Fetched>
    </>
  )
}
