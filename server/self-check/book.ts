/** Checks of one book: its chains, numbers, sums, and the queues that lead out of it. */
import { verifyAudit } from '../audit/index.ts'
import { proofOf } from '../core/proof.ts'
import type { Proof } from '../core/proof.ts'
import type { Book, Ctx } from '../ctx.ts'
import { verifyErpKeys } from '../erp/index.ts'
import { verifyConfirmations, verifyNumbering, verifyTotals } from '../invoices/index.ts'
import { verifyKeys } from '../keys/index.ts'
import { verifyLedger } from '../ledger/index.ts'
import { verifyPayments } from '../payments/index.ts'
import {
  verifyAuthority,
  verifyChain,
  verifyInstallations,
  verifyMark,
  verifyQueue,
} from '../registry/index.ts'
import { verifyDeliveries, verifyWebhookSecrets } from '../webhooks/index.ts'
import { checkOf } from './check.ts'
import type { Check } from './check.ts'

async function provenChain(ctx: Ctx): Promise<Proof> {
  const { records, broken } = await verifyChain(ctx, {})
  if (!broken) return { checked: records, faults: [] }
  const number = broken.number === '' ? '' : ` (${broken.number})`
  return { checked: records, faults: [`Record ${broken.sequence}${number}: ${broken.why}.`] }
}

async function provenAudit(ctx: Ctx): Promise<Proof> {
  const { events, broken } = await verifyAudit(ctx, {})
  return { checked: events, faults: broken ? [`${broken.id}: ${broken.why}.`] : [] }
}

/** The checks of a book, each run when it is called. */
export function checksOfBook(ctx: Ctx, { publicId, mode }: Book): (() => Promise<Check>)[] {
  const checks: (() => Promise<Check>)[] = [
    async () =>
      checkOf('I4', 'chain', await provenChain(ctx), (n) => `${n} records, each linked to the one before.`),
    async () =>
      checkOf('I4', 'audit', await provenAudit(ctx), (n) => `${n} events, each linked to the one before.`),
    async () => checkOf('I3', 'numbering', await verifyNumbering(ctx), (n) => `${n} numbers without gaps.`),
    async () =>
      checkOf(
        'I3',
        'mark',
        await verifyMark(ctx),
        (n) => `${n} marks outside the books, none ahead of them.`,
      ),
    async () =>
      checkOf('I2', 'totals', await verifyTotals(ctx), (n) => `${n} invoices add up, as they were issued.`),
    async () =>
      checkOf('I5', 'queue', await verifyQueue(ctx), (n) => `${n} records, each answered or on its way.`),
    async () =>
      checkOf(
        'I12',
        'installation',
        await verifyInstallations(ctx),
        () => 'The chain is this installation’s.',
      ),
    async () =>
      checkOf('I6', 'confirmations', await verifyConfirmations(ctx), (n) => `${n} tokens, each spent once.`),
    async () =>
      checkOf(
        'I8',
        'apart',
        proofOf(await verifyKeys(ctx), await verifyAuthority(ctx)),
        () => 'Nothing of the other mode.',
      ),
    async () =>
      checkOf('I9', 'events', await verifyDeliveries(ctx), (n) => `${n} events and deliveries, none lost.`),
    async () =>
      checkOf(
        'I7',
        'sealed',
        proofOf(await verifyErpKeys(ctx), await verifyWebhookSecrets(ctx)),
        (n) => `${n} connections and webhooks, their secrets open where they belong.`,
      ),
    async () => checkOf('I16', 'ledger', await verifyLedger(ctx), (n) => `${n} entries balance.`),
    async () =>
      checkOf('I16', 'payments', await verifyPayments(ctx), (n) => `${n} payments are what they settle.`),
  ]
  return checks.map((prove) => async () => ({ ...(await prove()), book: `${publicId} (${mode})` }))
}
