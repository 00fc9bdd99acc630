interface Block {
  readonly type?: unknown
  readonly text?: unknown
  readonly mimeType?: unknown
  readonly name?: unknown
  readonly uri?: unknown
  readonly resource?: { readonly text?: unknown; readonly uri?: unknown }
}

/** The content blocks of a tool's result as text (MCP specification 2025-11-25, "Tool Result"). */
export function contentText(content: unknown): string {
  return Array.isArray(content) ? content.map((block: Block) => blockText(block)).join('\n') : ''
}

function blockText(block: Block): string {
  switch (block.type) {
    case 'text':
      return String(block.text)
    case 'resource':
      return typeof block.resource?.text === 'string'
        ? block.resource.text
        : `[resource ${String(block.resource?.uri)}]`
    case 'resource_link':
      return `[${String(block.name)}: ${String(block.uri)}]`
    default:
      return `[${String(block.type)} ${String(block.mimeType ?? '')}]`
  }
}
