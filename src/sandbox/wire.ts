/** Command line parameter of a child. */
export interface ChildConfig {
  /** `snapshot`: start Python slowly, write its memory to the reply pipe and end. `job`: wait for one job. */
  readonly mode: 'snapshot' | 'job'
  /** Its parent process; it ends with the parent. */
  readonly parent: number
  readonly pyodideFolder: string
  /** Present if the kernel can filter system calls and the C library can be called. */
  readonly kernel?: { readonly arch: 'x64' | 'arm64'; readonly cpuSeconds: number }
  /** Give up root for this user and group. */
  readonly user?: number
  readonly outputBytes: number
  /** Of the whole process. */
  readonly memoryMb: number
}

/** Descriptors of a child, in addition to the usual three. */
export const REPLY_DESCRIPTOR = 3
export const SNAPSHOT_DESCRIPTOR = 4

/** The line by which a child reports that its restrictions are enabled and it waits. */
export const READY = 'ready'

/**
 * The line by which a child reports that it has accepted the job; from then on, the code may be the cause of its end.
 */
export const ACCEPTED = 'taken'

/** One job as sent to the child: JSON, then the end of the stream. */
export interface WireJob {
  /** Returned with the reply; not visible to Python. */
  readonly nonce: string
  readonly code: string
  /** JSON text. */
  readonly data: string
  /** JSON text of `JobLimits`. */
  readonly limits: string
}

/** Maximum sizes of a job's values. */
export interface JobLimits {
  /** Values of all nesting levels together. */
  readonly items: number
  /** Characters a string. */
  readonly text: number
  /** Rows a table. */
  readonly rows: number
  readonly images: number
  readonly imageBytes: number
}

/** The one line of the reply. */
export interface WireReply {
  readonly nonce: string
  /** The harness's report as JSON text; absent when the interpreter broke. */
  readonly report?: string
  readonly crash?: string
  readonly stdout: string
  readonly stderr: string
  readonly truncated: boolean
}
