import { expect, it } from 'vitest'
import { configSchema } from './config/schema.ts'
import { modelsConfigFromEnv } from './config/models.ts'
import { assertActors, modelsConfig } from './models.ts'

it("ignores an actor's model of a missing provider, with a warning", () => {
  const warnings: string[] = []
  const env = { TUTTI_MODEL_URL: 'http://127.0.0.1:8000/v1' }
  const given = { ...modelsConfigFromEnv(env), actors: { sql: 'nobody:x', rag: 'compatible:y' } }
  const config = configSchema.parse({ models: { actors: { planner: 'missing:z' } } })
  const { actors } = modelsConfig(given, config, { own: 'gone:w' }, (error) => warnings.push(error.message))
  expect(actors).toEqual({ rag: 'compatible:y' })
  expect(warnings.sort()).toEqual(
    ['"gone:w" of own', '"missing:z" of planner', '"nobody:x" of sql'].map((part) =>
      expect.stringContaining(`The model ${part} is ignored`),
    ),
  )
})

it('gives an actor a temperature and an output limit beside its model', () => {
  const env = { TUTTI_MODEL_URL: 'http://127.0.0.1:8000/v1' }
  const actors = { 'master-planner': { temperature: 0.7 }, sql: { model: 'compatible:y', maxOutputTokens: 90 } }
  const config = configSchema.parse({ models: { actors } })
  const models = modelsConfig(modelsConfigFromEnv(env), config, {}, (error) => expect.fail(error.message))
  expect(models.actors).toEqual({ sql: 'compatible:y' })
  expect(models.settings).toEqual({ 'master-planner': { temperature: 0.7 }, sql: { maxOutputTokens: 90 } })
})

it('accepts any spelling of an actor’s name, and suggests the nearest one otherwise', () => {
  const known = ['master-planner', 'sql', 'composer']
  const warnings: string[] = []
  const onError = (error: Error): void => void warnings.push(error.message)
  const of = (actor: string) => ({
    config: configSchema.parse({ models: { actors: { [actor]: 'compatible:x' } } }),
    onError,
  })
  expect(() => assertActors(of('MASTER_PLANNER'), known)).not.toThrow()
  expect(() => assertActors(of('compser'), known)).toThrow(
    'models.actors: there is no agent or role "compser". Did you mean "composer"?',
  )
  expect(warnings).toEqual([])
  const env = { TUTTI_MODEL_URL: 'http://127.0.0.1:8000/v1' }
  const models = { ...modelsConfigFromEnv(env), actors: { compser: 'compatible:x' } }
  assertActors({ ...of('sql'), models }, known)
  expect(warnings).toEqual([
    'The model of "compser" is ignored: there is no such agent or role. Did you mean "composer"?',
  ])
})
