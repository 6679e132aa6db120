/** Records of TicketBAI behind the port: built from the facts, signed, read back from their text, and proven. */
import { hash } from 'node:crypto'
import type { Credential } from '../../../../company/certificates/index.ts'
import { AppError } from '../../../../domain/errors/app-error.ts'
import { centsToText } from '../../../../domain/money.ts'
import type { Cents } from '../../../../domain/money.ts'
import { BrokenXmlSignature, openSigningKey } from '../../../../platform/signing/index.ts'
import type { ChainLink, Software } from '../../../facts.ts'
import type { Predecessor, ReadRecord, RecordFacts, RecordPlace, Sealed } from '../../../system.ts'
import { printedNumber, splitNumber } from '../content.ts'
import type {
  ContentBreakdown,
  ContentKey,
  Footprint,
  InvoiceContent,
  SoftwareFacts,
  TicketBaiContent,
  TicketBaiLink,
} from '../content.ts'
import { amendedIssue, cancellationContent, invoiceContent, ticketBaiInvoice } from '../facts.ts'
import { LONGEST } from '../lists.ts'
import type { ProvinceProfile } from '../profiles.ts'
import { readTicketBai, UnreadableTicketBai } from '../read.ts'
import { sealCancellation, sealInvoice } from '../seal.ts'
import { chainFaultOf, verifyTicketBai } from '../verify.ts'
import { writeTicketBai } from '../write.ts'

/** A record before its signature. */
export interface TicketBaiDraft {
  content: TicketBaiContent
  signedAt: Date
}

/** A record read back; `signature` is the value of its signature in base 64, null for an unsigned correction. */
export interface ReadTicketBai extends ReadRecord {
  text: string
  content: TicketBaiContent
  signature: string | null
}

/** Returns the program as the files name it. */
export function softwareFactsOf({ producer, name, id, version }: Software): SoftwareFacts {
  return { licence: id, developer: { nif: producer.nif }, name, version }
}

/** Returns what a file says of the link before it. */
function linkTo(previous: Predecessor | null): TicketBaiLink | null {
  return (
    previous && {
      ...splitNumber(previous.number),
      issueDate: previous.issueDate,
      signature: previous.link,
    }
  )
}

/** Time of day in `2026-11-30T10:00:00+01:00`. */
const timeIn = (instant: string): string => instant.slice(11, 19)

/** Builds a record. A further registration of an invoice corrects its first file and is no link. */
export function buildRecord(
  facts: RecordFacts,
  { previous, software, generatedAt }: RecordPlace,
): TicketBaiDraft {
  const signedAt = new Date(generatedAt)
  const footprint: Footprint = {
    previous: linkTo(previous),
    software: softwareFactsOf(software),
    // Each installation has a chain of its own, as each device has: the services tell chains apart by it.
    device: software.installationNumber,
  }
  if (facts.kind === 'cancellation') {
    const { key } = facts.cancellation
    const issuer = { nif: key.issuerNif, name: facts.issuerName.trim() }
    const cancellation = cancellationContent(
      { issuer, key: { ...splitNumber(key.number), issueDate: key.issueDate } },
      footprint,
    )
    return { content: { kind: 'cancellation', cancellation }, signedAt }
  }
  const { invoice, detail, first } = facts
  if (!detail) throw new Error('The file of an invoice lists its lines.')
  const issued = ticketBaiInvoice(invoice, detail, timeIn(generatedAt))
  if (first === null)
    return { content: { kind: 'issue', invoice: invoiceContent(issued, footprint) }, signedAt }
  const action = invoice.turn === 'unregistered' ? 'SUBSANAR' : 'MODIFICAR'
  return { content: amendedIssue(action, issued, originalOf(first)), signedAt }
}

/** Returns the content of a first file with its signature. Throws for a text that is none. */
export function originalOf(first: string): { invoice: InvoiceContent; signatureValue: string } {
  const original = verifyTicketBai(first)
  if (original.kind !== 'issue')
    throw new UnreadableTicketBai('The first file of an invoice is none of an issue.')
  return original
}

const digest = (text: string): string => hash('sha256', text, 'hex').toUpperCase()
const linkIn = (signature: string): string => signature.slice(0, LONGEST.signaturePart)

/** Signs a record; a correction is not signed. Throws `certificate_missing`. */
export function sealRecord(
  profile: ProvinceProfile,
  { content, signedAt }: TicketBaiDraft,
  credential: Credential | null,
): Sealed {
  if (content.kind === 'amended_issue' || content.kind === 'amended_cancellation') {
    const text = writeTicketBai(content)
    return { text, hash: digest(text), isLink: false, link: null }
  }
  if (!credential) throw new AppError('certificate_missing')
  const sealing = { profile, key: openSigningKey(credential), signedAt }
  if (content.kind === 'cancellation') {
    const { xml: text } = sealCancellation(content.cancellation, sealing)
    return { text, hash: digest(text), isLink: false, link: null }
  }
  const { xml: text, signatureValue } = sealInvoice(content.invoice, sealing)
  return { text, hash: digest(text), isLink: true, link: linkIn(signatureValue) }
}

const SIGNATURE = /<ds:SignatureValue[^>]*>([^<]+)<\/ds:SignatureValue>/
const SIGNED_AT = /<xades:SigningTime>([^<]+)<\/xades:SigningTime>/

/** Reads a stored text. Its signature is proven by `proveRecord`. Throws for a text that is no record. */
export function readRecord(text: string): ReadTicketBai {
  const content = readTicketBai(text)
  const isCancellation = content.kind === 'cancellation' || content.kind === 'amended_cancellation'
  const { issuer, key } = isCancellation ? content.cancellation : content.invoice
  const signature = SIGNATURE.exec(text)?.[1]?.replace(/\s+/g, '') ?? null
  const isLink = content.kind === 'issue'
  const own = linkOf(issuer.nif, key, digest(text))
  const invoice = isCancellation ? null : content.invoice
  const before = isLink ? content.invoice.footprint.previous : null
  const generatedAt =
    SIGNED_AT.exec(text)?.[1] ?? `${key.issueDate}T${invoice?.issueTime ?? '00:00:00'}+01:00`
  const amounts = invoice && {
    taxTotal: centsToText(taxOf(invoice)),
    total: centsToText(invoice.totalCents),
  }
  return {
    kind: isCancellation ? 'cancellation' : 'registration',
    text,
    content,
    signature,
    link: own,
    isLink,
    named: isLink && signature !== null ? linkIn(signature) : own.hash,
    previous: before && {
      issuerNif: issuer.nif,
      number: printedNumber(before),
      issueDate: before.issueDate,
      hash: null,
    },
    recordId: null,
    operationDate: invoice?.operationDate ?? null,
    generatedAt,
    sealed: {
      issuerNif: issuer.nif,
      number: printedNumber(key),
      issueDate: key.issueDate,
      ...amounts,
      ...(signature === null ? {} : { signature }),
      ...(before ? { previousSignature: before.signature } : {}),
    },
    amounts,
  }
}

function linkOf(issuerNif: string, key: ContentKey, recordHash: string): ChainLink {
  return { issuerNif, number: printedNumber(key), issueDate: key.issueDate, hash: recordHash }
}

/** Tax and surcharge of all parts of the breakdown. */
function taxOf({ breakdown }: InvoiceContent): Cents {
  const parts = breakdown.by === 'invoice' ? [breakdown.whole] : [breakdown.services, breakdown.goods]
  const sum = ({ taxed }: ContentBreakdown): Cents =>
    taxed
      .flatMap(({ details }) => details)
      .reduce((total, one) => total + (one.taxCents ?? 0) + (one.surchargeCents ?? 0), 0)
  return parts.reduce((total, part) => total + (part ? sum(part) : 0), 0)
}

/**
 * Proves the signature of a record, and that an invoice names the last link before it. An unsigned correction is proven
 * by the hash that is stored with it alone.
 */
export function proveRecord(
  { text, content, signature }: ReadTicketBai,
  previous: Predecessor | null,
): string | null {
  if (content.kind === 'amended_issue' || content.kind === 'amended_cancellation') return null
  try {
    if (verifyTicketBai(text).signatureValue !== signature) return 'signature_mismatch'
  } catch (error) {
    if (error instanceof BrokenXmlSignature || error instanceof UnreadableTicketBai)
      return `signature_broken: ${error.message}`
    throw error
  }
  return content.kind === 'issue' ? chainFaultOf(content.invoice, linkTo(previous)) : null
}
