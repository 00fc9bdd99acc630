import { z } from 'zod'
import { databaseUrlProblem } from '../../domain/server-url.ts'

export const database = z.strictObject({
  /** `sqlite:file.db`, `postgres://…`, `mysql://…`. */
  url: z
    .string()
    .min(1)
    .refine((url) => databaseUrlProblem(url) === undefined, {
      error: ({ input }) => databaseUrlProblem(String(input)),
    }),
  name: z.string().min(1).optional(),
  /** Tables that may be read; all when absent. */
  tables: z.array(z.string()).optional(),
  /** PostgreSQL: a role that the reading session takes on, with SELECT only. */
  role: z.string().optional(),
  /** PostgreSQL: the schema to read, or a list of them; `public` when absent. */
  schema: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).optional(),
  /** PostgreSQL, MySQL: log in also as a superuser, or with rights on the server's files. */
  allowSuperuser: z.boolean().optional(),
  /**
   * PostgreSQL: extensions whose types and operators queries may use, in addition to those that PostgreSQL ships
   * with.
   */
  extensions: z.array(z.string()).optional(),
  /** PostgreSQL, SQLite: have the database report what a query would use before it runs. */
  serverCheck: z.boolean().optional(),
  /** File with the terms of this database, relative to this file; `tutti db describe` writes a first one. */
  terms: z.string().min(1).optional(),
  /** PostgreSQL, MySQL: connect only to addresses of the public internet, and to the hosts of `http.allowHosts`. */
  publicOnly: z.boolean().optional(),
})

/** A sign-in of an API: a bearer token, a user name with password, or an API key. `${NAME}` is an environment variable. */
const credential = z.union([
  z.strictObject({ token: z.string() }),
  z.strictObject({ username: z.string(), password: z.string() }),
  z.strictObject({ key: z.string() }),
])

export const api = z.strictObject({
  name: z.string().min(1).optional(),
  /** File or URL of an OpenAPI document or of a catalogue in YAML. */
  catalogue: z.string().min(1),
  /** In place of the catalogue's own server; its host may be reached even when it is internal. */
  baseUrl: z.url().optional(),
  /** Whether its answers count as the operator's own data, and other sources' data may be sent to it. */
  trusted: z.boolean().optional(),
  /** By name of the security scheme. */
  credentials: z.record(z.string(), credential).optional(),
})

export type DatabaseConfig = z.output<typeof database>

/** The operator's settings for a server. What the server declares about itself is trusted only if these allow it. */
const mcpTrust = {
  /** Tools that only read; each call of another one needs approval. */
  reads: z.array(z.string().min(1)).default([]),
  /** Also treat as reading the tools that the server itself calls read-only. */
  trustHints: z.boolean().default(false),
  /** Whether its answers count as the operator's own data, and other sources' data may be sent to it. */
  trusted: z.boolean().default(false),
}

/** A server that is a program of this machine. */
const mcpProgram = {
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
  /** Folder that it runs in. */
  cwd: z.string().min(1).optional(),
}

/** A server that is reached over streamable HTTP. */
const mcpAddress = {
  url: z.url(),
  headers: z.record(z.string(), z.string()).default({}),
  /** For `tutti mcp login`, if the server does not support client registration. */
  signIn: z
    .strictObject({
      clientId: z.string().min(1).optional(),
      clientSecret: z.string().optional(),
      scope: z.string().optional(),
    })
    .optional(),
}

const mcpSettings = {
  ...mcpTrust,
  /** Its purpose; planners read it. */
  description: z.string().min(1).optional(),
  /** Of one call. */
  timeoutMs: z.number().int().positive().optional(),
}

const mcpName = { name: z.string().min(1) }

/** A server that offers tools. */
export const mcpServer = z.union([
  z.strictObject({ ...mcpName, ...mcpProgram, ...mcpSettings }),
  z.strictObject({ ...mcpName, ...mcpAddress, ...mcpSettings }),
])

/** Fields of the common `mcpServers` format that Tutti accepts. Automatic approvals in it are ignored. */
const mcpOfOthers = {
  type: z
    .enum(['stdio', 'http', 'streamable-http', 'streamableHttp'], {
      error: ({ input }) => `is ${JSON.stringify(input)}; servers are reached as stdio or http (streamable HTTP) alone`,
    })
    .optional(),
  disabled: z.boolean().default(false),
  alwaysAllow: z.array(z.string()).optional(),
  autoApprove: z.array(z.string()).optional(),
}

/** Servers of tools by their names, in the form that other programs use, too. */
export const mcpServers = z.record(
  z.string().regex(/^[^/\s][^/\p{Cc}]{0,63}$/u, 'must be a name of at most 64 characters without a slash'),
  z.union([
    z.strictObject({ ...mcpOfOthers, ...mcpProgram, ...mcpSettings }),
    z.strictObject({ ...mcpOfOthers, ...mcpAddress, ...mcpSettings }),
  ]),
)
