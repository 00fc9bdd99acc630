import { Trash2, UsersRound, X } from 'lucide-react'
import { useState } from 'react'
import { api, type Items } from '../../../client/api.ts'
import { useChange, useDelete, useGet } from '../../app/data.ts'
import { Choice, Field, Section } from '../../ui/field.tsx'
import { InlineForm } from '../../ui/form.tsx'
import { Fetched } from '../../ui/page.tsx'
import { Empty, ErrorBanner } from '../../ui/states.tsx'
import { ConfirmIconButton } from '../../ui/confirm-dialog.tsx'
import { useWords } from '../../locales/words.tsx'
import { useGroups, usePersonNames, type Group } from './grantees.ts'
import { IconButton } from '../../ui/button.tsx'

/** Groups of people, which can be given sources and limits together. */
export function Groups() {
  const { words } = useWords()
  const [name, setName] = useState('')
  const create = useChange(async () => {
    await api.post('/groups', { name: name.trim() })
    setName('')
  }, '/groups')
  return (
    <>
      <InlineForm mutation={create} action={words.app.add} className="card mb-4">
        <div className="min-w-48 flex-1">
          <Field label={words.admin.newGroup} required maxLength={200} value={name} onChange={setName} />
        </div>
      </InlineForm>
      <Fetched query={useGroups()}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={UsersRound} title={words.admin.noGroups} hint={words.admin.noGroupsHint} />
          ) : (
            items.map((group) => <GroupSection key={group.groupId} group={group} />)
          )
        }
      </Fetched>
    </>
  )
}

function GroupSection({ group }: { group: Group }) {
  const { words } = useWords()
  const { groupId, name, members } = group
  const remove = useDelete(`/groups/${encodeURIComponent(groupId)}`, '/groups', '/grants')
  return (
    <Section
      title={name}
      lead={words.admin.members({ n: members })}
      actions={
        <ConfirmIconButton
          icon={Trash2}
          label={words.admin.removeGroup}
          object={name}
          consequences={words.admin.removeGroupSure({ name })}
          yes={() => remove.mutate()}
        />
      }
    >
      <ErrorBanner error={remove.error} />
      <Members group={group} />
    </Section>
  )
}

function Members({ group: { groupId, name } }: { group: Group }) {
  const { words } = useWords()
  const path = `/groups/${encodeURIComponent(groupId)}/members`
  const names = usePersonNames()
  const add = useChange((id: string) => api.put(`${path}/${encodeURIComponent(id)}`, {}), '/groups')
  const remove = useChange((id: string) => api.delete(`${path}/${encodeURIComponent(id)}`), '/groups')
  return (
    <>
      <ErrorBanner error={add.error ?? remove.error} />
      <Fetched query={useGet<Items<string>>(path)} lines={1}>
        {({ items }) => (
          <div className="flex flex-wrap items-center gap-2 p-4">
            {items.map((id) => (
              <span key={id} className="chip pr-1">
                <span className="cut">{names[id] ?? id}</span>
                <IconButton
                  icon={X}
                  size={14}
                  label={words.admin.takeOut({ name: names[id] ?? id })}
                  className="size-6!"
                  onClick={() => remove.mutate(id)}
                />
              </span>
            ))}
            <div className="w-52">
              <Choice
                label={words.admin.putInto({ name })}
                isQuiet
                value=""
                options={{
                  '': words.admin.addMember,
                  ...Object.fromEntries(Object.entries(names).filter(([id]) => !items.includes(id))),
                }}
                onChange={(id) => add.mutate(id)}
              />
            </div>
          </div>
        )}
      </Fetched>
    </>
  )
}
