/** The secrets of mailboxes, sealed for their rows: a password, or a refresh token with the secret of the client. */
import { canOpenSealed } from '../../../db/seal.ts'
import type { SealedColumn } from '../../../db/sealed-columns.ts'
import { allCompanies, idsOf } from '../../../platform/jobs/index.ts'
import { proveRows } from '../../../domain/proof.ts'
import type { Proof } from '../../../domain/proof.ts'
import type { AppEnvironment, Ctx } from '../../../context.ts'
import type { SourceRow } from './rows.ts'

/** The secret of a mailbox. With OAuth 2 there is no refresh token until a person has signed in. */
export interface SourceSecret {
  password?: string
  clientSecret?: string
  refreshToken?: string
}

/** Returns the place that a secret is bound to: it cannot be opened in any other row. */
function sealContext(publicId: string): string {
  return `incoming_sources|sealed_secret|${publicId}`
}

export const SEALED_SOURCE_SECRETS: SealedColumn = {
  table: 'incoming_sources',
  column: 'sealed_secret',
  key: ['public_id'],
  place: ({ public_id }) => sealContext(String(public_id)),
}

/** Returns the sealed form of a secret for the source with this public identifier. */
export function sealSecret(ctx: Ctx, publicId: string, secret: SourceSecret): string {
  return ctx.env.store.sealer.seal(JSON.stringify(secret), sealContext(publicId))
}

/** Returns the secret of a source, opened for one use. */
export function secretOf(ctx: Ctx, row: Pick<SourceRow, 'public_id' | 'sealed_secret'>): SourceSecret {
  if (row.sealed_secret === null) return {}
  const text = ctx.env.store.sealer.open(row.sealed_secret, sealContext(row.public_id)).toString('utf8')
  return JSON.parse(text) as SourceSecret
}

/** Verifies that the secret of every mailbox opens in its own row. */
export async function verifySourceSecrets(env: AppEnvironment): Promise<Proof> {
  const { store } = env
  const rows = []
  for (const company of await allCompanies(env))
    rows.push(
      ...(await company.reader
        .selectFrom('incoming_sources')
        .select(['public_id', 'sealed_secret'])
        .where('book_id', 'in', idsOf(company))
        .where('sealed_secret', 'is not', null)
        .execute()),
    )
  return proveRows(rows, ({ public_id, sealed_secret }) =>
    sealed_secret === null || canOpenSealed(store.sealer, sealed_secret, sealContext(public_id))
      ? null
      : `The secret of the mailbox ${public_id} does not open.`,
  )
}
