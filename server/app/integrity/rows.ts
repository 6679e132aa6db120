/**
 * Checks that read only a book's rows, so that a worker with its own connection can run them. Checks that seal, store
 * their outcome or read files are not included.
 */
import { combineProofs } from '../../domain/proof.ts'
import type { Ctx } from '../../context.ts'
import { verifyFiles } from '../../platform/attachments/index.ts'
import { verifyEvents } from '../../platform/events/index.ts'
import {
  verifyConfirmations,
  verifyDocuments,
  verifyNumbering,
  verifyTotals,
} from '../../sales/invoices/index.ts'
import { verifyLedger } from '../../accounting/ledger/index.ts'
import { verifyMails } from '../../documents/mail/index.ts'
import { verifyExchange } from '../../integrations/exchange/index.ts'
import { verifyPayments } from '../../accounting/payments/index.ts'
import { verifyQueue, verifyReplies } from '../../registry/index.ts'
import { verifyDeliveries } from '../../platform/webhooks/index.ts'
import { checkOf } from './check.ts'
import type { Check } from './check.ts'
import type { Invariant } from './invariants.ts'

type RowCheck = (ctx: Ctx) => Promise<Check>

export const ROW_CHECKS = {
  numbering: async (ctx) =>
    checkOf('I3', 'numbering', await verifyNumbering(ctx), (n) => `${n} numbers without gaps.`),
  totals: async (ctx) =>
    checkOf('I2', 'totals', await verifyTotals(ctx), (n) => `${n} invoices add up, as they were issued.`),
  queue: async (ctx) =>
    checkOf(
      'I5',
      'queue',
      combineProofs(await verifyQueue(ctx), await verifyReplies(ctx)),
      (n) => `${n} records and replies, each record answered or on its way.`,
    ),
  confirmations: async (ctx) =>
    checkOf('I6', 'confirmations', await verifyConfirmations(ctx), (n) => `${n} tokens, each spent once.`),
  events: async (ctx) =>
    checkOf(
      'I9',
      'events',
      combineProofs(await verifyEvents(ctx), await verifyDeliveries(ctx)),
      (n) => `${n} events and deliveries, none lost.`,
    ),
  documents: async (ctx) =>
    checkOf(
      'I2',
      'documents',
      combineProofs(
        await verifyDocuments(ctx),
        await verifyFiles(ctx),
        await verifyMails(ctx),
        await verifyExchange(ctx),
      ),
      (n) => `${n} documents and files, as they were kept.`,
    ),
  ledger: async (ctx) => checkOf('I16', 'ledger', await verifyLedger(ctx), (n) => `${n} entries balance.`),
  payments: async (ctx) =>
    checkOf('I16', 'payments', await verifyPayments(ctx), (n) => `${n} payments are what they settle.`),
} satisfies Record<string, RowCheck>

export type RowCheckName = keyof typeof ROW_CHECKS

/** Invariant of each check. */
export const ROW_INVARIANTS: Record<RowCheckName, Invariant> = {
  numbering: 'I3',
  totals: 'I2',
  documents: 'I2',
  queue: 'I5',
  confirmations: 'I6',
  events: 'I9',
  ledger: 'I16',
  payments: 'I16',
}
