/** Final percentages of deduction, stated by a person, and the regularisation that follows from them. */
import { recordAudit } from '../../platform/audit/index.ts'
import { emitEvent } from '../../platform/events/index.ts'
import type { Ctx, UseCase } from '../../context.ts'
import type { ContractOutput } from '../../domain/contract/define-contract.ts'
import { basisPointsFromPercent, eurosFromCents, percentFromBasisPoints } from '../../domain/money.ts'
import type { setProrataContract, vatAdjustmentsContract } from './contract.ts'
import type { Cents } from '../../domain/money.ts'
import { findAssets, findProratas, proratasOf, vatGoodOf, writeProrata } from './rows.ts'
import { regularise } from './vat.ts'
import { bookedVat, createBookVat, INPUT_VAT, vatLines } from './vat-entry.ts'

/** Returns the regularisation of a year, with the cents of each good. */
async function standing(
  ctx: Ctx,
  year: number,
): Promise<ContractOutput<typeof vatAdjustmentsContract> & { amounts: Cents[] }> {
  const stated = await findProratas(ctx)
  const proratas = proratasOf(stated)
  const items: ContractOutput<typeof vatAdjustmentsContract>['items'] = []
  const missing = new Set<number>()
  const amounts: Cents[] = []
  for (const row of await findAssets(ctx)) {
    const found = regularise(vatGoodOf(row), year, proratas)
    if (found === null) continue
    if ('missingYear' in found) {
      missing.add(found.missingYear)
      continue
    }
    amounts.push(found.cents)
    items.push({
      id: row.public_id,
      description: row.description,
      reason: found.reason,
      vat: eurosFromCents(row.vat_cents),
      firstPercent: percentFromBasisPoints(found.firstBp),
      nowPercent: percentFromBasisPoints(found.nowBp),
      first: eurosFromCents(found.firstCents),
      now: eurosFromCents(found.nowCents),
      divisor: found.divisor,
      years: found.years,
      amount: eurosFromCents(found.cents),
      limited: found.limited,
    })
  }
  const totalCents = amounts.reduce((sum, cents) => sum + cents, 0)
  const { entryIds, sums } = await bookedVat(ctx, year)
  const lines = vatLines(amounts, sums)
  return {
    amounts,
    year,
    proratas: stated.map(({ year: of, rateBp, by }) => ({
      year: of,
      percent: percentFromBasisPoints(rateBp),
      by,
    })),
    items,
    total: eurosFromCents(totalCents),
    missingYears: [...missing].toSorted((a, b) => a - b),
    toBook: eurosFromCents(lines.find(({ account }) => account === INPUT_VAT)?.amountCents ?? 0),
    isBooked: lines.length === 0,
    entryIds,
  }
}

async function view(ctx: Ctx, year: number): Promise<ContractOutput<typeof vatAdjustmentsContract>> {
  const { amounts: _amounts, ...shown } = await standing(ctx, year)
  return shown
}

/** Returns the regularisation of a year, with what was stated. */
export const vatAdjustments: UseCase<typeof vatAdjustmentsContract> = (ctx, { year }) => view(ctx, year)

export const bookVatAdjustment = createBookVat(standing, view)

export const setProrata: UseCase<typeof setProrataContract> = (ctx, { year, percent, show }) =>
  ctx.transaction(async (tx) => {
    await writeProrata(tx, year, percent === null ? null : (basisPointsFromPercent(percent) ?? 0))
    await recordAudit(tx, {
      action: percent === null ? 'asset.prorata_removed' : 'asset.prorata_stated',
      target: {
        type: 'year',
        id: String(year),
        label: percent === null ? String(year) : `${year}: ${percent} %`,
      },
    })
    await emitEvent(tx, 'asset.changed', { year })
    return view(tx, show ?? year)
  })
