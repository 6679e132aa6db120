/** Sealing a record into the chain: the part of issuing that the law is about. Once done it is never done again. */
import { madridInstant } from '../core/dates.ts'
import type { BusinessDate } from '../core/dates.ts'
import type { Fault } from '../core/errors.ts'
import type { Ctx } from '../ctx.ts'
import { packXml } from './record/compact.ts'
import type { RegistryInvoice, SystemInfo } from './record/fields.ts'
import { addRecord, countCompanies, findChain, headOf } from './rows.ts'
import { checkRecord } from './record/rules.ts'
import { buildRegistration } from './record/xml.ts'

/** What the others tell of an invoice; the record's own reference is given here. */
export type NewRegistration = Omit<RegistryInvoice, 'recordId'>

/** The producer the authority's own documents use in examples; test books carry it, and no other. */
const TEST_PRODUCER = { name: 'PRODUCTOR DE PRUEBA', nif: '89890001K', systemId: 'S1' }
/** A record may not be dated before the last one; one minute of clock drift is forgiven (Orden HAC/1177/2024 art. 7). */
const CLOCK_GRACE_MS = 60_000

/** Our reference of a record, echoed by the authority. Unique within the book. */
export function recordIdOf(sequence: number): string {
  return `rec-${sequence}`
}

async function systemOf(ctx: Ctx): Promise<SystemInfo> {
  const { producer, version } = ctx.env
  const own = ctx.book.mode === 'test' ? TEST_PRODUCER : producer
  return {
    producer: { name: own.name, nif: own.nif },
    name: 'Sello',
    id: own.systemId,
    version,
    installationNumber: ctx.book.installation,
    onlyVerifactu: true,
    multiIssuer: true,
    severalIssuers: (await countCompanies(ctx.db)) > 1,
  }
}

/** What keeps the chain from taking a record: a proof that failed, or a clock that runs behind it. */
export async function chainFaults(ctx: Ctx): Promise<Fault[]> {
  const chain = await findChain(ctx)
  const faults: Fault[] = []
  if (chain.broken_at !== null)
    faults.push({
      code: 'chain_broken',
      field: '',
      severity: 'error',
      message: `The record chain does not verify at record ${chain.broken_at}.`,
      fix: 'Open the registry page: it names the way out.',
      params: { sequence: chain.broken_at },
    })
  if (chain.head_generated_at !== null && ctx.now().getTime() < chain.head_generated_at - CLOCK_GRACE_MS)
    faults.push({
      code: 'clock_wrong',
      field: '',
      severity: 'error',
      message: "The computer's clock is earlier than the last record.",
      fix: 'Set the clock and try again.',
    })
  return faults
}

/** The fields of a record under the names the invoice's caller knows. */
const FIELD_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^recipient\.name/, 'clientName'],
  [/^recipient/, 'clientNif'],
  [/^breakdown.*/, 'lines'],
  [/^(description|taxTotalCents|totalCents).*/, 'lines'],
  [/^number.*/, 'series'],
]

function outsideField(field: string): string {
  for (const [pattern, name] of FIELD_NAMES) if (pattern.test(field)) return name
  return field
}

/** The registry's own rules for a record about to be made. `today` is the day in Spain. */
export function checkRegistration(invoice: NewRegistration, today: BusinessDate): Fault[] {
  return checkRecord({ ...invoice, recordId: recordIdOf(1) }, today)
    .filter((fault) => fault.severity === 'error')
    .map((fault) => ({ ...fault, field: outsideField(fault.field) }))
}

/** Makes the record of an issued invoice, chains it and queues it for the authority. In the issue transaction. */
export async function appendRegistration(
  ctx: Ctx,
  invoiceId: number,
  invoice: NewRegistration,
): Promise<void> {
  const chain = await findChain(ctx)
  const sequence = chain.records + 1
  const now = ctx.now()
  const { xml, hash } = buildRegistration(
    { ...invoice, recordId: recordIdOf(sequence) },
    headOf(chain),
    await systemOf(ctx),
    madridInstant(now),
  )
  await addRecord(ctx, {
    bookId: ctx.book.id,
    sequence,
    invoiceId,
    hash: Buffer.from(hash, 'hex'),
    issuerNif: invoice.issuer.nif,
    number: invoice.number,
    issueDate: invoice.issueDate,
    generatedAt: now.getTime(),
    xml: packXml(xml),
  })
}
