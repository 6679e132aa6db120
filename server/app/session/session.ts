/** First data of the window: companies, books, preferences, and how the books are stored. */
import { embedded } from '../../db/embedded/port.ts'
import { backupProblem } from '../backups/index.ts'
import { listCompanies } from '../../company/index.ts'
import type { sessionContract } from './contract.ts'
import type { UseCase } from '../../context.ts'
import { hasRecoveryCode } from './recovery-code.ts'
import { sampleCompany } from '../demo/start.ts'
import { diskSpaceLevelOf } from '../../db/disk-space.ts'
import { readPreferences } from '../preferences/index.ts'

/** Returns the companies, books and preferences of this installation. */
export const getSession: UseCase<typeof sessionContract> = async (ctx) => {
  const { store, sandbox, version, address } = ctx.env
  const sample = await sampleCompany(ctx.db)
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
    companies: (await listCompanies(ctx.db))
      .filter((company) => company.id !== sample?.company || sample.shown)
      .map((company) =>
        // The sample has no real data, so only its test book is listed.
        company.id === sample?.company
          ? { ...company, books: company.books.filter(({ mode }) => mode === 'test'), sample: true }
          : { ...company, sample: false },
      ),
    preferences: await readPreferences(ctx),
    recovery: { confirmed: hasRecoveryCode(store) },
  }
}
