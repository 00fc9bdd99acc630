import { isSecretName } from '../../shared/secret-names.ts'
import type { NamedApi, NamedDatabase } from '../option-values.ts'

/** Contents of a new configuration. */
export interface ConfigContents {
  readonly databases: readonly NamedDatabase[]
  readonly apis: readonly NamedApi[]
  readonly model?: string | undefined
  readonly mail?: string | undefined
  readonly mailFrom?: string | undefined
}

export interface NewConfig {
  readonly text: string
  /** Passwords from the URLs, by the environment variable that replaces them in the text. */
  readonly variables: Readonly<Record<string, string>>
}

/** A YAML configuration file with comments for each part. Parts without a value are commented out. */
export function configText({ databases, apis, model, mail, mailFrom }: ConfigContents): NewConfig {
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
