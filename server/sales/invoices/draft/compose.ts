/** Composes a draft's content from its input: defaults filled in, each inference reported, nothing rounded. */
import { findCompany } from '../../../company/index.ts'
import { contactFacts, findContactByNif, storedDir3 } from '../../../catalog/contacts/index.ts'
import { businessDateOf } from '../../../domain/dates.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import { validationFailed } from '../../../domain/errors/app-error.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import { instalmentsOfTerms } from '../../../domain/tax/instalments.ts'
import type { Instalment } from '../../../domain/tax/instalments.ts'
import { basisPointsFromPercent, centsFromEuros, MAX_CENTS, microFromNumber } from '../../../domain/money.ts'
import { writtenTaxNumber } from '../../../domain/tax/nif.ts'
import { trimmedOrNull, normalizeText } from '../../../domain/text.ts'
import type { Totals } from '../../../domain/tax/totals.ts'
import type { Ctx } from '../../../context.ts'
import { findSeriesByCode } from '../../../company/series/index.ts'
import { taxSystemOf } from '../../../tax/systems/index.ts'
import { composeLine } from './compose-lines.ts'
import {
  assertFitsKind,
  composeRectification,
  composeReferences,
  kindOf,
  replacedCents,
} from './compose-references.ts'
import { validatedInteger, inputFault } from './faults.ts'
import type { Assumption } from './faults.ts'
import { documentTotals, totalsOf } from '../content.ts'
import { isRectifying, isSimplified, seriesKindOf } from '../kinds.ts'
import type { Currency, DraftContent, DraftLine, InvoiceReferenceFacts } from '../content.ts'
import type { DraftChanges, DraftInput, InvoiceKind, InvoiceReferenceInput } from '../contract.ts'
import { header } from '../fields.ts'
import { composeIssuedBy } from '../issued-by.ts'
import type { PartyFacts } from './parties.ts'
import type { DraftReferences } from '../rows.ts'

export interface Composition {
  content: DraftContent
  totals: Totals
  references: Omit<DraftReferences, 'partyId'>
  assumptions: Assumption[]
}

type Contact = NonNullable<Awaited<ReturnType<typeof contactFacts>>>

/** Returns the offices of a public body in capitals, as they are stored. */
function dir3Facts(input: Pick<DraftInput, 'client'>, contact: Contact | null): PartyFacts['dir3'] {
  const dir3 = input.client?.dir3 === undefined ? contact?.dir3 : input.client.dir3
  return dir3 ? storedDir3(dir3) : null
}

function clientFacts(
  input: Pick<DraftInput, 'clientName' | 'clientNif' | 'client'>,
  contact: Contact | null,
): PartyFacts {
  const address = input.client?.address === undefined ? contact?.address : input.client.address
  const country = input.client?.country ?? address?.country ?? contact?.country ?? 'ES'
  const nifText = input.clientNif === undefined ? contact?.nif : input.clientNif
  const nif = trimmedOrNull(nifText)
  const idType = input.client?.idType === undefined ? (contact?.idType ?? null) : input.client.idType
  return {
    name: normalizeText(input.clientName),
    tradeName: null,
    nif: nif === null ? null : writtenTaxNumber(nif, { idType, country }),
    idType,
    street: address?.street ?? null,
    postalCode: address?.postalCode ?? null,
    city: address?.city ?? null,
    province: address?.province ?? null,
    country,
    email: input.client?.email === undefined ? (contact?.email ?? null) : input.client.email,
    phone: null,
    iban: null,
    registryInscription: null,
    dir3: dir3Facts(input, contact),
  }
}

async function contactOf(ctx: Ctx, input: DraftInput, assumptions: Assumption[]): Promise<Contact | null> {
  if (input.clientId) {
    const contact = await contactFacts(ctx, input.clientId)
    if (!contact)
      throw validationFailed([
        inputFault(
          'not_found',
          'clientId',
          'No contact has that identifier.',
          'Leave it out, or use the id of a contact of this book.',
        ),
      ])
    return contact
  }
  // An explicit null means that the customer is not a contact.
  if (input.clientId === null || !input.clientNif) return null
  const contact = await findContactByNif(ctx, input.clientNif)
  if (contact)
    assumptions.push({ field: 'clientId', value: contact.id, why: 'The only contact with that NIF.' })
  return contact
}

/**
 * Returns the largest of all stored figures: lines that cancel out in the total may still make a base that is too
 * large.
 */
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

/** Rejects sums too large to be stored or registered, before the totals are used. */
function assertAmounts(content: DraftContent): Totals {
  const faults: Fault[] = []
  const totals = totalsOf(content)
  const shown = content.currency ? documentTotals(content) : totals
  for (const [index, net] of shown.lineNetsCents.entries()) {
    if (Math.abs(net) > MAX_CENTS)
      faults.push(
        inputFault(
          'amount_too_large',
          `lines[${index}]`,
          'Quantity times price is more than an invoice can hold.',
          'Check the quantity and the price.',
        ),
      )
  }
  if (faults.length === 0 && Math.max(largestOf(totals), largestOf(shown)) > MAX_CENTS)
    faults.push(
      inputFault(
        'amount_too_large',
        'lines',
        'A sum of these lines is more than an invoice can hold.',
        'Split it into several invoices.',
      ),
    )
  if (faults.length > 0) throw validationFailed(faults)
  return totals
}

/** Returns another currency with its rate, or null for euros. */
function currencyOf(input: DraftInput, rateDate: BusinessDate): Currency | null {
  const code = input.currency ?? 'EUR'
  if (code === 'EUR') return null
  const { fxRate } = input
  if (fxRate === undefined || fxRate === null)
    throw validationFailed([
      inputFault(
        'fx_rate_missing',
        'fxRate',
        'In another currency the invoice needs the exchange rate, because its VAT is stated in euros.',
        'Give fxRate: how many units of that currency are one euro on the day of the operation.',
      ),
    ])
  return {
    code,
    fxMicro: validatedInteger(microFromNumber(fxRate), 'fxRate'),
    fxDate: input.fxDate ?? rateDate,
    fxSource: trimmedOrNull(input.fxSource),
  }
}

function withholdingOf(input: DraftInput, contact: Contact | null, assumptions: Assumption[]): number | null {
  const { withholdingPct } = input
  if (withholdingPct !== undefined)
    return withholdingPct === null
      ? null
      : validatedInteger(basisPointsFromPercent(withholdingPct), 'withholdingPct')
  const usual = contact?.withholdingBp ?? null
  if (usual !== null)
    assumptions.push({ field: 'withholdingPct', value: usual / 100, why: "The contact's usual withholding." })
  return usual
}

function instalmentsOf(input: DraftInput): Instalment[] | null {
  const { instalments } = input
  if (!instalments) return null
  return instalments.map(({ dueDate, percent, amount }, index) => ({
    dueDate,
    percentBp:
      percent === undefined
        ? null
        : validatedInteger(basisPointsFromPercent(percent), `instalments[${index}].percent`),
    cents:
      amount === undefined ? null : validatedInteger(centsFromEuros(amount), `instalments[${index}].amount`),
  }))
}

/** Proposes the contact's terms where nothing is said about the payment of an invoice that asks for one. */
function proposedInstalments(
  ctx: Ctx,
  input: DraftInput,
  { terms, asks }: { terms: Contact['paymentTerms']; asks: boolean },
  assumptions: Assumption[],
): Instalment[] | null {
  if (!terms || !asks || input.instalments !== undefined || input.dueDate !== undefined) return null
  assumptions.push({ field: 'instalments', value: terms.length, why: "The contact's payment terms." })
  return instalmentsOfTerms(terms, input.issueDate ?? ctx.today())
}

/** Composes a draft's content from a complete input. */
export async function composeDraft(ctx: Ctx, input: DraftInput): Promise<Composition> {
  const assumptions: Assumption[] = []
  const company = await findCompany(ctx)
  const system = taxSystemOf(company.territory)
  const contact = await contactOf(ctx, input, assumptions)
  const references = await composeReferences(ctx, input, assumptions)
  const kind = kindOf(input, references, assumptions)
  assertFitsKind(kind, input)
  const rateDate = input.operationDate ?? input.issueDate ?? businessDateOf(ctx.now())
  const series = await seriesOf(ctx, input.series, kind)
  const withholdingBp = withholdingOf(input, contact, assumptions)
  const lineDefaults = {
    rateDate,
    surcharge: contact?.surcharge ?? false,
    vatDefault: contact?.vatDefault ?? null,
    vatRegime: company.vat_regime,
    system,
  }
  const lines: DraftLine[] = []
  for (const [index, line] of input.lines.entries())
    lines.push(await composeLine(ctx, line, index, lineDefaults, assumptions))
  const rectification = composeRectification(kind, input.rectification, references, assumptions)
  const { discountPct, discountAmount, property } = input
  const content: DraftContent = {
    kind,
    tax: system.code,
    seriesCode: series?.code ?? null,
    issueDate: input.issueDate ?? null,
    client: clientFacts(input, contact),
    contactId: contact?.id ?? null,
    priceMode: input.priceMode ?? 'net',
    discountBp: discountPct ? validatedInteger(basisPointsFromPercent(discountPct), 'discountPct') : 0,
    discountCents: discountAmount ? validatedInteger(centsFromEuros(discountAmount), 'discountAmount') : 0,
    currency: currencyOf(input, rateDate),
    withholdingBp: withholdingBp === 0 ? null : withholdingBp,
    lines,
    instalments: instalmentsOf(input),
    rectification,
    references: references.map(({ facts }) => facts),
    replacedCents: 0,
    property: property
      ? { situation: property.situation, cadastralRef: trimmedOrNull(property.cadastralRef) }
      : null,
    ...header.ofInput(input),
    issuedBy: composeIssuedBy(input.issuedBy),
    language: input.language ?? contact?.language ?? company.default_language,
    paymentMethod: input.paymentMethod === undefined ? (contact?.paymentMethod ?? null) : input.paymentMethod,
  }
  const totals = assertAmounts(content)
  content.replacedCents = await replacedCents(ctx, content, totals)
  const asks = !isSimplified(kind) && totals.amountDueCents > content.replacedCents
  content.instalments ??= proposedInstalments(
    ctx,
    input,
    { terms: contact?.paymentTerms ?? null, asks },
    assumptions,
  )
  if (content.instalments !== null) content.dueDate = content.instalments[0]?.dueDate ?? null
  return {
    content,
    totals,
    references: { contactRowId: contact?.rowId ?? null, seriesId: series?.id ?? null },
    assumptions,
  }
}

async function seriesOf(ctx: Ctx, code: string | null | undefined, kind: InvoiceKind) {
  if (!code) return null
  const series = await findSeriesByCode(ctx, code)
  if (!series)
    throw validationFailed([
      inputFault(
        'series_unknown',
        'series',
        'No series has that code.',
        'Leave it out to use the default one, or add the series in the app.',
      ),
    ])
  if (series.kind !== seriesKindOf(kind))
    throw validationFailed([
      inputFault(
        'series_wrong_kind',
        'series',
        `That series is for ${series.kind} invoices.`,
        'Choose a series of the right kind.',
      ),
    ])
  return series
}

function referenceInput(reference: InvoiceReferenceFacts): InvoiceReferenceInput {
  return { number: reference.number, issueDate: reference.issueDate }
}

function rectificationInput({ rectification }: DraftContent): DraftInput['rectification'] {
  if (rectification === null) return null
  const { method, cause, reason, rectified } = rectification
  return {
    method,
    cause,
    reason,
    ...(rectified === null
      ? {}
      : {
          base: rectified.baseCents / 100,
          tax: rectified.taxCents / 100,
          surcharge: rectified.surchargeCents === null ? null : rectified.surchargeCents / 100,
        }),
  }
}

/** Returns the input that composes an existing content again; a change is merged into it. */
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
      dir3: client.dir3,
    },
    lines: content.lines.map((line) => ({
      description: line.description,
      quantity: line.quantityMicro / 1e6,
      unitPrice: line.unitPriceMicro / 1e6,
      ...(line.unit === null ? {} : { unit: line.unit }),
      discountPct: line.discountBp / 100,
      ...(line.discountCents === 0 ? {} : { discountAmount: line.discountCents / 100 }),
      ...(line.vatRateBp === null ? {} : { vatRate: line.vatRateBp / 100 }),
      taxTreatment: line.taxTreatment,
      // Stated even when it is 0: otherwise the customer's usual surcharge would be applied.
      surcharge: (line.surchargeRateBp ?? 0) / 100,
      regimeKey: line.regimeKey,
      withholdable: line.withholdable,
      isDisbursement: line.isDisbursement,
      ...(line.costCents === null ? {} : { cost: line.costCents / 100 }),
      ...(line.cause === null ? {} : { cause: line.cause }),
      ...(line.itemId === null ? {} : { itemId: line.itemId }),
      ...(line.account === null ? {} : { account: line.account }),
      ...(line.supply === undefined ? {} : { supply: line.supply }),
      ...(line.missing === undefined ? {} : { missing: [...line.missing] }),
    })),
    kind: content.kind,
    series: content.seriesCode,
    issueDate: content.issueDate,
    withholdingPct: content.withholdingBp === null ? null : content.withholdingBp / 100,
    instalments:
      content.instalments?.map(({ dueDate, percentBp, cents }) => ({
        dueDate,
        ...(percentBp === null ? {} : { percent: percentBp / 100 }),
        ...(cents === null ? {} : { amount: cents / 100 }),
      })) ?? null,
    priceMode: content.priceMode,
    discountPct: content.discountBp / 100,
    discountAmount: content.discountCents / 100,
    currency: content.currency?.code ?? 'EUR',
    ...(content.currency
      ? {
          fxRate: content.currency.fxMicro / 1e6,
          fxDate: content.currency.fxDate,
          fxSource: content.currency.fxSource,
        }
      : {}),
    rectifies: content.references.filter(({ role }) => role === 'rectifies').map(referenceInput),
    substitutes: content.references.filter(({ role }) => role === 'substitutes').map(referenceInput),
    rectification: rectificationInput(content),
    property: content.property
      ? {
          situation: content.property.situation,
          ...(content.property.cadastralRef ? { cadastralRef: content.property.cadastralRef } : {}),
        }
      : null,
    ...header.pick(content),
  }
}

/** Clears the fields that a new kind cannot have, unless the change states them. */
function withoutOthers(
  { kind: before }: DraftContent,
  { kind }: DraftChanges,
): Pick<DraftChanges, 'rectifies' | 'rectification' | 'substitutes'> {
  if (kind === undefined || kind === before) return {}
  return {
    ...(isRectifying(kind) ? {} : { rectifies: [], rectification: null }),
    ...(kind === 'F3' ? {} : { substitutes: [] }),
  }
}

/**
 * Composes a content with some fields changed. A new customer replaces the old one whole: none of the old one's data
 * stay.
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
  // One due date takes the place of several.
  const one = given.dueDate !== undefined && given.dueDate !== before.dueDate ? { instalments: null } : {}
  const merged = { ...base, ...withoutOthers(content, given), ...one, ...given } as DraftInput
  if (!newCustomer && given.client && before.client) merged.client = { ...before.client, ...given.client }
  return composeDraft(ctx, merged)
}
