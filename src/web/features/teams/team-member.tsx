import { Trash2, X } from 'lucide-react'
import { useState } from 'react'
import {
  toName,
  changeMember,
  removeDependency,
  setTool,
  possibleMembersBefore,
  addDependency,
  type Team,
} from '../../run/team-edit.ts'
import { Field, LongField, SearchField, Section } from '../../ui/field.tsx'
import { showInvisible } from '../../ui/show-invisible.ts'
import { useWords } from '../../locales/words.tsx'
import { Fault, type FindProblem } from './team-checks.tsx'
import { IconButton } from '../../ui/button.tsx'

export interface Tool {
  readonly name: string
  readonly description: string
  readonly effect: 'read' | 'write' | 'irreversible'
}

interface Props {
  readonly team: Team
  readonly at: number
  /** All tools that members can use. */
  readonly tools: readonly Tool[]
  readonly said: FindProblem
  readonly flaws: readonly string[]
  /** @param what the edited field; consecutive edits of one field are undone in one step */
  readonly edit: (team: Team, what?: string) => void
  readonly tell: (text: string) => void
  readonly remove: () => void
}

const FEW = 8

/** A member: name, purpose, instructions, tools, and the members it waits for. */
export function MemberPanel({ team, at, tools, said, flaws, edit, tell, remove }: Props) {
  const { words } = useWords()
  const member = team.agents[at]!
  const change = (to: Parameters<typeof changeMember>[2]): void =>
    edit(changeMember(team, at, to), `${at} ${Object.keys(to).join(' ')}`)
  const before = possibleMembersBefore(team, at)
  return (
    <Section
      title={member.name}
      lead={words.designer.memberLead}
      actions={
        <button type="button" className="btn btn-sm" disabled={team.agents.length === 1} onClick={remove}>
          <Trash2 size={14} aria-hidden />
          {words.designer.remove}
        </button>
      }
    >
      <div className="flex flex-col gap-3 p-4">
        <Field
          label={words.designer.name}
          value={member.name}
          maxLength={40}
          say={(name) => change({ name: toName(name) })}
        />
        <Fault text={said('agents', at, 'name')} />
        <LongField label={words.designer.purpose} value={member.purpose} say={(purpose) => change({ purpose })} />
        <Fault text={said('agents', at, 'purpose')} />
        <LongField label={words.designer.task} rows={2} value={member.task} say={(task) => change({ task })} />
        <Fault text={said('agents', at, 'task')} />
        <div className="flex flex-wrap items-center gap-1.5 text-12 text-text-2">
          {member.after.length === 0 ? words.planEdit.atOnce : words.planEdit.after}
          {member.after.map((one) => (
            <span key={one} className="chip pr-1">
              {showInvisible(one)}
              <IconButton
                icon={X}
                size={14}
                label={`${words.planEdit.notAfter}: ${one}`}
                className="size-7!"
                onClick={() => edit(removeDependency(team, at, one))}
              />
            </span>
          ))}
          {before.length === 0 ? null : (
            <select
              className="chip border-dashed"
              aria-label={words.planEdit.addAfter}
              value=""
              onChange={({ target }) => {
                const from = team.agents.findIndex(({ name }) => name === target.value)
                tell('')
                edit(addDependency(team, at, from))
              }}
            >
              <option value="">+ {words.planEdit.addAfter}</option>
              {before.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
          )}
        </div>
        <Tools tools={tools} chosen={member.tools} give={(tool, isGiven) => edit(setTool(team, at, tool, isGiven))} />
        <Fault text={said('agents', at, 'tools')} />
        {flaws
          .filter((text) => text.includes(`“${member.name}”`))
          .map((text) => (
            <p key={text} className="text-12 text-bad">
              {text}
            </p>
          ))}
      </div>
    </Section>
  )
}

/** The member's tools, then the other available tools. */
function Tools({
  tools,
  chosen,
  give,
}: {
  tools: readonly Tool[]
  chosen: readonly string[]
  give: (tool: string, isGiven: boolean) => void
}) {
  const { words } = useWords()
  const [text, setText] = useState('')
  const missingTools = chosen.filter((name) => !tools.some((tool) => tool.name === name))
  const known = tools.filter(({ name }) => chosen.includes(name))
  const found = tools.filter(
    ({ name, description }) =>
      !chosen.includes(name) && `${name} ${description}`.toLowerCase().includes(text.trim().toLowerCase()),
  )
  const shown = [...known, ...found.slice(0, FEW)]
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-12 font-medium">{words.designer.tools}</legend>
      {tools.length > FEW ? <SearchField label={words.designer.find} value={text} say={setText} /> : null}
      <ul className="overflow-hidden rounded-lg border border-line">
        {missingTools.map((name) => (
          <Row key={name} name={name} effect={words.designer.gone} isOn give={give} />
        ))}
        {shown.map(({ name, description, effect }) => (
          <Row
            key={name}
            name={name}
            effect={words.servers.effect[effect]}
            title={description}
            isOn={chosen.includes(name)}
            give={give}
          />
        ))}
      </ul>
      {found.length > FEW ? <p className="text-12 text-text-2">{words.data.more({ n: found.length - FEW })}</p> : null}
    </fieldset>
  )
}

function Row({
  name,
  effect,
  title,
  isOn,
  give,
}: {
  name: string
  effect: string
  title?: string
  isOn: boolean
  give: (tool: string, isGiven: boolean) => void
}) {
  return (
    <li className="border-b border-line last:border-b-0">
      <label className="flex min-h-9 items-center gap-2 px-3 text-13">
        <input type="checkbox" checked={isOn} onChange={({ target }) => give(name, target.checked)} />
        <code lang="en" title={title} className="mono min-w-0 wrap-anywhere">
          {showInvisible(name)}
        </code>
        <span className="badge ml-auto">{effect}</span>
      </label>
    </li>
  )
}
