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
import type { Answer } from '../../app/data.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Checkbox, Field, LongField, SearchField, Section } from '../../ui/field.tsx'
import { showInvisible } from '../../ui/show-invisible.ts'
import { useWords } from '../../locales/words.tsx'
import type { FindProblem } from './team-checks.tsx'

type Tool = Answer<'POST /teams/check'>['tools'][number]

interface MemberPanelProps {
  readonly team: Team
  readonly at: number
  /** All tools that members can use. */
  readonly tools: readonly Tool[]
  readonly findProblem: FindProblem
  readonly flaws: readonly string[]
  /** @param field the edited field; consecutive edits of one field are undone in one step */
  readonly edit: (team: Team, field?: string) => void
  readonly remove: () => void
}

/** Maximum number of tools listed besides those of the member. */
const MAX_TOOLS = 8

/** A member: name, purpose, instructions, tools, and the members it waits for. */
export function MemberPanel({ team, at, tools, findProblem, flaws, edit, remove }: MemberPanelProps) {
  const { words } = useWords()
  const member = team.agents[at]!
  const field = (name: 'name' | 'purpose' | 'task') => ({
    problem: findProblem('agents', at, name),
    value: member[name],
    onChange: (text: string) =>
      edit(changeMember(team, at, { [name]: name === 'name' ? toName(text) : text }), `${at} ${name}`),
  })
  return (
    <Section
      title={member.name}
      lead={words.designer.memberLead}
      actions={
        <Button
          label={words.designer.remove}
          icon={Trash2}
          className="btn-sm"
          disabled={team.agents.length === 1}
          onClick={remove}
        />
      }
    >
      <div className="flex flex-col gap-3 p-4">
        <Field label={words.designer.name} maxLength={40} {...field('name')} />
        <LongField label={words.designer.purpose} {...field('purpose')} />
        <LongField label={words.designer.task} rows={2} {...field('task')} />
        <Dependencies team={team} at={at} edit={edit} />
        <Tools
          tools={tools}
          chosen={member.tools}
          problem={findProblem('agents', at, 'tools')}
          choose={(tool, isChosen) => edit(setTool(team, at, tool, isChosen))}
        />
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

/** The members that a member waits for. */
function Dependencies({ team, at, edit }: Pick<MemberPanelProps, 'team' | 'at' | 'edit'>) {
  const { words } = useWords()
  const { after } = team.agents[at]!
  const candidates = possibleMembersBefore(team, at)
  return (
    <div className="flex flex-wrap items-center gap-1.5 text-12 text-text-2">
      {after.length === 0 ? words.planEdit.atOnce : words.planEdit.after}
      {after.map((name) => (
        <span key={name} className="chip pr-1">
          {showInvisible(name)}
          <IconButton
            icon={X}
            size={14}
            label={`${words.planEdit.notAfter}: ${name}`}
            className="size-7!"
            onClick={() => edit(removeDependency(team, at, name))}
          />
        </span>
      ))}
      {candidates.length === 0 ? null : (
        <select
          className="chip border-dashed"
          aria-label={words.planEdit.addAfter}
          value=""
          onChange={({ target }) => {
            const from = team.agents.findIndex(({ name }) => name === target.value)
            edit(addDependency(team, at, from))
          }}
        >
          <option value="">+ {words.planEdit.addAfter}</option>
          {candidates.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
    </div>
  )
}

interface ToolsProps {
  readonly tools: readonly Tool[]
  readonly chosen: readonly string[]
  readonly problem: string | undefined
  readonly choose: (tool: string, isChosen: boolean) => void
}

/** The member's tools, then the other available tools. */
function Tools({ tools, chosen, problem, choose }: ToolsProps) {
  const { words } = useWords()
  const [text, setText] = useState('')
  const missing = chosen.filter((name) => !tools.some((tool) => tool.name === name))
  const isChosen = ({ name }: Tool): boolean => chosen.includes(name)
  const matches = tools.filter(
    (tool) => !isChosen(tool) && `${tool.name} ${tool.description}`.toLowerCase().includes(text.trim().toLowerCase()),
  )
  const rows = [
    ...missing.map((name) => ({ name, description: undefined, label: words.designer.gone })),
    ...[...tools.filter(isChosen), ...matches.slice(0, MAX_TOOLS)].map(({ name, description, effect }) => ({
      name,
      description,
      label: words.servers.effect[effect],
    })),
  ]
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-12 font-medium">{words.designer.tools}</legend>
      {tools.length > MAX_TOOLS ? <SearchField label={words.designer.find} value={text} onChange={setText} /> : null}
      <ul className="overflow-hidden rounded-lg border border-line">
        {rows.map(({ name, description, label }) => (
          <li key={name} className="border-b border-line last:border-b-0">
            <Checkbox
              label={
                <>
                  <code lang="en" title={description} className="mono min-w-0 wrap-anywhere">
                    {showInvisible(name)}
                  </code>
                  <span className="badge ml-auto">{label}</span>
                </>
              }
              checked={chosen.includes(name)}
              onChange={(isOn) => choose(name, isOn)}
              className="min-h-9 px-3"
            />
          </li>
        ))}
      </ul>
      {matches.length > MAX_TOOLS ? (
        <p className="text-12 text-text-2">{words.data.more({ n: matches.length - MAX_TOOLS })}</p>
      ) : null}
      {problem === undefined ? null : (
        <p className="text-12 text-bad" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  )
}
