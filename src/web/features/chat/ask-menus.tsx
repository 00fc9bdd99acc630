import { ChevronDown, LibraryBig, ListChecks, Route, Sparkles, type LucideIcon } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useEffect, type ReactNode } from 'react'
import type { Schemas } from '../../../client/api-types.ts'
import type { Items } from '../../../client/api.ts'
import { useGet } from '../../app/data.ts'
import { useAgentName } from '../../ui/agent-mark.tsx'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuCheckbox, MenuChoice, MenuSeparator } from '../../ui/menu.tsx'
import { useWords } from '../../locales/words.tsx'
import { STRATEGIES, type QuestionOptions, type StrategyName } from './question-options.ts'
import { useAbout, useAgents } from './use-agents.ts'

/** The agent for each kind of source. */
const AGENT_OF: Readonly<Record<string, string>> = { database: 'sql', documents: 'rag', api: 'api', mail: 'mail' }

/** There are several of these, and each has a name. */
const NAMED = new Set(['database', 'api'])

interface MenusProps {
  readonly manner: QuestionOptions
  readonly change: (change: Partial<QuestionOptions>) => void
}

/** How a question is asked: from which sources, with which strategy and model, and whether its plan is shown first. */
export function AskMenus({ manner, change }: MenusProps) {
  const { words } = useWords()
  const about = useAbout()
  const models = about?.models ?? []
  return (
    <>
      <SourcesMenu manner={manner} change={change} />
      <AskMenu icon={Route} label={words.composer.strategy} value={manner.strategy}>
        <DropdownMenu.RadioGroup
          value={manner.strategy}
          onValueChange={(value) => change({ strategy: value as StrategyName })}
        >
          {STRATEGIES.map((name) => (
            <MenuChoice key={name} value={name} label={name} hint={words.strategies[name]} />
          ))}
        </DropdownMenu.RadioGroup>
      </AskMenu>
      {models.length < 2 ? null : (
        <AskMenu
          icon={Sparkles}
          label={words.composer.model}
          value={manner.model ?? words.composer.ownModel}
          text={manner.model ?? words.composer.model}
        >
          <DropdownMenu.RadioGroup
            value={manner.model ?? ''}
            onValueChange={(value) => change({ model: value === '' ? undefined : value } as Partial<QuestionOptions>)}
          >
            <MenuChoice value="" label={words.composer.ownModel} hint={words.composer.ownModelHint} />
            {models.map((model) => (
              <MenuChoice key={model} value={model} label={model} />
            ))}
          </DropdownMenu.RadioGroup>
        </AskMenu>
      )}
      <Button
        icon={ListChecks}
        className="btn-ghost btn-sm"
        role="switch"
        aria-checked={manner.planFirst}
        aria-label={words.composer.planFirst}
        title={words.composer.planFirst}
        onClick={() => change({ planFirst: !manner.planFirst })}
      >
        <span className="hidden @min-[540px]:inline">{words.composer.planShort}</span>
        <span className="switch" aria-hidden />
      </Button>
    </>
  )
}

/** Connected sources with checkboxes. The agent of an unchecked source is excluded from the question. */
function SourcesMenu({ manner, change }: MenusProps) {
  const { words } = useWords()
  const about = useAbout()
  const nameOf = useAgentName()
  const agents = useAgents().filter(({ name, unavailable }) => {
    return unavailable === undefined && (['sql', 'rag', 'api', 'web', 'mail'].includes(name) || name.startsWith('mcp_'))
  })
  const contentOf = (agent: string): string =>
    (about?.sources ?? [])
      .filter(({ kind }) => AGENT_OF[kind] === agent)
      .map(({ kind, name, about: size }) => [NAMED.has(kind) ? name : undefined, size].filter(Boolean).join(', '))
      .join(' · ')
  const isOn = (name: string): boolean => !manner.without.includes(name)
  const on = agents.filter(({ name }) => isOn(name)).length
  const { data } = useGet<Items<Schemas['Collection']>>('/collections?limit=200')
  const all = data?.items ?? []
  const { collections: chosen = [] } = manner
  const choose = (collections: readonly string[]): void => change({ collections })
  // A removed or revoked source would make the server reject every question.
  const known = chosen.filter((one) => all.some(({ collectionId }) => collectionId === one))
  const isStale = data !== undefined && known.length < chosen.length
  useEffect(() => {
    if (isStale) choose(known)
  })
  const sources =
    on === agents.length ? words.composer.allSources : words.composer.someSources({ on, all: agents.length })
  const value = chosen.length === 0 ? sources : `${sources}, ${words.collections.some({ n: chosen.length })}`
  return (
    <AskMenu icon={LibraryBig} value={value}>
      {agents.map(({ name }) => (
        <MenuCheckbox
          key={name}
          label={nameOf(name)}
          hint={contentOf(name)}
          isChecked={isOn(name)}
          onChange={(isChecked) => change({ without: toggled(manner.without, name, !isChecked) })}
        />
      ))}
      {all.length === 0 ? null : (
        <>
          <MenuSeparator />
          <DropdownMenu.Label className="px-2 py-1 text-12 text-text-3">
            {chosen.length === 0 ? words.collections.all : words.collections.only}
          </DropdownMenu.Label>
        </>
      )}
      {all.map(({ collectionId, name, documents }) => (
        <MenuCheckbox
          key={collectionId}
          label={name}
          hint={words.collections.count({ n: documents })}
          isChecked={chosen.includes(collectionId)}
          onChange={(isChecked) => choose(toggled(chosen, collectionId, isChecked))}
        />
      ))}
    </AskMenu>
  )
}

function toggled(list: readonly string[], entry: string, isIn: boolean): readonly string[] {
  return isIn ? [...list, entry] : list.filter((one) => one !== entry)
}

interface AskMenuProps {
  readonly icon: LucideIcon
  readonly label?: string
  readonly value: string
  /** Text of the button, by default label and value. */
  readonly text?: string
  readonly children: ReactNode
}

function AskMenu({ icon: Icon, label, value, text, children }: AskMenuProps) {
  const title = label === undefined ? value : `${label}: ${value}`
  const button = (
    <button type="button" className="btn btn-ghost btn-sm min-w-0" aria-label={title} title={title}>
      <Icon size={16} aria-hidden className="flex-none" />
      <span className="cut hidden max-w-40 @min-[460px]:inline">
        {label === undefined || text !== undefined ? null : (
          <span className="hidden @min-[620px]:inline">{label}: </span>
        )}
        {text ?? value}
      </span>
      <ChevronDown size={14} aria-hidden className="flex-none" />
    </button>
  )
  return (
    <Menu side="top" button={button}>
      {children}
    </Menu>
  )
}
