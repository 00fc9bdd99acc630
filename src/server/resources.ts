import { health } from './health/health.ts'
import type { ServerStatus } from './health/page.ts'
import type { Resource } from './parts.ts'
import { mcp } from './protocols/mcp/mcp.ts'

/** All that `tutti serve` serves. */
export function resources(status: ServerStatus): readonly Resource[] {
  return [health(status), mcp(status.version)]
}
