import { describe, expect, it } from 'vitest'
import { serverHost } from '../../domain/server-url.ts'
import { collectionName, pointId } from './names.ts'

describe('the server', () => {
  it('allows one port of the host', () => {
    expect(serverHost('http://[::1]:6333')).toBe('[::1]:6333')
    expect(serverHost('https://q.internal')).toBe('q.internal:443')
  })
})

describe('the collection of an owner', () => {
  it('is readable where the owner is', () => {
    expect(collectionName('local')).toBe('user_local_documents')
    expect(collectionName('ada.b-1@example.com')).toBe('user_ada.b-1@example.com_documents')
  })

  it('is valid for Qdrant, and unique for each owner, also without regard to case', () => {
    const owners = ['a', 'A', 'a/b', 'a=2fb', 'a=b', '..', 'ä', 'a\u0308', 'a b', '日本', 'x'.repeat(200)]
    owners.push('\u{1f600}'.repeat(100), `${'\u{1f600}'.repeat(99)}x`)
    const names = owners.map((owner) => collectionName(owner).toLowerCase())
    expect(new Set(names).size).toBe(owners.length)
    for (const name of names) expect(name).toMatch(/^user_[a-z0-9._@=-]{1,240}_documents$/)
    expect(() => collectionName('\ud800')).toThrow('broken character')
  })
})

describe('the id of a point', () => {
  it('is a deterministic UUID, different for different inputs', () => {
    expect(pointId('chunk', 'd:1')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(pointId('chunk', 'd:1')).toBe(pointId('chunk', 'd:1'))
    expect(pointId('chunk', 'd:1')).not.toBe(pointId('chunk', 'd:2'))
    expect(pointId('chunk', 'd:1')).not.toBe(pointId('document_entry', 'd:1'))
  })
})
