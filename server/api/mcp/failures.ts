/** What goes wrong at the tools' edge, in JSON-RPC's terms; the error object inside is the one REST answers with. */
import { AppError } from '../../domain/errors/catalog.ts'
import type { ErrorBody } from '../../domain/errors/catalog.ts'
import { asAppError } from '../../domain/errors/to-app-error.ts'

export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603
/** What no code of the standard says: headers this server cannot go by. */
export const UNSUPPORTED = -32000
/** Of the 2025 wire; the 2026 wire says INVALID_PARAMS. */
export const RESOURCE_NOT_FOUND = -32002

/** A failure of the protocol itself: an unknown tool, resource or prompt. Both SDKs send its code, message and data. */
export class ProtocolFailure extends Error {
  readonly code: number
  readonly data: Record<string, unknown> | undefined

  constructor(code: number, message: string, data?: Record<string, unknown>) {
    super(message)
    this.name = 'ProtocolFailure'
    this.code = code
    this.data = data
  }
}

/** What a failed call tells: the error of REST, and what REST says in headers and `meta`. */
export interface FailedAnswer {
  [member: string]: unknown
  error: ErrorBody
  requestId: string
  retryAfterSeconds?: number
}

export function failedAnswer(error: AppError, requestId: string): FailedAnswer {
  const { waitSeconds } = error
  return {
    error: error.toBody(),
    requestId,
    ...(waitSeconds === undefined ? {} : { retryAfterSeconds: waitSeconds }),
  }
}

/** What the framework refuses before the handler, by its status; anything from 500 up is a bug. */
export function asRequestError(thrown: unknown): AppError {
  const status = (thrown as { statusCode?: unknown } | null)?.statusCode
  if (thrown instanceof AppError || typeof status !== 'number' || status >= 500) return asAppError(thrown)
  if (status === 413) return new AppError('payload_too_large')
  return new AppError(status === 415 ? 'unsupported_media_type' : 'malformed_request')
}

/** JSON that could not be read at all is a parse error; whatever else a caller gets wrong is an invalid request. */
function codeOf(error: AppError): number {
  if (error.status >= 500) return INTERNAL_ERROR
  const why = error.details?.why
  return why === 'not_json' || why === 'not_utf8' ? PARSE_ERROR : INVALID_REQUEST
}

/** The JSON-RPC answer to a request that never reached the protocol. */
export function errorMessage(error: AppError, requestId: string): object {
  return {
    jsonrpc: '2.0',
    error: { code: codeOf(error), message: error.spec.message, data: failedAnswer(error, requestId) },
    id: null,
  }
}
