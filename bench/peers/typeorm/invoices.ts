/** Drafts, confirmations and issue: one transaction each with its audit entry and event. */
import { randomBytes } from 'node:crypto'
import type { EntityManager } from 'typeorm'
import { IsNull } from 'typeorm'
import { z } from 'zod'
import {
  AuditEntries,
  Confirmations,
  Customers,
  Invoices,
  OutboxEvents,
  RegistryRecords,
  SeriesTable,
} from './entities.ts'
import type { ApiKey, Customer, Invoice, RegistryRecord } from './entities.ts'
import { addFigures, bookInvoice } from './figures.ts'
import { sha256 } from './store.ts'

const TOKEN_LIFE_MS = 600_000
const ISSUER_NIF = 'B12345674'

export class HttpError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

const NIF = /^(?:\d{8}[A-Z]|[XYZ]\d{7}[A-Z]|[A-HJ-NP-W]\d{7}[0-9A-J])$/

export const DraftInput = z.strictObject({
  clientName: z.string().min(1).max(120),
  clientNif: z.string().regex(NIF),
  lines: z
    .array(
      z.strictObject({
        description: z.string().min(1).max(500),
        quantity: z.number().positive().max(1_000_000),
        unitPrice: z.number().min(0).max(10_000_000),
        vatRate: z.union([z.literal(0), z.literal(4), z.literal(10), z.literal(21)]).default(21),
      }),
    )
    .min(1)
    .max(500),
})
export const NoInput = z.strictObject({})
export const IssueInput = z.strictObject({ confirmationToken: z.string().min(1).max(200) })

const euros = (cents: number): number => cents / 100
const newId = (prefix: string): string => `${prefix}_${randomBytes(16).toString('hex')}`

function view(invoice: Invoice, record: Pick<RegistryRecord, 'sequence' | 'hash' | 'status'> | null) {
  return {
    id: invoice.publicId,
    number: invoice.number,
    state: invoice.state,
    issueDate: invoice.issueDate,
    client: { name: invoice.clientName, nif: invoice.clientNif },
    base: euros(invoice.baseCents),
    tax: euros(invoice.taxCents),
    total: euros(invoice.totalCents),
    lines: invoice.lines.map((line) => ({
      description: line.description,
      quantity: line.quantityMicro / 1e6,
      unitPrice: line.unitPriceMicro / 1e6,
      vatRate: line.vatRateBp / 100,
      net: euros(line.netCents),
    })),
    taxBreakdown: invoice.taxes.map((tax) => ({
      vatRate: tax.vatRateBp / 100,
      base: euros(tax.baseCents),
      tax: euros(tax.taxCents),
    })),
    registry: record
      ? { status: record.status, recordId: `rec-${record.sequence}`, hash: record.hash }
      : { status: 'not_issued' },
    version: invoice.version,
    createdAt: new Date(invoice.createdAt).toISOString(),
  }
}

/** The confirmed content must be the issued content. */
const contentHash = ({ publicId, clientNif, clientName, totalCents, lines, taxes }: Invoice): string =>
  sha256(JSON.stringify([publicId, clientNif, clientName, totalCents, lines, taxes]))

async function audit(
  manager: EntityManager,
  key: ApiKey,
  action: string,
  target: string,
  at: number,
): Promise<void> {
  const [last] = await manager.find(AuditEntries, { order: { sequence: 'DESC' }, take: 1 })
  const sequence = (last?.sequence ?? 0) + 1
  const content = JSON.stringify({ sequence, at, actor: key.name, action, target })
  await manager.insert(AuditEntries, {
    sequence,
    at,
    keyId: key.id,
    action,
    target,
    content,
    hash: sha256(`${last?.hash ?? ''}${content}`),
  })
}

async function emit(manager: EntityManager, type: string, data: object, at: number): Promise<void> {
  await manager.insert(OutboxEvents, { type, data, createdAt: at, deliveredAt: null })
}

async function findDraft(manager: EntityManager, publicId: string): Promise<Invoice> {
  const invoice = await manager
    .createQueryBuilder(Invoices, 'invoice')
    .innerJoinAndSelect('invoice.lines', 'line')
    .innerJoinAndSelect('invoice.taxes', 'tax')
    .where('invoice.publicId = :publicId', { publicId })
    .orderBy('line.position')
    .addOrderBy('tax.position')
    .getOne()
  if (!invoice) throw new HttpError(404, 'invoice_not_found')
  if (invoice.state !== 'draft') throw new HttpError(409, 'invoice_not_draft')
  return invoice
}

async function customerOf(manager: EntityManager, nif: string, name: string): Promise<Customer> {
  const known = await manager.findOneBy(Customers, { nif })
  return known ?? manager.save(Customers, { nif, name })
}

export async function createDraft(manager: EntityManager, key: ApiKey, input: z.infer<typeof DraftInput>) {
  const at = Date.now()
  const bases = new Map<number, number>()
  const lines = input.lines.map(({ description, quantity, unitPrice, vatRate }, position) => {
    const netCents = Math.round(quantity * unitPrice * 100)
    const vatRateBp = vatRate * 100
    bases.set(vatRateBp, (bases.get(vatRateBp) ?? 0) + netCents)
    return {
      position,
      description,
      quantityMicro: Math.round(quantity * 1e6),
      unitPriceMicro: Math.round(unitPrice * 1e6),
      vatRateBp,
      netCents,
    }
  })
  const taxes = [...bases].map(([vatRateBp, baseCents], position) => ({
    position,
    vatRateBp,
    baseCents,
    taxCents: Math.round((baseCents * vatRateBp) / 10_000),
  }))
  const baseCents = taxes.reduce((sum, tax) => sum + tax.baseCents, 0)
  const taxCents = taxes.reduce((sum, tax) => sum + tax.taxCents, 0)
  const customer = await customerOf(manager, input.clientNif, input.clientName)
  const invoice = await manager.save(
    Invoices,
    manager.create(Invoices, {
      publicId: newId('inv'),
      state: 'draft',
      version: 1,
      customerId: customer.id,
      clientName: input.clientName,
      clientNif: input.clientNif,
      series: null,
      sequence: null,
      number: null,
      issueDate: null,
      baseCents,
      taxCents,
      totalCents: baseCents + taxCents,
      contentHash: null,
      createdAt: at,
      issuedAt: null,
      lines,
      taxes,
    }),
  )
  await audit(manager, key, 'invoice.drafted', invoice.publicId, at)
  await emit(manager, 'invoice.drafted', { invoiceId: invoice.publicId }, at)
  return view(invoice, null)
}

export async function validateDraft(manager: EntityManager, key: ApiKey, publicId: string) {
  const at = Date.now()
  const invoice = await findDraft(manager, publicId)
  const confirmationToken = randomBytes(32).toString('base64url')
  // Only the latest token is valid.
  await manager.delete(Confirmations, { invoiceId: invoice.id, keyId: key.id, usedAt: IsNull() })
  await manager.insert(Confirmations, {
    tokenHash: sha256(confirmationToken),
    invoiceId: invoice.id,
    keyId: key.id,
    draftVersion: invoice.version,
    contentHash: contentHash(invoice),
    createdAt: at,
    expiresAt: at + TOKEN_LIFE_MS,
    usedAt: null,
  })
  await audit(manager, key, 'invoice.confirmation_given', publicId, at)
  return {
    valid: true,
    total: euros(invoice.totalCents),
    confirmation: { confirmationToken, expiresAt: new Date(at + TOKEN_LIFE_MS).toISOString() },
  }
}

async function spend(
  manager: EntityManager,
  key: ApiKey,
  invoice: Invoice,
  token: string,
  at: number,
): Promise<string> {
  const tokenHash = sha256(token)
  const confirmation = await manager.findOneBy(Confirmations, {
    tokenHash,
    keyId: key.id,
    invoiceId: invoice.id,
    usedAt: IsNull(),
  })
  if (
    !confirmation ||
    confirmation.expiresAt <= at ||
    confirmation.draftVersion !== invoice.version ||
    confirmation.contentHash !== contentHash(invoice)
  )
    throw new HttpError(409, 'confirmation_invalid')
  await manager.update(Confirmations, { tokenHash }, { usedAt: at })
  return confirmation.contentHash
}

/** Returns the next number of the year's series. Transactions run one after another, so that no other can take it. */
async function takeNumber(manager: EntityManager, year: string) {
  const code = `T-F${year}`
  const series =
    (await manager.findOneBy(SeriesTable, { code })) ??
    (await manager.save(SeriesTable, { code, nextNumber: 1 }))
  const sequence = series.nextNumber
  await manager.update(SeriesTable, { id: series.id }, { nextNumber: sequence + 1 })
  return { series, sequence, number: `${code}-${String(sequence).padStart(4, '0')}` }
}

/** Appends a record with the authority's fields, including the previous hash. */
async function appendRecord(
  manager: EntityManager,
  invoice: Invoice,
  issueDate: string,
  number: string,
  at: number,
) {
  const [last] = await manager.find(RegistryRecords, { order: { sequence: 'DESC' }, take: 1 })
  const generatedAt = new Date(at).toISOString()
  const text = `IDEmisorFactura=${ISSUER_NIF}&NumSerieFactura=${number}&FechaExpedicionFactura=${issueDate}&TipoFactura=F1&CuotaTotal=${euros(invoice.taxCents).toFixed(2)}&ImporteTotal=${euros(invoice.totalCents).toFixed(2)}&Huella=${last?.hash ?? ''}&FechaHoraHusoGenRegistro=${generatedAt}`
  const record = {
    sequence: (last?.sequence ?? 0) + 1,
    text,
    hash: sha256(text).toUpperCase(),
    status: 'pending' as const,
    generatedAt,
  }
  await manager.insert(RegistryRecords, { ...record, invoice: { id: invoice.id } })
  return record
}

export async function issueInvoice(
  manager: EntityManager,
  key: ApiKey,
  publicId: string,
  input: z.infer<typeof IssueInput>,
) {
  const at = Date.now()
  const issueDate = new Date(at).toISOString().slice(0, 10)
  const draft = await findDraft(manager, publicId)
  const confirmed = await spend(manager, key, draft, input.confirmationToken, at)
  const { series, sequence, number } = await takeNumber(manager, issueDate.slice(0, 4))
  const change = {
    state: 'issued' as const,
    version: draft.version + 1,
    series,
    sequence,
    number,
    issueDate,
    contentHash: confirmed,
    issuedAt: at,
  }
  const { affected } = await manager.update(
    Invoices,
    { id: draft.id, version: draft.version, state: 'draft' },
    change,
  )
  if (affected !== 1) throw new HttpError(409, 'invoice_changed')
  const record = await appendRecord(manager, draft, issueDate, number, at)
  await addFigures(manager, draft, issueDate)
  await bookInvoice(manager, draft, issueDate)
  await audit(manager, key, 'invoice.issued', publicId, at)
  await emit(manager, 'invoice.issued', { invoiceId: publicId, number }, at)
  return view({ ...draft, ...change }, record)
}
