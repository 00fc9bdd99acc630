import type { Schemas } from '../../../client/api-types.ts'
import { Link } from '@tanstack/react-router'
import { GraduationCap, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api, type Items } from '../../../client/api.ts'
import { useChange, useGet } from '../../app/data.ts'
import { useMayChange } from '../../app/session.ts'
import { AgentMark, useAgentName } from '../../ui/agent-mark.tsx'
import { Choice } from '../../ui/field.tsx'
import { Fetched, Page } from '../../ui/page.tsx'
import { Empty, Trouble } from '../../ui/states.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useWords } from '../../locales/words.tsx'
import { IconButton } from '../../ui/button.tsx'

type Status = 'candidate' | 'trusted' | 'quarantined'

type Skill = Schemas['Skill']

const TONES = { candidate: '', trusted: 'tone-ok', quarantined: 'tone-bad' } as const

/** How tasks were done before, as agents are given it for an example: to be looked at, judged and forgotten. */
export default function SkillsPage() {
  const { words } = useWords()
  const [gone, setGone] = useState<Skill | undefined>()
  const judge = useChange(
    ({ skillId, verdict }: { skillId: string; verdict: Status | null }) =>
      api.patch(`/skills/${encodeURIComponent(skillId)}`, { verdict }),
    '/skills',
  )
  const forget = useChange((id: string) => api.delete(`/skills/${encodeURIComponent(id)}`), '/skills')
  return (
    <Page title={words.skills.title} lead={words.skills.lead}>
      {[judge.error, forget.error].map((error, at) => (error === null ? null : <Trouble key={at} error={error} />))}
      <Fetched query={useGet<Items<Skill>>('/skills')}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={GraduationCap} title={words.skills.none}>
              <p>{words.skills.noneHint}</p>
              <a href="/guide/skills" className="btn mt-3">
                {words.palette.guide}
              </a>
            </Empty>
          ) : (
            <ul className="grid items-start gap-3 lg:grid-cols-2">
              {items.map((skill) => (
                <Entry
                  key={skill.skillId}
                  skill={skill}
                  judge={(verdict) => judge.mutate({ skillId: skill.skillId, verdict })}
                  forget={() => setGone(skill)}
                />
              ))}
            </ul>
          )
        }
      </Fetched>
      {gone === undefined ? null : (
        <ConfirmDialog
          action={words.skills.forget}
          yes={() => forget.mutate(gone.skillId)}
          close={() => setGone(undefined)}
        >
          {words.skills.sure({ task: gone.task })}
        </ConfirmDialog>
      )}
    </Page>
  )
}

function Entry({
  skill,
  judge,
  forget,
}: {
  skill: Skill
  judge: (verdict: Status | null) => void
  forget: () => void
}) {
  const { words, formats } = useWords()
  const from = formats.list
  const authors: Readonly<Record<string, readonly string[]>> = {
    own: [words.answer.yourData],
    outside: [words.answer.untrusted],
  }
  const nameOf = useAgentName()
  const {
    agent,
    task,
    steps,
    outcome,
    author,
    sources,
    status,
    verdict,
    isShared,
    isOwn,
    helped,
    hurt,
    runId,
    usedAt,
  } = skill
  const mayChange = useMayChange() && isOwn
  return (
    <li className="card flex flex-col gap-2 p-4 text-13">
      <h2 className="flex items-start gap-2">
        <AgentMark actor={agent} />
        <span className="min-w-0 flex-1 text-14 font-semibold wrap-anywhere">{task}</span>
        <span className={`badge ${TONES[status]}`}>{words.skills.status[status]}</span>
      </h2>
      <p className="text-12 text-text-2">
        {nameOf(agent)} · {words.skills.helped({ helped, hurt })} ·{' '}
        {words.settings.used({ when: formats.date(Date.parse(usedAt)) })}
        {isShared ? ` · ${words.teams.shared}` : ''}
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
          <span lang="en">{outcome}</span>; {from([...(authors[author] ?? []), ...sources])}.{' '}
          <Link to="/runs/$runId" params={{ runId }} className="underline">
            {words.answer.openRun}
          </Link>
        </p>
      </details>
      {mayChange ? (
        <div className="flex items-end gap-2 pt-1">
          <div className="w-52">
            <Choice<Status | ''>
              label={words.skills.verdict}
              value={verdict ?? ''}
              options={{ '': words.skills.auto, ...words.skills.status }}
              say={(said) => judge(said === '' ? null : said)}
            />
          </div>
          <IconButton
            icon={Trash2}
            label={`${words.skills.forget}: ${task}`}
            className="ml-auto"
            title={words.skills.forget}
            onClick={forget}
          />
        </div>
      ) : null}
    </li>
  )
}
