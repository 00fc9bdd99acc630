import { useEndpoint } from '../../app/data.ts'
import { Section } from '../../ui/field.tsx'
import { Fact, Hint } from '../../ui/list.tsx'
import { Fetched } from '../../ui/page.tsx'
import { useWords } from '../../locales/words.tsx'

/** How the installation is set up; it is changed in its configuration file, not here. */
export function Setup() {
  const { words } = useWords()
  const entry = (name: string, value: string) => (
    <Fact key={name} name={name} className="mono">
      {value}
    </Fact>
  )
  return (
    <Fetched query={useEndpoint('/settings')}>
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
            {Object.keys(defaults).length === 0 ? <Hint>{words.admin.noDefaults}</Hint> : null}
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
