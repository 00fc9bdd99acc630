import { describe, expect, it } from 'vitest'
import { migrationsFrom, SCHEMA_VERSION } from './schema.ts'

describe('the schema of a knowledge store', () => {
  it('is created in an empty database, and unchanged in a current one', () => {
    expect(migrationsFrom(0, 'sqlite').join()).toContain('CREATE TABLE knowledge_documents')
    expect(migrationsFrom(SCHEMA_VERSION, 'postgres')).toEqual([])
  })

  it('is migrated only by the steps after its version, in order', () => {
    const migrations = [() => ['one'], () => ['two', 'three'], (dialect: string) => [`four on ${dialect}`]]
    expect(migrationsFrom(1, 'sqlite', migrations)).toEqual(['two', 'three', 'four on sqlite'])
    expect(() => migrationsFrom(4, 'sqlite', migrations)).toThrow(/version 4.*versions up to 3/)
  })
})
