/**
 * MCP resources: the company, and the documents of invoices. They use the same operations as REST, with the same
 * permissions.
 */
import { forOwner } from '../../app/assistants/index.ts'
import { asAppError } from '../../domain/errors/to-app-error.ts'
import type { BytesAnswer } from '../../domain/contract/fields.ts'
import { familyOf } from '../../domain/contract/rate-limits.ts'
import type { Family } from '../../domain/contract/rate-limits.ts'
import type { Operation } from '../../context.ts'
import {
  failedAnswer,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  ProtocolFailure,
  RESOURCE_NOT_FOUND,
} from './failures.ts'
import { withConcurrencyLimit } from './expensive-calls.ts'
import type { LimitedCaller } from './expensive-calls.ts'
import type { Outcome } from './tools.ts'

export type ResourceContents = { uri: string; mimeType: string } & ({ text: string } | { blob: string })

const COMPANY = 'company.current'
const DOCUMENT_OF_INVOICE = 'invoices.pdf'
/** The operations behind the resource addresses. */
export const READ_BY_ADDRESS: readonly string[] = [COMPANY, DOCUMENT_OF_INVOICE]

const COMPANY_URI = 'svc://company'
const DOCUMENT = /^svc:\/\/invoices\/([^/?#]{1,240})\/(pdf|facturae|ubl|cii|ubl25|peppol)$/
/** Base64 in one JSON answer; larger documents are read over REST. */
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

const STRUCTURED = [
  ['facturae', 'Facturae 3.2.2', 'Signed when the company has a certificate.'],
  ['ubl', 'UBL 2.1 (EN 16931)', ''],
  ['cii', 'CII D16B (EN 16931)', ''],
  ['ubl25', 'UBL 2.5 (public platform between businesses)', 'For customers in Spain.'],
  ['peppol', 'Peppol BIS Billing 3.0', ''],
] as const

export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: 'svc://invoices/{id}/pdf',
    name: 'invoice-pdf',
    title: 'PDF of an invoice',
    description: 'By identifier or number. A draft gives a watermarked preview.',
    mimeType: 'application/pdf',
  },
  ...STRUCTURED.map(([format, title, more]) => ({
    uriTemplate: `svc://invoices/{id}/${format}`,
    name: `invoice-${format}`,
    title: `${title} of an issued invoice`,
    description: `By identifier or number. ${more}`.trim(),
    mimeType: 'application/xml',
  })),
]

export type Era = '2025' | '2026'

interface ResourceReader {
  read(
    asking: LimitedCaller & { era: Era },
    uri: string,
    report: (outcome: Outcome) => void,
  ): Promise<ResourceContents>
  /** Returns the rate-limit family of reading an address. */
  familyOf(uri: unknown): Family
}

function documentOf(uri: string): { id: string; format: string } | null {
  const [, written, format = 'pdf'] = DOCUMENT.exec(uri) ?? []
  try {
    return written === undefined ? null : { id: decodeURIComponent(written), format }
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
  const company = named(COMPANY)
  const document = named(DOCUMENT_OF_INVOICE)

  async function contentsOf(asking: LimitedCaller, uri: string): Promise<ResourceContents | null> {
    if (uri === COMPANY_URI)
      return {
        uri,
        mimeType: 'application/json',
        text: JSON.stringify(await withConcurrencyLimit(company, asking, {})),
      }
    const asked = documentOf(uri)
    if (asked === null) return null
    const { bytes, mediaType } = (await withConcurrencyLimit(document, asking, asked)) as BytesAnswer
    if (bytes.byteLength > MAX_DOCUMENT_BYTES)
      throw new ProtocolFailure(
        INTERNAL_ERROR,
        'The document is too large for this door; read it over REST.',
        { uri },
      )
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    // XML is returned as text.
    return asked.format === 'pdf'
      ? { uri, mimeType: 'application/pdf', blob: content.toString('base64') }
      : { uri, mimeType: mediaType ?? 'application/xml', text: content.toString('utf8') }
  }

  return {
    familyOf: (uri) =>
      typeof uri === 'string' && documentOf(uri) !== null ? familyOf(document.contract) : 'read',
    async read(asking, uri, report) {
      const { ctx, era } = asking
      const tool = 'resources/read'
      const notFoundCode = era === '2025' ? RESOURCE_NOT_FOUND : INVALID_PARAMS
      try {
        const contents = await contentsOf(asking, uri)
        if (!contents) {
          report({ tool, outcome: 'refused', code: 'not_found' })
          throw new ProtocolFailure(notFoundCode, 'There is no such resource.', { uri })
        }
        report({ tool, outcome: 'ok' })
        return contents
      } catch (thrown) {
        if (thrown instanceof ProtocolFailure) throw thrown
        if ((thrown as Error | null)?.name === 'DocumentPending') {
          report({ tool, outcome: 'refused', code: 'pending' })
          throw new ProtocolFailure(
            INTERNAL_ERROR,
            'The document is being drawn; read it again in a moment.',
            { uri, retryAfterSeconds: PENDING_SECONDS },
          )
        }
        const error = asAppError(thrown)
        const isBug = error !== thrown
        report({
          tool,
          outcome: isBug ? 'failed' : 'refused',
          code: error.code,
          ...(isBug ? { error: thrown } : {}),
        })
        const code =
          error.status === 404 ? notFoundCode : error.status < 500 ? INVALID_PARAMS : INTERNAL_ERROR
        const answer = await forOwner(ctx, failedAnswer(error, ctx.requestId))
        throw new ProtocolFailure(code, answer.error.message, { uri, ...answer })
      }
    },
  }
}
