/** Resolves the invoices that a draft names, rectified by it or replaced by it; of this book or of another program. */
import { validationFailed } from '../../../domain/errors/app-error.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import { centsFromEuros } from '../../../domain/money.ts'
import type { Cents } from '../../../domain/money.ts'
import type { Totals } from '../../../domain/tax/totals.ts'
import { trimmedOrNull } from '../../../domain/text.ts'
import type { Ctx } from '../../../context.ts'
import { seriesOfBook } from '../../../company/series/index.ts'
import { validatedInteger, inputFault } from './faults.ts'
import type { Assumption } from './faults.ts'
import { isRectifying, keepsClaim } from '../kinds.ts'
import type { DraftContent, InvoiceReferenceFacts, RectificationFacts } from '../content.ts'
import type { DraftInput, InvoiceKind, InvoiceReferenceInput } from '../contract.ts'
import { rectificationKind } from '../correct/rectify-causes.ts'
import { NamedInvoices } from '../references/references.ts'
import { replacedRows } from '../references/replace.ts'
import { equivalentNumbers, externalNumber, isOfSeries, ownSpellings } from '../references/spelling.ts'
import { findByNumber, findInvoice } from '../rows.ts'
import type { InvoiceRow } from '../rows.ts'

type Role = InvoiceReferenceFacts['role']

/** Reference with its row, when it is of this book. */
interface ResolvedReference {
  facts: InvoiceReferenceFacts
  row: InvoiceRow | null
}

/** Returns the invoice of this book that prints one of some numbers, each a spelling of the same one. */
async function printedAs(ctx: Ctx, spellings: readonly string[]): Promise<InvoiceRow | null> {
  for (const text of spellings) {
    const [publicId] = await findByNumber(ctx, text)
    const row = publicId === undefined ? undefined : await findInvoice(ctx, publicId)
    if (row) return row
  }
  return null
}

/**
 * Returns the invoice with the same letters and digits and, if given, the same day: separators do not distinguish
 * invoices.
 */
async function printedAlike(ctx: Ctx, series: string | null, number: string, issueDate: string | undefined) {
  const codes = (await seriesOfBook(ctx)).map(({ code }) => code)
  const row = await printedAs(ctx, equivalentNumbers(codes, series, number, ctx.book.mode))
  return row && (issueDate === undefined || row.issue_date === issueDate) ? row : null
}

/** Rejects a date that is not the invoice's own: one of the two is wrong, and the registry stores it. */
function assertDate(row: InvoiceRow, issueDate: string | undefined, field: string): void {
  if (issueDate === undefined || row.issue_date === issueDate) return
  throw validationFailed([
    {
      ...inputFault(
        'reference_differs',
        `${field}.issueDate`,
        `${row.number ?? ''} is of ${row.issue_date ?? ''}, not of ${issueDate}.`,
        'Leave issueDate out, or give the number of the invoice that is meant.',
      ),
      params: { number: row.number ?? '', date: row.issue_date ?? '' },
    },
  ])
}

async function invoiceOfId(ctx: Ctx, input: InvoiceReferenceInput, field: string): Promise<InvoiceRow> {
  const id = input.id ?? ''
  const row =
    (await findInvoice(ctx, id)) ?? (await printedAs(ctx, ownSpellings(null, id.trim(), ctx.book.mode)))
  if (row?.state !== 'issued')
    throw validationFailed([
      inputFault(
        'reference_unknown',
        `${field}.id`,
        'No issued invoice of this book has that identifier.',
        'For an invoice made with another program give series, number and issueDate.',
      ),
    ])
  assertDate(row, input.issueDate, field)
  const number = trimmedOrNull(input.number)
  if (number === null) return row
  const named = await printedAs(ctx, ownSpellings(trimmedOrNull(input.series), number, ctx.book.mode))
  if (named?.id === row.id) return row
  throw validationFailed([
    {
      ...inputFault(
        'reference_differs',
        `${field}.number`,
        `The identifier is that of ${row.number ?? ''}.`,
        'Give the identifier or the number, not those of two invoices.',
      ),
      params: { number: row.number ?? '', date: row.issue_date ?? '' },
    },
  ])
}

/** Returns the issued invoice of this book that a reference means, by its identifier or by its number in any spelling. */
async function ownInvoice(ctx: Ctx, input: InvoiceReferenceInput, field: string): Promise<InvoiceRow | null> {
  if (input.id !== undefined) return invoiceOfId(ctx, input, field)
  const number = trimmedOrNull(input.number)
  if (number === null) return null
  const series = trimmedOrNull(input.series)
  const row =
    (await printedAs(ctx, ownSpellings(series, number, ctx.book.mode))) ??
    (await printedAlike(ctx, series, number, input.issueDate))
  if (!row || row.issue_date === input.issueDate) return row
  if (series !== null && !isOfSeries(series, row.number ?? '')) return null
  // Numbers may restart each year, and another program may have used the same series before.
  const isOtherYear =
    input.issueDate !== undefined && input.issueDate.slice(0, 4) !== row.issue_date?.slice(0, 4)
  if (isOtherYear) return null
  assertDate(row, input.issueDate, field)
  return row
}

async function resolve(
  ctx: Ctx,
  input: InvoiceReferenceInput,
  role: Role,
  field: string,
  assumptions: Assumption[],
): Promise<ResolvedReference> {
  const row = await ownInvoice(ctx, input, field)
  if (row)
    return {
      row,
      facts: { role, targetId: row.id, number: row.number ?? '', issueDate: row.issue_date ?? '' },
    }
  const number = trimmedOrNull(input.number)
  const missing = number === null ? 'number' : input.issueDate === undefined ? 'issueDate' : null
  if (number === null || input.issueDate === undefined)
    throw validationFailed([
      inputFault(
        'reference_incomplete',
        `${field}.${missing ?? 'number'}`,
        'An invoice made with another program is named by its number and its date.',
        'Give number (and series) as printed, and issueDate.',
      ),
    ])
  const printed = externalNumber(trimmedOrNull(input.series), number)
  if (printed === 'ambiguous')
    throw validationFailed([
      inputFault(
        'reference_ambiguous',
        `${field}.number`,
        `It may print ${number} or ${input.series ?? ''}${number}.`,
        'Leave series out and give the whole number as printed.',
      ),
    ])
  if (printed.from === 'both')
    assumptions.push({
      field: `${field}.number`,
      value: printed.number,
      why: 'Series and number together, as the registry takes them. If it prints another number, give that one whole, without series.',
    })
  return { row: null, facts: { role, targetId: null, number: printed.number, issueDate: input.issueDate } }
}

/** Resolves all references of an input, each once. Throws `validation_failed` for invoices that cannot be named. */
export async function composeReferences(
  ctx: Ctx,
  input: Pick<DraftInput, 'rectifies' | 'substitutes'>,
  assumptions: Assumption[] = [],
): Promise<ResolvedReference[]> {
  const found: ResolvedReference[] = []
  for (const [role, list, name] of [
    ['rectifies', input.rectifies, 'rectifies'],
    ['substitutes', input.substitutes, 'substitutes'],
  ] as const) {
    for (const [index, reference] of (list ?? []).entries()) {
      const one = await resolve(ctx, reference, role, `${name}[${index}]`, assumptions)
      const twice = found.some(
        ({ facts }) => facts.number === one.facts.number && facts.issueDate === one.facts.issueDate,
      )
      if (!twice) found.push(one)
    }
  }
  return found
}

/** Rejects fields that a kind cannot have: ignored silently, they would be missing in the record for good. */
export function assertFitsKind(
  kind: InvoiceKind,
  { rectifies = [], rectification = null, substitutes = [] }: DraftInput,
): void {
  const faults: Fault[] = []
  if (!isRectifying(kind) && rectifies.length > 0)
    faults.push(
      inputFault(
        'rectified_not_allowed',
        'rectifies',
        `${kind} rectifies no other invoice.`,
        'Leave kind out, or set it to R1, R2, R3, R4 or R5 (of tickets); or leave rectifies out.',
      ),
    )
  if (!isRectifying(kind) && rectification !== null)
    faults.push(
      inputFault(
        'rectification_not_allowed',
        'rectification',
        `${kind} rectifies nothing.`,
        'Leave kind out, or set it to R1, R2, R3, R4 or R5 (of tickets); or leave rectification out.',
      ),
    )
  if (kind !== 'F3' && substitutes.length > 0)
    faults.push(
      inputFault(
        'substituted_not_allowed',
        'substitutes',
        `${kind} stands for no simplified invoices.`,
        'Leave kind out or set it to F3; or leave substitutes out.',
      ),
    )
  if (faults.length > 0) throw validationFailed(faults)
}

/** Returns the kind of a draft: as requested, else as its references and the cause of the rectification decide. */
export function kindOf(
  input: Pick<DraftInput, 'kind' | 'rectification'>,
  references: readonly ResolvedReference[],
  assumptions: Assumption[],
): InvoiceKind {
  if (input.kind !== undefined) return input.kind
  if (references.some(({ facts }) => facts.role === 'substitutes')) {
    assumptions.push({ field: 'kind', value: 'F3', why: 'It stands for simplified invoices.' })
    return 'F3'
  }
  const rectified = references.find(({ facts }) => facts.role === 'rectifies')
  if (!rectified && !input.rectification) return 'F1'
  const choice = rectificationKind(input.rectification?.cause ?? 'other', rectified?.row?.kind ?? 'F1')
  const kind = choice?.kind ?? 'R4'
  assumptions.push({ field: 'kind', value: kind, why: choice?.why ?? 'It rectifies another invoice.' })
  return kind
}

function rectifiedSums(references: readonly ResolvedReference[]): RectificationFacts['rectified'] {
  const rows = references.filter(({ facts }) => facts.role === 'rectifies').map(({ row }) => row)
  if (rows.length === 0 || rows.includes(null)) return null
  const sum = (pick: (row: InvoiceRow) => number) =>
    rows.reduce((total, row) => total + (row ? pick(row) : 0), 0)
  const surchargeCents = sum((row) => row.surcharge_cents)
  return {
    baseCents: sum((row) => row.base_cents),
    taxCents: sum((row) => row.tax_cents - row.surcharge_cents),
    surchargeCents: surchargeCents === 0 ? null : surchargeCents,
  }
}

/** Composes the rectification of a draft; null for other kinds. Sums that S leaves out come from the named invoices. */
export function composeRectification(
  kind: InvoiceKind,
  input: DraftInput['rectification'],
  references: readonly ResolvedReference[],
  assumptions: Assumption[],
): RectificationFacts | null {
  if (!isRectifying(kind)) return null
  const method = input?.method ?? 'I'
  if (!input)
    assumptions.push({ field: 'rectification.method', value: 'I', why: 'The lines say the difference.' })
  const facts = { method, cause: input?.cause ?? null, reason: trimmedOrNull(input?.reason) }
  if (method === 'I') return { ...facts, rectified: null }
  if (input?.base !== undefined && input.tax !== undefined) {
    const { surcharge } = input
    return {
      ...facts,
      rectified: {
        baseCents: validatedInteger(centsFromEuros(input.base), 'rectification.base'),
        taxCents: validatedInteger(centsFromEuros(input.tax), 'rectification.tax'),
        surchargeCents:
          surcharge === null || surcharge === undefined
            ? null
            : validatedInteger(centsFromEuros(surcharge), 'rectification.surcharge'),
      },
    }
  }
  const rectified = rectifiedSums(references)
  if (rectified === null)
    throw validationFailed([
      inputFault(
        'rectified_amounts_missing',
        'rectification.base',
        'A substitution says what the rectified invoice said: its base and its VAT.',
        'Give rectification.base and rectification.tax, or rectify by differences (method I).',
      ),
    ])
  return { ...facts, rectified }
}

/**
 * Returns the euros already requested by the invoices that a draft replaces: an F3's tickets, or the invoices
 * rectified by substitution (method S) with their earlier rectifications. Of an invoice of another program only its
 * base and tax are known.
 */
export async function replacedCents(
  ctx: Ctx,
  content: Pick<DraftContent, 'kind' | 'rectification' | 'references'>,
  totals: Totals,
  named = new NamedInvoices(ctx),
): Promise<Cents> {
  // Only the VAT is given back: the unpaid base stays owed.
  if (keepsClaim(content.kind) && content.rectification?.method === 'I') return totals.baseCents
  const rows = await replacedRows(ctx, content, null, named)
  const asked = rows.reduce((sum, row) => sum + row.total_cents - row.withholding_cents, 0)
  const rectified = content.rectification?.rectified
  if (!rectified || content.references.every(({ targetId }) => targetId !== null)) return asked
  const known = rows.reduce((sum, row) => sum + row.base_cents + row.tax_cents, 0)
  return asked + rectified.baseCents + rectified.taxCents + (rectified.surchargeCents ?? 0) - known
}
