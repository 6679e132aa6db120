/** Goods bought of which there is no fixed asset, each with what an asset of it would be. */
import { findCompany } from '../../company/index.ts'
import type { UseCase } from '../../context.ts'
import { eurosFromCents, percentFromBasisPoints } from '../../domain/money.ts'
import type { assetCandidatesContract } from './contract.ts'
import { kindOfAccount, proposedTable } from './kinds.ts'
import { findGoodsWithoutAsset } from './rows.ts'
import { tableRow } from './tables.ts'

export const listCandidates: UseCase<typeof assetCandidatesContract> = async (ctx) => {
  const isLegal = (await findCompany(ctx)).kind === 'legal'
  return {
    items: (await findGoodsWithoutAsset(ctx)).map((line) => {
      // A good that was marked as such on an account of expenses gets the usual account of the others.
      const account = line.account.startsWith('2') ? line.account : '219'
      const kind = kindOfAccount(account)
      const table = proposedTable(kind, account, isLegal)
      const row = table === null ? undefined : tableRow(table, line.inUseOn)
      return {
        receivedId: line.receivedPublicId,
        receivedLine: line.position,
        number: line.number,
        date: line.date,
        supplier: line.supplier,
        description: line.description ?? line.supplier,
        account,
        kind,
        base: eurosFromCents(line.baseCents),
        vat: eurosFromCents(line.vatCents),
        vatPercent: line.vatBp === null ? null : percentFromBasisPoints(line.vatBp),
        vatDeducted: eurosFromCents(line.deductedCents),
        inUseOn: line.inUseOn,
        table: row ? row.id : null,
        percent: row ? percentFromBasisPoints(row.maxRateBp) : null,
        investmentGood: line.isInvestment,
        untrusted: true,
      }
    }),
  }
}
