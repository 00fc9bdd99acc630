import type { Claims } from './claim.ts'

export const claims: Claims = {
  'A plan cannot be run': 'src/core/plan.test.ts › with %s is refused, by name',
  'this cannot be done without one': 'src/agents/registry/yaml-agent.test.ts › says so when the model breaks off',
  'is missing or cannot stand there': 'src/agents/api/request/request.test.ts › %j cannot stand in a path',
  'A document cannot be read': 'src/knowledge/ingest/ingestor.test.ts › keeps nothing of a file that cannot be read',
  'a search in it cannot be understood': 'src/mail/reading.test.ts › a search › refuses %s',
  'Runs, documents or files cannot be kept or read': 'src/storage/sqlite.test.ts › says that the disk is full',
}
