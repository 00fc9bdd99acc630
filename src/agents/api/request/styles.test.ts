import { expect, it } from 'vitest'
import { loadCatalogue } from '../catalogue/load.ts'
import { createCallMaker } from '../calls.ts'
import { callPlanSchema } from './call-plan.ts'

const LIST = ['blue', 'black']
const COLOR = { R: 100, G: 200 }
const json = { content: { 'application/json': { schema: { type: 'object' } } } }

// The table of OpenAPI 3.1, "Style Examples", with the name color.
it.each([
  ['path', { style: 'matrix' }, 'blue', '/;color=blue'],
  ['path', { style: 'matrix' }, LIST, '/;color=blue,black'],
  ['path', { style: 'matrix', explode: true }, LIST, '/;color=blue;color=black'],
  ['path', { style: 'matrix' }, COLOR, '/;color=R,100,G,200'],
  ['path', { style: 'matrix', explode: true }, COLOR, '/;R=100;G=200'],
  ['path', { style: 'label' }, 'blue', '/.blue'],
  ['path', { style: 'label', explode: true }, LIST, '/.blue.black'],
  ['path', { style: 'label', explode: true }, COLOR, '/.R=100.G=200'],
  ['path', {}, LIST, '/blue,black'],
  ['path', { explode: true }, COLOR, '/R=100,G=200'],
  ['query', {}, LIST, '?color=blue&color=black'],
  ['query', { explode: false }, LIST, '?color=blue,black'],
  ['query', {}, COLOR, '?R=100&G=200'],
  ['query', { explode: false }, COLOR, '?color=R,100,G,200'],
  ['query', { style: 'spaceDelimited' }, LIST, '?color=blue+black'],
  ['query', { style: 'pipeDelimited' }, LIST, '?color=blue|black'],
  ['query', { style: 'deepObject' }, COLOR, '?color[R]=100&color[G]=200'],
  ['query', { style: 'deepObject' }, { R: { from: 1 } }, '?color[R][from]=1'],
  ['query', json, COLOR, '?color={"R":100,"G":200}'],
  ['header', {}, LIST, 'blue,black'],
  ['header', { explode: true }, COLOR, 'R=100,G=200'],
])('%s %j writes %j as %s, once more when the call is read back', async (place, writing, value, wanted) => {
  const type = Array.isArray(value) ? 'array' : typeof value
  const schema = type === 'object' ? { type, properties: { R: { type: 'object' }, G: { type: 'integer' } } } : { type }
  const parameter = { name: 'color', in: place, ...('content' in writing ? {} : { schema }), ...writing }
  const paths = { [place === 'path' ? '/v1/{color}' : '/v1/']: { get: { parameters: [parameter] } } }
  const servers = [
    { url: 'https://{at}.example.com:{port}', variables: { at: { enum: ['eu', 'us'] }, port: { default: 8443 } } },
  ]
  const catalogue = await loadCatalogue(JSON.stringify({ openapi: '3.1.0', info: { title: 'shop' }, servers, paths }))
  const unused = { http: undefined!, firebase: undefined! }
  const calls = createCallMaker({ apis: [{ catalogue }], settings: {}, isInternal: () => false, ...unused }, {})
  const places = { path: 'pathParams', query: 'queryParams', header: 'headers' } as const
  const field = places[place as keyof typeof places]
  const path = Object.keys(paths)[0]
  const call = calls.ofPlan(callPlanSchema.parse({ path, [field]: { color: value } }))
  const written = place === 'header' ? call.headers['color'] : decodeURIComponent(call.url.split('8443/v1')[1]!)
  expect([written, new URL(call.url).host]).toEqual([place === 'query' ? `/${wanted}` : wanted, 'eu.example.com:8443'])
  expect(calls.ofShown(call)).toEqual(call)
  expect(calls.effectOf(call)).toBe('read')
})
