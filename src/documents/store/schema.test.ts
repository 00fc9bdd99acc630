import { describe, expect, it } from 'vitest'
import { schemaStatements, SCHEMA_VERSION } from './schema.ts'

describe('the schema of a knowledge store', () => {
  it('is created in an empty database, and unchanged in a current one', () => {
    expect(schemaStatements(0, 'sqlite').join()).toContain('CREATE TABLE knowledge_documents')
    expect(schemaStatements(SCHEMA_VERSION, 'postgres')).toEqual([])
  })

  it('of version 4 has no codes afterwards', () => {
    expect(schemaStatements(4, 'sqlite')).toEqual(['DROP TABLE knowledge_codes'])
  })

  it('of another version is refused', () => {
    for (const version of [3, SCHEMA_VERSION + 1])
      expect(() => schemaStatements(version, 'sqlite')).toThrow(`has version ${version};`)
  })
})
