/** Whether a file of this name has sheets for pages. */
export function hasSheets(name: string): boolean {
  return /\.xlsx$/i.test(name)
}

/** The label of a page: “page 3”, “sheet 1”. */
export function pageLabel(name: string, page: number): string {
  return `${hasSheets(name) ? 'sheet' : 'page'} ${page}`
}
