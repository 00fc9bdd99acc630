/** `npm run demo:api`: serves a copy of the demo database over HTTP until Ctrl-C. */
import { DEMO_API_KEY, startDemoApi } from './server.ts'

// `npm run demo` writes this database.
const { url } = await startDemoApi({ databasePath: process.argv[2] ?? 'demo/brindlemoor.sqlite' })
console.log(`The API of the demo business is at ${url}; its key is ${DEMO_API_KEY}.`)
