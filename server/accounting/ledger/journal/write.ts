/** Manual entries: validated completely before anything is booked. */
import { recordAudit } from '../../../platform/audit/index.ts'
import type { ContractInput } from '../../../domain/contract/define-contract.ts'
import type { removeWrittenContract, writeEntryContract } from '../contract.ts'
import { AppError, validationFailed } from '../../../domain/errors/app-error.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import { centsFromEuros } from '../../../domain/money.ts'
import { orNotFound } from '../../../context.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { findAccountRow } from '../chart/accounts.ts'
import { isPlanAccount } from '../chart/chart.ts'
import { dayText } from './days.ts'
import { entryIdOf } from './entry-id.ts'
import { findEntryRow, getEntry } from './journal.ts'
import type { EntryRow } from './journal.ts'
import { assertOpenPeriod } from '../years/lock.ts'
import type { EntryLine } from '../mapping/entry.ts'
import { dropEntry, postAsWritten } from './post.ts'
import { SOURCE_TYPES } from './sources.ts'

type WrittenLine = ContractInput<typeof writeEntryContract>['lines'][number]

function fault(code: string, field: string, message: string, fix: string): Fault {
  return { code, field, severity: 'error', message, fix }
}

/** Returns the signed amount of a line; adds a fault when both sides or none are filled. */
function amountOf(line: WrittenLine, field: string, faults: Fault[]): number {
  const debit = centsFromEuros(line.debit ?? 0) ?? 0
  const credit = centsFromEuros(line.credit ?? 0) ?? 0
  if (debit !== 0 && credit !== 0)
    faults.push(
      fault('line_two_sides', field, 'A line is in the debit or in the credit.', 'Leave one of them empty.'),
    )
  else if (debit === 0 && credit === 0)
    faults.push(fault('line_empty', field, 'The line has no amount.', 'Give it one, or remove the line.'))
  return debit - credit
}

async function contactRow(ctx: Ctx, id: string | null | undefined): Promise<number | null | undefined> {
  if (id === undefined || id === null) return null
  const row = await ctx.db
    .selectFrom('contacts')
    .select('id')
    .where('public_id', '=', id)
    .where('book_id', '=', ctx.book.id)
    .executeTakeFirst()
  return row?.id
}

/** Converts lines for posting. Throws `validation_failed` with all faults. */
async function checkLines(ctx: Ctx, lines: readonly WrittenLine[]): Promise<EntryLine[]> {
  const faults: Fault[] = []
  const checked: EntryLine[] = []
  for (const [index, line] of lines.entries()) {
    const field = `lines[${index}]`
    const amountCents = amountOf(line, `${field}.debit`, faults)
    const row = await findAccountRow(ctx, line.account)
    if (!row && !isPlanAccount(line.account))
      faults.push(
        fault(
          'account_unknown',
          `${field}.account`,
          'There is no account with that code.',
          'Choose one of the chart, or add it first.',
        ),
      )
    else if (row?.active === 0)
      faults.push(
        fault(
          'account_inactive',
          `${field}.account`,
          'The account is out of use.',
          'Choose another, or put it into use again.',
        ),
      )
    const contactId = await contactRow(ctx, line.contactId)
    if (contactId === undefined)
      faults.push(
        fault('contact_unknown', `${field}.contactId`, 'There is no such contact.', 'Choose another.'),
      )
    checked.push({ account: line.account, amountCents, contactId: contactId ?? null })
  }
  const balance = checked.reduce((sum, line) => sum + line.amountCents, 0)
  if (balance !== 0)
    faults.push({
      ...fault('entry_unbalanced', 'lines', 'Debits and credits differ.', 'Make both sums equal.'),
      params: { difference: (Math.abs(balance) / 100).toFixed(2) },
    })
  if (faults.length > 0) throw validationFailed(faults)
  return checked
}

async function dropWritten(ctx: Ctx, row: EntryRow, types: readonly number[]): Promise<void> {
  // An opening or settlement created by a closing has a source; one written by a person has none.
  if (!types.includes(row.source_type) || row.source_id !== null)
    throw new AppError('entry_generated', { details: { id: entryIdOf(ctx.book, row.id) } })
  await assertOpenPeriod(ctx, dayText(row.day))
  await dropEntry(ctx, row.id)
}

/** Writes a manual entry, or replaces one. */
export const writeEntry: UseCase<typeof writeEntryContract> = async (ctx, { id, date, text, lines }) =>
  ctx.transaction(async (tx) => {
    if (id !== undefined) await dropWritten(tx, await findEntryRow(tx, id), [SOURCE_TYPES.manual])
    const row = orNotFound(
      await postAsWritten(tx, {
        date,
        source: { type: 'manual', id: null },
        text: text.trim(),
        lines: await checkLines(tx, lines),
      }),
    )
    const entryId = entryIdOf(tx.book, row)
    await recordAudit(tx, {
      action: id === undefined ? 'ledger.entry_written' : 'ledger.entry_replaced',
      target: { type: 'entry', id: entryId, label: text.trim() },
    })
    await emitEvent(tx, 'ledger.changed', { entryId })
    return getEntry(tx, { id: entryId })
  })

const REMOVABLE = [
  SOURCE_TYPES.manual,
  SOURCE_TYPES.opening,
  SOURCE_TYPES.vat_settlement,
  SOURCE_TYPES.vat_adjustment,
]

/** Removes a manual entry, opening or settlement; entries of documents are removed with their documents. */
export const removeWritten: UseCase<typeof removeWrittenContract> = async (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    const row = await findEntryRow(tx, id)
    await dropWritten(tx, row, REMOVABLE)
    await recordAudit(tx, {
      action: 'ledger.entry_removed',
      target: { type: 'entry', id, ...(row.text === null ? {} : { label: row.text }) },
    })
    await emitEvent(tx, 'ledger.changed', { entryId: id })
    return { removed: true as const }
  })
