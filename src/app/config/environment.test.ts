import { describe, expect, it } from 'vitest'
import { CLASSIFIER } from '../../engine/approvals/instructions.ts'
import {
  approvalTimeoutFromEnv,
  classifierFromEnv,
  mailConfigFromEnv,
  proxyFromEnv,
  webSearchFromEnv,
} from './environment.ts'

it('the mail account of the environment is IMAP or Gmail, or none', () => {
  expect(mailConfigFromEnv({ TUTTI_MAIL_URL: ' ' })).toBeUndefined()
  const env = { TUTTI_MAIL_URL: 'imaps://a:b@c', TUTTI_SMTP_URL: 'smtps://d', TUTTI_MAIL_FROM: 'a@c.example' }
  expect(mailConfigFromEnv(env)).toEqual({ url: 'imaps://a:b@c', smtpUrl: 'smtps://d', from: 'a@c.example' })
  expect(mailConfigFromEnv({ TUTTI_GMAIL_REFRESH_TOKEN: 'r', TUTTI_GMAIL_CLIENT_ID: 'c' })).toEqual({
    url: 'gmail:',
    gmail: { refreshToken: 'r', clientId: 'c' },
  })
})

it('the time for approvals of the environment is a number of seconds', () => {
  expect(approvalTimeoutFromEnv({})).toBeUndefined()
  expect(approvalTimeoutFromEnv({ HITL_TIMEOUT_SECONDS: ' 300 ' })).toBe(300_000)
  for (const wrong of ['0', '-1', '2m', '1e3'])
    expect(() => approvalTimeoutFromEnv({ HITL_TIMEOUT_SECONDS: wrong })).toThrow(/HITL_TIMEOUT_SECONDS.*seconds/)
})

it('HITL_CLASSIFIER_MODEL sets the model for instructions, at openai unless a provider is named', () => {
  expect(classifierFromEnv({ HITL_CLASSIFIER_PROVIDER: 'groq' })).toEqual({})
  expect(classifierFromEnv({ HITL_CLASSIFIER_MODEL: 'gpt-4o-mini' })).toEqual({ [CLASSIFIER]: 'openai:gpt-4o-mini' })
  const env = { HITL_CLASSIFIER_PROVIDER: 'groq', HITL_CLASSIFIER_MODEL: 'm' }
  expect(classifierFromEnv(env)).toEqual({ [CLASSIFIER]: 'groq:m' })
})

it('the proxies of the environment are read in lower case first, as curl does', () => {
  expect(proxyFromEnv({ HTTP_PROXY: 'http://b', http_proxy: 'http://a', NO_PROXY: 'x', HTTPS_PROXY: '' })).toEqual({
    http: 'http://a',
    noProxy: 'x',
  })
})

describe('the web search of the environment', () => {
  it('is off without a key, and reads the keys of all services', () => {
    expect(webSearchFromEnv({ TAVILY_API_KEY: '  ' })).toEqual({})
    expect(
      webSearchFromEnv({ TAVILY_API_KEY: 'k', BRAVE_API_KEY: 'b', TUTTI_SEARXNG_URL: 'http://searx.internal:8888/' }),
    ).toEqual({
      tavily: { apiKey: 'k', url: 'https://api.tavily.com' },
      brave: { apiKey: 'b', url: 'https://api.search.brave.com' },
      searxng: { url: 'http://searx.internal:8888' },
    })
  })

  it.each(['searx.example', 'ftp://searx.example', 'https://me:pw@searx.example'])('refuses the address %s', (text) => {
    expect(() => webSearchFromEnv({ TUTTI_SEARXNG_URL: text })).toThrow(/TUTTI_SEARXNG_URL is not the address/)
  })
})
