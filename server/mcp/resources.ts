/** What can be read by address: the company, and the documents of invoices. The same operations as REST, with the same rights. */
import type { BytesAnswer } from '../core/contract.ts'
import type { Ctx } from '../ctx.ts'
import type { Operation } from '../operations.ts'
import { runOperation } from '../run.ts'
import {
  asAppError,
  failedAnswer,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  ProtocolFailure,
  RESOURCE_NOT_FOUND,
} from './failures.ts'
import type { Outcome } from './tools.ts'

export type ResourceContents = { uri: string; mimeType: string } & ({ text: string } | { blob: string })

const COMPANY_URI = 'svc://company'
const DOCUMENT = /^svc:\/\/invoices\/([^/?#]{1,240})\/pdf$/
/** Base64 in one JSON answer; a larger document is read over REST. */
const MAX_DOCUMENT_BYTES = 5 * 1024 * 1024
const PENDING_SECONDS = 2

export const RESOURCES = [
  {
    uri: COMPANY_URI,
    name: 'company',
    title: 'Company',
    description: 'Tax data of the active company.',
    mimeType: 'application/json',
  },
]

export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: 'svc://invoices/{id}/pdf',
    name: 'invoice-pdf',
    title: 'PDF of an invoice',
    description: 'By identifier or number. A draft gives a watermarked preview.',
    mimeType: 'application/pdf',
  },
]

export type Era = '2025' | '2026'

export interface ResourceReader {
  read(ctx: Ctx, uri: string, era: Era, tell: (outcome: Outcome) => void): Promise<ResourceContents>
}

function documentIdOf(uri: string): string | null {
  const written = DOCUMENT.exec(uri)?.[1]
  try {
    return written === undefined ? null : decodeURIComponent(written)
  } catch {
    return null
  }
}

export function createResourceReader(operations: readonly Operation[]): ResourceReader {
  const named = (name: string): Operation => {
    const operation = operations.find(({ contract }) => contract.name === name)
    if (!operation) throw new Error(`No operation is called ${name}.`)
    return operation
  }
  const company = named('company.current')
  const document = named('invoices.pdf')

  async function contentsOf(ctx: Ctx, uri: string): Promise<ResourceContents | null> {
    if (uri === COMPANY_URI)
      return { uri, mimeType: 'application/json', text: JSON.stringify(await runOperation(company, ctx, {})) }
    const id = documentIdOf(uri)
    if (id === null) return null
    const { bytes } = (await runOperation(document, ctx, { id })) as BytesAnswer
    if (bytes.byteLength > MAX_DOCUMENT_BYTES)
      throw new ProtocolFailure(
        INTERNAL_ERROR,
        'The document is too large for this door; read it over REST.',
        { uri },
      )
    return {
      uri,
      mimeType: 'application/pdf',
      blob: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
    }
  }

  return {
    async read(ctx, uri, era, tell) {
      const tool = 'resources/read'
      const notFoundCode = era === '2025' ? RESOURCE_NOT_FOUND : INVALID_PARAMS
      try {
        const contents = await contentsOf(ctx, uri)
        if (!contents) {
          tell({ tool, outcome: 'refused', code: 'not_found' })
          throw new ProtocolFailure(notFoundCode, 'There is no such resource.', { uri })
        }
        tell({ tool, outcome: 'ok' })
        return contents
      } catch (thrown) {
        if (thrown instanceof ProtocolFailure) throw thrown
        if ((thrown as Error | null)?.name === 'DocumentPending') {
          tell({ tool, outcome: 'refused', code: 'pending' })
          throw new ProtocolFailure(
            INTERNAL_ERROR,
            'The document is being drawn; read it again in a moment.',
            { uri, retryAfterSeconds: PENDING_SECONDS },
          )
        }
        const error = asAppError(thrown)
        const isBug = error !== thrown
        tell({
          tool,
          outcome: isBug ? 'failed' : 'refused',
          code: error.code,
          ...(isBug ? { error: thrown } : {}),
        })
        const code =
          error.status === 404 ? notFoundCode : error.status < 500 ? INVALID_PARAMS : INTERNAL_ERROR
        throw new ProtocolFailure(code, error.spec.message, { uri, ...failedAnswer(error, ctx.requestId) })
      }
    },
  }
}
