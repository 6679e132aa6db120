/**
 * The steps that a second person can have to confirm: when each needs it, what of it is shown, what binds the
 * confirmation to what was shown, and how it is performed.
 */
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../../domain/canonical-json.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Ctx } from '../../../context.ts'
import { examineDraft, issuedRow, resolveInvoice } from '../../../sales/invoices/index.ts'
import { isLooser } from './rules.ts'
import type { SecondPersonRules } from './rules.ts'

/** What a card shows: the kind of the step, whom or what it is about, and its amount. */
export interface StepSummary {
  kind: 'issue' | 'closing' | 'bank_account' | 'rules'
  /** Name of the customer, of the account, or the period. */
  subject: string
  amountCents: number | null
  /** The record, if there is one. */
  targetId: string | null
}

export interface StepRequest {
  summary: StepSummary
  /** Changes when what would be done is no longer what was shown. */
  hash: Buffer
  /** The step that is asked for, if it is another one than the caller's. */
  instead?: { operation: string; input: Input }
}

type Input = Readonly<Record<string, unknown>>
/** Runs an operation as the caller of a context. */
export type Perform = (ctx: Ctx, operation: string, input: unknown) => Promise<unknown>

interface SecondPersonStep {
  /** Returns what a second person has to confirm; null if the caller alone is enough. */
  examine(ctx: Ctx, rules: SecondPersonRules, input: Input): Promise<StepRequest | null>
  /** The input of the call by the second person. */
  inputFor(ctx: Ctx, input: Input, perform: Perform): Promise<unknown>
}

const hashOf = (value: unknown): Buffer =>
  createHash('sha256')
    .update(canonicalJson(value as never))
    .digest()
const asGiven: SecondPersonStep['inputFor'] = async (_ctx, input) => input
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Steps that are bound to their input alone. */
function plain(
  applies: (rules: SecondPersonRules, input: Input) => boolean,
  summarize: (input: Input) => Pick<StepSummary, 'kind' | 'subject' | 'targetId'>,
): SecondPersonStep {
  return {
    examine: async (_ctx, rules, input) =>
      applies(rules, input)
        ? { summary: { amountCents: null, ...summarize(input) }, hash: hashOf(input) }
        : null,
    inputFor: asGiven,
  }
}

const closing = plain(
  ({ closing: isOn }) => isOn,
  (input) => ({
    kind: 'closing',
    subject: textOf(input.through) || textOf(input.date) || String((input.year as number | undefined) ?? ''),
    targetId: null,
  }),
)

const bankAccount = (subject: (input: Input) => string): SecondPersonStep =>
  plain(
    ({ bankAccounts }, input) => bankAccounts && input.iban !== undefined,
    (input) => ({ kind: 'bank_account', subject: subject(input), targetId: textOf(input.id) || null }),
  )

const issue: SecondPersonStep = {
  async examine(ctx, { issueAboveCents }, input) {
    if (issueAboveCents === null) return null
    const row = await resolveInvoice(ctx, textOf(input.id))
    // Whatever is wrong with it is the operation's to say.
    if (row.state !== 'draft') return null
    const { totals, hash } = await examineDraft(ctx, row, { withAlike: false })
    if (Math.abs(totals.totalCents) <= issueAboveCents) return null
    return {
      summary: {
        kind: 'issue',
        subject: row.client_name,
        amountCents: totals.totalCents,
        targetId: row.public_id,
      },
      hash,
    }
  },
  async inputFor(ctx, input, perform) {
    const validated = (await perform(ctx, 'invoices.validate', { id: input.id })) as {
      valid: boolean
      confirmation?: { confirmationToken: string }
    }
    // A token is the caller's own.
    if (!validated.confirmation) throw new AppError('second_person_stale')
    return { ...input, confirmationToken: validated.confirmation.confirmationToken }
  },
}

/** Annulments and amendments of invoices above the amount. */
const onIssued: SecondPersonStep = {
  async examine(ctx, { issueAboveCents }, input) {
    if (issueAboveCents === null) return null
    const row = await issuedRow(ctx, textOf(input.id))
    if (Math.abs(row.total_cents) <= issueAboveCents) return null
    const { confirmationToken: _token, ...what } = input
    return {
      summary: {
        kind: 'issue',
        subject: `${row.number ?? ''} ${row.client_name}`.trim(),
        amountCents: row.total_cents,
        targetId: row.public_id,
      },
      hash: hashOf({ what, version: row.version }),
    }
  },
  async inputFor(ctx, input, perform) {
    const isAmend = input.changes !== undefined
    const validated = (await perform(ctx, 'invoices.validate', {
      id: input.id,
      action: isAmend ? 'amend' : 'cancel',
      ...(isAmend ? { changes: input.changes } : {}),
    })) as { confirmation?: { confirmationToken: string } }
    if (!validated.confirmation) throw new AppError('second_person_stale')
    return { ...input, confirmationToken: validated.confirmation.confirmationToken }
  },
}

/**
 * A yes to what a key asks for. The key of somebody else has brought a second person along; the own key, and one that
 * belongs to nobody, has not.
 */
const approval: SecondPersonStep = {
  async examine(ctx, { issueAboveCents }, { id, decision }) {
    if (issueAboveCents === null || decision !== 'approve') return null
    const row = await ctx.db
      .selectFrom('approvals')
      .innerJoin('api_keys', 'api_keys.id', 'approvals.key_id')
      .innerJoin('invoices', 'invoices.id', 'approvals.invoice_id')
      .select(['approvals.action', 'api_keys.person_id', 'invoices.public_id', 'invoices.total_cents'])
      .where('approvals.book_id', '=', ctx.book.id)
      .where('approvals.public_id', '=', textOf(id))
      .executeTakeFirst()
    if (!row || (row.person_id !== null && row.person_id !== ctx.actor.id)) return null
    if (row.action !== 'issue') {
      if (Math.abs(row.total_cents ?? 0) <= issueAboveCents) return null
      throw new AppError('second_person_needed')
    }
    const input = { id: row.public_id }
    const asked = await issue.examine(
      ctx,
      { issueAboveCents, closing: false, bankAccounts: false, version: 0 },
      input,
    )
    return asked && { ...asked, instead: { operation: 'invoices.issue', input } }
  },
  inputFor: asGiven,
}

const rules: SecondPersonStep = {
  async examine(_ctx, before, input) {
    const after = input as { issueAbove?: number | null; closing: boolean; bankAccounts: boolean }
    const looser = isLooser(before, {
      issueAboveCents:
        after.issueAbove === null || after.issueAbove === undefined
          ? null
          : Math.round(after.issueAbove * 100),
      closing: after.closing,
      bankAccounts: after.bankAccounts,
    })
    return looser
      ? {
          summary: { kind: 'rules', subject: '', amountCents: null, targetId: null },
          hash: hashOf({ input, version: before.version }),
        }
      : null
  },
  inputFor: asGiven,
}

export const STEPS: Readonly<Record<string, SecondPersonStep>> = {
  'invoices.issue': issue,
  'invoices.cancel': onIssued,
  'approvals.decide': approval,
  'ledger.lock': closing,
  'ledger.closeYear': closing,
  'ledger.reopenYear': closing,
  'bank.createAccount': bankAccount((input) => textOf(input.name)),
  'bank.updateAccount': bankAccount((input) => textOf(input.iban)),
  'debits.saveCreditor': bankAccount((input) => textOf(input.iban)),
  'company.update': bankAccount((input) => textOf(input.iban)),
  'people.setSecondPersonRules': rules,
}
