import { describe, expect, it } from 'vitest'
import { schemaStatements, SCHEMA_VERSION } from './schema.ts'

describe('the schema of a knowledge store', () => {
  it('is created in an empty database, and unchanged in a current one', () => {
    expect(schemaStatements(0, 'sqlite').join()).toContain('CREATE TABLE knowledge_documents')
    expect(schemaStatements(SCHEMA_VERSION, 'postgres')).toEqual([])
  })

  it('of another version is refused', () => {
    for (const version of [4, SCHEMA_VERSION + 1])
      expect(() => schemaStatements(version, 'sqlite')).toThrow(`has version ${version};`)
  })
})
