import { useGet } from '../../app/data.ts'
import { Section } from '../../ui/field.tsx'
import { Fetched } from '../../ui/page.tsx'
import { useWords } from '../../locales/words.tsx'

interface Installation {
  readonly storage: string
  readonly model?: string
  readonly actors: Readonly<Record<string, string>>
  readonly providers: readonly { readonly name: string; readonly kind: string }[]
  readonly defaults: Readonly<Record<string, unknown>>
}

/** How the installation is set up; it is changed in its configuration file, not here. */
export function Setup() {
  const { words } = useWords()
  const entry = (name: string, value: string) => (
    <div key={name} className="line">
      <dt className="w-44 flex-none text-text-2">{name}</dt>
      <dd className="mono min-w-0 flex-1 wrap-anywhere">{value}</dd>
    </div>
  )
  return (
    <Fetched query={useGet<Installation>('/settings')}>
      {({ storage, model, actors, providers, defaults }) => (
        <>
          <Section title={words.admin.setup} lead={words.admin.setupLead}>
            <dl>
              {entry(words.admin.model, model ?? words.badge.byRules)}
              {entry(words.admin.storage, storage)}
              {providers.map(({ name, kind }) => entry(`${words.admin.provider} ${name}`, kind))}
              {Object.entries(actors).map(([name, one]) => entry(name, one))}
            </dl>
          </Section>
          <Section title={words.admin.defaults} lead={words.admin.defaultsLead}>
            {Object.keys(defaults).length === 0 ? (
              <p className="px-4 py-3 text-13 text-text-2">{words.admin.noDefaults}</p>
            ) : null}
            <dl>
              {Object.entries(defaults).map(([name, value]) =>
                entry(name, typeof value === 'string' ? value : JSON.stringify(value)),
              )}
            </dl>
          </Section>
        </>
      )}
    </Fetched>
  )
}
