/** SQL of certificates: at most one active one for each company, earlier ones without their key. */
import type { Selectable } from 'kysely'
import type { Ctx } from '../../context.ts'
import { prepare, prepareCached } from '../../db/query.ts'
import type { Db } from '../../db/query.ts'
import type { CertificatesTable } from '../../db/schema.ts'

/** A certificate without its chain and key, which only the connection and signatures need. */
export type CertificateRow = Omit<Selectable<CertificatesTable>, 'chain' | 'sealed_key'>

const COLUMNS = [
  'id',
  'company_id',
  'public_id',
  'kind',
  'subject',
  'holder_name',
  'holder_nif',
  'organization_nif',
  'issuer',
  'serial',
  'fingerprint',
  'key_type',
  'valid_from',
  'valid_to',
  'imported_at',
  'removed_at',
] as const

const active = prepareCached((db, p: { companyId: number }) =>
  db
    .selectFrom('certificates')
    .select(COLUMNS)
    .where('company_id', '=', p.companyId)
    .where('removed_at', 'is', null),
)

const material = prepare((db, p: { id: number }) =>
  db.selectFrom('certificates').select(['chain', 'sealed_key']).where('id', '=', p.id),
)

const any = prepareCached((db, p: { companyId: number }) =>
  db.selectFrom('certificates').select('id').where('company_id', '=', p.companyId).limit(1),
)

/** Returns the company's certificate, or null. */
export async function activeCertificate(ctx: Ctx): Promise<CertificateRow | null> {
  return (await active.first(ctx.db, { companyId: ctx.book.companyId })) ?? null
}

const from = prepare((db, p: { companyId: number; publicId: string }) =>
  db
    .selectFrom('certificates')
    .select(COLUMNS)
    .where('company_id', '=', p.companyId)
    .where(
      'id',
      '>=',
      db
        .selectFrom('certificates as first')
        .select('first.id')
        .where('first.company_id', '=', p.companyId)
        .where('first.public_id', '=', p.publicId),
    )
    .orderBy('id'),
)

/** Returns a certificate of the company and all that were imported after it, oldest first; none if it is unknown. */
export function certificatesFrom(ctx: Ctx, publicId: string): Promise<CertificateRow[]> {
  return from.all(ctx.db, { companyId: ctx.book.companyId, publicId })
}

/** Returns chain and sealed key of a certificate that has not been removed. */
export async function materialOf(db: Db, id: number): Promise<{ chain: string; sealedKey: string } | null> {
  const row = await material.first(db, { id })
  return row?.sealed_key ? { chain: row.chain, sealedKey: row.sealed_key } : null
}

/** Returns true once a certificate was imported, even if it has been removed since. */
export async function hasHadCertificate(ctx: Ctx): Promise<boolean> {
  return (await any.first(ctx.db, { companyId: ctx.book.companyId })) !== undefined
}

type NewCertificate = Omit<Selectable<CertificatesTable>, 'id' | 'company_id' | 'removed_at'>

export async function insertCertificate(ctx: Ctx, row: NewCertificate): Promise<CertificateRow> {
  return ctx.db
    .insertInto('certificates')
    .values({ ...row, company_id: ctx.book.companyId })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

/** Marks a certificate as removed and deletes its key in the same statement; `at` is in milliseconds. */
export async function retireCertificate(ctx: Ctx, id: number, at: number): Promise<void> {
  await ctx.db
    .updateTable('certificates')
    .set({ removed_at: at, sealed_key: null })
    .where('id', '=', id)
    .execute()
}

const warnings = prepare((db, p: { certificateId: number; bookId: number }) =>
  db
    .selectFrom('certificate_warnings')
    .select('days_left')
    .where('certificate_id', '=', p.certificateId)
    .where('book_id', '=', p.bookId),
)

const insertWarning = prepare(
  (db, p: { certificateId: number; bookId: number; daysLeft: number; at: number }) =>
    db.insertInto('certificate_warnings').values({
      certificate_id: p.certificateId,
      book_id: p.bookId,
      days_left: p.daysLeft,
      warned_at: p.at,
    }),
)

/** Returns the steps (in days left) at which the book was warned of a certificate's expiry. */
export async function warnedSteps(ctx: Ctx, certificateId: number): Promise<number[]> {
  const rows = await warnings.all(ctx.db, { certificateId, bookId: ctx.book.id })
  return rows.map((row) => row.days_left)
}

export async function recordWarning(ctx: Ctx, certificateId: number, step: number): Promise<void> {
  await insertWarning.run(ctx.db, {
    certificateId,
    bookId: ctx.book.id,
    daysLeft: step,
    at: ctx.now().getTime(),
  })
}
