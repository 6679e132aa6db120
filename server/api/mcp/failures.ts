/** Errors of the MCP transport in JSON-RPC terms; the error object inside is the same as in REST. */
import { AppError } from '../../domain/errors/app-error.ts'
import type { ErrorBody } from '../../domain/errors/app-error.ts'
import { asAppError } from '../../domain/errors/to-app-error.ts'

const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603
/** Code for a case without a standard code: headers that this server cannot accept. */
export const UNSUPPORTED = -32000
/** Used by the 2025 wire; the 2026 wire uses INVALID_PARAMS. */
export const RESOURCE_NOT_FOUND = -32002

/** A protocol error: an unknown tool, resource or prompt. Both SDKs send its code, message and data. */
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

/** The answer to a failed call: the error of REST, and the values that REST sends in headers and `meta`. */
interface FailedAnswer {
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

/** Maps an error of the framework before the handler by its status; from 500 up it is a bug. */
export function asRequestError(thrown: unknown): AppError {
  const status = (thrown as { statusCode?: unknown } | null)?.statusCode
  if (thrown instanceof AppError || typeof status !== 'number' || status >= 500) return asAppError(thrown)
  if (status === 413) return new AppError('payload_too_large')
  return new AppError(status === 415 ? 'unsupported_media_type' : 'malformed_request')
}

/** Returns the code: unreadable JSON is a parse error, every other mistake of the caller an invalid request. */
function codeOf(error: AppError): number {
  if (error.status >= 500) return INTERNAL_ERROR
  const why = error.details?.why
  return why === 'not_json' || why === 'not_utf8' ? PARSE_ERROR : INVALID_REQUEST
}

/** Returns the JSON-RPC answer to a request that never reached the protocol. */
export function errorMessage(error: AppError, requestId: string): object {
  return {
    jsonrpc: '2.0',
    error: { code: codeOf(error), message: error.text.message, data: failedAnswer(error, requestId) },
    id: null,
  }
}
