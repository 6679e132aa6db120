/** Rules by kind of invoice: rectification, named invoices, flags, limits. */
import { centsToText } from '../../../../../domain/money.ts'
import type { Cents } from '../../../../../domain/money.ts'
import type { RecordKind, RegistryInvoice } from '../fields.ts'
import { LIST_FAULT, MAX_LIST, TOLERANCE_CENTS } from './fault.ts'
import type { RuleFinding } from './fault.ts'
import { namedInvoiceFaults, textFaults } from './text-rules.ts'

/** Simplified invoices above this need another kind (RD 1619/2012 art. 4.2). */
const SIMPLIFIED_LIMIT_CENTS: Cents = 300_000
/** Kinds that must identify their customer. */
const FULL_KINDS: readonly RecordKind[] = ['F1', 'F3', 'R1', 'R2', 'R3', 'R4']
const RECTIFYING_KINDS: readonly RecordKind[] = ['R1', 'R2', 'R3', 'R4', 'R5']

export function isFull(kind: RecordKind): boolean {
  return FULL_KINDS.includes(kind)
}

function isRectifying(kind: RecordKind): boolean {
  return RECTIFYING_KINDS.includes(kind)
}

export function* rectificationRule(invoice: RegistryInvoice): Iterable<RuleFinding> {
  const { kind, rectification, rectified } = invoice
  if (isRectifying(kind)) {
    if (rectification === null) {
      yield {
        code: 'rectification_required',
        authorityCode: '1114',
        field: 'rectification',
        message: 'A rectifying invoice says whether it states the whole anew (S) or the difference (I).',
        fix: 'Choose the method of rectification.',
      }
    }
  } else if (rectification !== null) {
    yield {
      code: 'rectification_not_allowed',
      authorityCode: '1115',
      field: 'rectification',
      message: `${kind} is no rectifying invoice.`,
      fix: 'Choose one of R1 to R5, or take the rectification away.',
    }
  }
  if (!isRectifying(kind) && rectified.length > 0) {
    yield {
      code: 'rectified_not_allowed',
      authorityCode: '1117',
      field: 'rectified',
      message: `${kind} rectifies no other invoice.`,
      fix: 'Choose one of R1 to R5, or name no invoice.',
    }
  }
  yield* listedInvoices(invoice, 'rectified')
}

export function* substitutionRule(invoice: RegistryInvoice): Iterable<RuleFinding> {
  if (invoice.kind !== 'F3' && invoice.substituted.length > 0) {
    yield {
      code: 'substituted_not_allowed',
      authorityCode: '1116',
      field: 'substituted',
      message: 'Only a full invoice in place of simplified ones (F3) names the invoices it stands for.',
      fix: 'Change the kind to F3, or name no invoice.',
    }
  }
  yield* listedInvoices(invoice, 'substituted')
}

function* listedInvoices(
  invoice: RegistryInvoice,
  field: 'rectified' | 'substituted',
): Iterable<RuleFinding> {
  const keys = invoice[field]
  if (keys.length > MAX_LIST) {
    yield {
      code: `${field}_count`,
      authorityCode: LIST_FAULT,
      field,
      message: `A record names at most ${MAX_LIST} other invoices.`,
      fix: 'Issue several invoices, each for a part of them.',
    }
  }
  for (const [index, key] of keys.entries()) yield* namedInvoiceFaults(key, `${field}[${index}]`)
}

export function* marksRule(invoice: RegistryInvoice): Iterable<RuleFinding> {
  const { kind } = invoice
  if (invoice.simplifiedArt7273 && !isFull(kind)) {
    yield {
      code: 'flag_7273_not_allowed',
      authorityCode: '1183',
      field: 'simplifiedArt7273',
      message:
        'A simplified invoice that identifies its customer is registered as a full one (F1) with this mark.',
      fix: 'Change the kind to F1.',
    }
  }
  if (invoice.withoutRecipientArt61d && isFull(kind)) {
    yield {
      code: 'flag_61d_not_allowed',
      authorityCode: '1185',
      field: 'withoutRecipientArt61d',
      message: `An ${kind} invoice always identifies its customer.`,
      fix: 'Change the kind to F2 or R5, or take the mark away.',
    }
  }
  if (invoice.coupon && kind !== 'R1' && kind !== 'R5') {
    yield {
      code: 'coupon_not_allowed',
      authorityCode: '1157',
      field: 'coupon',
      message: 'Only R1 and R5 can rectify because of a coupon.',
      fix: 'Change the kind to R1 or R5, or take the mark away.',
    }
  }
}

export function* simplifiedLimitRule(invoice: RegistryInvoice): Iterable<RuleFinding> {
  const { kind, withoutRecipientArt61d, agreementNumber, breakdown } = invoice
  if (kind !== 'F2' || withoutRecipientArt61d || agreementNumber !== null) return
  const amountCents = breakdown.reduce((sum, line) => sum + line.baseCents + line.taxCents, 0)
  if (amountCents <= SIMPLIFIED_LIMIT_CENTS + TOLERANCE_CENTS) return
  yield {
    code: 'simplified_limit',
    authorityCode: '1150',
    field: 'totalCents',
    message: `A simplified invoice cannot exceed ${centsToText(SIMPLIFIED_LIMIT_CENTS)} EUR, tax included.`,
    fix: "Issue a full invoice (F1) with the customer's data.",
  }
}

export function descriptionRule({ description }: RegistryInvoice): Iterable<RuleFinding> {
  return textFaults(description, 'description', {
    code: 'description',
    max: 500,
    emptyCode: '1100',
    what: 'The description of the operation',
    fix: 'Write a short description of what is invoiced.',
  })
}

export function* agreementRule({ agreementNumber }: RegistryInvoice): Iterable<RuleFinding> {
  if (agreementNumber === null) return
  yield* textFaults(agreementNumber, 'agreementNumber', {
    code: 'agreement_number',
    max: 15,
    emptyCode: '1128',
    what: 'The number of an invoicing agreement',
    fix: 'Copy the number from the authority’s resolution, or leave it out.',
  })
}
