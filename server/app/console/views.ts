/** Saved views of the console: filters under a name, one setting of each person. */
import type { ContractOutput } from '../../domain/contract/define-contract.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { readPersonal, savePersonal } from '../preferences/index.ts'
import type { consoleViewsContract, saveConsoleViewsContract } from './contract.ts'

type Views = ContractOutput<typeof consoleViewsContract>

const SETTING = 'console'

/** Returns the stored views without those of another version that this one does not understand. */
async function readViews(ctx: Ctx): Promise<Views> {
  const saved = (await readPersonal(ctx, SETTING)) as { version?: unknown; items?: unknown } | null
  const { consoleViewsContract: contract } = await import('./contract.ts')
  const item = contract.output.shape.items.element
  const items = Array.isArray(saved?.items) ? (saved.items as unknown[]) : []
  return {
    version: typeof saved?.version === 'number' ? saved.version : 0,
    items: items.flatMap((each) => {
      const read = item.safeParse(each)
      return read.success ? [read.data] : []
    }),
  }
}

export const consoleViews: UseCase<typeof consoleViewsContract> = (ctx) => readViews(ctx)

/** Stores the given views in their order; one without an identifier is new. */
export const saveConsoleViews: UseCase<typeof saveConsoleViewsContract> = (ctx, { expectedVersion, items }) =>
  ctx.transaction(async (tx) => {
    const { version } = await readViews(tx)
    if (version !== expectedVersion) throw new AppError('version_conflict', { details: { version } })
    const views: Views = {
      version: version + 1,
      items: items.map((item) => ({ ...item, id: item.id ?? tx.newId('view') })),
    }
    await savePersonal(tx, SETTING, views)
    return views
  })
