import { ApiError } from '../../../client/api.ts'

/** Sends a file, and tells how far it is; `fetch` would not. @throws ApiError with the sentence of the server */
export function upload<T>(path: string, file: File, onSent: (share: number) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    request.responseType = 'json'
    request.setRequestHeader('accept', 'application/json')
    request.upload.addEventListener('progress', ({ loaded, total }) => onSent(total === 0 ? 0 : loaded / total))
    request.addEventListener('error', () => reject(new ApiError(0, {})))
    request.addEventListener('load', () => {
      if (request.status < 300) resolve(request.response as T)
      else reject(new ApiError(request.status, (request.response as object | null) ?? {}))
    })
    const form = new FormData()
    form.append('file', file)
    request.send(form)
  })
}
