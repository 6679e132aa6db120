/** Bank rules: created by a person, or learned from accepted matches. */
import type { Selectable } from 'kysely'
import { recordAudit } from '../../platform/audit/index.ts'
import { softDelete } from '../../platform/trash/index.ts'
import { findContact } from '../../catalog/contacts/index.ts'
import { validationFailed } from '../../domain/errors/app-error.ts'
import { searchText } from '../../domain/text.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { prepare } from '../../db/query.ts'
import type { BankRulesTable } from '../../db/schema.ts'
import { checkedIban } from './accounts.ts'
import type {
  BankRule,
  createBankRuleContract,
  deleteBankRuleContract,
  listBankRulesContract,
  updateBankRuleContract,
} from './contract.ts'
import { textKeyOf, wordsOf } from './match/text.ts'
import type { RuleFacts } from './match/types.ts'
import type { TransactionRow } from './rows.ts'

type RuleRow = Selectable<BankRulesTable> & { contact_public_id: string | null; contact_name: string | null }

const rulesOfBook = prepare((db, p: { bookId: number }) =>
  db
    .selectFrom('bank_rules')
    .leftJoin('contacts', 'contacts.id', 'bank_rules.contact_id')
    .selectAll('bank_rules')
    .select(['contacts.public_id as contact_public_id', 'contacts.name as contact_name'])
    .where('bank_rules.book_id', '=', p.bookId)
    .orderBy('bank_rules.id'),
)

/** Returns the active rules of the book in the form the engine uses. */
export async function allRules(ctx: Ctx): Promise<RuleFacts[]> {
  const rows: RuleRow[] = await rulesOfBook.all(ctx.db, { bookId: ctx.book.id })
  return rows
    .filter((row) => row.active === 1)
    .map((row) => ({
      rowId: row.id,
      id: row.public_id,
      origin: row.origin,
      automatic: row.automatic === 1,
      direction: row.direction,
      counterpartyIban: row.counterparty_iban,
      textKey: row.text_key,
      ledgerAccount: row.ledger_account,
      contactRowId: row.contact_id,
      contactId: row.contact_public_id,
      contactName: row.contact_name,
      uses: row.uses,
    }))
}

function view(row: RuleRow): BankRule {
  return {
    id: row.public_id,
    origin: row.origin,
    automatic: row.automatic === 1,
    active: row.active === 1,
    direction: row.direction,
    counterpartyIban: row.counterparty_iban,
    textContains: row.text_key,
    ledgerAccount: row.ledger_account,
    contactId: row.contact_public_id,
    contactName: row.contact_name,
    uses: row.uses,
  }
}

async function findRule(ctx: Ctx, id: string): Promise<RuleRow> {
  const rows: RuleRow[] = await rulesOfBook.all(ctx.db, { bookId: ctx.book.id })
  return orNotFound(rows.find((row) => row.public_id === id))
}

export const listBankRules: UseCase<typeof listBankRulesContract> = async (ctx) => ({
  items: (await rulesOfBook.all(ctx.db, { bookId: ctx.book.id })).map((row) => view(row)),
})

interface Condition {
  counterpartyIban: string | null
  textKey: string | null
}

/** Rejects a rule without condition, which would match every movement. */
function assertCondition({ counterpartyIban, textKey }: Condition): void {
  if (counterpartyIban !== null || textKey !== null) return
  throw validationFailed([
    {
      code: 'rule_without_condition',
      field: 'textContains',
      severity: 'error',
      message: 'A rule needs words of the text, or an IBAN.',
      fix: 'Write words that all of these movements have.',
    },
  ])
}

const keyOf = (text: string | null | undefined): string | null =>
  wordsOf(searchText(text ?? '')).join(' ') || null

async function recordRuleChange(tx: Ctx, action: string, row: RuleRow): Promise<void> {
  await recordAudit(tx, {
    action,
    target: { type: 'bank_rule', id: row.public_id, label: row.text_key ?? row.counterparty_iban ?? '' },
  })
  await emitEvent(tx, 'bank.changed', { ruleId: row.public_id })
}

/** Creates a rule on behalf of a person. */
export const createBankRule: UseCase<typeof createBankRuleContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const condition = {
      counterpartyIban: checkedIban(input.counterpartyIban, 'counterpartyIban'),
      textKey: keyOf(input.textContains),
    }
    assertCondition(condition)
    const contact = input.contactId ? orNotFound(await findContact(tx, input.contactId)) : null
    const publicId = tx.newId('brl')
    await tx.db
      .insertInto('bank_rules')
      .values({
        book_id: tx.book.id,
        public_id: publicId,
        origin: 'person',
        automatic: input.automatic ? 1 : 0,
        direction: input.direction,
        counterparty_iban: condition.counterpartyIban,
        text_key: condition.textKey,
        ledger_account: input.ledgerAccount,
        contact_id: contact?.id ?? null,
        created_at: tx.now().getTime(),
      })
      .execute()
    const row = await findRule(tx, publicId)
    await recordRuleChange(tx, 'bank_rule.created', row)
    return view(row)
  })

/** Changes a rule; a learned rule becomes the person's own. */
export const updateBankRule: UseCase<typeof updateBankRuleContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const before = await findRule(tx, input.id)
    const condition = {
      counterpartyIban:
        input.counterpartyIban === undefined
          ? before.counterparty_iban
          : checkedIban(input.counterpartyIban, 'counterpartyIban'),
      textKey: input.textContains === undefined ? before.text_key : keyOf(input.textContains),
    }
    assertCondition(condition)
    const account = input.ledgerAccount ?? before.ledger_account
    const automatic = input.automatic ?? before.automatic === 1
    if (account === null && automatic)
      throw validationFailed([
        { code: 'required', field: 'ledgerAccount', severity: 'error', message: 'This field is required.' },
      ])
    const contact =
      input.contactId === undefined
        ? before.contact_id
        : input.contactId === null
          ? null
          : orNotFound(await findContact(tx, input.contactId)).id
    await tx.db
      .updateTable('bank_rules')
      .set({
        origin: 'person',
        automatic: automatic ? 1 : 0,
        active: input.active === undefined ? before.active : input.active ? 1 : 0,
        direction: input.direction ?? before.direction,
        counterparty_iban: condition.counterpartyIban,
        text_key: condition.textKey,
        ledger_account: account,
        contact_id: contact,
      })
      .where('id', '=', before.id)
      .execute()
    const row = await findRule(tx, input.id)
    await recordRuleChange(tx, 'bank_rule.updated', row)
    return view(row)
  })

export const deleteBankRule: UseCase<typeof deleteBankRuleContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    const row = await findRule(tx, id)
    await softDelete(tx, {
      rows: [{ table: 'bank_rules', id: row.id }],
      action: 'bank_rule.restored',
      target: { type: 'bank_rule', id: row.public_id, label: row.text_key ?? row.counterparty_iban ?? '' },
      event: { type: 'bank.changed', data: { ruleId: row.public_id } },
    })
    await recordRuleChange(tx, 'bank_rule.deleted', row)
    return { deleted: true }
  })

/** Lesson of a match: an account or a contact, recognized by the counterparty's IBAN or by the text. */
interface Lesson {
  ledgerAccount: string | null
  contactId: number | null
}

/**
 * Stores a match as a learned rule, or counts one more use. Returns the rule's row; null when nothing would identify
 * the next such movement.
 */
export async function learnRule(tx: Ctx, row: TransactionRow, lesson: Lesson): Promise<number | null> {
  const iban = row.counterparty_iban
  const textKey = iban === null ? textKeyOf(row.text, row.counterparty) : null
  // A contact is remembered by IBAN only, because its name in a text is recognized anyway.
  if (iban === null && (textKey === null || lesson.ledgerAccount === null)) return null
  const direction = row.amount_cents > 0 ? 'in' : 'out'
  const same = (await rulesOfBook.all(tx.db, { bookId: tx.book.id })).find(
    (rule) =>
      rule.direction === direction &&
      rule.counterparty_iban === iban &&
      rule.text_key === textKey &&
      rule.ledger_account === lesson.ledgerAccount &&
      rule.contact_id === lesson.contactId,
  )
  if (same) {
    await tx.db
      .updateTable('bank_rules')
      .set({ uses: same.uses + 1 })
      .where('id', '=', same.id)
      .execute()
    return same.id
  }
  const { id } = await tx.db
    .insertInto('bank_rules')
    .values({
      book_id: tx.book.id,
      public_id: tx.newId('brl'),
      origin: 'learned',
      direction,
      counterparty_iban: iban,
      text_key: textKey,
      ledger_account: lesson.ledgerAccount,
      contact_id: lesson.contactId,
      uses: 1,
      created_at: tx.now().getTime(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Takes back one use of a rule; deletes a learned rule without further uses. */
export async function releaseRule(tx: Ctx, ruleId: number | null): Promise<void> {
  if (ruleId === null) return
  const rule = await tx.db
    .selectFrom('bank_rules')
    .select(['id', 'uses', 'origin'])
    .where('id', '=', ruleId)
    .executeTakeFirst()
  if (!rule) return
  if (rule.uses <= 1 && rule.origin === 'learned')
    await tx.db.deleteFrom('bank_rules').where('id', '=', rule.id).execute()
  else
    await tx.db
      .updateTable('bank_rules')
      .set({ uses: Math.max(0, rule.uses - 1) })
      .where('id', '=', rule.id)
      .execute()
}
