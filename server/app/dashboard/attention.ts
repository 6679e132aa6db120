/** Action items for a person: each once, those that stop the business first. */
import { hasRecoveryCode } from '../session/index.ts'
import { findCompany, readinessOf } from '../../company/index.ts'
import { daysBetween } from '../../domain/dates.ts'
import type { Ctx } from '../../context.ts'
import type { Dashboard } from '../session/contract.ts'
import type { DashboardPorts, Obligation, RegistryCounts } from './ports.ts'

type Attention = Dashboard['attention'][number]

const MAX_REJECTED_SHOWN = 5
/** Days before the last day for direct debit from which it is an item of its own. */
const DEBIT_DAYS = 2

interface Facts {
  registry: RegistryCounts
  returns: readonly Obligation[]
  /** Bank movements not matched yet. */
  bankPending: number
}

/** Two returns of one model can be open at once only where they are filed by months. */
const idOf = ({ model, period }: { model: string; period: string }): string =>
  /^\d\d /.test(period) ? `${model}-${period.slice(0, 2)}` : model

/**
 * Returns the action items. The `title` of each is a stable name that the page translates; `params` are the facts to
 * show.
 */
export async function attentionOf(ctx: Ctx, ports: DashboardPorts, facts: Facts): Promise<Attention[]> {
  const { registry } = facts
  const attention: Attention[] = []
  const counted = (kind: Attention['kind'], title: string, count: number): void => {
    if (count > 0) attention.push({ kind, title, params: { count } })
  }
  for (const { invoiceId, number } of registry.rejectedInvoices.slice(0, MAX_REJECTED_SHOWN))
    attention.push({ kind: 'rejected', id: invoiceId, title: 'record_rejected', params: { number } })
  const backup = ports.backupTrouble(ctx)
  if (backup)
    attention.push({
      kind: 'backup',
      id: backup.kind,
      title: `backup_${backup.kind}`,
      params: { why: backup.why, since: backup.since },
    })
  counted('approval', 'approvals_waiting', await ports.waitingApprovals(ctx))
  counted('proposal', 'proposals_waiting', await ports.waitingProposals(ctx))
  for (const missing of await readinessOf(ctx, await findCompany(ctx)))
    attention.push({ kind: 'readiness', id: missing.code, title: missing.code, params: {} })
  const today = ctx.today()
  for (const each of facts.returns.filter(({ applies }) => applies === true)) {
    const { model, period, dueFrom, dueTo, directDebitTo } = each
    const isPaid = !each.computed || (each.resultCents ?? 0) > 0
    const debitDays = directDebitTo === null ? -1 : daysBetween(today, directDebitTo)
    if (directDebitTo !== null && isPaid && debitDays >= 0 && debitDays <= DEBIT_DAYS)
      attention.push({
        kind: 'deadline',
        id: `${idOf(each)}-debit`,
        title: 'return_debit_due',
        params: { form: model, period, dueTo: directDebitTo, days: debitDays },
      })
    if (dueFrom <= today)
      attention.push({
        kind: 'deadline',
        id: idOf(each),
        title: 'return_due',
        params: { form: model, period, dueTo, days: daysBetween(today, dueTo) },
      })
  }
  counted('mail', 'mails_troubled', await ports.troubledMails(ctx))
  counted('reminder', 'reminders_ready', await ports.countReadyReminders(ctx))
  counted('webhook', 'webhooks_silenced', await ports.silencedWebhooks(ctx))
  const { waiting, troubled } = await ports.recurringAttention(ctx)
  counted('recurring', 'recurring_troubled', troubled)
  counted('recurring', 'recurring_waiting', waiting)
  counted('bank', 'movements_pending', facts.bankPending)
  counted('received', 'received_without_file', await ports.receivedWithoutFile(ctx))
  counted('unsigned', 'documents_unsigned', await ports.countSignable(ctx))
  counted('queue', 'records_waiting', registry.pending)
  if (!hasRecoveryCode(ctx.env.store))
    attention.push({ kind: 'recovery', title: 'recovery_unconfirmed', params: {} })
  return attention
}
