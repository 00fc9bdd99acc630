import { assertOk, readResponseBody } from '../../client/api.ts'

/**
 * Uploads a file. `fetch` does not report progress.
 * @param onSent called with the share sent so far, from 0 to 1
 * @throws ApiError for an error response; `TypeError` if the server cannot be reached
 */
export async function sendFile<T>(path: string, file: File, onSent: (share: number) => void): Promise<T> {
  const form = new FormData()
  form.append('file', file)
  const request = new XMLHttpRequest()
  request.open('POST', path)
  request.setRequestHeader('accept', 'application/json')
  request.upload.addEventListener('progress', ({ loaded, total }) => onSent(loaded / total))
  await new Promise((resolve, reject) => {
    request.addEventListener('load', resolve)
    request.addEventListener('error', () => reject(new TypeError('The server cannot be reached.')))
    request.send(form)
  })
  const { status, responseText } = request
  const headers = { 'content-type': request.getResponseHeader('content-type') ?? '' }
  return (await readResponseBody(await assertOk(new Response(responseText, { status, headers })))) as T
}
