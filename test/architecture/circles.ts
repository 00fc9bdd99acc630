/**
 * The circles of an import graph: groups of files each of which reaches all others of its group. Files of a group are
 * sorted, and so are the groups.
 * @param importsOf the files that a file imports; files that are not in `files` are ignored
 */
export function circlesOf(files: readonly string[], importsOf: (file: string) => readonly string[]): string[][] {
  // Tarjan, "Depth-first search and linear graph algorithms" (1972).
  const graph = new Map(files.map((file) => [file, importsOf(file)]))
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const circles: string[][] = []
  const visit = (file: string): number => {
    const own = order.size
    order.set(file, own)
    lowest.set(file, own)
    open.push(file)
    for (const next of graph.get(file)!) {
      if (!graph.has(next)) continue
      if (!order.has(next)) lowest.set(file, Math.min(lowest.get(file)!, visit(next)))
      else if (open.includes(next)) lowest.set(file, Math.min(lowest.get(file)!, order.get(next)!))
    }
    if (lowest.get(file) === own) {
      const group = open.splice(open.indexOf(file))
      if (group.length > 1 || graph.get(file)!.includes(file)) circles.push(group.sort())
    }
    return lowest.get(file)!
  }
  for (const file of files) if (!order.has(file)) visit(file)
  return circles.sort((a, b) => a[0]!.localeCompare(b[0]!))
}
