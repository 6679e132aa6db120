/** The register: all assets with their values, and one of them. */
import type { Ctx, UseCase } from '../../context.ts'
import { eurosFromCents } from '../../domain/money.ts'
import type { Asset, AssetSummary, getAssetContract, listAssetsContract } from './contract.ts'
import { findAsset, findAssets, findBookings, findGoodsWithoutAsset } from './rows.ts'
import { assetView, summaryOf } from './view.ts'

/** Lists the assets by the day of their first use. */
export const listAssets: UseCase<typeof listAssetsContract> = async (ctx, { state, kind }) => {
  const bookings = await findBookings(ctx)
  const items = (await findAssets(ctx))
    .map((row) => summaryOf(row, bookings.get(row.id) ?? [], ctx.today()))
    .filter(
      (item) => (state === undefined || item.state === state) && (kind === undefined || item.kind === kind),
    )
  const sum = (pick: (item: AssetSummary) => number) =>
    eurosFromCents(items.reduce((total, item) => total + Math.round(pick(item) * 100), 0))
  return {
    items,
    totals: {
      cost: sum(({ cost }) => cost),
      accumulated: sum(({ accumulated }) => accumulated),
      net: sum(({ net }) => net),
      yearAmount: sum(({ yearAmount }) => yearAmount),
    },
    candidates: (await findGoodsWithoutAsset(ctx)).length,
  }
}

/** Returns one asset as it is shown. Throws `not_found`. */
export async function assetById(ctx: Ctx, id: string): Promise<Asset> {
  const row = await findAsset(ctx, id)
  return assetView(ctx, row, (await findBookings(ctx)).get(row.id) ?? [])
}

export const getAsset: UseCase<typeof getAssetContract> = (ctx, { id }) => assetById(ctx, id)
