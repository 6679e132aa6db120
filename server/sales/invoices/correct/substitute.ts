/** Makes the complete invoice (F3) that replaces tickets: a draft with their lines and the customer's data. */
import type { substituteInvoicesContract } from './rectify-contract.ts'
import { validationFailed } from '../../../domain/errors/app-error.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import type { DocumentLanguage } from '../../../domain/languages.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { composeDraft, inputOf } from '../draft/compose.ts'
import { composeReferences } from '../draft/compose-references.ts'
import { inputFault } from '../draft/faults.ts'
import { MAX_LINES } from '../limits.ts'
import type { DraftInput, InvoiceLineInput } from '../contract.ts'
import { createDraft } from '../draft/drafts.ts'
import { referenceFaults } from '../references/check.ts'
import { familyOf } from '../references/references.ts'
import { addStanding, NOTHING, standingOfFamily } from '../references/standing.ts'
import type { Standing } from '../references/standing.ts'
import { contentOf } from '../rows.ts'
import type { InvoiceRow } from '../rows.ts'

const MAX_DESCRIPTION = 500

/** Content of the tickets, in prices of one mode. */
interface TicketLines {
  lines: InvoiceLineInput[]
  priceMode: 'net' | 'gross'
  language: DocumentLanguage
}

const TITLE: Readonly<Record<DocumentLanguage, string>> = {
  es: 'Ticket',
  ca: 'Tiquet',
  eu: 'Ticketa',
  gl: 'Tícket',
  en: 'Ticket',
  fr: 'Ticket',
  de: 'Kassenbon',
  pt: 'Talão',
}

function mixed(message: string): Fault {
  return inputFault('tickets_mixed', 'invoices', message, 'Make one invoice for each kind of them.')
}

/**
 * Returns the lines of the tickets in order, each with its ticket's number. Their sums stay exact: tickets with
 * document discounts or rectifications, and more lines than an invoice can have, are stated by tax instead.
 */
async function linesOf(ctx: Ctx, rows: readonly InvoiceRow[]): Promise<TicketLines> {
  const [first] = rows
  if (!first) throw new Error('There are no tickets.')
  if (rows.some((row) => row.price_mode !== first.price_mode))
    throw validationFailed([mixed('Some tickets have prices with tax, others without.')])
  if (rows.some((row) => row.currency !== 'EUR'))
    throw validationFailed([mixed('A ticket in another currency cannot be put together with others.')])
  const lines: InvoiceLineInput[] = []
  let standing: Standing = NOTHING
  let isPlain = true
  for (const row of rows) {
    const content = await contentOf(ctx.db, row)
    const family = await familyOf(ctx, row.id)
    standing = addStanding(standing, standingOfFamily(family))
    isPlain &&= content.discountBp === 0 && content.discountCents === 0 && family.children.length === 0
    for (const line of inputOf(content).lines)
      lines.push({
        ...line,
        description: `${TITLE[first.language]} ${row.number ?? ''}: ${line.description}`.slice(
          0,
          MAX_DESCRIPTION,
        ),
      })
  }
  const numbers = rows.map((row) => row.number ?? '').join(', ')
  // The customer's price is the fixed point. Net prices of several tickets, rounded together, could change it.
  const exact = isPlain && lines.length <= MAX_LINES && (rows.length === 1 || first.price_mode === 'gross')
  const priceMode = exact || rows.length === 1 ? first.price_mode : 'gross'
  return {
    lines: exact ? lines : byTax(standing, priceMode, `${TITLE[first.language]} ${numbers}`),
    priceMode,
    language: first.language,
  }
}

function byTax(standing: Standing, priceMode: 'net' | 'gross', title: string): InvoiceLineInput[] {
  const lines = standing.taxes.map((tax): InvoiceLineInput => {
    const gross = tax.baseCents + tax.taxCents + tax.surchargeCents + tax.outsideCents
    return {
      description: title.slice(0, MAX_DESCRIPTION),
      quantity: 1,
      unitPrice: (priceMode === 'gross' ? gross : tax.baseCents) / 100,
      taxTreatment: tax.taxTreatment,
      regimeKey: tax.regimeKey,
      ...(tax.vatRateBp === null ? {} : { vatRate: tax.vatRateBp / 100 }),
      surcharge: (tax.surchargeRateBp ?? 0) / 100,
      ...(tax.outsideCents === 0 ? {} : { cost: tax.outsideCents / 100 }),
    }
  })
  if (standing.disbursementsCents !== 0)
    lines.push({
      description: title.slice(0, MAX_DESCRIPTION),
      quantity: 1,
      unitPrice: standing.disbursementsCents / 100,
      isDisbursement: true,
    })
  return lines
}

/** Makes the draft in place of tickets. Throws `validation_failed` with the ticket at fault; then nothing is written. */
export const substituteInvoices: UseCase<typeof substituteInvoicesContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const { invoices, lines, priceMode, ...customer } = input
    const references = await composeReferences(tx, { substitutes: invoices })
    const rows = references.flatMap(({ row }) => (row ? [row] : []))
    const areOurs = rows.length === references.length
    if (!areOurs && lines === undefined)
      throw validationFailed([
        inputFault(
          'required',
          'lines',
          'What tickets of another program say is not known here.',
          'Give the lines of all tickets.',
        ),
      ])
    const made = lines
      ? { lines: [...lines], priceMode: priceMode ?? 'gross', language: undefined }
      : await linesOf(tx, rows)
    const draft: DraftInput = {
      ...customer,
      kind: 'F3',
      lines: made.lines,
      priceMode: made.priceMode,
      ...(made.language ? { language: made.language } : {}),
      substitutes: invoices,
      withholdingPct: null,
    }
    const { content } = await composeDraft(tx, draft)
    const faults = (await referenceFaults(tx, content, tx.today(), null)).filter(
      ({ severity }) => severity === 'error',
    )
    if (faults.length > 0)
      throw validationFailed(
        faults.map((fault) => ({ ...fault, field: fault.field.replace(/^substitutes/, 'invoices') })),
      )
    return createDraft(tx, draft)
  })
