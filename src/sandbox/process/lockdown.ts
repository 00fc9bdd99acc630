/** Names of the global object that code in the interpreter has no use for, should it ever reach JavaScript. */
const REMOVED = (
  'fetch WebSocket Worker BroadcastChannel MessageChannel MessagePort EventSource Response Request Headers FormData ' +
  'Blob File navigator require module importScripts process Buffer SharedArrayBuffer CompressionStream ' +
  'DecompressionStream ReadableStream WritableStream TransformStream CustomEvent structuredClone localStorage ' +
  'sessionStorage'
).split(' ')

/** Pyodide asks Node for file constants by a door that the permission model closes. */
export function shimBinding(constants: object): void {
  Object.defineProperty(process, 'binding', {
    value: (name: string) => {
      if (name === 'constants') return { fs: constants }
      throw new Error('denied')
    },
  })
}

/** Takes away what JavaScript code could do harm with. Called when everything is loaded. */
export function stripGlobals(): void {
  for (const name of REMOVED) Reflect.deleteProperty(globalThis, name)
}
