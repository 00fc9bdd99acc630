import type { Schemas } from '../../../client/api-types.ts'
import { GraduationCap, Trash2 } from 'lucide-react'
import { useDelete, useEndpoint } from '../../app/data.ts'
import { useMayChange } from '../../app/session.ts'
import { AgentMark, useAgentName } from '../../ui/agent-mark.tsx'
import { List } from '../../ui/list.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, ErrorBanner } from '../../ui/states.tsx'
import { ConfirmIconButton } from '../../ui/confirm-dialog.tsx'
import { TextLink } from '../../ui/link.tsx'
import { useWords } from '../../locales/words.tsx'

type Skill = Schemas['Skill']

/** Successful tasks that agents get as examples. Users can review and delete them. */
export default function SkillsPage() {
  const { words } = useWords()
  return (
    <Page title={words.skills.title} lead={words.skills.lead}>
      <List
        query={useEndpoint('/skills')}
        className="grid items-start gap-3 lg:grid-cols-2"
        empty={
          <Empty icon={GraduationCap} title={words.skills.none} hint={words.skills.noneHint}>
            <a href="/guide/skills" className="btn mt-3">
              {words.palette.guide}
            </a>
          </Empty>
        }
      >
        {(skill) => <Entry key={skill.skillId} skill={skill} />}
      </List>
    </Page>
  )
}

function Entry({ skill }: { skill: Skill }) {
  const { words, formats } = useWords()
  const nameOf = useAgentName()
  const { agent, task, steps, outcome, author, sources, runId, usedAt } = skill
  const authors: Readonly<Record<string, readonly string[]>> = {
    own: [words.answer.yourData],
    outside: [words.answer.untrusted],
  }
  const mayChange = useMayChange()
  return (
    <li className="card flex flex-col gap-2 p-4 text-13">
      <h2 className="flex items-start gap-2">
        <AgentMark actor={agent} />
        <span className="min-w-0 flex-1 text-14 font-semibold wrap-anywhere">{task}</span>
      </h2>
      <p className="text-12 text-text-2">
        {nameOf(agent)} · {words.settings.used({ when: formats.date(usedAt) })}
      </p>
      <details>
        <summary className="cursor-pointer text-12 text-accent-text">{words.skills.steps({ n: steps.length })}</summary>
        <ol className="mt-2 flex flex-col gap-1">
          {steps.map(({ tool, input }, at) => (
            <li key={at} className="mono wrap-anywhere">
              <b>{tool}</b> {input}
            </li>
          ))}
        </ol>
        <p className="mt-2 text-12 text-text-2">
          <span lang="en">{outcome}</span>; {formats.list([...(authors[author] ?? []), ...sources])}.{' '}
          <TextLink to="/runs/$runId" params={{ runId }} text={words.answer.openRun} />
        </p>
      </details>
      {mayChange ? <Forget skill={skill} /> : null}
    </li>
  )
}

function Forget({ skill: { skillId, task } }: { skill: Skill }) {
  const { words } = useWords()
  const remove = useDelete(`/skills/${encodeURIComponent(skillId)}`, '/skills')
  return (
    <>
      <ConfirmIconButton
        icon={Trash2}
        label={words.skills.forget}
        object={task}
        className="ml-auto"
        consequences={words.skills.sure({ task })}
        yes={() => remove.mutate()}
      />
      <ErrorBanner error={remove.error} isInText />
    </>
  )
}
