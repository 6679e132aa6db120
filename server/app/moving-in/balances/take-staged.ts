/** Takes in rows of the other lists of a move: contacts, items, open invoices, banks. */
import { createBankAccount, findAccountByIban, findBankAccount } from '../../../accounting/bank/index.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import { eurosFromCents } from '../../../domain/money.ts'
import type { Ctx } from '../../../context.ts'
import { importerOf, RowReader } from '../../imports/index.ts'
import { noteRecord } from '../rows.ts'
import type { StagedBank, StagedRow } from '../stored.ts'
import type { Outcome } from '../take.ts'
import { noteNewAccounts } from './accounts.ts'

const isHere: Outcome = {
  outcome: 'skipped',
  faults: [
    {
      code: 'import_is_here',
      field: '',
      severity: 'warning',
      message: 'It is here already: left as it is.',
    },
  ],
}

/** Returns the outcome of an error of the rules of the API; throws any other. */
export function failureOf(error: unknown): Outcome {
  if (!(error instanceof AppError) || error.status >= 500) throw error
  const faults = error.details?.faults as Fault[] | undefined
  return {
    outcome: 'failed',
    faults: faults ?? [
      { code: error.code, field: error.field ?? '', severity: 'error', message: error.text.message },
    ],
  }
}

/** Makes a contact or an item; what is here already stays as it is. */
export async function takeListed(tx: Ctx, staged: StagedRow, runId: number): Promise<Outcome> {
  const importer = await importerOf(staged.kind === 'contact' ? 'contacts' : 'items')
  const { dateOrder, decimalSign, mapping, cells } = staged
  const options = { onDuplicate: 'skip' as const, dateOrder, decimalSign }
  const verdict = await importer.check(tx, new RowReader(cells, mapping, options), options)
  if (verdict.faults.some(({ severity }) => severity === 'error'))
    return { outcome: 'failed', faults: verdict.faults }
  if (verdict.known.length > 0) return isHere
  const target = await importer.create(tx, verdict.input)
  await noteRecord(tx, runId, staged.kind, target)
  return { outcome: 'created', faults: [] }
}

/** Opens a bank account with its balance at the start of the first day. */
export async function takeBank(
  tx: Ctx,
  staged: StagedBank,
  { runId, firstDay }: { runId: number; firstDay: string },
): Promise<Outcome> {
  if (staged.iban !== null && (await findAccountByIban(tx, staged.iban))) return isHere
  await noteNewAccounts(tx, runId, async () => {
    const { id } = await createBankAccount(tx, {
      name: staged.name.slice(0, 80),
      iban: staged.iban,
      openingBalance: eurosFromCents(staged.cents),
      openingDate: firstDay,
    })
    const row = await findBankAccount(tx, id)
    await noteRecord(tx, runId, 'bank', { id: row.id, version: row.version })
  })
  return { outcome: 'created', faults: [] }
}
