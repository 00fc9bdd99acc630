import { z } from 'zod'
import { checkDatabase } from '../../app/check-source.ts'
import { mailOf, ON_PAGE, type Kind } from '../../app/connections/connection-file.ts'
import { removeUrlSecrets } from '../../app/addresses.ts'
import type { App } from '../../app/user-app.ts'
import type { SetupDesk } from './setup.ts'

export const KINDS = ['model', 'database', 'mailbox'] as const satisfies readonly Kind[]
export const sourceSchema = z
  .object({
    kind: z.enum(KINDS),
    name: z.string(),
    about: z.string().describe('Location, without secrets'),
    from: z.enum(['environment', 'file', 'page', 'demo']),
    isUsed: z.boolean().describe('False if the environment or the configuration file overrides it'),
    found: z.string().optional().describe('What was found, such as tables'),
    problem: z.string().optional().describe('Why it cannot be used'),
  })
  .meta({ id: 'SetUpSource' })
type Source = z.infer<typeof sourceSchema>

/** All connections with their places, those of the page that are not used included. */
export async function connectionViews(app: App, desk: SetupDesk | undefined): Promise<readonly Source[]> {
  const connected = desk === undefined ? { databases: [] } : await desk.file.read()
  const { config } = app
  const elsewhere = desk?.isDemo === true ? 'demo' : 'file'
  const { providers, default: model } = app.models.describe()
  const models = providers.map(({ name, source, host }): Source => {
    const about = model?.startsWith(`${name}:`) === true ? `${model.slice(name.length + 1)} · ${host}` : host
    const from = source === ON_PAGE ? 'page' : 'environment'
    return { kind: 'model', name, about, from, isUsed: true }
  })
  const addressOf = (name: string) => config.databases.find((one) => one.name === name)?.url
  const isFromPage = (name: string) =>
    connected.databases.some((one) => one.name === name && one.address === addressOf(name))
  const databases = await Promise.all(
    app.databases.map(async (source): Promise<Source> => {
      const { name, ok, message } = await checkDatabase(source)
      const from = isFromPage(name) ? 'page' : elsewhere
      const about = removeUrlSecrets(addressOf(name) ?? name)
      return { kind: 'database', name, about, from, isUsed: true, ...(ok ? { found: message } : { problem: message }) }
    }),
  )
  const ownMail = connected.mailbox === undefined ? undefined : mailOf(connected.mailbox).url
  const inEnvironment = desk?.hasMailInEnvironment === true
  const isOwnMail = !inEnvironment && ownMail !== undefined && config.mail.url === ownMail
  const mailFrom = isOwnMail ? 'page' : inEnvironment ? 'environment' : elsewhere
  const mail: Source[] =
    app.mail === undefined
      ? []
      : [{ kind: 'mailbox', name: 'mailbox', about: app.mail.describe(), from: mailFrom, isUsed: true }]
  const unused = (kind: Kind, name: string, address: string): Source => {
    return { kind, name, about: removeUrlSecrets(address), from: 'page', isUsed: false }
  }
  return [
    ...models,
    ...(connected.model === undefined || models.some(({ from }) => from === 'page')
      ? []
      : [unused('model', 'model', connected.model.address)]),
    ...databases,
    ...connected.databases
      .filter(({ name }) => !isFromPage(name))
      .map((one) => unused('database', one.name, one.address)),
    ...mail,
    ...(ownMail === undefined || isOwnMail ? [] : [unused('mailbox', 'mailbox', ownMail)]),
  ]
}
