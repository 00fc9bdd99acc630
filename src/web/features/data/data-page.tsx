import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Archive, BookA, Database, Table2, Terminal } from 'lucide-react'
import { useEndpoint } from '../../app/data.ts'
import { useIsAdmin } from '../../app/session.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Choice, optionsOf } from '../../ui/field.tsx'
import { Fetched, Page } from '../../ui/page.tsx'
import { Empty, AdminsOnly } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useWords } from '../../locales/words.tsx'
import { Console } from './console.tsx'
import { Tables } from './tables.tsx'
import { Terms } from './terms.tsx'

/** The databases of the agents: tables, business terms, a console with the same SQL guard, and Tutti's own tables. */
export default function DataPage() {
  const { words } = useWords()
  const isAdmin = useIsAdmin()
  const databases = useEndpoint('/databases', isAdmin)
  const { part } = useParams({ strict: false })
  const { database } = useSearch({ strict: false })
  const navigate = useNavigate()
  const tabs = [
    { to: '/data', icon: Table2, label: words.data.tables },
    { to: '/data/terms', icon: BookA, label: words.data.terms },
    { to: '/data/console', icon: Terminal, label: words.data.console },
    { to: '/data/tutti', icon: Archive, label: words.data.stored },
  ]
  const names = databases.data?.items.map(({ name }) => name) ?? []
  const current = names.find((name) => name === database) ?? names[0]
  return (
    <Page
      title={words.data.title}
      tabs={<Tabs label={words.data.title} tabs={tabs} keepsSearch />}
      actions={
        names.length < 2 || part === 'tutti' ? null : (
          <div className="ml-auto w-44">
            <Choice
              label={words.data.database}
              isQuiet
              value={current!}
              options={optionsOf(names)}
              onChange={(name) => void navigate({ to: '.', search: { database: name } })}
            />
          </div>
        )
      }
    >
      {!isAdmin ? (
        <AdminsOnly />
      ) : part === 'tutti' ? (
        <Tables path="/storage" />
      ) : (
        <Fetched query={databases}>
          {() =>
            current === undefined ? (
              <Empty icon={Database} title={words.data.none} hint={words.data.noneHint}>
                <LinkButton to="/setup" label={words.reading.connectSources} className="btn-primary mt-3" />
              </Empty>
            ) : part === 'terms' ? (
              <Terms key={current} database={current} />
            ) : part === 'console' ? (
              <Console key={current} database={current} />
            ) : (
              <Tables key={current} path={`/databases/${encodeURIComponent(current)}`} database={current} />
            )
          }
        </Fetched>
      )}
    </Page>
  )
}
