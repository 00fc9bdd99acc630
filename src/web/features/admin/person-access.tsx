import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Schemas } from '../../../client/api-types.ts'
import { useGet } from '../../app/data.ts'
import { useAgentName } from '../../ui/agent-mark.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Section } from '../../ui/field.tsx'
import { Fact } from '../../ui/list.tsx'
import { Fetched } from '../../ui/page.tsx'
import { useWords } from '../../locales/words.tsx'
import { iconOf, useSourceName } from './source-kinds.ts'

type Access = Schemas['PersonAccess']
type Right = Pick<Access['sources'][number], 'may'>

/** What one user may use, as the server decides it. Private sources are only counted. */
export function PersonAccess({ userId }: { userId: string }) {
  const { words } = useWords()
  return (
    <>
      <LinkButton
        to="/admin/$part"
        params={{ part: 'access' }}
        search={{}}
        label={words.access.back}
        icon={ArrowLeft}
        className="btn-ghost btn-sm mb-3"
      />
      <Fetched query={useGet<Access>(`/people/${encodeURIComponent(userId)}/access`)}>
        {(access) => <Rights access={access} />}
      </Fetched>
    </>
  )
}

function Rights({ access }: { access: Access }) {
  const { words } = useWords()
  const agentName = useAgentName()
  const sourceName = useSourceName()
  const { name, role, isDisabled, groups, sources, collections, agents, teams, ownCollections, ownTeams } = access
  return (
    <>
      <Section title={words.access.page({ name })} lead={words.access.pageLead}>
        {isDisabled ? <p className="banner tone-bad m-4">{words.access.isOut}</p> : null}
        <dl>
          <Fact name={words.admin.role}>{words.role[role as keyof typeof words.role]}</Fact>
          <Fact name={words.access.groups}>
            {groups.map((group) => group.name).join(', ') || words.access.noGroups}
          </Fact>
        </dl>
        <p className="border-t border-line px-4 py-3 text-12 text-text-2">{words.access.notTold}</p>
      </Section>
      <Section title={words.access.sources}>
        <ul>
          {sources.map(({ source, ...right }) => (
            <SourceRow key={source} source={source} name={sourceName(source)} role={role} {...right} />
          ))}
          {access.hasOwnMailbox ? (
            <li className="line">
              <span className="min-w-0 flex-1 font-medium">{words.access.mailbox}</span>
              <span className="text-12 text-text-2">{words.access.mailboxHint}</span>
            </li>
          ) : null}
        </ul>
      </Section>
      <Section title={words.access.collections}>
        <ul>
          {collections.map(({ collectionId, name: title, owner, ...right }) => (
            <SourceRow
              key={collectionId}
              source={`collection:${collectionId}`}
              name={owner === undefined ? title : `${title} ${words.admin.ofWhom({ name: owner })}`}
              role={role}
              {...right}
            />
          ))}
          {collections.length === 0 ? <li className="line text-text-2">{words.access.noCollections}</li> : null}
          {ownCollections === 0 ? null : (
            <li className="line text-text-2">{words.access.ownCollections({ n: ownCollections })}</li>
          )}
        </ul>
      </Section>
      <Names title={words.access.agents} empty={words.access.noAgents}>
        {agents.map(({ name: agent, unavailable }) => (
          <span key={agent} className={`chip ${unavailable === undefined ? '' : 'text-text-3'}`} title={unavailable}>
            {agentName(agent)}
            {unavailable === undefined ? '' : ` · ${words.agents.lacks}`}
          </span>
        ))}
      </Names>
      <Names title={words.access.teams} empty={words.access.noTeams}>
        {teams.map(({ name: team }) => (
          <span key={team} className="chip">
            {team}
          </span>
        ))}
        {ownTeams === 0 ? [] : [<span key="own">{words.access.ownTeams({ n: ownTeams })}</span>]}
      </Names>
    </>
  )
}

function Names({ title, empty, children }: { title: string; empty: string; children: readonly ReactNode[] }) {
  const names = children.flat()
  return (
    <Section title={title}>
      <div className="flex flex-wrap items-center gap-2 p-4 text-13 text-text-2">
        {names.length === 0 ? empty : names}
      </div>
    </Section>
  )
}

interface SourceRowProps extends Right {
  readonly source: string
  readonly name: string
  readonly role: string
}

function SourceRow({ source, name, role, may }: SourceRowProps) {
  const { words } = useWords()
  const Icon = iconOf(source)
  const canEdit = may.includes('edit')
  const [tone, label] =
    may.length === 0
      ? ['', words.access.notGiven]
      : [canEdit ? 'tone-accent' : 'tone-info', words.admin.level[canEdit ? 'editor' : 'reader']]
  return (
    <li className="line">
      <Icon size={16} aria-hidden className="flex-none text-text-3" />
      <span className={`min-w-0 flex-1 basis-40 wrap-anywhere ${may.length > 0 ? 'font-medium' : 'text-text-2'}`}>
        {name}
      </span>
      <span className={`badge sm:order-1 ${tone}`}>
        {role === 'viewer' && may.length > 0 ? words.access.given : label}
      </span>
    </li>
  )
}
