/**
 * The steps that a second person can have to confirm: when each needs it, what of it is shown, what binds the
 * confirmation to what was shown, and how it is performed.
 */
import { createHash } from 'node:crypto'
import { lockedUntil } from '../../../accounting/ledger/index.ts'
import { canonicalJson } from '../../../domain/canonical-json.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Ctx } from '../../../context.ts'
import { eurosFromCents } from '../../../domain/money.ts'
import {
  amendedFacts,
  requestedChanges,
  examineDraft,
  issuedRow,
  resolveInvoice,
} from '../../../sales/invoices/index.ts'
import { bankAccountBefore, companyAccountBefore, creditorAccountBefore } from './accounts.ts'
import type { AccountBefore } from './accounts.ts'
import { isLooser } from './rules.ts'
import type { SecondPersonRules } from './rules.ts'

type FactValue = string | number | boolean | null

/** Something that would be written; with `before` in place of what. Amounts are in euros. */
interface StepFact {
  name: string
  before?: FactValue
  value: FactValue
}

/** The rule that asks for a second person; of invoices with its amount in cents. */
interface StepRule {
  name: 'issue_above' | 'closing' | 'bank_accounts' | 'looser'
  aboveCents?: number
}

/** What a card shows: the kind of the step, whom or what it is about, its amount, and all that would be written. */
export interface StepSummary {
  kind: 'issue' | 'cancel' | 'amend' | 'closing' | 'bank_account' | 'rules'
  /** Name of the customer, of the account, or the period. */
  subject: string
  amountCents: number | null
  /** The record, if there is one. */
  targetId: string | null
  facts: StepFact[]
  rule: StepRule
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

/** Steps that are bound to their input, and to what they replace. */
function plain(
  applies: (rules: SecondPersonRules, input: Input) => boolean,
  summarize: (ctx: Ctx, input: Input) => Promise<Omit<StepSummary, 'amountCents'>>,
): SecondPersonStep {
  return {
    examine: async (ctx, rules, input) => {
      if (!applies(rules, input)) return null
      const summary = { amountCents: null, ...(await summarize(ctx, input)) }
      return { summary, hash: hashOf({ input, facts: summary.facts }) }
    },
    inputFor: asGiven,
  }
}

const closing = (factOf: (ctx: Ctx, input: Input) => Promise<StepFact>): SecondPersonStep =>
  plain(
    ({ closing: isOn }) => isOn,
    async (ctx, input) => {
      const fact = await factOf(ctx, input)
      return {
        kind: 'closing',
        subject: String(fact.value ?? ''),
        targetId: null,
        facts: [fact],
        rule: { name: 'closing' },
      }
    },
  )
const ofYear =
  (name: string) =>
  async (_ctx: Ctx, { year }: Input): Promise<StepFact> => ({
    name,
    value: (year as number | undefined) ?? null,
  })

const bankAccount = (read: (ctx: Ctx, input: Input) => Promise<AccountBefore>): SecondPersonStep =>
  plain(
    ({ bankAccounts }, input) => bankAccounts && input.iban !== undefined,
    async (ctx, input) => {
      const before = await read(ctx, input)
      return {
        kind: 'bank_account',
        subject: textOf(input.name) || (before.name ?? ''),
        targetId: textOf(input.id) || null,
        facts: [
          ...(before.name !== null && input.name === undefined ? [{ name: 'name', value: before.name }] : []),
          { name: 'iban', before: before.iban, value: textOf(input.iban) || null },
        ],
        rule: { name: 'bank_accounts' },
      }
    },
  )

const issue: SecondPersonStep = {
  async examine(ctx, { issueAboveCents }, input) {
    if (issueAboveCents === null) return null
    const row = await resolveInvoice(ctx, textOf(input.id))
    // Whatever is wrong with it is the operation's to say.
    if (row.state !== 'draft') return null
    const { totals, hash, content, issueDate, number } = await examineDraft(ctx, row, { withAlike: false })
    if (Math.abs(totals.totalCents) <= issueAboveCents) return null
    const named = content.references.map((one) => one.number ?? '').filter(Boolean)
    return {
      summary: {
        kind: 'issue',
        subject: row.client_name,
        amountCents: totals.totalCents,
        targetId: row.public_id,
        facts: [
          { name: 'number', value: number },
          ...(named.length > 0 ? [{ name: 'rectifies', value: named.join(', ') }] : []),
          { name: 'client', value: row.client_name },
          { name: 'nif', value: content.client.nif },
          { name: 'issueDate', value: issueDate },
          { name: 'base', value: eurosFromCents(totals.baseCents) },
          { name: 'tax', value: eurosFromCents(totals.taxCents) },
          { name: 'total', value: eurosFromCents(totals.totalCents) },
        ],
        rule: { name: 'issue_above', aboveCents: issueAboveCents },
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

/** Annulments and amendments of invoices above the amount. The changes of an amendment are those of its token. */
const onIssued = (action: 'cancel' | 'amend'): SecondPersonStep => ({
  async examine(ctx, { issueAboveCents }, input) {
    if (issueAboveCents === null) return null
    const row = await issuedRow(ctx, textOf(input.id))
    if (Math.abs(row.total_cents) <= issueAboveCents) return null
    const { confirmationToken, ...given } = input
    const what =
      action === 'amend' && given.changes === undefined
        ? { ...given, changes: await requestedChanges(ctx, row, textOf(confirmationToken)) }
        : given
    // Whatever is wrong with the token is the operation's to say.
    if (action === 'amend' && what.changes === null) return null
    return {
      summary: {
        kind: action,
        subject: `${row.number ?? ''} ${row.client_name}`.trim(),
        amountCents: row.total_cents,
        targetId: row.public_id,
        facts: [
          { name: 'number', value: row.number },
          { name: 'client', value: row.client_name },
          { name: 'total', value: eurosFromCents(row.total_cents) },
          ...(action === 'amend' ? await amendedFacts(ctx, row, what.changes) : []),
          ...(textOf(given.reason) ? [{ name: 'reason', value: textOf(given.reason) }] : []),
        ],
        rule: { name: 'issue_above', aboveCents: issueAboveCents },
      },
      hash: hashOf({ what, version: row.version }),
      ...(action === 'amend' ? { instead: { operation: 'invoices.amend', input: what } } : {}),
    }
  },
  async inputFor(ctx, { changes, ...input }, perform) {
    const validated = (await perform(ctx, 'invoices.validate', {
      id: input.id,
      action,
      ...(action === 'amend' ? { changes } : {}),
    })) as { confirmation?: { confirmationToken: string } }
    if (!validated.confirmation) throw new AppError('second_person_stale')
    return { ...input, confirmationToken: validated.confirmation.confirmationToken }
  },
})

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
    const issueAboveCents =
      after.issueAbove === null || after.issueAbove === undefined ? null : Math.round(after.issueAbove * 100)
    if (!isLooser(before, { issueAboveCents, closing: after.closing, bankAccounts: after.bankAccounts }))
      return null
    const euros = (cents: number | null): number | null => (cents === null ? null : eurosFromCents(cents))
    return {
      summary: {
        kind: 'rules',
        subject: '',
        amountCents: null,
        targetId: null,
        facts: [
          { name: 'issueAbove', before: euros(before.issueAboveCents), value: euros(issueAboveCents) },
          { name: 'closing', before: before.closing, value: after.closing },
          { name: 'bankAccounts', before: before.bankAccounts, value: after.bankAccounts },
        ],
        rule: { name: 'looser' },
      },
      hash: hashOf({ input, version: before.version }),
    }
  },
  inputFor: asGiven,
}

export const STEPS: Readonly<Record<string, SecondPersonStep>> = {
  'invoices.issue': issue,
  'invoices.cancel': onIssued('cancel'),
  'invoices.amend': onIssued('amend'),
  'approvals.decide': approval,
  'ledger.lock': closing(async (ctx, { until }) => ({
    name: 'lockedUntil',
    before: await lockedUntil(ctx),
    value: textOf(until) || null,
  })),
  'ledger.closeYear': closing(ofYear('closedYear')),
  'ledger.reopenYear': closing(ofYear('reopenedYear')),
  'bank.createAccount': bankAccount(async () => ({ name: null, iban: null })),
  'bank.updateAccount': bankAccount((ctx, { id }) => bankAccountBefore(ctx, textOf(id))),
  'debits.saveCreditor': bankAccount((ctx) => creditorAccountBefore(ctx)),
  'company.update': bankAccount((ctx) => companyAccountBefore(ctx)),
  'people.setSecondPersonRules': rules,
}
