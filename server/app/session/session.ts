/** First data of the window: companies, books, preferences, and how the books are stored. */
import { embedded } from '../../db/embedded/port.ts'
import { backupProblem } from '../backups/index.ts'
import { companiesAtStart } from '../companies/start.ts'
import type { sessionContract } from './contract.ts'
import type { UseCase } from '../../context.ts'
import { hasRecoveryCode } from './recovery-code.ts'
import { diskSpaceLevelOf } from '../../db/disk-space.ts'
import { readPreferences } from '../preferences/index.ts'

/** Returns the companies at hand with their books, and the preferences of this installation. */
export const getSession: UseCase<typeof sessionContract> = async (ctx) => {
  const { store, sandbox, version, address } = ctx.env
  const preferences = await readPreferences(ctx)
  const file = store.engine === 'sqlite' ? embedded(store) : null
  return {
    store: {
      sandbox,
      version,
      keyProtection: file?.protection ?? 'external',
      dataFolder: file?.sourceFolder ?? null,
      writeFault: store.writeFault?.reason ?? null,
      lowDisk: diskSpaceLevelOf(store.freeBytes()),
      backups: backupProblem(ctx.env),
      restUrl: address.restUrl,
      mcpUrl: address.mcpUrl,
    },
    ...(await companiesAtStart(ctx, preferences.activeBook)),
    preferences,
    recovery: { confirmed: hasRecoveryCode(store) },
  }
}
