/** Reads back a stored file as what the wires send: its kind, key, identifier and signature, from its own text. */
import { registryDate } from '../../../../domain/dates.ts'
import type { ContentKey } from '../content.ts'
import { ticketBaiIdentifier } from '../identifier.ts'
import { LONGEST } from '../lists.ts'
import type { LroeFile, LroeIncome } from '../lroe/message.ts'
import { readTicketBai } from '../read.ts'
import { verifyTicketBai } from '../verify.ts'
import type { RecordKey, RecordKind } from '../wire/outcome.ts'

/**
 * Returns a file ready to be sent; `income` is what the book of a person adds. The signature is verified first: what was damaged in the
 * store is not sent. Throws `BrokenXmlSignature` or `UnreadableTicketBai`.
 */
export function sealedFileOf(id: string, text: string, income?: readonly LroeIncome[]): LroeFile {
  const file = (
    kind: RecordKind,
    issuer: { nif: string },
    key: ContentKey,
    signature: string,
    identifier: string | null = null,
  ): LroeFile => ({
    id,
    kind,
    key: recordKeyOf(issuer, key),
    identifier,
    signature: signature.slice(0, LONGEST.signaturePart),
    xml: Buffer.from(text, 'utf8'),
    ...(income ? { income } : {}),
  })
  const content = readTicketBai(text)
  switch (content.kind) {
    case 'issue': {
      const { issuer, key } = content.invoice
      const { signatureValue } = verifyTicketBai(text)
      return file(
        'invoice',
        issuer,
        key,
        signatureValue,
        ticketBaiIdentifier(issuer.nif, key.issueDate, signatureValue),
      )
    }
    case 'cancellation': {
      const { issuer, key } = content.cancellation
      return file('cancellation', issuer, key, verifyTicketBai(text).signatureValue)
    }
    case 'amended_issue':
      return file('correction', content.invoice.issuer, content.invoice.key, content.signature)
    case 'amended_cancellation':
      return file(
        'cancellation_correction',
        content.cancellation.issuer,
        content.cancellation.key,
        content.signature,
      )
  }
}

function recordKeyOf({ nif }: { nif: string }, { series, number, issueDate }: ContentKey): RecordKey {
  return { issuerNif: nif, series: series ?? '', number, issueDate: registryDate(issueDate) }
}
