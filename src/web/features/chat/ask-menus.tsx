import { ChevronDown, LibraryBig, ListChecks, Route, Sparkles, type LucideIcon } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useEffect, type ReactNode } from 'react'
import type { Schemas } from '../../../client/api-types.ts'
import type { Items } from '../../../client/api.ts'
import { useGet } from '../../app/data.ts'
import { useAgentName } from '../../ui/agent-mark.tsx'
import { useWords } from '../../locales/words.tsx'
import { STRATEGIES, type QuestionOptions, type StrategyName } from './question-options.ts'
import { useAbout, useAgents } from './use-about.ts'

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
      <Menu icon={Route} label={words.composer.strategy} value={manner.strategy}>
        <DropdownMenu.RadioGroup
          value={manner.strategy}
          onValueChange={(value) => change({ strategy: value as StrategyName })}
        >
          {STRATEGIES.map((name) => (
            <Choice key={name} value={name} label={name} hint={words.strategies[name]} />
          ))}
        </DropdownMenu.RadioGroup>
      </Menu>
      {models.length < 2 ? null : (
        <Menu
          icon={Sparkles}
          label={words.composer.model}
          value={manner.model ?? words.composer.ownModel}
          shown={manner.model ?? words.composer.model}
        >
          <DropdownMenu.RadioGroup
            value={manner.model ?? ''}
            onValueChange={(value) => change({ model: value === '' ? undefined : value } as Partial<QuestionOptions>)}
          >
            <Choice value="" label={words.composer.ownModel} hint={words.composer.ownModelHint} />
            {models.map((model) => (
              <Choice key={model} value={model} label={model} />
            ))}
          </DropdownMenu.RadioGroup>
        </Menu>
      )}
      <button
        type="button"
        className="btn btn-ghost btn-sm"
        role="switch"
        aria-checked={manner.planFirst}
        aria-label={words.composer.planFirst}
        title={words.composer.planFirst}
        onClick={() => change({ planFirst: !manner.planFirst })}
      >
        <ListChecks size={16} aria-hidden />
        <span className="hidden @min-[540px]:inline">{words.composer.planShort}</span>
        <span className="switch" aria-hidden />
      </button>
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
    <Menu icon={LibraryBig} value={value}>
      {agents.map(({ name }) => (
        <DropdownMenu.CheckboxItem
          key={name}
          checked={isOn(name)}
          onSelect={(event) => event.preventDefault()}
          onCheckedChange={(checked) =>
            change({ without: checked ? manner.without.filter((one) => one !== name) : [...manner.without, name] })
          }
        >
          <Tick />
          <Lines
            label={nameOf(name)}
            hint={(about?.sources ?? [])
              .filter(({ kind }) => AGENT_OF[kind] === name)
              .map(({ kind, name: source, about: size }) =>
                [NAMED.has(kind) ? source : undefined, size].filter(Boolean).join(', '),
              )
              .join(' · ')}
          />
        </DropdownMenu.CheckboxItem>
      ))}
      {all.length === 0 ? null : <CollectionChoices all={all} chosen={chosen} choose={choose} />}
    </Menu>
  )
}

interface CollectionChoicesProps {
  readonly all: readonly Schemas['Collection'][]
  readonly chosen: readonly string[]
  readonly choose: (chosen: readonly string[]) => void
}

/** Collections of documents, which a question can be limited to. */
function CollectionChoices({ all, chosen, choose }: CollectionChoicesProps) {
  const { words } = useWords()
  return (
    <>
      <DropdownMenu.Separator className="my-1 h-px bg-line" />
      <DropdownMenu.Label className="px-2 py-1 text-12 text-text-3">
        {chosen.length === 0 ? words.collections.all : words.collections.only}
      </DropdownMenu.Label>
      {all.map(({ collectionId, name, documents }) => (
        <DropdownMenu.CheckboxItem
          key={collectionId}
          checked={chosen.includes(collectionId)}
          onSelect={(event) => event.preventDefault()}
          onCheckedChange={(checked) =>
            choose(checked ? [...chosen, collectionId] : chosen.filter((one) => one !== collectionId))
          }
        >
          <Tick />
          <Lines label={name} hint={words.collections.count({ n: documents })} />
        </DropdownMenu.CheckboxItem>
      ))}
    </>
  )
}

interface MenuProps {
  readonly icon: LucideIcon
  readonly label?: string
  readonly value: string
  /** On the button, where it is not label and value. */
  readonly shown?: string
  readonly children: ReactNode
}

function Menu({ icon: Icon, label, value, shown, children }: MenuProps) {
  const whole = label === undefined ? value : `${label}: ${value}`
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="btn btn-ghost btn-sm min-w-0" aria-label={whole} title={whole}>
        <Icon size={16} aria-hidden className="flex-none" />
        <span className="cut hidden max-w-40 @min-[460px]:inline">
          {label === undefined || shown !== undefined ? null : (
            <span className="hidden @min-[620px]:inline">{label}: </span>
          )}
          {shown ?? value}
        </span>
        <ChevronDown size={14} aria-hidden className="flex-none" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" side="top" align="start" sideOffset={6} collisionPadding={8}>
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

function Choice({ value, label, hint }: { value: string; label: string; hint?: string }) {
  return (
    <DropdownMenu.RadioItem value={value}>
      <Tick />
      <Lines label={label} hint={hint ?? ''} />
    </DropdownMenu.RadioItem>
  )
}

function Tick() {
  return (
    <span className="w-4 flex-none">
      <DropdownMenu.ItemIndicator>✓</DropdownMenu.ItemIndicator>
    </span>
  )
}

function Lines({ label, hint }: { label: string; hint: string }) {
  return (
    <span className="flex flex-col py-0.5">
      <b className="font-medium">{label}</b>
      {hint === '' ? null : <span className="text-12 text-text-2">{hint}</span>}
    </span>
  )
}
