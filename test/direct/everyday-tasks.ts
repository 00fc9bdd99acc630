import { z } from 'zod'
import tasks from '../fixtures/questions/everyday-tasks.json' with { type: 'json' }

/** Everyday tasks of three exchanges, with the calls that a model typically makes for them. */

/** Stands in the file for the id of the first mail in the previous result. */
const FIRST_MAIL = '{id of the first mail}'

const callSchema = z.tuple([z.string(), z.record(z.string(), z.unknown())]).readonly()
const exchangeSchema = z.strictObject({ question: z.string(), turns: z.array(z.array(callSchema)) })
const kindSchema = z.enum(['database', 'documents', 'mailbox', 'MCP server', 'web', 'irreversible action'])
const tasksSchema = z.array(z.strictObject({ kind: kindSchema, exchanges: z.array(exchangeSchema) }))

/** The name of the tool, and its input. */
type Call = z.infer<typeof callSchema>
/** The calls of one turn, or a function of the previous result. */
type Turn = readonly Call[] | ((result: string) => readonly Call[])

export interface Exchange {
  readonly question: string
  readonly turns: readonly Turn[]
}

export type Kind = z.infer<typeof kindSchema>

function turnOf(calls: readonly Call[]): Turn {
  if (!calls.some(([, input]) => input['id'] === FIRST_MAIL)) return calls
  return (result) => {
    const id = /^Id: (.+)$/m.exec(result)![1]!
    return calls.map(([tool, input]): Call => [tool, input['id'] === FIRST_MAIL ? { ...input, id } : input])
  }
}

export const EVERYDAY: readonly { readonly kind: Kind; readonly exchanges: readonly Exchange[] }[] = tasksSchema
  .parse(tasks)
  .map(({ kind, exchanges }) => ({
    kind,
    exchanges: exchanges.map(({ question, turns }) => ({ question, turns: turns.map(turnOf) })),
  }))
