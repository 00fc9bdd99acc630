import { useState } from 'react'
import type { Step } from '../../run/steps.ts'
import { Section } from '../../ui/field.tsx'
import { showInvisible } from '../../ui/show-invisible.ts'
import type { Words } from '../../locales/texts.ts'
import { useWords } from '../../locales/words.tsx'
import { PlanGraph } from '../run/plan-graph.tsx'
import type { TeamVersion } from './teams-page.tsx'

type Team = TeamVersion['team']

/** Dependency diagram of the members. A press selects a member. */
export function TeamGraph({
  team,
  selected,
  select,
}: {
  team: Team
  selected?: string | undefined
  select: (member: string) => void
}) {
  return (
    <div className="of-team card mb-4 flex h-80 flex-none flex-col overflow-hidden">
      <PlanGraph
        steps={memberSteps(team)}
        select={(id) => select(team.agents[Number(id)]!.name)}
        {...(selected === undefined
          ? {}
          : { selected: String(team.agents.findIndex(({ name }) => name === selected)) })}
      />
    </div>
  )
}

/** The members as steps, identified by index: names can be edited and may be duplicates meanwhile. */
export function memberSteps({ agents }: Pick<Team, 'agents'>): Step[] {
  return agents.map(({ name, purpose: text, after }, at): Step => ({
    id: String(at),
    actor: name,
    text,
    state: 'todo',
    attempt: 1,
    round: 1,
    isReplaced: false,
    after: after.flatMap((one) => {
      const place = agents.findIndex((member) => member.name === one)
      return place < 0 ? [] : [String(place)]
    }),
  }))
}

/** Each member: purpose, instructions, tools. */
export function TeamMembers({ team, selected }: { team: Team; selected?: string | undefined }) {
  const { words } = useWords()
  return (
    <Section title={words.teams.members}>
      <ul>
        {team.agents.map(({ name, purpose, tools, task, call }) => (
          <li
            key={name}
            className={`flex flex-col gap-1 border-b border-line px-4 py-3 text-13 last:border-b-0 ${name === selected ? 'bg-accent-soft' : ''}`}
          >
            <b>{showInvisible(name)}</b>
            <span className="text-text-2">{showInvisible(purpose)}</span>
            <span className="text-12 whitespace-pre-wrap text-text-2">{showInvisible(task)}</span>
            <span className="flex flex-wrap gap-1">
              {tools.map((tool) => (
                <span key={tool} className="badge mono">
                  {showInvisible(tool)}
                </span>
              ))}
            </span>
            {call === undefined ? null : (
              <span className="text-12 text-text-2 wrap-anywhere">
                {words.teams.calls({ tool: call.tool })} <code>{showInvisible(JSON.stringify(call.input))}</code>
              </span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function budgetText(
  { maxCalls, maxTokens, maxCostUsd }: NonNullable<Team['budget']>,
  { teams: { most } }: Words,
): string {
  const limits = [
    [maxCalls, most.calls],
    [maxTokens, most.tokens],
    [maxCostUsd, most.cost],
  ] as const
  return [...limits.flatMap(([n, text]) => (n === undefined ? [] : [text({ n })])), most.share].join(', ')
}

/** Checks, limits and instructions of the team. */
export function TeamTerms({ team }: { team: Team }) {
  const { words } = useWords()
  const { checks, supervisor, keywords, useCases, budget = {} } = team
  const phrases = [...keywords, ...useCases]
  const lines = [
    [words.teams.limits, budgetText(budget, words)],
    ...(supervisor === undefined ? [] : [[words.teams.told, supervisor]]),
    ...(phrases.length === 0 ? [] : [[words.teams.askedFor, phrases.join(', ')]]),
  ]
  return (
    <>
      <Section title={words.teams.checks} lead={words.teams.checksLead}>
        <ul>
          {checks.map(({ question, contains }) => (
            <li key={question} className="border-b border-line px-4 py-2.5 text-13 last:border-b-0">
              {showInvisible(question)}
              {contains.length === 0 ? null : (
                <span className="block text-12 text-text-2">
                  {words.teams.mustHold({ what: showInvisible(contains.join(', ')) })}
                </span>
              )}
            </li>
          ))}
        </ul>
      </Section>
      <Section title={words.teams.terms}>
        <dl>
          {lines.map(([label, text = '']) => (
            <div key={label} className="border-b border-line px-4 py-2.5 text-13 last:border-b-0">
              <dt className="text-12 text-text-3">{label}</dt>
              <dd className="wrap-anywhere">{showInvisible(text)}</dd>
            </div>
          ))}
        </dl>
      </Section>
    </>
  )
}

/** The whole team, for approval. */
export function TeamDetails({ team }: { team: Team }) {
  const [member, select] = useState<string | undefined>()
  return (
    <div>
      <p className="mb-3 text-13">
        <b>{showInvisible(team.name)}</b> <span className="badge">{team.strategy}</span>
        <span className="block text-text-2">{showInvisible(team.purpose)}</span>
      </p>
      <TeamGraph team={team} selected={member} select={select} />
      <TeamMembers team={team} selected={member} />
      <TeamTerms team={team} />
    </div>
  )
}

/** Returns the team that a call would save; undefined for other calls. */
export function teamOfCall(tool: string, payload: object): Team | undefined {
  if (tool !== 'save_team' || !('team' in payload)) return undefined
  const { agents, checks, keywords, useCases } = Object(payload.team) as Partial<Record<keyof Team, unknown>>
  const lists = [agents, checks, keywords, useCases]
  return lists.every(Array.isArray) ? (payload.team as Team) : undefined
}
