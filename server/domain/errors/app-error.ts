/** Failures that a caller can act on, and the faults of an input. */
import { ERRORS } from './catalog.ts'
import type { ErrorCode, ErrorSpec, Retry } from './catalog.ts'
import { english } from './messages/en.ts'
import type { ErrorText } from './messages/error-text.ts'

export interface Fault {
  code: string
  /** Dotted path, such as `lines[0].quantity`; empty for the whole input. */
  field: string
  severity: 'error' | 'warning'
  message: string
  fix?: string
  /** The authority's own code of the rule, if it has one. */
  authorityCode?: string
  /** Values in the message, for translation. */
  params?: Record<string, string | number>
}

export interface ErrorBody {
  code: ErrorCode
  message: string
  field?: string
  details?: Record<string, unknown>
  retry: Retry
  next: string
  docs: string
}

interface ErrorOptions {
  field?: string
  details?: Record<string, unknown>
  /** Seconds until a retry makes sense; sent as `Retry-After`. */
  retryAfterSeconds?: number
  cause?: unknown
}

/** Default wait if no better estimate is known. */
const A_WHILE_SECONDS = 60

/** A failure the caller can act on. Anything else thrown is a bug and is answered as `internal`. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly field: string | undefined
  readonly details: Record<string, unknown> | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, options: ErrorOptions = {}) {
    super(
      `${code}: ${english[code].message}`,
      options.cause === undefined ? undefined : { cause: options.cause },
    )
    this.name = 'AppError'
    this.code = code
    this.field = options.field
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  get spec(): ErrorSpec {
    return ERRORS[this.code]
  }

  /** What happened and the next step, in English. */
  get text(): Pick<ErrorText, 'message' | 'next'> {
    return english[this.code]
  }

  get status(): number {
    return this.spec.status
  }

  /** The value of `Retry-After`: every answer that asks the caller to wait says how long, at least roughly. */
  get waitSeconds(): number | undefined {
    return this.retryAfterSeconds ?? (this.spec.retry === 'after' ? A_WHILE_SECONDS : undefined)
  }

  /** Returns the `error` member of an answer. */
  toBody(): ErrorBody {
    const { message, next } = this.text
    return {
      code: this.code,
      message,
      ...(this.field === undefined ? {} : { field: this.field }),
      ...(this.details === undefined ? {} : { details: this.details }),
      retry: this.spec.retry,
      next,
      docs: `/docs/errors#${this.code}`,
    }
  }
}

/** Creates `validation_failed` with all its faults; `field` is that of the first one. */
export function validationFailed(faults: readonly Fault[]): AppError {
  return new AppError('validation_failed', {
    ...(faults[0] ? { field: faults[0].field } : {}),
    details: { faults },
  })
}
