/** What the window asks first: companies, books, preferences, and how the books are kept. */
import { listCompanies } from '../company/index.ts'
import type { OutputOf, ParsedInputOf } from '../contracts.ts'
import type { UseCase } from '../ctx.ts'
import { readPreferences } from './preferences.ts'

/** Companies, books and preferences of this installation. */
export const getSession: UseCase<ParsedInputOf<'session.get'>, OutputOf<'session.get'>> = async (ctx) => {
  const { store, sandbox, version, address } = ctx.env
  return {
    store: {
      sandbox,
      version,
      keyProtection: store.protection,
      dataFolder: store.folder,
      writeFault: store.writeFault?.reason ?? null,
      restUrl: address.restUrl,
      mcpUrl: address.mcpUrl,
    },
    companies: await listCompanies(ctx.db),
    preferences: await readPreferences(ctx.db),
    recovery: { confirmed: store.hasRecoveryCode() },
  }
}
