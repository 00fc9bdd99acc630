import type { Claims } from './claim.ts'

export const claims: Claims = {
  'A plan cannot be run': 'src/domain/plan.test.ts › with %s is refused, by name',
  'this cannot be done without one':
    'src/agents/registry/yaml-agent.test.ts › fails with a clear error when the model breaks off',
  'A document cannot be read': 'src/documents/ingest/ingestor.int.test.ts › stores nothing of an unreadable file',
  'Runs, documents or files cannot be stored or read': 'src/storage/sqlite.int.test.ts › reports a full disk',
}
