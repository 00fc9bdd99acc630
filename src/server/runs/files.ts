import { isPicture, PICTURE_TYPES } from '../../domain/answer-files.ts'
import type { Resource } from '../context.ts'
import { bytes, withMediaTypes } from '../media-types.ts'

const OTHER_TYPE = 'application/octet-stream'

/** Files that the tools of a run stored: pictures, and large answers of APIs. */
export const runFiles: Resource = async (routes, { app }) => {
  routes.get(
    '/runs/:runId/files/:fileId',
    {
      access: 'follow',
      summary: 'A file in `files` of the response of a run; pictures have their own type, others are downloads',
      response: {
        200: withMediaTypes(
          'The file',
          Object.fromEntries([...PICTURE_TYPES, OTHER_TYPE].map((type) => [type, bytes])),
        ),
      },
    },
    async ({ caller, params: { runId, fileId } }, reply) => {
      const file = await app.as(caller.userId).runs.file(runId, fileId)
      // Names of Python's files may have lone surrogates, which have no percent-encoding.
      const name = Buffer.from(file.name).toString()
      const isShown = isPicture(file)
      const disposition = isShown ? 'inline' : 'attachment'
      return reply
        .headers({
          'content-disposition': `${disposition}; filename*=UTF-8''${encodeURIComponent(name)}`,
          // A model or a stranger wrote the file. An SVG image opened on its own keeps its styles, and runs no script.
          'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
        })
        .type(isShown ? file.mediaType : OTHER_TYPE)
        .send(Buffer.from(file.bytes))
    },
  )
}
