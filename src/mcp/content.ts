import { mapLeaves } from '../shared/json.ts'
import { redact } from '../domain/secrets.ts'
import type { McpToolResult } from './spec.ts'

interface Block {
  readonly type?: unknown
  readonly text?: unknown
  readonly mimeType?: unknown
  readonly name?: unknown
  readonly uri?: unknown
  readonly resource?: { readonly text?: unknown; readonly uri?: unknown; readonly mimeType?: unknown }
}

/** Maximum length of text in characters. */
const MAX_TEXT_CHARS = 500_000
const MAX_STRUCTURED_CHARS = 2_000_000

/**
 * Converts the result of a call.
 * @param secrets to mask: servers often echo what they received
 * @throws Error if it is too large or nested too deeply
 */
export function readResult(
  { content, isError, structuredContent: structured }: Readonly<Record<string, unknown>>,
  secrets: readonly string[],
  isRead: boolean,
): McpToolResult {
  if (structured !== undefined && JSON.stringify(structured).length > MAX_STRUCTURED_CHARS) {
    throw new Error(`its answer is too large${isRead ? '; ask for less' : ''}.`)
  }
  const masked = <V>(value: V): V =>
    mapLeaves(value, (leaf) => (typeof leaf === 'string' ? redact(leaf, secrets) : leaf))
  return {
    text: masked(contentText(content)),
    isError: isError === true,
    ...(structured === undefined ? {} : { structured: masked(structured) }),
  }
}

/** The content blocks of a tool result as text (MCP specification 2025-11-25, "Tool Result"), truncated if too long. */
function contentText(content: unknown): string {
  const text = Array.isArray(content) ? content.map((block: Block) => blockText(block)).join('\n') : ''
  const cutChars = text.length - MAX_TEXT_CHARS
  // Databases cannot store unpaired surrogates and NUL.
  const storable = Buffer.from(text.slice(0, MAX_TEXT_CHARS)).toString().replaceAll('\0', '\uFFFD')
  return cutChars > 0 ? `${storable}… (${cutChars} more characters were left out)` : storable
}

function blockText(block: Block): string {
  switch (block.type) {
    case 'text':
      return String(block.text)
    case 'resource': {
      const { text, uri, mimeType } = block.resource ?? {}
      return typeof text === 'string' ? text : `[resource ${[uri, mimeType].filter(Boolean).map(String).join(' ')}]`
    }
    case 'resource_link':
      return `[${String(block.name)}: ${String(block.uri)}]`
    default:
      return `[${String(block.type)} ${String(block.mimeType ?? '')}]`
  }
}
