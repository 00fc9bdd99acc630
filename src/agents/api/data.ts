import type { ApiAnswer } from './answer.ts'

/** `data` of a result of the agent. */
export function apiData(plan: unknown, answer: ApiAnswer, by: 'model' | 'rules') {
  const { method, url, signIn, status, pages, artifact, tabular, json } = answer
  return {
    plan,
    request: { method, url, signIn },
    status,
    pages,
    by,
    ...(artifact === undefined ? {} : { artifact }),
    ...(tabular === undefined && json !== undefined ? { response: json } : {}),
  }
}
