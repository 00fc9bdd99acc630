/** Words of a page that promise something, and the tests that would fail if it were not so: `file › title`. */
export type Claims = Readonly<Record<string, string | readonly string[]>>
