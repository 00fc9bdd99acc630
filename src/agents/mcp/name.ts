/** The name of the agent of a server. */
export function mcpAgentName(server: string): string {
  return `mcp_agent_${server.replaceAll(/[^\p{L}\p{N}_-]+/gu, '_')}`
}
