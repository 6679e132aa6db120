/** The log: what happened, never what was said. No bodies, headers, query strings or keys; known shapes are blanked. */

export interface LogEntry {
  event: string
  requestId?: string
  route?: string
  status?: number
  code?: string
  keyId?: string
  /** Of a bug: where it happened. */
  error?: unknown
}

export type Log = (entry: LogEntry) => void

// Shapes of secrets, should one stand in the message of an error: keys, tokens, bearer headers, PEM, long hex.
const SECRET_SHAPES =
  /svc_(?:live|test)_[\w-]+|svct_[\w-]+|whsec_[\w+/=-]+|Bearer\s+\S+|-----BEGIN[\s\S]+?-----END[^-]*-----|\b[0-9a-f]{64}\b/gi

/** Text that is safe to log. */
export function withoutSecretShapes(text: string): string {
  return text.replace(SECRET_SHAPES, '[secret]')
}

function describe(error: unknown): string {
  // Only the stack: other members of an error can hold headers or values of a query.
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** A log that writes one JSON object a line. */
export function createLog(write: (line: string) => void, now: () => Date = () => new Date()): Log {
  return ({ error, ...entry }) => {
    const described = error === undefined ? {} : { error: describe(error) }
    write(withoutSecretShapes(JSON.stringify({ at: now().toISOString(), ...entry, ...described })))
  }
}
