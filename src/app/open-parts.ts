interface Part {
  close(): Promise<unknown>
}

/** Parts of an app, closed in the reverse order of their opening. */
export class OpenParts {
  private readonly parts: Part[] = []

  add<T extends Part>(part: T): T {
    this.parts.push(part)
    return part
  }

  /** Closes all of them. @throws the first error, when the others are closed */
  async close(): Promise<void> {
    const errors: unknown[] = []
    for (const part of this.parts.splice(0).reverse()) await part.close().catch((thrown) => errors.push(thrown))
    if (errors.length > 0) throw errors[0]
  }
}
