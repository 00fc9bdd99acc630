import { mergedSchema } from '../domain/merged-schema.ts'
import type { ToolCallPart, ToolDefinition } from '../domain/turn.ts'
import type { LoopTool } from '../domain/tool.ts'

export type { LoopTool } from '../domain/tool.ts'

/** A call of it ends the loop; its input is the loop's result. */
export type EndingTool = ToolDefinition

/** With more definitions, models overlook the tool that they need; others are found by `find_tools`. */
export const MAX_TOOLS = 24
const MAX_FOUND = 8
/** Accepted by every provider. */
const MAX_NAME = 64

export const FIND_TOOLS = 'find_tools'
export const USE_TOOL = 'use_tool'
export const READ_RESULT = 'read_result'
export const REPORT_GAP = 'report_gap'
/** Its result is the user's reply. */
export const ASK_USER = 'ask_user'

const text = { type: 'string' }

const FIND: ToolDefinition = {
  name: FIND_TOOLS,
  description:
    'Finds tools that are not in this list, by words of what they do. Returns their names, descriptions and inputs.',
  inputSchema: { type: 'object', properties: { words: text }, required: ['words'] },
}

const USE: ToolDefinition = {
  name: USE_TOOL,
  description: `Calls a tool that ${FIND_TOOLS} found.`,
  inputSchema: {
    type: 'object',
    properties: { name: text, input: { type: 'object' } },
    required: ['name', 'input'],
  },
}

const READ: ToolDefinition = {
  name: READ_RESULT,
  description:
    'Reads a result by its id, such as s1; also one of an earlier task or question, and the rest of a shortened one.',
  inputSchema: {
    type: 'object',
    properties: { id: text, offset: { type: 'integer' }, limit: { type: 'integer', description: 'characters' } },
    required: ['id'],
  },
}

/** The tools of a loop, by the names that models know them by. */
export class ToolList {
  private readonly byName: ReadonlyMap<string, LoopTool>
  private readonly offered: readonly (readonly [string, LoopTool])[]
  private readonly ending: readonly EndingTool[]

  /** @param task if not all tools fit, those that share words with it are offered */
  constructor(tools: readonly LoopTool[], ending: readonly EndingTool[] = [], task = '') {
    const usedNames = new Set([FIND_TOOLS, USE_TOOL, READ_RESULT, ...ending.map(({ name }) => name)])
    // In the order of their own names, so that a name does not depend on who lists them.
    const entries = tools
      .toSorted((a, b) => (a.tool.name < b.tool.name ? -1 : 1))
      .map((tool) => [uniqueName(tool.tool.name, usedNames), tool] as const)
    this.byName = new Map(entries)
    const fitting = new Set(ranked(entries, task).slice(0, MAX_TOOLS))
    this.offered = entries.filter((entry) => fitting.has(entry))
    this.ending = ending
  }

  /** The definitions for the head of the transcript. */
  definitions(): readonly ToolDefinition[] {
    const own = this.offered.map(([name, tool]) => definitionOf(name, tool))
    const finders = this.offered.length < this.byName.size ? [FIND, USE] : []
    const reading = this.byName.size > 0 ? [READ] : []
    return [...own, ...finders, ...reading, ...this.ending]
  }

  /** The tool that a call is of, through `use_tool` or not. */
  toolOf({ name, input }: Pick<ToolCallPart, 'name' | 'input'>): LoopTool | undefined {
    return this.byName.get(name === USE_TOOL ? String(input['name'] ?? '') : name)
  }

  /** Whether a call changes nothing; one of an unknown tool may. */
  isRead(call: Pick<ToolCallPart, 'name' | 'input'>): boolean {
    return call.name === FIND_TOOLS || call.name === READ_RESULT || this.toolOf(call)?.tool.effect === 'read'
  }

  /** `report_gap` only records. */
  isEnding(name: string): boolean {
    return name !== REPORT_GAP && this.ending.some((tool) => tool.name === name)
  }

  /** Of the tools that the model can call by name. */
  names(): readonly string[] {
    return this.definitions().map(({ name }) => name)
  }

  /** The result of `find_tools`: tools whose name or description contains the words, those with most words first. */
  find(words: string): string {
    const matching = [...this.byName].filter((entry) => scoreOf(entry, wordsOf(words)) > 0)
    if (matching.length === 0) return 'No tool has any of these words; try others.'
    return ranked(matching, words)
      .slice(0, MAX_FOUND)
      .map(([name, tool]) => JSON.stringify(definitionOf(name, tool)))
      .join('\n')
  }
}

type Entry = readonly [name: string, tool: LoopTool]

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))
}

function scoreOf([name, { tool }]: Entry, asked: ReadonlySet<string>): number {
  return [...wordsOf(`${name} ${tool.description}`)].filter((word) => asked.has(word)).length
}

/** Entries that share most words with the text first, otherwise in order. */
function ranked(entries: readonly Entry[], text: string): readonly Entry[] {
  const words = wordsOf(text)
  const scored = entries.map((entry) => ({ entry, score: scoreOf(entry, words) }))
  return scored.sort((a, b) => b.score - a.score).map(({ entry }) => entry)
}

function definitionOf(name: string, { tool, inputSchema }: LoopTool): ToolDefinition {
  const approval = tool.effect === 'irreversible' ? ['The user approves each call.'] : []
  return { name, description: [tool.description, ...approval].join('\n'), inputSchema: objectSchema(inputSchema) }
}

/**
 * OpenAI and Anthropic reject requests with a tool whose schema has a choice at its root, so the fields of the choices
 * are merged.
 */
function objectSchema(schema: ToolDefinition['inputSchema']): ToolDefinition['inputSchema'] {
  const { anyOf, oneOf, allOf, $ref, ...rest } = schema
  if ([anyOf, oneOf, allOf, $ref].every((choice) => choice === undefined)) return schema
  const { properties, required } = mergedSchema(schema, schema)
  return { ...rest, type: 'object', properties: { ...properties }, required: [...new Set(required)] }
}

function uniqueName(name: string, taken: Set<string>): string {
  const base = name.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, MAX_NAME) || 'tool'
  let unique = base
  for (let n = 2; taken.has(unique); n++) unique = `${base.slice(0, MAX_NAME - 1 - String(n).length)}_${n}`
  taken.add(unique)
  return unique
}
