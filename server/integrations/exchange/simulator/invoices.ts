/** Takes invoices and copies: each part of a message is assessed by itself, and what is right is stored together. */
import { sha256Hex } from '../../../domain/sha256.ts'
import type { AnswerItem, InvoiceCode } from '../types.ts'
import { LOCATOR_PREFIX } from '../wire/envelope.ts'
import { PLATFORM_LIMITS } from '../wire/limits.ts'
import { Unreadable, utf8Text } from '../wire/xml.ts'
import type { Register } from './authority.ts'
import { refusalText, TAKEN } from './codes.ts'
import type { RefusalCode } from './codes.ts'
import { checkExchangeInvoice, readInvoiceCode } from './documents.ts'
import type { ReadInvoice } from './documents.ts'
import { codeKey } from './state.ts'
import type { HeldInvoice, PlatformState } from './state.ts'

/** What every message is assessed with. */
export interface MessageContext {
  state: PlatformState
  register: Register
  /** Tax numbers of the holder of the certificate. */
  callers: readonly string[]
  now: Date
  csv: string
}

/** Types of invoices that the customer issues. */
const SELF_BILLED = ['389', '471']

/** Returns what is said of each invoice, and what is to be stored. */
export async function takeInvoices(
  bodies: readonly Uint8Array[],
  context: MessageContext,
): Promise<{ items: AnswerItem[]; changed: HeldInvoice[] }> {
  const items: AnswerItem[] = []
  const changed: HeldInvoice[] = []
  const codes = new Set<string>()
  let sequence = await context.state.lastSequence()
  for (const body of bodies) {
    const assessed = await assess(body, codes, context)
    if ('code' in assessed) {
      items.push(assessed)
      continue
    }
    const { read, xml } = assessed
    sequence += 1
    const held = heldInvoice(read, xml, { ...context, sequence })
    changed.push(held)
    items.push({ invoice: held.invoice, code: TAKEN, text: '', locator: held.locator })
  }
  return { items, changed }
}

async function assess(
  body: Uint8Array,
  codes: Set<string>,
  { state, register, callers }: MessageContext,
): Promise<AnswerItem | { read: ReadInvoice; xml: string }> {
  let invoice: InvoiceCode | null = null
  const refused = (code: RefusalCode, detail?: string): AnswerItem => ({
    invoice,
    code,
    text: refusalText(code, detail),
    locator: null,
  })
  if (body.length > PLATFORM_LIMITS.invoiceBytes) return refused('SPFE-SIM-SIZE')
  let read: ReadInvoice
  let xml: string
  let broken: string | null
  try {
    xml = utf8Text(body)
    read = readInvoiceCode(xml)
    const { issuerTaxId, number, issueDate } = read
    invoice = { issuerTaxId, number, issueDate }
    const [first] = checkExchangeInvoice(xml)
    broken = first ? `${first.rule} ${first.path}: ${first.message}` : null
  } catch (error) {
    if (error instanceof Unreadable) return refused('SPFE-SIM-XML', error.message)
    throw error
  }
  const key = codeKey(invoice)
  if (codes.has(key)) return refused('SPFE-SIM-PART-TWICE')
  codes.add(key)
  if (!register.knows(invoice.issuerTaxId)) return refused('SPFE-SIM-ISSUER', invoice.issuerTaxId)
  const { recipientTaxId } = read
  if (recipientTaxId === null || !register.knows(recipientTaxId))
    return refused('SPFE-SIM-RECIPIENT', recipientTaxId ?? '')
  const presents = SELF_BILLED.includes(read.typeCode)
    ? [invoice.issuerTaxId, recipientTaxId]
    : [invoice.issuerTaxId]
  if (!presents.some((nif) => register.maySend(callers, nif)))
    return refused('SPFE-SIM-AUTHORITY', invoice.issuerTaxId)
  if (broken !== null) return refused('SPFE-SIM-PROFILE', broken)
  const standing = await state.find(invoice)
  return standing ? refused(collision(standing, read)) : { read, xml }
}

/** Two invoices with one code cannot coexist. Source: Orden HAC/1028/2026; slides on copies. */
function collision(standing: HeldInvoice, { copy }: ReadInvoice): RefusalCode {
  if (copy) return standing.copy ? 'SPFE-SIM-COPY-TWICE' : 'SPFE-SIM-ORIGINAL-HELD'
  return standing.copy ? 'SPFE-SIM-COPY-HELD' : 'SPFE-SIM-DUPLICATE'
}

function heldInvoice(
  read: ReadInvoice,
  xml: string,
  { sequence, csv, callers, now }: MessageContext & { sequence: number },
): HeldInvoice {
  const { issuerTaxId, number, issueDate } = read
  const invoice = { issuerTaxId, number, issueDate }
  const presentedAt = now.toISOString()
  const presenterNif = callers[0] ?? ''
  const paid = read.paidOn
  const prefix = read.copy ? LOCATOR_PREFIX.copy : LOCATOR_PREFIX.original
  const digest = sha256Hex(JSON.stringify([codeKey(invoice), csv, sequence])).slice(0, 24)
  return {
    sequence,
    invoice,
    recipientTaxId: read.recipientTaxId ?? '',
    typeCode: read.typeCode,
    total: read.total,
    copy: read.copy,
    locator: prefix + Buffer.from(digest, 'hex').toString('base64'),
    csv,
    presentedAt,
    presenterNif,
    withdrawnAt: null,
    statuses:
      paid === null
        ? []
        : [
            {
              kind: 'paid',
              invoice,
              date: paid,
              dueDate: paid,
              role: 'recipient',
              presentedAt,
              presenterNif,
            },
          ],
    xml,
  }
}
