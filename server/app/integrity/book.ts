/** Checks of one book: chains, numbers, sums, and outgoing queues. */
import { verifyAudit } from '../../platform/audit/index.ts'
import { combineProofs } from '../../domain/proof.ts'
import type { Proof } from '../../domain/proof.ts'
import type { Book, Ctx } from '../../context.ts'
import { verifyErpKeys } from '../../integrations/erp/index.ts'
import { verifyKeyModes, verifyKeys } from '../../platform/api-keys/index.ts'
import { verifyAuthority, verifyChain, verifyInstallations, verifyMark } from '../../registry/index.ts'
import { verifyWebhookSecrets } from '../../platform/webhooks/index.ts'
import { verifySummary } from '../summaries/index.ts'
import { checkOf, reportDamage } from './check.ts'
import type { Check } from './check.ts'
import { rowCheck } from './inspect.ts'
import { ROW_INVARIANTS } from './rows.ts'
import type { RowCheckName } from './rows.ts'

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

/** Returns the checks of a book, each run when called; the signal aborts a long one. */
export function checksOfBook(
  ctx: Ctx,
  { publicId, mode }: Book,
  signal?: AbortSignal,
): (() => Promise<Check>)[] {
  const ofRows = (name: RowCheckName) => (): Promise<Check> =>
    reportDamage(ROW_INVARIANTS[name], name, () => rowCheck(ctx, name, signal))
  const checks: (() => Promise<Check>)[] = [
    () =>
      reportDamage('I4', 'chain', async () =>
        checkOf('I4', 'chain', await provenChain(ctx), (n) => `${n} records, each linked to the one before.`),
      ),
    () =>
      reportDamage('I4', 'audit', async () =>
        checkOf('I4', 'audit', await provenAudit(ctx), (n) => `${n} events, each linked to the one before.`),
      ),
    ofRows('numbering'),
    // Only the file of a desk has a mark outside it: without one there is nothing to compare.
    ...(ctx.env.store.engine === 'sqlite'
      ? [
          () =>
            reportDamage('I3', 'mark', async () =>
              checkOf(
                'I3',
                'mark',
                await verifyMark(ctx),
                (n) => `${n} marks outside the books, none ahead of them.`,
              ),
            ),
        ]
      : []),
    ofRows('totals'),
    ofRows('documents'),
    ofRows('queue'),
    () =>
      reportDamage('I12', 'installation', async () =>
        checkOf(
          'I12',
          'installation',
          await verifyInstallations(ctx),
          () => 'The chain is this installation’s.',
        ),
      ),
    ofRows('confirmations'),
    () =>
      reportDamage('I8', 'apart', async () =>
        checkOf(
          'I8',
          'apart',
          combineProofs(await verifyKeyModes(ctx), await verifyAuthority(ctx)),
          () => 'Nothing of the other mode.',
        ),
      ),
    () =>
      reportDamage('I14', 'keys', async () =>
        checkOf('I14', 'keys', await verifyKeys(ctx), (n) => `${n} keys, each as it was made.`),
      ),
    ofRows('events'),
    () =>
      reportDamage('I7', 'sealed', async () =>
        checkOf(
          'I7',
          'sealed',
          combineProofs(await verifyErpKeys(ctx), await verifyWebhookSecrets(ctx)),
          (n) => `${n} connections and webhooks, their secrets open where they belong.`,
        ),
      ),
    ofRows('ledger'),
    ofRows('payments'),
    // The console shows live books.
    ...(mode === 'live'
      ? [
          () =>
            reportDamage('I16', 'summaries', async () =>
              checkOf('I16', 'summaries', await verifySummary(ctx), (n) =>
                n === 0 ? 'No summary claims to be current.' : 'The summary is what the ledgers say.',
              ),
            ),
        ]
      : []),
  ]
  return checks.map((prove) => async () => ({ ...(await prove()), book: `${publicId} (${mode})` }))
}
