// Writes src/client/api-types.ts, the types of the HTTP API, from its OpenAPI document: npm run client
import { writeFile } from 'node:fs/promises'
import { clientTypes } from './client/types.ts'

await writeFile(new URL('../src/client/api-types.ts', import.meta.url), await clientTypes())
