// Writes the JSON schema of the configuration file, which editors read: npm run schema
import { writeFile } from 'node:fs/promises'
import { configJsonSchema } from '../src/app/config/schema.ts'

const path = new URL('../tutti.config.schema.json', import.meta.url)
await writeFile(path, `${JSON.stringify(configJsonSchema(), null, 2)}\n`)
