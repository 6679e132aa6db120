/** Takes statuses and withdrawals: who may report what, and in which order. */
import { madridTime } from '../../../domain/dates.ts'
import type { AnswerItem, StatusKind, StatusReport, StatusRole } from '../types.ts'
import { PLATFORM_LIMITS, REQUEST_XML_LIMITS } from '../wire/limits.ts'
import { Unreadable, utf8Text } from '../wire/xml.ts'
import { MessageRefused, refusalText, TAKEN } from './codes.ts'
import type { RefusalCode } from './codes.ts'
import { readStatuses } from './documents.ts'
import type { MessageContext } from './invoices.ts'
import { codeKey, partyOf } from './state.ts'
import type { HeldInvoice } from './state.ts'

interface Rule {
  /** The kinds of the same role that must not stand. */
  excludes: readonly StatusKind[]
  /** The kind that it takes back. */
  cancels?: StatusKind
}

const RULES: Record<Exclude<StatusKind, 'withdrawn'>, Rule> = {
  rejected: { excludes: ['rejected', 'paid'] },
  rejection_cancelled: { excludes: [], cancels: 'rejected' },
  paid: { excludes: ['paid', 'rejected'] },
  payment_cancelled: { excludes: [], cancels: 'paid' },
  settled: { excludes: ['settled', 'defaulted'] },
  settlement_cancelled: { excludes: [], cancels: 'settled' },
  defaulted: { excludes: ['defaulted', 'settled'] },
  default_cancelled: { excludes: [], cancels: 'defaulted' },
}

/** Returns the reports that stand: none has been cancelled since. */
function standing(held: HeldInvoice): Set<StatusKind> {
  const kinds = new Set<StatusKind>()
  for (const { kind } of held.statuses) {
    const cancels = kind === 'withdrawn' ? undefined : RULES[kind].cancels
    if (cancels) kinds.delete(cancels)
    else kinds.add(kind)
  }
  return kinds
}

/**
 * Takes a message about statuses at the address for `role`, or a withdrawal. Throws `MessageRefused` for a message that is
 * wrong as a whole.
 */
export async function takeStatuses(
  body: Uint8Array,
  expected: { role: StatusRole; withdrawal: boolean },
  context: MessageContext,
): Promise<{ items: AnswerItem[]; changed: HeldInvoice[] }> {
  const message = readMessageOf(body)
  if (message === 'mixed') throw new MessageRefused('SPFE-SIM-ROLE')
  const { reports, senderTaxId, role } = message
  if (reports.length > (expected.withdrawal ? 1 : PLATFORM_LIMITS.statusesOfMessage))
    throw new MessageRefused('SPFE-SIM-BATCH')
  if (role !== expected.role) throw new MessageRefused('SPFE-SIM-ROLE')
  if (reports.some(({ kind }) => (kind === 'withdrawn') !== expected.withdrawal))
    throw new MessageRefused('SPFE-SIM-ROLE')
  if (!context.register.maySend(context.callers, senderTaxId))
    throw new MessageRefused('SPFE-SIM-AUTHORITY', senderTaxId)
  const items: AnswerItem[] = []
  const touched = new Map<string, HeldInvoice>()
  const actions = new Set<string>()
  for (const report of reports) {
    const key = codeKey(report.invoice)
    const held = touched.get(key) ?? (await context.state.find(report.invoice))
    const action = JSON.stringify([key, report.kind])
    const refusal = actions.has(action)
      ? ('SPFE-SIM-STATUS-TWICE' as const)
      : refusalOf(report, held, { role, senderTaxId, now: context.now })
    actions.add(action)
    if (refusal !== null || held === null) {
      const code = refusal ?? 'SPFE-SIM-UNKNOWN-INVOICE'
      items.push({ invoice: report.invoice, code, text: refusalText(code), locator: null })
      continue
    }
    touched.set(key, withReport(held, report, role, context))
    items.push({ invoice: report.invoice, code: TAKEN, text: '', locator: null })
  }
  return { items, changed: [...touched.values()] }
}

function readMessageOf(body: Uint8Array): ReturnType<typeof readStatuses> {
  if (body.length > REQUEST_XML_LIMITS.bytes) throw new MessageRefused('SPFE-SIM-XML', 'tamaño')
  try {
    return readStatuses(utf8Text(body))
  } catch (error) {
    if (error instanceof Unreadable) throw new MessageRefused('SPFE-SIM-XML', error.message)
    throw error
  }
}

function withReport(
  held: HeldInvoice,
  report: StatusReport,
  role: StatusRole,
  { now, callers }: MessageContext,
): HeldInvoice {
  const presentedAt = now.toISOString()
  if (report.kind === 'withdrawn') return { ...held, withdrawnAt: presentedAt }
  const status = { ...report, role, presentedAt, presenterNif: callers[0] ?? '' }
  return { ...held, statuses: [...held.statuses, status] }
}

function refusalOf(
  report: StatusReport,
  held: HeldInvoice | null,
  { role, senderTaxId, now }: { role: StatusRole; senderTaxId: string; now: Date },
): RefusalCode | null {
  // What does not concern the sender does not exist for it.
  if (!held || (partyOf(held, role) !== senderTaxId && !isParty(held, senderTaxId)))
    return 'SPFE-SIM-UNKNOWN-INVOICE'
  if (partyOf(held, role) !== senderTaxId) return 'SPFE-SIM-ROLE'
  const stands = standing(held)
  if (report.kind === 'withdrawn') return stands.has('paid') || stands.has('settled') ? 'SPFE-SIM-PAID' : null
  const { excludes, cancels } = RULES[report.kind]
  if (cancels) return stands.has(cancels) ? null : 'SPFE-SIM-STATUS-MISSING'
  if (report.kind === 'rejected' && stands.has('paid')) return 'SPFE-SIM-PAID'
  if (excludes.some((kind) => stands.has(kind))) return 'SPFE-SIM-STATUS-STANDS'
  return datesFit(report, now) ? null : 'SPFE-SIM-STATUS-DATE'
}

const isParty = (held: HeldInvoice, nif: string): boolean =>
  partyOf(held, 'issuer') === nif || partyOf(held, 'recipient') === nif

/** A report has its day, which has come; a payment also has the end of its term. */
function datesFit({ kind, date, dueDate }: StatusReport, now: Date): boolean {
  return date !== '' && date <= madridTime(now).date && (kind !== 'paid' || dueDate !== undefined)
}
