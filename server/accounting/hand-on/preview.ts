/** Shows what a file would contain. */
import type { UseCase } from '../../context.ts'
import { eurosFromCents } from '../../domain/money.ts'
import type { handOnPreviewContract } from './contract.ts'
import { daysOf, planOf } from './plan.ts'
import { findSettings, usualSettings } from './settings-rows.ts'
import { numbered } from './accounts/numbers.ts'

const SHOWN = 200

export const previewHandOn: UseCase<typeof handOnPreviewContract> = async (ctx, input) => {
  const settings = (await findSettings(ctx)) ?? usualSettings('csv')
  const days = daysOf(input)
  const plan = await planOf(ctx, settings, {
    ...days,
    all: input.all ?? false,
    firstNumber: input.firstNumber,
  })
  const isNew = new Set(
    plan.added.map(({ prefix, number }) => numbered(prefix, number, settings.digits) ?? ''),
  )
  const newAccounts = plan.accounts.filter(({ account, party }) => party !== null && isNew.has(account))
  return {
    ...days,
    entries: plan.entries.length,
    lines: plan.lines,
    total: eurosFromCents(plan.debitCents),
    firstNumber: plan.entries[0]?.number ?? null,
    lastNumber: plan.entries.at(-1)?.number ?? null,
    known: plan.known,
    accounts: plan.accounts.length,
    newAccounts: newAccounts.slice(0, SHOWN).map(({ account, code, name, party }) => ({
      officeAccount: account,
      account: code,
      name,
      nif: party === null || party.nif === '' ? null : party.nif,
      untrusted: true,
    })),
    newAccountCount: newAccounts.length,
    different: plan.different
      .slice(0, SHOWN)
      .map((row) => ({ ...row, handedAt: new Date(row.handedAt).toISOString(), untrusted: true })),
    faults: plan.faults,
    faultCount: plan.faultCount,
    ok: plan.faults.every(({ severity }) => severity !== 'error'),
  }
}
