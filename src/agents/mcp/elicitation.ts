import { z } from 'zod'
import { truncate, isObject, tryParseJson } from '../../shared/json.ts'
import { onOneLine } from '../../domain/prompt-text.ts'
import { problemTexts } from '../../domain/schema-problems.ts'
import type { Elicitation, ElicitationAnswer } from '../../mcp/spec.ts'
import { writtenFields } from '../tool-agent/written-fields.ts'

const MAX_FIELDS = 20
const MAX_CHOICES = 50
const MAX_CHARS = 200
const MAX_ATTEMPTS = 3
const FIELD_NAME = /^[\p{L}_][\p{L}\p{N}_-]{0,63}$/u

/** Shown to the user with the server's question. */
export interface ElicitationContext {
  readonly server: string
  readonly tool: string
  /** The call is held open meanwhile, since it cannot be made again. */
  readonly isHeld: boolean
}

/** One field of the form. Of the third-party schema only these parts are used; its regular expressions are not run. */
interface Field {
  readonly name: string
  readonly about: string
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array'
  readonly choices: readonly string[]
  readonly isNeeded: boolean
}

/**
 * Puts a server's question during a call to the user, and converts the reply to the form's types. An invalid reply is
 * asked again, with the reason.
 * @throws TuttiError of `ask`, if there is no answer
 */
export async function answerServer(
  { message, schema }: Elicitation,
  about: ElicitationContext,
  ask: (question: string) => Promise<string>,
): Promise<ElicitationAnswer> {
  const fields = fieldsIn(schema)
  let problem = ''
  for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
    const userReply = await ask(`${problem}${questionText(message, fields, about)}`)
    if (fields.length === 0)
      return /^(?:y|yes|ok)$/i.test(userReply.trim()) ? { action: 'accept', content: {} } : DECLINED
    const read = contentOf(fields, userReply.trim())
    if ('content' in read) return { action: 'accept', content: read.content }
    problem = `“${truncate(onOneLine(userReply), MAX_CHARS)}” was not taken: ${read.why}.\n\n`
  }
  return DECLINED
}

const DECLINED: ElicitationAnswer = { action: 'decline' }

function questionText(message: string, fields: readonly Field[], { server, tool, isHeld }: ElicitationContext): string {
  const main = mainField(fields)
  const byName = 'name=value for each, or with all as JSON; optional fields may be left out.'
  const hint =
    fields.length === 0
      ? 'Answer yes, or leave it unanswered.'
      : fields.length === 1
        ? 'Answer with the value alone.'
        : `Answer with ${main === undefined ? '' : `the value of ${main.name} alone, or with `}${byName}`
  return [
    `The MCP server "${server}" asks in the middle of its "${tool}": ${JSON.stringify(message)}`,
    ...fields.map(lineOf),
    `${hint} It goes to that server: give it no password and no key.`,
    ...(isHeld ? ['The call is under way and is given up after ten minutes.'] : []),
  ].join('\n')
}

/** The field that an answer without a name is for. */
function mainField(fields: readonly Field[]): Field | undefined {
  const needed = fields.length === 1 ? fields : fields.filter(({ isNeeded }) => isNeeded)
  return needed.length === 1 ? needed[0] : undefined
}

function lineOf({ name, about, type, choices, isNeeded }: Field): string {
  const kind =
    choices.length === 0
      ? KINDS[type]
      : `${type === 'array' ? 'some' : 'one'} of ${choices.map(formatChoice).join(', ')}`
  return `- ${name} (${kind}${isNeeded ? '' : '; not needed'})${about === '' ? '' : `: ${about}`}`
}

function formatChoice(choice: string): string {
  return JSON.stringify(truncate(onOneLine(choice.slice(0, MAX_CHARS * 2)), MAX_CHARS))
}

const KINDS = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
}

function fieldsIn(schema: unknown): Field[] {
  const { properties, required } = isObject(schema) ? schema : {}
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  return Object.entries(isObject(properties) ? properties : {})
    .slice(0, MAX_FIELDS)
    .flatMap(([name, given]): Field[] => {
      if (!isObject(given) || !FIELD_NAME.test(name)) return []
      const { type, title, description } = given
      const texts = [title, description].filter((text): text is string => typeof text === 'string')
      return [
        {
          name,
          about: truncate(onOneLine(texts.join(': ').slice(0, MAX_CHARS * 2)), MAX_CHARS),
          type: isType(type) ? type : 'string',
          choices: choicesIn(type === 'array' ? given['items'] : given),
          isNeeded: needed.includes(name),
        },
      ]
    })
}

function isType(type: unknown): type is Field['type'] {
  return typeof type === 'string' && Object.hasOwn(KINDS, type)
}

function choicesIn(given: unknown): string[] {
  if (!isObject(given)) return []
  const { enum: plain, oneOf, anyOf } = given
  const titled = [oneOf, anyOf].find(Array.isArray) as readonly unknown[] | undefined
  const all: readonly unknown[] = Array.isArray(plain)
    ? plain
    : (titled ?? []).map((one) => isObject(one) && one['const'])
  return all.filter((one): one is string => typeof one === 'string' && one === onOneLine(one)).slice(0, MAX_CHOICES)
}

type Read = { readonly content: NonNullable<ElicitationAnswer['content']> } | { readonly why: string }

function contentOf(fields: readonly Field[], userReply: string): Read {
  const answers = answersIn(fields, userReply)
  if (answers === undefined) return { why: 'write each field as name=value, with quotation marks around several words' }
  const form = z.strictObject(Object.fromEntries(fields.map((field) => [field.name, typeOf(field)])))
  const parsed = form.safeParse(answers, { reportInput: true })
  if (parsed.success) return { content: parsed.data as NonNullable<ElicitationAnswer['content']> }
  return { why: problemTexts(parsed.error, form, 'the answer').join('; ') }
}

/** Undefined if part of the reply matches no field. */
function answersIn(fields: readonly Field[], userReply: string): unknown {
  if (userReply.startsWith('{')) return tryParseJson(userReply)
  const properties = Object.fromEntries(fields.map(({ name, type }) => [name, { type }]))
  const { input, left } = writtenFields(userReply, properties)
  if (Object.keys(input).length > 0 && /^[\s,;.]*$/.test(left)) return input
  const main = mainField(fields)
  if (main === undefined || (fields.length > 1 && Object.keys(input).length > 0)) return undefined
  const unquoted = tryParseJson(userReply)
  return { [main.name]: typeof unquoted === 'string' ? unquoted : valueOf(main.type, userReply) }
}

function valueOf(type: Field['type'], userReply: string): unknown {
  if (type === 'array') return userReply.split(',').map((one) => one.trim())
  if (type === 'boolean')
    return /^(?:y|yes|true)$/i.test(userReply) || (/^(?:n|no|false)$/i.test(userReply) ? false : userReply)
  return (type === 'number' || type === 'integer') && /^-?\d+(?:\.\d+)?$/.test(userReply)
    ? Number(userReply)
    : userReply
}

function typeOf({ type, choices, isNeeded }: Field): z.ZodType {
  const one = choices.length === 0 ? z.string() : z.enum(choices)
  const types = { string: one, number: z.number(), integer: z.int(), boolean: z.boolean(), array: z.array(one) }
  const value: z.ZodType = types[type]
  return isNeeded ? value : value.optional()
}
