/** Amendments: the amendable facts of a registration, the changes to them, and the rows that store the changes. */
import type { z } from 'zod'
import type { Fault } from '../../../domain/errors/app-error.ts'
import { writtenTaxNumber } from '../../../domain/tax/nif.ts'
import { normalizeText } from '../../../domain/text.ts'
import type { TaxTreatment } from '../../../domain/tax/totals.ts'
import type { Ctx } from '../../../context.ts'
import type { FieldChange } from '../../../registry/contract.ts'
import type { NewRegistration } from '../../../registry/index.ts'
import type { Db } from '../../../db/query.ts'
import { prepare } from '../../../db/query.ts'
import type { AmendableFacts, AmendChanges } from '../contract.ts'
import { composeIssuedBy, madeByOf, NO_IDENTITY } from '../issued-by.ts'

export type Change = z.infer<typeof FieldChange>

type Recipient = NewRegistration['recipients'][number]

const CLIENT_FIELDS = ['clientName', 'clientNif', 'clientCountry', 'clientIdType'] as const

function clientOf(recipient: Recipient): Pick<AmendableFacts, (typeof CLIENT_FIELDS)[number]> {
  const { name: clientName } = recipient
  return 'nif' in recipient
    ? { clientName, clientNif: recipient.nif, clientCountry: 'ES', clientIdType: null }
    : {
        clientName,
        clientNif: recipient.id,
        clientCountry: recipient.country,
        clientIdType: recipient.idType,
      }
}

const NOT_BY_OTHERS = {
  issuedBy: null,
  issuedByName: null,
  issuedByNif: null,
  issuedByIdType: null,
  issuedByCountry: null,
} as const satisfies Partial<AmendableFacts>

/** Who issued the invoice in the company's name; nothing when the company did, as in the facts of older records. */
function issuerFactsOf({ madeBy }: NewRegistration): Partial<AmendableFacts> {
  if (madeBy === null) return {}
  if (madeBy.by === 'recipient') return { ...NOT_BY_OTHERS, issuedBy: 'recipient' }
  const { clientName, clientNif, clientCountry, clientIdType } = clientOf(madeBy.party)
  return {
    issuedBy: 'third_party',
    issuedByName: clientName ?? null,
    issuedByNif: clientNif ?? null,
    issuedByIdType: clientIdType ?? null,
    issuedByCountry: clientCountry ?? null,
  }
}

function madeByFacts(facts: AmendableFacts): NewRegistration['madeBy'] {
  const { issuedBy = null, issuedByName, issuedByNif, issuedByIdType, issuedByCountry } = facts
  if (issuedBy === null) return null
  return madeByOf({
    issuedBy: {
      ...NO_IDENTITY,
      kind: issuedBy,
      name: issuedByName ?? null,
      nif: issuedByNif ?? null,
      idType: issuedByIdType ?? null,
      country: issuedByCountry ?? null,
    },
  })
}

function amendIssuer(facts: AmendableFacts, asked: AmendChanges['issuedBy']): Partial<AmendableFacts> {
  if (asked === undefined) return {}
  const by = composeIssuedBy(asked)
  // Nothing to say of an invoice that said nothing.
  if (by === null) return facts.issuedBy === undefined ? {} : NOT_BY_OTHERS
  return {
    issuedBy: by.kind,
    issuedByName: by.name,
    issuedByNif: by.nif,
    issuedByIdType: by.idType,
    issuedByCountry: by.country,
  }
}

/** Returns the amendable facts of a registration; without client fields when it names no customer (F2). */
export function amendableFacts(registration: NewRegistration): AmendableFacts {
  const [recipient] = registration.recipients
  return {
    ...(recipient ? clientOf(recipient) : {}),
    description: registration.description,
    operationDate: registration.operationDate,
    ...issuerFactsOf(registration),
    breakdown: registration.breakdown.map(({ taxTreatment, regimeKey }) => ({ taxTreatment, regimeKey })),
  }
}

function recipientOf(facts: AmendableFacts): Recipient | null {
  const { clientName, clientNif, clientCountry = 'ES', clientIdType = null } = facts
  if (clientName === undefined || clientNif === undefined) return null
  return clientIdType === null
    ? { name: clientName, nif: clientNif }
    : { name: clientName, country: clientCountry, idType: clientIdType, id: clientNif }
}

/** Returns the registration with other facts. Amounts stay; a changed treatment changes the rate. */
function withFacts(registration: NewRegistration, facts: AmendableFacts): NewRegistration {
  const recipient = recipientOf(facts)
  return {
    ...registration,
    recipients: recipient ? [recipient, ...registration.recipients.slice(1)] : registration.recipients,
    description: facts.description,
    operationDate: facts.operationDate === registration.issueDate ? null : facts.operationDate,
    madeBy: madeByFacts(facts),
    breakdown: registration.breakdown.map((line, index) => {
      const { taxTreatment, regimeKey } = facts.breakdown[index] ?? line
      const sameTreatment = taxTreatment === line.taxTreatment
      // Reverse charge has a rate of 0 %; exempt and not subject have no rate.
      const vatRateBp = sameTreatment ? line.vatRateBp : taxTreatment === 'S2' ? 0 : null
      return { ...line, taxTreatment, regimeKey, vatRateBp }
    }),
  }
}

function flat({ breakdown, ...facts }: AmendableFacts): Map<string, string | null> {
  const values = new Map<string, string | null>(Object.entries(facts))
  for (const [index, line] of breakdown.entries())
    for (const [name, value] of Object.entries(line)) values.set(`breakdown[${index}].${name}`, value)
  return values
}

/** Returns the differences between two registrations of the same invoice. */
export function changesBetween(before: NewRegistration, after: NewRegistration): Change[] {
  const from = flat(amendableFacts(before))
  const to = flat(amendableFacts(after))
  const changes: Change[] = []
  for (const field of new Set([...to.keys(), ...from.keys()])) {
    const [old = null, now = null] = [from.get(field), to.get(field)]
    if (old !== now) changes.push({ field, from: old, to: now })
  }
  return changes
}

const BREAKDOWN_FIELD = /^breakdown\[(\d+)\]\.(taxTreatment|regimeKey)$/

/** Applies the changes of an earlier amendment to a registration. */
export async function withChanges(
  registration: NewRegistration,
  changes: readonly Change[],
): Promise<NewRegistration> {
  const shapes = await import('../contract.ts')
  const { breakdown, ...facts } = amendableFacts(registration)
  const lines: Record<string, string | null>[] = breakdown
  const values: Record<string, unknown> = { ...facts, breakdown: lines }
  for (const { field, to } of changes) {
    const [, index, name] = BREAKDOWN_FIELD.exec(field) ?? []
    const line = lines[Number(index)]
    if (name === undefined) values[field] = to
    else if (line) line[name] = to
  }
  return withFacts(registration, shapes.AmendableFacts.parse(values))
}

function refusal(code: string, field: string, message: string, fix: string): Fault {
  return { code, field, severity: 'error', message, fix }
}

/**
 * Returns the country of a customer when the change names none: Spanish numbers are from Spain, EU VAT numbers begin
 * with their country.
 */
function countryOf(facts: AmendableFacts, changes: AmendChanges): string {
  if (changes.clientCountry !== undefined) return changes.clientCountry
  const idType = changes.clientIdType
  if (idType === null || idType === '07') return 'ES'
  const { clientNif = '', clientIdType, clientCountry = 'ES' } = facts
  if (clientIdType !== '02' || (idType === undefined && changes.clientNif === undefined)) return clientCountry
  const [letters = clientCountry] = /^[A-Z]{2}/.exec(clientNif) ?? []
  return letters === 'EL' ? 'GR' : letters
}

function amendClient(
  facts: AmendableFacts,
  changes: AmendChanges,
): { facts: AmendableFacts; faults: Fault[] } {
  const given = CLIENT_FIELDS.filter((name) => changes[name] !== undefined)
  if (given.length === 0) return { facts, faults: [] }
  if (facts.clientName === undefined)
    return {
      facts,
      faults: given.map((name) =>
        refusal(
          'amend_no_customer',
          `changes.${name}`,
          'The registration of a simplified invoice names no customer.',
          "Leave the customer out; an invoice with the customer's data takes its place (F3).",
        ),
      ),
    }
  const { clientName, clientNif, clientIdType } = changes
  const amended: AmendableFacts = {
    ...facts,
    ...(clientName === undefined ? {} : { clientName: normalizeText(clientName) }),
    ...(clientNif === undefined ? {} : { clientNif: normalizeText(clientNif).toUpperCase() }),
    ...(clientIdType === undefined ? {} : { clientIdType }),
  }
  const clientCountry = countryOf(amended, changes)
  const nif = amended.clientNif
  const kept =
    nif === undefined
      ? {}
      : { clientNif: writtenTaxNumber(nif, { idType: amended.clientIdType ?? null, country: clientCountry }) }
  return { facts: { ...amended, ...kept, clientCountry }, faults: [] }
}

function bearsTax(treatment: TaxTreatment): boolean {
  return treatment === 'S1'
}

function amendBreakdown(
  facts: AmendableFacts,
  changes: NonNullable<AmendChanges['breakdown']>,
): { facts: AmendableFacts; faults: Fault[] } {
  const breakdown = facts.breakdown.map((line) => ({ ...line }))
  const faults: Fault[] = []
  for (const [position, change] of changes.entries()) {
    const at = `changes.breakdown[${position}]`
    const line = breakdown[change.index]
    if (!line) {
      faults.push(
        refusal(
          'amend_line_unknown',
          `${at}.index`,
          `The breakdown has ${breakdown.length} lines.`,
          'Use the position of a line of taxBreakdown, from 0.',
        ),
      )
      continue
    }
    const { taxTreatment = line.taxTreatment, regimeKey = line.regimeKey } = change
    if (taxTreatment !== line.taxTreatment && (bearsTax(taxTreatment) || bearsTax(line.taxTreatment)))
      faults.push(
        refusal(
          'amend_treatment_taxed',
          `${at}.taxTreatment`,
          'Between taxed and not taxed the amounts change, and those cannot be amended.',
          'Make a rectifying invoice.',
        ),
      )
    else line.taxTreatment = taxTreatment
    line.regimeKey = regimeKey
  }
  return { facts: { ...facts, breakdown }, faults }
}

export interface Amended {
  registration: NewRegistration
  /** As requested, even where no registration can state it: a Spanish number of another country. */
  facts: AmendableFacts
  changes: Change[]
  /** Requested changes that cannot be amended; those facts stay as they were. */
  faults: Fault[]
}

/** Returns the registration with the requested changes, and their differences from the last record. */
export function amendRegistration(told: NewRegistration, asked: AmendChanges): Amended {
  const client = amendClient(amendableFacts(told), asked)
  const { facts, faults } = amendBreakdown(client.facts, asked.breakdown ?? [])
  const { description, operationDate } = asked
  const amended: AmendableFacts = {
    ...facts,
    ...(description === undefined ? {} : { description: normalizeText(description).replace(/\s+/g, ' ') }),
    ...(operationDate === undefined ? {} : { operationDate }),
    ...amendIssuer(facts, asked.issuedBy),
  }
  const registration = withFacts(told, amended)
  return {
    registration,
    facts: amended,
    changes: changesBetween(told, registration),
    faults: [...client.faults, ...faults],
  }
}

const ofInvoice = prepare((db, p: { invoiceId: number }) =>
  db
    .selectFrom('invoice_amendments')
    .select('changes')
    .where('invoice_id', '=', p.invoiceId)
    .orderBy('record_id'),
)

/** Returns the facts of the last record: the registration of the invoice after every amendment since, accepted or not. */
export async function lastRegistered(
  db: Db,
  invoiceId: number,
  registration: NewRegistration,
): Promise<NewRegistration> {
  const rows = await ofInvoice.all(db, { invoiceId })
  let told = registration
  for (const { changes } of rows) told = await withChanges(told, JSON.parse(changes) as Change[])
  return told
}

const insert = prepare((db, p: { recordId: number; invoiceId: number; changes: string }) =>
  db
    .insertInto('invoice_amendments')
    .values({ record_id: p.recordId, invoice_id: p.invoiceId, changes: p.changes }),
)

/** Stores the changes of a record. Runs in the transaction that makes the record. */
export async function saveAmendment(
  ctx: Ctx,
  amendment: { recordRowId: number; invoiceId: number; changes: readonly Change[] },
): Promise<void> {
  const { recordRowId: recordId, invoiceId, changes } = amendment
  await insert.run(ctx.db, { recordId, invoiceId, changes: JSON.stringify(changes) })
}
