import { aboutResource, type Suggestion } from './about/about.ts'
import { agents } from './agents/agents.ts'
import { approvals } from './approvals/approvals.ts'
import { attachments } from './attachments/attachments.ts'
import { collections } from './collections/collections.ts'
import { collectionGrants } from './collections/grants.ts'
import { conversations } from './conversations/conversations.ts'
import { databases } from './databases/databases.ts'
import { storedTables } from './databases/stored.ts'
import { documents } from './documents/documents.ts'
import { openedDocument } from './documents/document-view.ts'
import { erasure } from './erasure/erasure.ts'
import { evaluationCases } from './evaluations/cases.ts'
import { evaluations } from './evaluations/evaluations.ts'
import { executions } from './executions/executions.ts'
import { feedback } from './feedback/feedback.ts'
import { groups } from './groups/groups.ts'
import { grantsPreview } from './groups/preview.ts'
import { health, type ServerStatus } from './health/health.ts'
import { keys } from './keys/keys.ts'
import { limits } from './limits/limits.ts'
import { mailbox } from './mailbox/mailbox.ts'
import { memory } from './memory/memory.ts'
import type { Resource } from './context.ts'
import { personAccess } from './accounts/access.ts'
import { people } from './accounts/accounts.ts'
import { FORMATS } from './protocols/formats.ts'
import { openAi } from './protocols/openai/routes.ts'
import { query } from './query/query.ts'
import { retention } from './retention/retention.ts'
import { runFiles } from './runs/files.ts'
import { runList } from './runs/list.ts'
import { runs } from './runs/runs.ts'
import { setup, type SetupDesk } from './setup/setup.ts'
import { shares } from './shares/shares.ts'
import { hooks } from './schedules/hooks.ts'
import { schedules } from './schedules/schedules.ts'
import { servers } from './mcp-servers/mcp-servers.ts'
import { skills } from './skills/skills.ts'
import { teamDesigner } from './teams/designer.ts'
import { teams } from './teams/teams.ts'
import { runUsage } from './runs/usage.ts'
import { session } from './session/session.ts'
import { usage } from './usage/usage.ts'
import { mcp } from './protocols/mcp/endpoint.ts'

/** Resources of a process that only works on runs: its status for operators. */
export function workerResources(status: ServerStatus): readonly Resource[] {
  return [health(status)]
}

/** All resources of the HTTP API. @param desk parts for connecting sources on a page */
export function resources(
  status: ServerStatus,
  suggestions?: readonly Suggestion[],
  desk?: SetupDesk,
): readonly Resource[] {
  return [
    health(status),
    aboutResource(suggestions),
    query(FORMATS),
    runList,
    runs,
    runFiles,
    attachments,
    feedback,
    approvals,
    conversations,
    shares,
    evaluations,
    evaluationCases,
    schedules,
    hooks,
    documents,
    openedDocument,
    collections,
    collectionGrants,
    memory,
    mailbox,
    agents,
    databases,
    storedTables,
    executions,
    openAi,
    mcp(status.version),
    session,
    people,
    personAccess,
    erasure,
    retention,
    groups,
    grantsPreview,
    keys,
    limits,
    skills,
    teams,
    teamDesigner,
    servers,
    setup(desk),
    usage,
    runUsage,
  ]
}
