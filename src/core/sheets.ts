/** Whether a file of this name has sheets for pages. */
export function hasSheets(name: string): boolean {
  return /\.(?:xlsx|ods)$/i.test(name)
}
