import { expect, it } from 'vitest'
import { NO_MODEL, withoutModel } from './without-model.ts'

it('a model that failed is not said to be missing', () => {
  expect(withoutModel()).toBe('Without a language model')
  expect(withoutModel(NO_MODEL)).toBe('Without a language model')
  expect(withoutModel('openai refused the key (401).')).toBe('Without a language model (openai refused the key (401))')
})
