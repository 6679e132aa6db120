/**
 * The rules of TicketBAI, checked before a number is spent: what the schema admits, what the services report, and whether
 * the file can be signed. Rules that only a treasury can check (its census, its register of programs) are not here.
 */
import { businessDateOf, isBusinessDate } from '../../../../domain/dates.ts'
import type { BusinessDate } from '../../../../domain/dates.ts'
import type { Fault } from '../../../../domain/errors/app-error.ts'
import { printedNumber, splitNumber } from '../content.ts'
import type { CancellationContent, InvoiceContent, TicketBaiLink } from '../content.ts'
import { invoiceContent } from '../facts.ts'
import type { TicketBaiInvoice } from '../facts.ts'
import { LONGEST, MOST } from '../lists.ts'
import { breakdownFindings, detailFindings } from './breakdown.ts'
import { SERVICE, textFindings, withSeverity } from './fault.ts'
import type { Finding, SealingContext } from './fault.ts'
import { nifFindings, partyFindings } from './parties.ts'
import { sealingFindings } from './sealing.ts'

export type { SealingContext } from './fault.ts'

/** Returns everything that stops an invoice from being issued, and warnings. */
export function checkTicketBai(
  invoice: TicketBaiInvoice,
  previous: TicketBaiLink | null,
  context: SealingContext,
): Fault[] {
  const content = invoiceContent(invoice, { previous, software: context.software, device: null })
  return withSeverity([
    ...sealingFindings(context),
    ...partyFindings(invoice),
    ...headerFindings(invoice, businessDateOf(context.now)),
    ...rectificationFindings(invoice),
    ...detailFindings(invoice),
    ...breakdownFindings(invoice, content, context),
  ])
}

/** Returns everything that stops a cancellation. */
export function checkTicketBaiCancellation(
  cancellation: CancellationContent,
  context: SealingContext,
): Fault[] {
  const { issuer, key } = cancellation
  return withSeverity([
    ...sealingFindings(context),
    ...nifFindings(issuer.nif, 'issuer.nif'),
    ...textFindings(issuer.name, 'issuer.name', { longest: LONGEST.name, what: "The issuer's name" }),
    ...numberFindings(printedNumber(key), 'number'),
    ...dateFindings(key.issueDate, 'issueDate'),
  ])
}

/**
 * Returns everything that stops the correction of a file that was sent: a province without corrections, or facts that
 * cannot be corrected. A correction is not signed, so that it needs no certificate.
 */
export function checkTicketBaiAmendment(
  corrected: TicketBaiInvoice,
  original: InvoiceContent,
  context: SealingContext,
): Fault[] {
  const { profile } = context
  const content = invoiceContent(corrected, original.footprint)
  return withSeverity([
    ...amendmentFindings(content, original, profile),
    ...partyFindings(corrected),
    ...headerFindings(corrected, businessDateOf(context.now)),
    ...rectificationFindings(corrected),
    ...detailFindings(corrected),
    ...breakdownFindings(corrected, content, context),
  ])
}

function* amendmentFindings(
  content: InvoiceContent,
  original: InvoiceContent,
  { isAmendable, province }: SealingContext['profile'],
): Iterable<Finding> {
  if (!isAmendable)
    yield {
      code: 'amend_not_here',
      field: '',
      message: `The treasury of ${province} takes no corrections of a file.`,
      fix: 'Send a refused file again; correct a wrong invoice with a corrective one, or cancel it.',
      params: { province },
    }
  if (
    content.issuer.nif !== original.issuer.nif ||
    printedNumber(content.key) !== printedNumber(original.key) ||
    content.key.issueDate !== original.key.issueDate
  )
    yield {
      code: 'amend_identity',
      authorityCode: SERVICE.identifier,
      field: 'number',
      message: 'A correction has the issuer, the number and the date of the original.',
      fix: 'Issue a corrective invoice instead.',
    }
}

function* numberFindings(printed: string, field: string): Iterable<Finding> {
  const { series, number } = splitNumber(printed)
  if (series !== null)
    yield* textFindings(series, field, { longest: LONGEST.series, what: 'The code of a series' })
  yield* textFindings(number, field, { longest: LONGEST.number, what: 'The number within its series' })
}

function* dateFindings(date: string, field: string): Iterable<Finding> {
  if (isBusinessDate(date)) return
  yield {
    code: 'date_invalid',
    authorityCode: SERVICE.schema,
    field,
    message: `${date === '' ? 'An empty text' : date} is no day of the calendar.`,
    fix: 'Correct the date.',
  }
}

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/

function* headerFindings(invoice: TicketBaiInvoice, today: BusinessDate): Iterable<Finding> {
  const { number, issueDate, operationDate, detail, description } = invoice
  yield* numberFindings(number, 'number')
  yield* dateFindings(issueDate, 'issueDate')
  if (isBusinessDate(issueDate) && issueDate > today)
    yield {
      code: 'issue_date_in_future',
      authorityCode: SERVICE.content,
      field: 'issueDate',
      message: 'An invoice is not issued on a day to come.',
      fix: 'Take today.',
    }
  if (operationDate !== null) yield* dateFindings(operationDate, 'operationDate')
  if (!TIME.test(detail.issueTime))
    yield {
      code: 'time_invalid',
      authorityCode: SERVICE.schema,
      field: 'detail.issueTime',
      message: `${detail.issueTime} is no time of day.`,
      fix: 'Write hours, minutes and seconds.',
    }
  // A longer description is shortened in the file.
  yield* textFindings(description, 'description', {
    longest: Number.MAX_SAFE_INTEGER,
    what: 'The description',
  })
}

function* rectificationFindings(invoice: TicketBaiInvoice): Iterable<Finding> {
  const { kind, rectification, rectified, substituted } = invoice
  const isRectifying = kind.startsWith('R')
  if (isRectifying !== (rectification !== null))
    yield {
      code: isRectifying ? 'rectification_required' : 'rectification_not_allowed',
      authorityCode: SERVICE.content,
      field: 'rectification',
      message: isRectifying
        ? 'A rectifying invoice says whether it replaces the original or states the difference.'
        : 'An invoice of this kind rectifies nothing.',
      fix: 'Correct the kind or the method.',
    }
  if (isRectifying && rectified.length === 0)
    yield {
      code: 'rectified_missing',
      severity: 'warning',
      authorityCode: SERVICE.content,
      field: 'rectified',
      message: 'A rectifying invoice names the invoices that it rectifies.',
      fix: 'Name the original.',
    }
  if (rectified.length + substituted.length > MOST.originals)
    yield {
      code: 'originals_count',
      authorityCode: SERVICE.schema,
      field: 'rectified',
      message: `An invoice names at most ${MOST.originals} others.`,
      fix: 'Split the invoice.',
      params: { max: MOST.originals },
    }
  for (const [list, keys] of Object.entries({ rectified, substituted }))
    for (const [index, key] of keys.entries()) {
      yield* numberFindings(key.number, `${list}[${index}].number`)
      yield* dateFindings(key.issueDate, `${list}[${index}].issueDate`)
    }
}
