/** From what a caller sends to a draft's content: defaults filled in, each inference told, nothing rounded. */
import { findCompany } from '../company/index.ts'
import { contactFacts, findContactByNif } from '../contacts/index.ts'
import { businessDateOf } from '../core/dates.ts'
import type { BusinessDate } from '../core/dates.ts'
import { validationFailed } from '../core/errors.ts'
import type { Fault } from '../core/errors.ts'
import { basisPointsFromPercent, MAX_CENTS, microFromNumber } from '../core/money.ts'
import { tidyText } from '../core/text.ts'
import { computeTotals } from '../core/totals.ts'
import type { TaxTreatment, Totals } from '../core/totals.ts'
import { generalRateAt, vatRateAt } from '../core/vat-rates.ts'
import type { Ctx } from '../ctx.ts'
import { findSeriesByCode } from '../series/index.ts'
import type { DraftContent, DraftLine } from './content.ts'
import type { DraftChanges, DraftInput, InvoiceLineInput } from './contract.ts'
import { keptNif } from './parties.ts'
import type { PartyFacts } from './parties.ts'
import type { DraftReferences } from './rows.ts'

export interface Assumption {
  field: string
  value: string | number | boolean
  why: string
}

export interface Composition {
  content: DraftContent
  totals: Totals
  references: Omit<DraftReferences, 'partyId'>
  assumptions: Assumption[]
}

type Contact = NonNullable<Awaited<ReturnType<typeof contactFacts>>>

function fault(code: string, field: string, message: string, fix?: string): Fault {
  return { code, field, severity: 'error', message, ...(fix ? { fix } : {}) }
}

/** A scaled integer the contract has already vouched for. */
function exact(value: number | null, field: string): number {
  if (value === null)
    throw validationFailed([fault('too_many_decimals', field, 'The number has too many decimals.')])
  return value
}

function tidyOrNull(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null
  return tidyText(text) || null
}

/** Which regime key goes with a treatment when none is named: exports have their own, the rest the general one. */
function regimeFor(treatment: TaxTreatment): string {
  return treatment === 'E2' || treatment === 'E3' ? '02' : '01'
}

interface LineDefaults {
  rateBp: number
  rateDate: BusinessDate
  surcharge: boolean
}

function composeLine(
  input: InvoiceLineInput,
  index: number,
  defaults: LineDefaults,
  assumptions: Assumption[],
): DraftLine {
  const at = (name: string) => `lines[${index}].${name}`
  const taxTreatment = input.taxTreatment ?? 'S1'
  const isDisbursement = input.isDisbursement ?? false
  const taxed = taxTreatment === 'S1' && !isDisbursement
  let vatRateBp: number | null
  if (taxed) {
    if (input.vatRate === undefined) {
      vatRateBp = defaults.rateBp
      assumptions.push({
        field: at('vatRate'),
        value: vatRateBp / 100,
        why: 'The general VAT rate on the day.',
      })
    } else vatRateBp = exact(basisPointsFromPercent(input.vatRate), at('vatRate'))
  } else if (taxTreatment === 'S2' && !isDisbursement) {
    vatRateBp = input.vatRate === undefined ? 0 : exact(basisPointsFromPercent(input.vatRate), at('vatRate'))
  } else
    vatRateBp =
      input.vatRate === undefined ? null : exact(basisPointsFromPercent(input.vatRate), at('vatRate'))
  let surchargeRateBp: number | null = null
  if (input.surcharge !== undefined) {
    const asked = exact(basisPointsFromPercent(input.surcharge), at('surcharge'))
    const admitted = vatRateBp === null ? undefined : vatRateAt(vatRateBp, defaults.rateDate)?.surchargesBp
    // 0 says "none", except in the months when a surcharge of 0 % was a rate of its own.
    surchargeRateBp = asked === 0 && !admitted?.includes(0) ? null : asked
  } else if (taxed && defaults.surcharge && vatRateBp !== null) {
    surchargeRateBp = vatRateAt(vatRateBp, defaults.rateDate)?.surchargesBp[0] ?? null
    if (surchargeRateBp !== null)
      assumptions.push({
        field: at('surcharge'),
        value: surchargeRateBp / 100,
        why: 'The customer is under the equivalence surcharge.',
      })
  }
  return {
    description: tidyText(input.description),
    quantityMicro: exact(microFromNumber(input.quantity), at('quantity')),
    unit: tidyOrNull(input.unit),
    unitPriceMicro: exact(microFromNumber(input.unitPrice), at('unitPrice')),
    discountBp:
      input.discountPct === undefined
        ? 0
        : exact(basisPointsFromPercent(input.discountPct), at('discountPct')),
    taxTreatment,
    regimeKey: input.regimeKey ?? regimeFor(taxTreatment),
    vatRateBp,
    surchargeRateBp,
    withholdable: isDisbursement ? false : (input.withholdable ?? true),
    isDisbursement,
  }
}

function clientFacts(
  input: Pick<DraftInput, 'clientName' | 'clientNif' | 'client'>,
  contact: Contact | null,
): PartyFacts {
  const address = input.client?.address === undefined ? contact?.address : input.client.address
  const country = input.client?.country ?? address?.country ?? contact?.country ?? 'ES'
  const nifText = input.clientNif === undefined ? contact?.nif : input.clientNif
  const nif = tidyOrNull(nifText)
  return {
    name: tidyText(input.clientName),
    tradeName: null,
    nif: nif === null ? null : keptNif(nif),
    idType: input.client?.idType === undefined ? (contact?.idType ?? null) : input.client.idType,
    street: address?.street ?? null,
    postalCode: address?.postalCode ?? null,
    city: address?.city ?? null,
    province: address?.province ?? null,
    country,
    email: input.client?.email === undefined ? (contact?.email ?? null) : input.client.email,
    phone: null,
    iban: null,
    registryInscription: null,
  }
}

async function contactOf(ctx: Ctx, input: DraftInput, assumptions: Assumption[]): Promise<Contact | null> {
  if (input.clientId) {
    const contact = await contactFacts(ctx, input.clientId)
    if (!contact)
      throw validationFailed([
        fault(
          'not_found',
          'clientId',
          'No contact has that identifier.',
          'Leave it out, or use the id of a contact of this book.',
        ),
      ])
    return contact
  }
  // An explicit null says that the draft is for nobody we know.
  if (input.clientId === null || !input.clientNif) return null
  const contact = await findContactByNif(ctx, keptNif(input.clientNif))
  if (contact)
    assumptions.push({ field: 'clientId', value: contact.id, why: 'The only contact with that NIF.' })
  return contact
}

/** The largest of all figures that are kept: lines that cancel out in the total may still make a base that is too large. */
function largestOf(totals: Totals): number {
  const { baseCents, taxCents, disbursementsCents, totalCents, amountDueCents, withholding } = totals
  const sums = [
    baseCents,
    taxCents,
    disbursementsCents,
    totalCents,
    amountDueCents,
    withholding?.baseCents ?? 0,
  ]
  const parts = totals.taxes.flatMap((tax) => [tax.baseCents, tax.taxCents, tax.surchargeCents])
  return Math.max(...[...sums, ...parts].map(Math.abs))
}

/** Too large sums cannot be stored or registered; asked before anything is added up for good. */
function assertAmounts(content: DraftContent): Totals {
  const faults: Fault[] = []
  const totals = computeTotals(content.lines, {
    priceMode: content.priceMode,
    withholdingRateBp: content.withholdingBp,
  })
  for (const [index, net] of totals.lineNetsCents.entries()) {
    if (Math.abs(net) > MAX_CENTS)
      faults.push(
        fault(
          'amount_too_large',
          `lines[${index}]`,
          'Quantity times price is more than an invoice can hold.',
          'Check the quantity and the price.',
        ),
      )
  }
  if (faults.length === 0 && largestOf(totals) > MAX_CENTS)
    faults.push(
      fault(
        'amount_too_large',
        'lines',
        'A sum of these lines is more than an invoice can hold.',
        'Split it into several invoices.',
      ),
    )
  if (faults.length > 0) throw validationFailed(faults)
  return totals
}

/** A draft's content from a complete input. */
export async function composeDraft(ctx: Ctx, input: DraftInput): Promise<Composition> {
  const assumptions: Assumption[] = []
  const company = await findCompany(ctx)
  const contact = await contactOf(ctx, input, assumptions)
  const kind = input.kind ?? 'F1'
  const rateDate = input.operationDate ?? input.issueDate ?? businessDateOf(ctx.now())
  const series = await seriesOf(ctx, input.series, kind)
  let withholdingBp: number | null
  if (input.withholdingPct !== undefined)
    withholdingBp =
      input.withholdingPct === null
        ? null
        : exact(basisPointsFromPercent(input.withholdingPct), 'withholdingPct')
  else {
    withholdingBp = contact?.withholdingBp ?? null
    if (withholdingBp !== null)
      assumptions.push({
        field: 'withholdingPct',
        value: withholdingBp / 100,
        why: "The contact's usual withholding.",
      })
  }
  const lineDefaults = { rateBp: generalRateAt(rateDate), rateDate, surcharge: contact?.surcharge ?? false }
  const language = input.language ?? contact?.language ?? company.default_language
  const content: DraftContent = {
    kind,
    seriesCode: series?.code ?? null,
    issueDate: input.issueDate ?? null,
    operationDate: input.operationDate ?? null,
    dueDate: input.dueDate ?? null,
    client: clientFacts(input, contact),
    contactId: contact?.id ?? null,
    priceMode: input.priceMode ?? 'net',
    withholdingBp: withholdingBp === 0 ? null : withholdingBp,
    lines: input.lines.map((line, index) => composeLine(line, index, lineDefaults, assumptions)),
    simplifiedArt7273: input.simplifiedArt7273 ?? false,
    notes: tidyOrNull(input.notes),
    language,
    paymentMethod: input.paymentMethod ?? null,
    externalRef: tidyOrNull(input.externalRef),
  }
  const totals = assertAmounts(content)
  return {
    content,
    totals,
    references: { contactRowId: contact?.rowId ?? null, seriesId: series?.id ?? null },
    assumptions,
  }
}

async function seriesOf(ctx: Ctx, code: string | null | undefined, kind: 'F1' | 'F2') {
  if (!code) return null
  const series = await findSeriesByCode(ctx, code)
  if (!series)
    throw validationFailed([
      fault(
        'series_unknown',
        'series',
        'No series has that code.',
        'Leave it out to use the default one, or add the series in the app.',
      ),
    ])
  const wanted = kind === 'F2' ? 'simplified' : 'ordinary'
  if (series.kind !== wanted)
    throw validationFailed([
      fault(
        'series_wrong_kind',
        'series',
        `That series is for ${series.kind} invoices.`,
        'Choose a series of the right kind.',
      ),
    ])
  return series
}

/** The input that would compose an existing content again: what a change is merged into. */
export function inputOf(content: DraftContent): DraftInput {
  const { client } = content
  return {
    clientName: client.name,
    clientNif: client.nif,
    clientId: content.contactId,
    client: {
      address:
        client.street && client.postalCode && client.city
          ? {
              street: client.street,
              postalCode: client.postalCode,
              city: client.city,
              ...(client.province ? { province: client.province } : {}),
              country: client.country,
            }
          : null,
      country: client.country,
      idType: client.idType,
      email: client.email,
    },
    lines: content.lines.map((line) => ({
      description: line.description,
      quantity: line.quantityMicro / 1e6,
      unitPrice: line.unitPriceMicro / 1e6,
      ...(line.unit === null ? {} : { unit: line.unit }),
      discountPct: line.discountBp / 100,
      ...(line.vatRateBp === null ? {} : { vatRate: line.vatRateBp / 100 }),
      taxTreatment: line.taxTreatment,
      // Said even when there is none: left out, the customer's usual surcharge would come back.
      surcharge: (line.surchargeRateBp ?? 0) / 100,
      regimeKey: line.regimeKey,
      withholdable: line.withholdable,
      isDisbursement: line.isDisbursement,
    })),
    kind: content.kind,
    series: content.seriesCode,
    issueDate: content.issueDate,
    operationDate: content.operationDate,
    dueDate: content.dueDate,
    withholdingPct: content.withholdingBp === null ? null : content.withholdingBp / 100,
    priceMode: content.priceMode,
    simplifiedArt7273: content.simplifiedArt7273,
    notes: content.notes,
    language: content.language,
    paymentMethod: content.paymentMethod as DraftInput['paymentMethod'],
    externalRef: content.externalRef,
  }
}

/**
 * A content changed in some fields. A new customer replaces the old one whole: what is not said of them is not carried
 * over from the one before.
 */
export async function recomposeDraft(
  ctx: Ctx,
  content: DraftContent,
  changes: DraftChanges,
): Promise<Composition> {
  const before = inputOf(content)
  const given = Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  ) as DraftChanges
  const newCustomer = given.clientId !== undefined && given.clientId !== before.clientId
  const { client: _client, clientNif: _nif, clientId: _id, ...rest } = before
  const base = newCustomer ? rest : before
  const merged = { ...base, ...given } as DraftInput
  if (!newCustomer && given.client && before.client) merged.client = { ...before.client, ...given.client }
  return composeDraft(ctx, merged)
}
