import { rename, rm, stat, writeFile } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { TuttiError } from '../../domain/errors.ts'
import { databaseUrlProblem } from '../../domain/server-url.ts'
import type { Cli } from '../cli.ts'
import type { Program } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { parseApi, parseDatabase, type NamedApi, type NamedDatabase } from '../option-values.ts'
import { canAsk, promptUser, askConfirmation } from '../prompt.ts'
import { safeLine } from '../render/text.ts'
import { withSpinner } from '../render/spinner.ts'
import { withOwnCommand } from '../own-command.ts'
import { argument, option, YES_OPTION, DATABASE_OPTION, API_OPTION } from '../shared-options.ts'
import { isSecretName } from '../../shared/secret-names.ts'

export function addInit({ root, cli, command }: Program): void {
  command(
    root,
    'init',
    'write a configuration file with comments and check its sources',
    argument('[file]', 'file to write').default('tutti.config.yaml'),
    DATABASE_OPTION,
    API_OPTION,
    option('--model <model>', 'default model, as provider:model'),
    option('--mail <url>', 'mailbox: imaps://user@host, maildir:folder or gmail:'),
    option('--mail-from <address>', 'sender of mails: Name <address>'),
    option('--no-check', 'do not check the sources'),
    YES_OPTION,
  ).run((file: string, options: InitOptions) => init(cli, file, options))
}

interface InitOptions {
  readonly db?: readonly NamedDatabase[]
  readonly api?: readonly NamedApi[]
  readonly model?: string
  readonly mail?: string
  readonly mailFrom?: string
  /** False with `--no-check`. */
  readonly check: boolean
  readonly yes?: boolean
}

/** `tutti init`: tries the models, databases and the mailbox that were named, then writes the configuration. */
async function init(cli: Cli, file: string, options: InitOptions): Promise<ExitCode> {
  const path = resolve(cli.cwd, file)
  if (!['.yaml', '.yml'].includes(extname(path))) {
    throw new TuttiError(
      'InvalidRequest',
      `The configuration is written as YAML; name a file such as tutti.config.yaml.`,
    )
  }
  if (
    (await fileExists(path)) &&
    !(await askConfirmation(cli, { what: `Overwrite ${safeLine(file)}`, yes: options.yes }))
  ) {
    return EXIT.ok
  }
  const { text, variables } = configText(await readContents(cli, options))
  const draft = await draftOf(path, text)
  let problems: readonly string[]
  try {
    problems = options.check
      ? await findProblems({ ...cli, globals: { ...cli.globals, config: draft } }, variables)
      : []
    for (const problem of problems) {
      const shown = safeLine(problem).replaceAll(draft, path)
      cli.err.line(cli.err.style.red(`✗ ${withOwnCommand(shown, cli.self)}`))
    }
    if (problems.length > 0 && !(await confirmProblems(cli, options))) return EXIT.configuration
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
  cli.err.line(`Wrote ${safeLine(file)}.`)
  const unset = Object.keys(variables).filter((name) => !cli.env[name])
  for (const name of unset) cli.err.line(`Set the environment variable ${name}: passwords are not written into files.`)
  const isUsual = dirname(path) === cli.cwd && basename(path).startsWith('tutti.config.')
  const named = isUsual ? '' : ` --config ${file}`
  if (problems.length === 0) cli.err.line(`Try: ${cli.self} ask "…"${named}`)
  return problems.length === 0 ? EXIT.ok : EXIT.configuration
}

/** The given options; on a terminal without options, typed answers. */
async function readContents(
  cli: Cli,
  { db = [], api = [], model, mail, mailFrom }: InitOptions,
): Promise<ConfigContents> {
  const named = { databases: db, apis: api, ...withoutMissing({ model, mail, mailFrom }) }
  if (!canAsk(cli) || db.length + api.length > 0 || model !== undefined || mail !== undefined) return named
  const ask = async (
    about: string,
    placeholder: string,
    problemOf?: (typed: string) => string | undefined,
  ): Promise<string | undefined> => {
    const message = `${about} (Enter for none)`
    const validate = (typed = ''): string | undefined => (typed.trim() === '' ? undefined : problemOf?.(typed.trim()))
    const answer = await promptUser(cli, ({ text }, io) => text({ ...io, message, placeholder, validate }))
    if (answer === undefined) throw new TuttiError('Cancelled', 'Nothing was written.')
    return answer.trim() || undefined
  }
  const database = await ask('Which database may be asked?', 'sqlite:shop.db or postgres://reader@host/shop', (typed) =>
    databaseUrlProblem(parseDatabase(typed)[0]!.url),
  )
  const catalogue = await ask('Which HTTP API?', 'file or URL of its OpenAPI document')
  const typed = {
    model: await ask('Which model?', 'openai:gpt-5.4-mini; its key stays in the environment'),
    mail: await ask('Which mailbox?', 'imaps://user@host or maildir:folder'),
  }
  const from = typed.mail === undefined ? undefined : await ask('What are mails sent from?', 'Ada <ada@example.com>')
  return {
    databases: database === undefined ? [] : parseDatabase(database),
    apis: catalogue === undefined ? [] : parseApi(catalogue),
    ...withoutMissing({ ...typed, mailFrom: from }),
  }
}

/** Whether a file is wanted that does not work as it is. */
async function confirmProblems(cli: Cli, { yes = false }: InitOptions): Promise<boolean> {
  if (yes) return true
  const message = 'Write it anyway?'
  if (canAsk(cli) && (await promptUser(cli, ({ confirm }, io) => confirm({ ...io, message, initialValue: false })))) {
    return true
  }
  cli.err.line('Nothing was written. --yes writes it anyway, and --no-check tries nothing.')
  return false
}

/** What does not work of the file as it was written, one sentence each. */
async function findProblems(cli: Cli, variables: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { examine } = await import('../doctor/examine.ts')
  const env = { ...variables, ...cli.env }
  const { problems, parts } = await withSpinner(
    cli,
    'Trying what the file names',
    examine({ ...cli, env }, { check: true }),
  )
  for (const { name, ok, message } of parts?.databases ?? []) if (ok) printLine(cli, `${name}: ${message}`)
  for (const { provider, model = '', ok, message } of parts?.checks ?? []) {
    if (ok) printLine(cli, `${provider}:${model}: ${message}`)
  }
  const mail = parts?.sources.mail
  if (mail && !problems.some((problem) => problem.startsWith('Mail:'))) printLine(cli, mail.account)
  return problems
}

function printLine(cli: Cli, what: string): void {
  cli.err.line(`${cli.err.style.green('✓')} ${safeLine(what)}`)
}

/** Writes the content to a temporary file first, readable only by the user, so that the file is complete or missing. */
async function draftOf(path: string, text: string): Promise<string> {
  const draft = join(dirname(path), `.${randomUUID()}.${basename(path)}`)
  try {
    await writeFile(draft, text, { mode: 0o600 })
    return draft
  } catch (thrown) {
    throw new TuttiError('StorageError', `${path} cannot be written: ${(thrown as Error).message}.`, { cause: thrown })
  }
}

function fileExists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

function withoutMissing(
  texts: Pick<ConfigContents, 'model' | 'mail' | 'mailFrom'>,
): Pick<ConfigContents, 'model' | 'mail' | 'mailFrom'> {
  return Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined))
}

/** Contents of a new configuration. */
interface ConfigContents {
  readonly databases: readonly NamedDatabase[]
  readonly apis: readonly NamedApi[]
  readonly model?: string | undefined
  readonly mail?: string | undefined
  readonly mailFrom?: string | undefined
}

interface NewConfig {
  readonly text: string
  /** Passwords from the URLs, by the environment variable that replaces them in the text. */
  readonly variables: Readonly<Record<string, string>>
}

/** A YAML configuration file with comments for each part. Parts without a value are commented out. */
function configText({ databases, apis, model, mail, mailFrom }: ConfigContents): NewConfig {
  const variables: Record<string, string> = {}
  const open = (url: string, variable: string): string => {
    const kept = (password: string): string => {
      if (password === '' || /^\$\{\w+\}$/.test(password)) return password
      const name = variables[variable] === undefined || variables[variable] === password ? variable : `${variable}_B`
      variables[name] = password
      return `\${${name}}`
    }
    const withoutUser = url.replace(
      /^([a-z][a-z0-9+.-]*:\/\/[^:@/?#]*:)([^/?#]*)(@.*)$/is,
      (_, head: string, password: string, rest: string) => `${head}${kept(password)}${rest}`,
    )
    return quoted(
      withoutUser.replaceAll(/([?&])([^=&#]+)=([^&#]*)/g, (whole, mark: string, name: string, value: string) =>
        isSecretName(name) ? `${mark}${name}=${kept(value)}` : whole,
      ),
    )
  }
  const items = (key: string, lines: readonly string[][], example: readonly string[]): string => {
    if (lines.length === 0) return example.map((line) => `# ${line}`).join('\n')
    return `${key}:\n${lines.map((item) => item.map((line, i) => `${i === 0 ? '  - ' : '    '}${line}`).join('\n')).join('\n')}`
  }
  const name = (text: string | undefined): string[] => (text === undefined ? [] : [`name: ${quoted(text)}`])
  const number = (i: number): string => (i === 0 ? '' : String(i + 1))
  const written = [
    '# Configuration of Tutti. Every field is explained in docs/configuration.md.',
    '# ${NAME} in any text is an environment variable; keep passwords and keys there.',
    '',
    '# Databases that may be asked. They are only ever read; give them a user that can do nothing else.',
    items(
      'databases',
      databases.map(({ url, name: of }, i) => [`url: ${open(url, `TUTTI_DB_PASSWORD${number(i)}`)}`, ...name(of)]),
      [
        'databases:',
        '  - url: postgres://reader:${TUTTI_DB_PASSWORD}@db.internal/shop',
        '    tables: [customers, orders]',
      ],
    ),
    '',
    '# HTTP APIs. Whatever changes something waits for your approval.',
    items(
      'apis',
      apis.map(({ catalogue, name: of }) => [`catalogue: ${quoted(catalogue)}`, ...name(of)]),
      ['apis:', '  - catalogue: openapi.yaml', '    credentials:', "      bearer: { token: '${SHOP_TOKEN}' }"],
    ),
    '',
    '# The mailbox. Mails are sent only after your approval.',
    ...(mail === undefined
      ? ['# mail:', '#   url: imaps://ada:${TUTTI_MAIL_PASSWORD}@mail.example.com', '#   from: Ada <ada@example.com>']
      : [
          'mail:',
          `  url: ${open(mail, 'TUTTI_MAIL_PASSWORD')}`,
          mailFrom === undefined ? '  # from: Ada <ada@example.com>' : `  from: ${quoted(mailFrom)}`,
        ]),
    '',
    '# The model. Its key or URL comes from the environment, such as OPENAI_API_KEY. Without one, answers are made by rules.',
    ...(model === undefined
      ? ['# models:', '#   default: openai:gpt-5.4-mini']
      : ['models:', `  default: ${quoted(model)}`]),
    '',
    '# Internal hosts that agents may reach; the public internet needs no entry.',
    '# http:',
    '#   allowHosts: [api.internal:8443]',
    '',
    '# How numbers and money are written.',
    '# locale: en-GB',
    '',
    '# How long a call waits for your approval, in milliseconds.',
    '# approvals:',
    '#   timeoutMs: 120000',
    '',
  ]
  return { text: written.join('\n'), variables }
}

/** A text quoted for YAML. */
function quoted(text: string): string {
  return /^[A-Za-z0-9/][\w./:@+-]*$/.test(text) && !text.endsWith(':') && !/^\d+$/.test(text)
    ? text
    : JSON.stringify(text)
}
