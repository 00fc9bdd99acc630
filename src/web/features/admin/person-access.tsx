import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Schemas } from '../../../client/api-types.ts'
import { useGet } from '../../app/data.ts'
import { useAgentName } from '../../ui/agent-mark.tsx'
import { Section } from '../../ui/field.tsx'
import { Fetched } from '../../ui/page.tsx'
import { useWords } from '../../locales/words.tsx'
import { iconOf, useSourceName } from './source-kinds.ts'

type AccessReply = Schemas['PersonAccess']
type Why = AccessReply['sources'][number]['why']

/** What one user may use and why, as the server decides it. Private sources are only counted. */
export function PersonAccess({ userId }: { userId: string }) {
  const { words } = useWords()
  const accessQuery = useGet<AccessReply>(`/people/${encodeURIComponent(userId)}/access`)
  return (
    <>
      <Link to="/admin/$part" params={{ part: 'access' }} search={{}} className="btn btn-ghost btn-sm mb-3">
        <ArrowLeft size={14} aria-hidden />
        {words.access.back}
      </Link>
      <Fetched query={accessQuery}>{(data) => <AccessReply told={data} />}</Fetched>
    </>
  )
}

function AccessReply({ told }: { told: AccessReply }) {
  const { words } = useWords()
  const agentName = useAgentName()
  const sourceName = useSourceName()
  const { name, role, isDisabled, groups, sources, collections, agents, teams, ownCollections, ownTeams } = told
  return (
    <>
      <Section title={words.access.page({ name })} lead={words.access.pageLead}>
        {isDisabled ? <p className="banner tone-bad m-4">{words.access.isOut}</p> : null}
        <dl>
          <div className="line">
            <dt className="w-44 flex-none text-text-2">{words.admin.role}</dt>
            <dd>{words.role[role as keyof typeof words.role]}</dd>
          </div>
          <div className="line">
            <dt className="w-44 flex-none text-text-2">{words.access.groups}</dt>
            <dd className="min-w-0 wrap-anywhere">
              {groups.map((group) => group.name).join(', ') || words.access.noGroups}
            </dd>
          </div>
        </dl>
        <p className="border-t border-line px-4 py-3 text-12 text-text-2">{words.access.notTold}</p>
      </Section>
      <Section title={words.access.sources}>
        <ul>
          {sources.map(({ source, may, why }) => (
            <Entry key={source} source={source} name={sourceName(source)} role={role} may={may} why={why} />
          ))}
          {told.hasOwnMailbox ? (
            <li className="line">
              <span className="min-w-0 flex-1 font-medium">{words.access.mailbox}</span>
              <span className="text-12 text-text-2">{words.access.mailboxHint}</span>
            </li>
          ) : null}
        </ul>
      </Section>
      <Section title={words.access.collections}>
        <ul>
          {collections.map(({ collectionId, name: called, owner, may, why }) => (
            <Entry
              key={collectionId}
              source={`collection:${collectionId}`}
              name={owner === undefined ? called : `${called} ${words.admin.ofWhom({ name: owner })}`}
              role={role}
              may={may}
              why={why}
            />
          ))}
          {collections.length === 0 ? <li className="line text-text-2">{words.access.noCollections}</li> : null}
          {ownCollections === 0 ? null : (
            <li className="line text-text-2">{words.access.ownCollections({ n: ownCollections })}</li>
          )}
        </ul>
      </Section>
      <Names title={words.access.agents} empty={words.access.noAgents}>
        {agents.map(({ name: called, unavailable }) => (
          <span key={called} className={`chip ${unavailable === undefined ? '' : 'text-text-3'}`} title={unavailable}>
            {agentName(called)}
            {unavailable === undefined ? '' : ` · ${words.agents.lacks}`}
          </span>
        ))}
      </Names>
      <Names title={words.access.teams} empty={words.access.noTeams}>
        {teams.map(({ name: called }) => (
          <span key={called} className="chip">
            {called}
          </span>
        ))}
        {ownTeams === 0 ? [] : [<span key="own">{words.access.ownTeams({ n: ownTeams })}</span>]}
      </Names>
    </>
  )
}

function Names({ title, empty, children }: { title: string; empty: string; children: readonly ReactNode[] }) {
  const shown = children.flat()
  return (
    <Section title={title}>
      <div className="flex flex-wrap items-center gap-2 p-4 text-13 text-text-2">
        {shown.length === 0 ? empty : shown}
      </div>
    </Section>
  )
}

function Entry({
  source,
  name,
  role,
  may,
  why,
}: {
  source: string
  name: string
  role: string
  may: AccessReply['sources'][number]['may']
  why: Why
}) {
  const { words } = useWords()
  const Icon = iconOf(source)
  const isGiven = may.length > 0
  const reasons = useReasons(why)
  return (
    <li className="line">
      <Icon size={16} aria-hidden className="flex-none text-text-3" />
      <span className={`min-w-0 flex-1 basis-40 wrap-anywhere ${isGiven ? 'font-medium' : 'text-text-2'}`}>{name}</span>
      <span className={`badge sm:order-1 ${may.includes('edit') ? 'tone-accent' : isGiven ? 'tone-info' : ''}`}>
        {!isGiven
          ? words.access.notGiven
          : role === 'viewer'
            ? words.access.given
            : words.admin.level[may.includes('edit') ? 'editor' : 'reader']}
      </span>
      {why.length === 0 ? null : <span className="w-full pl-7 text-12 text-text-2 sm:w-auto sm:pl-0">{reasons}</span>}
    </li>
  )
}

/** The reason for an access right: admin, everyone, group or personal grant. */
function useReasons(why: Why): string {
  const { words, formats } = useWords()
  return formats.list(
    why.map(({ by, to = '', name }) => {
      if (by !== 'grant') return words.access.because[by]
      if (to === 'everyone') return words.access.everyone
      return to.startsWith('group:') ? words.access.group({ name: name ?? to }) : words.access.personally
    }),
  )
}
