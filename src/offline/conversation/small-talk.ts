import type { DatabaseSchema } from '../../databases/schema.ts'
import type { DocumentRecord } from '../../documents/types.ts'
import type { Terms } from '../../databases/glossary/terms.ts'
import { likelyLanguageOf } from '../language/likely-language.ts'
import { omitUndefined } from '../../shared/json.ts'
import { runRule } from '../threads/run-rule.ts'

/** Connected sources that the user may see. */
export interface Connected {
  /** `questions`: examples that are known to work. */
  readonly databases: readonly {
    readonly name: string
    readonly schema?: DatabaseSchema
    readonly terms?: Terms
    readonly questions?: readonly string[]
  }[]
  /** Databases that could not be read. */
  readonly unreachable?: readonly string[]
  readonly documents: readonly Pick<DocumentRecord, 'name' | 'topics'>[]
  readonly apis: readonly string[]
  readonly mailboxes: readonly string[]
  /** Display names of further agents. */
  readonly agents: readonly string[]
  /** YYYY-MM-DD */
  readonly today: string
}

const MAX_EXAMPLES = 4
const MAX_NAMED = 8

type Language = 'en' | 'de'
type Kind = 'greeting' | 'thanks' | 'abilities' | 'data'

/** Patterns for whole questions, without punctuation and in lower case. */
const KINDS: readonly (readonly [Kind, Language, RegExp])[] = [
  ['greeting', 'en', /^(?:hi|hello|hey|good (?:morning|afternoon|evening))(?: there| tutti)?$/],
  ['greeting', 'de', /^(?:hallo|moin|servus|guten (?:morgen|tag|abend)|grüß (?:gott|dich))(?: tutti| zusammen)?$/],
  ['thanks', 'en', /^(?:(?:many )?thanks|thank you)(?: (?:a lot|very much|so much))?$/],
  ['thanks', 'de', /^(?:(?:vielen |besten )?dank(?:e)?)(?: schön| sehr| dir| ihnen)?$/],
  [
    'abilities',
    'en',
    /^(?:help|what can (?:you|i) (?:do|ask)(?: here| you| for me)?|how (?:does this|do you) work|who are you|what are you)$/,
  ],
  [
    'abilities',
    'de',
    /^(?:hilfe|was (?:kannst|können) (?:du|sie)(?: alles| für mich)?(?: tun)?|was kann ich (?:hier |dich |sie )?fragen|wer bist du|wer sind sie|wie funktioniert das)$/,
  ],
  [
    'data',
    'en',
    /^(?:what|which) (?:data|databases?|sources|tables|information)(?: sources)? (?:do you have(?: access to)?|are (?:there|connected|available)|is (?:there|connected|available)|can you (?:see|access|use))$/,
  ],
  [
    'data',
    'de',
    /^(?:welche|was für) (?:daten|datenbanken|quellen|tabellen|datenquellen)(?: (?:hast du|haben sie|gibt es|sind (?:da|verbunden|angebunden)|kennst du))$/,
  ],
]

const WORDS = {
  en: {
    greeting: 'Hello! Ask about what is connected.',
    thanks: 'You’re welcome.',
    abilities:
      'Without a language model, Tutti answers plain questions about databases, finds passages in documents and calls connected APIs by name.',
    data: 'This is connected:',
    none: 'Nothing is connected yet. Add a database, documents or an API first.',
    connected: 'Connected:',
    examples: 'For example:',
    works: 'Questions that work without a language model:',
    database: 'Database',
    documents: 'Documents',
    mailbox: 'Mailbox',
    others: 'Agents',
    more: (n: number) => `and ${n} more`,
    aboutTopic: (topic: string) => `What do the documents say about ${topic}?`,
  },
  de: {
    greeting: 'Hallo! Fragen Sie nach dem, was verbunden ist.',
    thanks: 'Gern geschehen.',
    abilities:
      'Ohne Sprachmodell beantwortet Tutti einfache Fragen zu Datenbanken (auf Englisch), findet Stellen in Dokumenten und ruft verbundene APIs beim Namen auf.',
    data: 'Das ist verbunden:',
    none: 'Noch ist nichts verbunden. Fügen Sie zuerst eine Datenbank, Dokumente oder eine API hinzu.',
    connected: 'Verbunden:',
    examples: 'Zum Beispiel:',
    works: 'Fragen, die ohne Sprachmodell beantwortet werden, auf Englisch:',
    database: 'Datenbank',
    documents: 'Dokumente',
    mailbox: 'Postfach',
    others: 'Agenten',
    more: (n: number) => `und ${n} weitere`,
    aboutTopic: (topic: string) => `Was steht in den Dokumenten zu ${topic}?`,
  },
} as const

/** Replies to a greeting, thanks and questions about abilities and sources, with examples in lines after `- `. */
export function replyToSmallTalk(
  question: string,
  connected: () => Promise<Connected>,
): string | Promise<string> | undefined {
  const found = kindOf(question)
  if (found === undefined) return undefined
  const [kind, language] = found
  return kind === 'thanks' ? WORDS[language].thanks : connected().then((about) => introduce(kind, language, about))
}

async function introduce(kind: Exclude<Kind, 'thanks'>, language: Language, about: Connected): Promise<string> {
  const words = WORDS[language]
  const sources = sourceLines(about, language)
  if (sources.length === 0) return [words[kind === 'data' ? 'abilities' : kind], words.none].join('\n\n')
  const examples = (await exampleLines(about)).slice(0, MAX_EXAMPLES)
  return [
    kind === 'data' ? [words.data, ...sources].join('\n') : words[kind],
    ...(kind === 'data' ? [] : [[words.connected, ...sources].join('\n')]),
    ...(examples.length === 0 ? [] : [[words.examples, ...examples].join('\n')]),
  ].join('\n\n')
}

function kindOf(question: string): readonly [Kind, Language] | undefined {
  // A longer text is a real question.
  if (question.length > 80) return undefined
  const bare = question
    .toLowerCase()
    .replaceAll(/[\s\p{P}]+/gu, ' ')
    .trim()
  const found = KINDS.find(([, , pattern]) => pattern.test(bare))
  return found === undefined ? undefined : [found[0], found[1]]
}

function sourceLines({ databases, documents, apis, mailboxes, agents }: Connected, language: Language): string[] {
  const words = WORDS[language]
  const listed = (names: readonly string[]): string => {
    const visible = names.slice(0, MAX_NAMED).join(', ')
    return names.length > MAX_NAMED ? `${visible} ${words.more(names.length - MAX_NAMED)}` : visible
  }
  const lines: readonly (readonly [string, readonly string[]])[] = [
    ...databases.map(({ name, schema }) => {
      const tables = schema?.tables.map((table) => table.name) ?? []
      return [`${words.database} ${name}`, tables] as const
    }),
    [words.documents, documents.map(({ name }) => name)],
    ['API', apis],
    [words.mailbox, mailboxes],
    [words.others, agents],
  ]
  return lines.flatMap(([head, names], at) => {
    if (names.length > 0) return [`- ${head}: ${listed(names)}`]
    return at < databases.length ? [`- ${head}`] : []
  })
}

/** Up to three questions that work in place of one that has no answer, those about the tables that it names first. */
export async function examplesOf(about: Connected, asked: string, whole?: string): Promise<string> {
  const language = likelyLanguageOf(asked) === 'de' ? 'de' : 'en'
  const all = await exampleLines(about, asked)
  const others = [...(await understoodIn(about, whole)), ...all].filter(
    (line) => line.toLowerCase() !== `- ${asked.trim().toLowerCase()}`,
  )
  const lines =
    others.length > 0
      ? others
      : [about.mailboxes.length > 0 ? '- What are the newest mails?' : '- What is 15 % of 240?']
  return [WORDS[language].works, ...lines.slice(0, 3)].join('\n')
}

async function understoodIn({ databases, today }: Connected, question: string | undefined): Promise<string[]> {
  if (question === undefined) return []
  const all = databases.map(({ schema, terms }) => {
    return schema && runRule('fits', question, schema, { today, isStrict: true, ...omitUndefined({ terms }) })
  })
  return (await Promise.all(all)).includes(true) ? [`- ${question}`] : []
}

/** Picks examples from each source in turn, those closest to the question first. */
async function exampleLines({ databases, documents, today }: Connected, asked = ''): Promise<string[]> {
  const ofDatabases = await Promise.all(
    databases.map(async ({ name, schema, terms, questions = [] }) => {
      const options = { today, ...omitUndefined({ terms }) }
      const examples =
        schema &&
        ((await runRule('suggest', asked, schema, options)) ?? (await runRule('suggest', '', schema, { today })))
      const placed = (all: readonly string[]): readonly string[] =>
        databases.length < 2 ? all : all.map((one) => one.replace(/\?$/, ` in ${name}?`))
      return { related: placed(examples?.related ?? []), others: placed([...questions, ...(examples?.others ?? [])]) }
    }),
  )
  const topics = documents.flatMap(({ topics: all }) => {
    const { aboutTopic } = WORDS[likelyLanguageOf(all.join(' ')) === 'de' ? 'de' : 'en']
    const topic = all.map(plainTopic).find((one) => TOPIC.test(one))
    return topic === undefined ? [] : [aboutTopic(topic)]
  })
  const interleave = (lists: readonly (readonly string[])[]): string[] =>
    Array.from({ length: Math.max(0, ...lists.map(({ length }) => length)) }, (_, at) =>
      lists.flatMap((list) => list[at] ?? []),
    ).flat()
  const all = [
    ...interleave(ofDatabases.map((one) => one.related)),
    ...interleave([...ofDatabases.map((one) => one.others), topics]),
  ]
  return [...new Set(all)].map((question) => `- ${question}`)
}

/** Two or three words: one alone is often too general, and headings that are sentences read badly. */
const TOPIC = /^(?!how |when |what |who |a )[^\s,?!:;]+(?: [^\s,?!:;]+){1,2}$/i

/** `6. Damaged goods` as `damaged goods`; `MINUTES` and German nouns stay as they are. */
function plainTopic(topic: string): string {
  const bare = topic.replace(/^\d+[.)]\s/, '')
  return /^\p{Lu}\p{Ll}+ \p{Ll}/u.test(bare) ? bare.charAt(0).toLowerCase() + bare.slice(1) : bare
}
