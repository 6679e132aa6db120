/** Enters, changes and voids received invoices: rows, files, tax totals, ledger and history in one transaction. */
import { recordAudit } from '../../platform/audit/index.ts'
import { filesOf, findFile, linkFile } from '../../platform/attachments/index.ts'
import { findCompany } from '../../company/index.ts'
import { contactFacts, findContactByNif } from '../../catalog/contacts/index.ts'
import type { ContactFacts } from '../../catalog/contacts/index.ts'
import type { ContractInput } from '../../domain/contract/define-contract.ts'
import { quarterOf } from '../../domain/dates.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import { eurosFromCents } from '../../domain/money.ts'
import { normalizeNif } from '../../domain/tax/nif.ts'
import { orNotFound } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { inputOfReceived } from './again.ts'
import { composeReceived } from './compose.ts'
import type { Composed } from './compose.ts'
import { receptionNumber, sumsOf } from './content.ts'
import type { ReceivedContent } from './content.ts'
import type {
  createReceivedContract,
  previewReceivedContract,
  ReceivedInput,
  restoreReceivedContract,
  updateReceivedContract,
  voidReceivedContract,
} from './contract.ts'
import { error } from '../fault.ts'
import { learnAgain, relearn, shownOfEntry, unlearn } from '../memory/index.ts'
import type { TaughtEntry } from '../memory/index.ts'
import { post, unpost } from './post.ts'
import {
  contentOfReceived,
  findDuplicate,
  findReceived,
  insertReceived,
  markEntered,
  markVoid,
  rewriteReceived,
  usualOf,
  writeFileCount,
} from './rows.ts'
import type { ReceivedRow } from './rows.ts'
import { RECEIVED_TARGET, receivedView, taxLineView } from './view.ts'

async function contactOf(ctx: Ctx, input: ReceivedInput): Promise<ContactFacts | null> {
  if (input.supplierId) {
    const contact = await contactFacts(ctx, input.supplierId)
    if (contact) return contact
    throw validationFailed([
      error('contact_unknown', 'supplierId', 'There is no such contact.', 'Leave it out or take another.'),
    ])
  }
  return input.supplierNif ? findContactByNif(ctx, input.supplierNif) : null
}

async function compose(ctx: Ctx, input: ReceivedInput): Promise<Composed> {
  const contact = await contactOf(ctx, input)
  const nif = input.supplierNif === undefined ? (contact?.nif ?? null) : input.supplierNif
  const usual = await usualOf(ctx, nif === null ? null : normalizeNif(nif))
  return composeReceived(input, {
    today: ctx.today(),
    company: await findCompany(ctx),
    contact,
    usualConcept: usual?.concept ?? null,
  })
}

const errorsOf = (faults: readonly Fault[]): Fault[] => faults.filter(({ severity }) => severity === 'error')
const warningsOf = (faults: readonly Fault[]): Fault[] =>
  faults.filter(({ severity }) => severity === 'warning')

/** Throws `validation_failed` with every error, or `received_duplicate`. */
async function assertEnterable(
  ctx: Ctx,
  { content, faults }: Composed,
  options: { allowDuplicate: boolean; exceptRowId: number | null },
): Promise<void> {
  const errors = errorsOf(faults)
  if (errors.length > 0) throw validationFailed(errors)
  if (options.allowDuplicate) return
  const twin = await findDuplicate(ctx, content, options.exceptRowId)
  if (twin) throw new AppError('received_duplicate', { field: 'supplierNumber', details: { existing: twin } })
}

async function attach(
  ctx: Ctx,
  rowId: number,
  attachments: readonly string[],
  already: ReadonlySet<string>,
): Promise<number> {
  let linked = 0
  for (const [index, id] of attachments.entries()) {
    if (already.has(id)) continue
    const file = await findFile(ctx, id)
    if (!file)
      throw validationFailed([
        error(
          'attachment_unknown',
          `attachments[${index}]`,
          'There is no such attachment.',
          'Upload the file first and send the id of the answer.',
        ),
      ])
    if (await linkFile(ctx, file.id, { type: RECEIVED_TARGET, id: rowId })) linked += 1
  }
  return linked
}

/** Writes the history and notifies the window. */
export async function recordReceivedChange(ctx: Ctx, action: string, row: ReceivedRow): Promise<void> {
  const label = `${receptionNumber(row.year, row.sequence)} ${row.supplier_name}`
  await recordAudit(ctx, { action, target: { type: 'received', id: row.public_id, label } })
  await emitEvent(ctx, 'received.changed', { receivedId: row.public_id })
}

/** Enters a received invoice. */
export const createReceived: UseCase<typeof createReceivedContract> = (
  ctx,
  { allowDuplicate = false, ...input },
) =>
  ctx.transaction(async (tx) => {
    const composed = await compose(tx, input)
    await assertEnterable(tx, composed, { allowDuplicate, exceptRowId: null })
    await tx.env.ledger.assertOpenPeriod(tx, composed.content.receptionDate, 'receptionDate')
    let row = await insertReceived(tx, composed.content)
    const files = await attach(tx, row.id, input.attachments ?? [], new Set())
    if (files > 0) row = await writeFileCount(tx, row, files, row.version)
    await post(tx, { rowId: row.id, content: composed.content, files })
    await recordReceivedChange(tx, 'received.entered', row)
    return { ...(await receivedView(tx, row)), warnings: warningsOf(composed.faults) }
  })

async function assertNotBelowPaid(before: ReceivedRow, after: ReceivedContent): Promise<void> {
  if (before.paid_cents === 0) return
  const { payableCents } = sumsOf(after)
  if (
    Math.sign(payableCents) === Math.sign(before.paid_cents) &&
    Math.abs(payableCents) >= Math.abs(before.paid_cents)
  )
    return
  throw validationFailed([
    error(
      'below_paid',
      'taxLines',
      'It would be less than what has been paid of it.',
      'Remove the payments first.',
      { paid: eurosFromCents(before.paid_cents), payable: eurosFromCents(payableCents) },
    ),
  ])
}

/** Rejects a change of the year: it would need another number, and the present one would be missing. */
function assertSameYear(before: ReceivedRow, after: ReceivedContent): void {
  if (Number(after.receptionDate.slice(0, 4)) === before.year) return
  throw validationFailed([
    error(
      'reception_year_fixed',
      'receptionDate',
      'Its reception number is of another year.',
      'Void it and enter it anew in the right year.',
      { year: before.year },
    ),
  ])
}

/**
 * Returns a received invoice in force, also of an earlier program. Throws `not_found`, `received_void`,
 * `version_conflict`.
 */
export async function receivedInForce(
  ctx: Ctx,
  { id, expectedVersion }: { id: string; expectedVersion?: number | undefined },
): Promise<ReceivedRow> {
  const row = orNotFound(await findReceived(ctx, id))
  if (row.state === 'void') throw new AppError('received_void', { details: { id: row.public_id } })
  if (expectedVersion !== undefined && expectedVersion !== row.version)
    throw new AppError('version_conflict', { details: { version: row.version } })
  return row
}

type Changes = Omit<ContractInput<typeof updateReceivedContract>, 'id' | 'expectedVersion' | 'allowDuplicate'>

/**
 * Returns the received invoice to change. Throws `before_these_books` for one of an earlier program: its move counted it as
 * its file says, and takes it back as a whole.
 */
async function changeable(ctx: Ctx, named: Parameters<typeof receivedInForce>[1]): Promise<ReceivedRow> {
  const row = await receivedInForce(ctx, named)
  if (row.state === 'history') throw new AppError('before_these_books', { details: { id: row.public_id } })
  return row
}

/** Merges the changes into the entered input; values of the whole document are applied to its lines. */
function changedInput(before: ReceivedInput, changes: Changes): ReceivedInput {
  const merged = { ...before, ...changes } as ReceivedInput
  if (changes.supplier) {
    const { idType, ...rest } = before.supplier ?? {}
    const isElsewhere = changes.supplier.country !== undefined && changes.supplier.country !== rest.country
    // The type of identifier belongs to the country it was given with.
    merged.supplier = {
      ...rest,
      ...(isElsewhere || idType === undefined ? {} : { idType }),
      ...changes.supplier,
    }
  }
  if (changes.taxLines !== undefined) return merged
  const { concept, account, investmentGood } = changes
  const isGiven = concept != null || account != null || investmentGood !== undefined
  if (!isGiven) return merged
  merged.taxLines = before.taxLines.map((line) => {
    const { concept: oldConcept, account: oldAccount, investmentGood: oldGood, ...rest } = line
    return {
      ...rest,
      ...(concept == null && oldConcept !== undefined ? { concept: oldConcept } : {}),
      ...(account == null && concept == null && investmentGood === undefined && oldAccount !== undefined
        ? { account: oldAccount }
        : {}),
      ...(account == null ? {} : { account }),
      ...(investmentGood === undefined && oldGood !== undefined ? { investmentGood: oldGood } : {}),
    }
  })
  return merged
}

/** Returns an entry as it teaches of its supplier's documents. */
export async function taughtEntry(ctx: Ctx, row: ReceivedRow): Promise<TaughtEntry> {
  const content = await contentOfReceived(ctx.db, row)
  return { nif: row.supplier_nif, input: inputOfReceived(await receivedView(ctx, row), content) }
}

/** Changes a received invoice: removes its old state from the tax totals and the ledger, and adds the new one. */
export const updateReceived: UseCase<typeof updateReceivedContract> = (
  ctx,
  { id, expectedVersion, allowDuplicate = false, ...changes },
) =>
  ctx.transaction(async (tx) => {
    const before = await changeable(tx, { id, expectedVersion })
    const content = await contentOfReceived(tx.db, before)
    const view = await receivedView(tx, before)
    const shown = await shownOfEntry(tx, before.id)
    const entered = inputOfReceived(view, content)
    const input = changedInput(entered, changes)
    const composed = await compose(tx, input)
    const namesAnother =
      composed.content.supplierNumber !== content.supplierNumber ||
      composed.content.issueDate !== content.issueDate ||
      composed.content.supplier.nif !== content.supplier.nif
    await assertEnterable(tx, composed, {
      allowDuplicate: allowDuplicate || !namesAnother,
      exceptRowId: before.id,
    })
    assertSameYear(before, composed.content)
    await assertNotBelowPaid(before, composed.content)
    await unpost(tx, { rowId: before.id, content, files: before.files })
    await tx.env.ledger.assertOpenPeriod(tx, composed.content.receptionDate, 'receptionDate')
    let row = await rewriteReceived(tx, before, composed.content)
    const known = new Set(
      (await filesOf(tx, { type: RECEIVED_TARGET, id: row.id })).map((file) => file.public_id),
    )
    const linked = await attach(tx, row.id, changes.attachments ?? [], known)
    if (linked > 0) row = await writeFileCount(tx, row, row.files + linked, row.version)
    await post(tx, { rowId: row.id, content: composed.content, files: row.files })
    if (shown)
      await relearn(tx, shown, {
        before: { nif: before.supplier_nif, input: entered },
        after: await taughtEntry(tx, row),
      })
    await recordReceivedChange(tx, 'received.changed', row)
    return { ...(await receivedView(tx, row)), warnings: warningsOf(composed.faults) }
  })

/** Voids a received invoice; its number stays taken. */
export const voidReceived: UseCase<typeof voidReceivedContract> = (ctx, { id, expectedVersion }) =>
  ctx.transaction(async (tx) => {
    const row = await changeable(tx, { id, expectedVersion })
    if (row.paid_cents !== 0)
      throw new AppError('received_paid', { details: { paid: eurosFromCents(row.paid_cents) } })
    const content = await contentOfReceived(tx.db, row)
    await unpost(tx, { rowId: row.id, content, files: row.files })
    const shown = await shownOfEntry(tx, row.id)
    if (shown) await unlearn(tx, shown, await taughtEntry(tx, row))
    const after = await markVoid(tx, row)
    await recordReceivedChange(tx, 'received.voided', after)
    return receivedView(tx, after)
  })

/**
 * Restores a void received invoice with its number, sums and files. Throws `received_duplicate` when the same invoice
 * was entered in the meantime, `period_locked` when its day is closed by now.
 */
export const restoreReceived: UseCase<typeof restoreReceivedContract> = (
  ctx,
  { id, expectedVersion, allowDuplicate = false },
) =>
  ctx.transaction(async (tx) => {
    const row = orNotFound(await findReceived(tx, id))
    if (row.state !== 'void') throw new AppError('received_not_void', { details: { id: row.public_id } })
    if (expectedVersion !== undefined && expectedVersion !== row.version)
      throw new AppError('version_conflict', { details: { version: row.version } })
    const content = await contentOfReceived(tx.db, row)
    await tx.env.ledger.assertOpenPeriod(tx, content.receptionDate, 'receptionDate')
    const twin = allowDuplicate ? null : await findDuplicate(tx, content, row.id)
    if (twin)
      throw new AppError('received_duplicate', { field: 'supplierNumber', details: { existing: twin } })
    const after = await markEntered(tx, row)
    await post(tx, { rowId: row.id, content, files: row.files })
    const shown = await shownOfEntry(tx, row.id)
    if (shown) await learnAgain(tx, shown, await taughtEntry(tx, after))
    await recordReceivedChange(tx, 'received.restored', after)
    return receivedView(tx, after)
  })

/** Returns sums, warnings and duplicates without writing anything; errors are returned among the warnings. */
export const previewReceived: UseCase<typeof previewReceivedContract> = async (
  ctx,
  { id, allowDuplicate: _allow, ...input },
) => {
  const { content, faults } = await compose(ctx, input)
  const except = id === undefined ? null : ((await findReceived(ctx, id))?.id ?? null)
  const sums = sumsOf(content)
  const deducted = content.deductionDate ?? content.receptionDate
  return {
    taxLines: content.lines.map(taxLineView),
    base: eurosFromCents(sums.baseCents),
    tax: eurosFromCents(sums.taxCents),
    surcharge: eurosFromCents(sums.surchargeCents),
    selfAssessed: eurosFromCents(sums.selfAssessedCents),
    deductible: eurosFromCents(sums.deductibleCents),
    withheld: eurosFromCents(content.withholding?.amountCents ?? 0),
    total: eurosFromCents(sums.totalCents),
    payable: eurosFromCents(sums.payableCents),
    currencyTotal: eurosFromCents(sums.currencyTotalCents),
    period: { year: Number(deducted.slice(0, 4)), quarter: quarterOf(deducted) },
    duplicate: await findDuplicate(ctx, content, except),
    warnings: faults,
  }
}
