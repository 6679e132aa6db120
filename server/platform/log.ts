/**
 * The log records events, never content: no bodies, headers, query strings or keys. Known shapes of secrets are
 * masked.
 */

export interface LogEntry {
  event: string
  requestId?: string
  route?: string
  status?: number
  code?: string
  keyId?: string
  /** How long it took. */
  ms?: number
  /** Version of the program that starts. */
  version?: string
  /** Requests that had not ended when their server did. */
  unfinished?: number
  /** The error of a bug, with its stack. */
  error?: unknown
}

export type Log = (entry: LogEntry) => void

// Shapes of secrets that could occur in an error message: keys, tokens, bearer headers, PEM, long hex.
const SECRET_SHAPES =
  /svc_(?:live|test)_[\w-]+|svct_[\w-]+|whsec_[\w+/=-]+|Bearer\s+\S+|-----BEGIN[\s\S]+?-----END[^-]*-----|\b[0-9a-f]{64}\b/gi

/** Returns text that is safe to log. */
export function redactSecrets(text: string): string {
  return text.replace(SECRET_SHAPES, '[secret]')
}

function describe(error: unknown): string {
  // Only the stack: other members of an error can contain headers or query values.
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Creates a log that writes one JSON object per line. */
export function createLog(write: (line: string) => void, now: () => Date = () => new Date()): Log {
  return ({ error, ...entry }) => {
    const described = error === undefined ? {} : { error: describe(error) }
    write(redactSecrets(JSON.stringify({ at: now().toISOString(), ...entry, ...described })))
  }
}
