import type { DatabaseSchema } from '../../databases/schema.ts'
import type { DocumentRecord } from '../../documents/types.ts'
import type { Terms } from '../../databases/glossary/terms.ts'
import { omitUndefined } from '../../shared/json.ts'
import { runRule } from '../rule-worker/run-rule.ts'

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
const MAX_OFFERED = 3
const MAX_NAMED = 8

type Kind = 'greeting' | 'thanks' | 'abilities' | 'data'

/** Patterns for whole questions, without punctuation and in lower case. */
const KINDS: readonly (readonly [Kind, RegExp])[] = [
  ['greeting', /^(?:hi|hello|hey|good (?:morning|afternoon|evening))(?: there| tutti)?$/],
  ['thanks', /^(?:(?:many )?thanks|thank you)(?: (?:a lot|very much|so much))?$/],
  [
    'abilities',
    /^(?:help|what can (?:you|i) (?:do|ask)(?: here| you| for me)?|how (?:does this|do you) work|who are you|what are you)$/,
  ],
  [
    'data',
    /^(?:what|which) (?:data|databases?|sources|tables|information)(?: sources)? (?:do you have(?: access to)?|(?:are|is) (?:there|connected|available)|can you (?:see|access|use))$/,
  ],
]

const OPENINGS: Readonly<Record<Exclude<Kind, 'data'>, string>> = {
  greeting: 'Hello! Ask about what is connected.',
  thanks: 'You’re welcome.',
  abilities:
    'Without a language model, Tutti answers plain questions about databases, finds passages in documents and calls connected APIs by name.',
}

/** Replies to a greeting, thanks and questions about abilities and sources, with examples in lines after `- `. */
export function replyToSmallTalk(
  question: string,
  connected: () => Promise<Connected>,
): string | Promise<string> | undefined {
  // A longer text is a real question.
  const bare =
    question.length > 80
      ? ''
      : question
          .toLowerCase()
          .replaceAll(/[\s\p{P}]+/gu, ' ')
          .trim()
  const kind = KINDS.find(([, pattern]) => pattern.test(bare))?.[0]
  if (kind === undefined) return undefined
  return kind === 'thanks' ? OPENINGS.thanks : connected().then((about) => introduce(kind, about))
}

async function introduce(kind: Exclude<Kind, 'thanks'>, about: Connected): Promise<string> {
  const sources = sourceLines(about)
  if (sources.length === 0)
    return `${OPENINGS[kind === 'data' ? 'abilities' : kind]}\n\nNothing is connected yet. Add a database, documents or an API first.`
  const examples = (await exampleLines(about)).slice(0, MAX_EXAMPLES)
  return [
    ...(kind === 'data' ? [] : [OPENINGS[kind]]),
    [kind === 'data' ? 'This is connected:' : 'Connected:', ...sources].join('\n'),
    ...(examples.length === 0 ? [] : [['For example:', ...examples].join('\n')]),
  ].join('\n\n')
}

function sourceLines({ databases, documents, apis, mailboxes, agents }: Connected): string[] {
  const line = (head: string, names: readonly string[]): string => {
    const omittedCount = names.length - MAX_NAMED
    const more = omittedCount > 0 ? ` and ${omittedCount} more` : ''
    return names.length === 0 ? `- ${head}` : `- ${head}: ${names.slice(0, MAX_NAMED).join(', ')}${more}`
  }
  const others = { Documents: documents.map(({ name }) => name), API: apis, Mailbox: mailboxes, Agents: agents }
  return [
    ...databases.map(({ name, schema }) => line(`Database ${name}`, schema?.tables.map((table) => table.name) ?? [])),
    ...Object.entries(others).flatMap(([head, names]) => (names.length === 0 ? [] : [line(head, names)])),
  ]
}

/** Up to three questions that work in place of one that has no answer, those about the tables that it names first. */
export async function examplesOf(about: Connected, asked: string, whole?: string): Promise<string> {
  const all = [...(await understoodIn(about, whole)), ...(await exampleLines(about, asked))]
  const lines = all.filter((line) => line.toLowerCase() !== `- ${asked.trim().toLowerCase()}`).slice(0, MAX_OFFERED)
  const other = about.mailboxes.length > 0 ? '- What are the newest mails?' : '- What is 15 % of 240?'
  return ['Questions that work without a language model:', ...(lines.length > 0 ? lines : [other])].join('\n')
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
    const topic = all.map(plainTopic).find((one) => TOPIC.test(one))
    return topic === undefined ? [] : [`What do the documents say about ${topic}?`]
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
