/** Warns before the certificate expires: with 30, 15, 7 and 1 days left, and after expiry. */
import { recordAudit } from '../../platform/audit/index.ts'
import type { Ctx } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { activeCertificate, recordWarning, warnedSteps } from './rows.ts'
import type { CertificateRow } from './rows.ts'
import { daysLeftOf, expiryDay, hasExpired } from './state.ts'

/** Days left, the last step first. 0 is the expiry itself. */
const STEPS = [0, 1, 7, 15, 30]

/** Returns the step that a certificate has reached, or null while its expiry is far away. Missed steps are skipped. */
function stepOf(row: CertificateRow, now: Date): number | null {
  if (hasExpired(row.valid_to, now)) return 0
  const daysLeft = daysLeftOf(row.valid_to, now)
  return STEPS.find((step) => step > 0 && step >= daysLeft) ?? null
}

async function stepToWarnOf(ctx: Ctx): Promise<{ row: CertificateRow; step: number } | null> {
  const row = await activeCertificate(ctx)
  const step = row && stepOf(row, ctx.now())
  if (!row || step === null) return null
  // A later step was reported already if the clock was set back.
  const isTold = (await warnedSteps(ctx, row.id)).some((told) => told <= step)
  return isTold ? null : { row, step }
}

/**
 * Warns the book of the context, once for each step, that its company's certificate is about to expire or has
 * expired.
 */
export async function watchCertificates(ctx: Ctx): Promise<void> {
  if (!(await stepToWarnOf(ctx))) return
  await ctx.transaction(async (tx) => {
    const due = await stepToWarnOf(tx)
    if (!due) return
    const { row, step } = due
    await recordWarning(tx, row.id, step)
    const hasEnded = step === 0
    await recordAudit(tx, {
      action: hasEnded ? 'certificate.expired' : 'certificate.expiring',
      target: { type: 'certificate', id: row.public_id, label: row.holder_name },
    })
    const expiresOn = expiryDay(row.valid_to)
    if (hasEnded) await emitEvent(tx, 'certificate.expired', { expiresOn })
    else
      await emitEvent(tx, 'certificate.expiring', { daysLeft: daysLeftOf(row.valid_to, tx.now()), expiresOn })
  })
}
