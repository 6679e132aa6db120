/**
 * Imports and removes the company's certificate. Only key and chain of the file are stored, and no key of a removed
 * one.
 */
import { recordAudit } from '../../platform/audit/index.ts'
import type {
  getCertificateContract,
  importCertificateContract,
  removeCertificateContract,
} from './contract.ts'
import { inBook } from '../../context.ts'
import { purgeSecret, orNotFound } from '../../context.ts'
import type { Book, Ctx, UseCase } from '../../context.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { keySealContext } from './credential.ts'
import { holderOf, issuerName, printedName } from './holder.ts'
import { assessCertificate } from './assess.ts'
import { openCertificateFile } from './open-file.ts'
import type { OpenedCertificate } from './opened.ts'
import { activeCertificate, insertCertificate, retireCertificate } from './rows.ts'
import type { CertificateRow } from './rows.ts'
import { certificateView, daysLeftOf } from './state.ts'

/**
 * Functions of the company slice that this slice needs; the implementation is passed in where the operations are
 * assembled.
 */
export interface CompanyOfBook {
  company(ctx: Ctx): Promise<{ nif: string }>
  /** Returns the live and the test book. */
  books(ctx: Ctx): Promise<Book[]>
}

/** Records the change in both books of the company, because the certificate serves both. */
async function recordCertificateChange(
  tx: Ctx,
  of: CompanyOfBook,
  action: 'certificate.imported' | 'certificate.removed',
  row: CertificateRow,
): Promise<void> {
  for (const book of await of.books(tx)) {
    const there = inBook(tx, book)
    await recordAudit(there, {
      action,
      target: { type: 'certificate', id: row.public_id, label: row.holder_name },
    })
    await emitEvent(there, 'certificate.changed', { certificateId: row.public_id })
  }
}

/** Replaces the active certificate, whose key is deleted in the same transaction. */
async function replace(tx: Ctx, opened: OpenedCertificate, of: CompanyOfBook): Promise<CertificateRow> {
  // One time for both: a certificate that replaces another can be told from one that came after a removal.
  const at = tx.now().getTime()
  const before = await activeCertificate(tx)
  if (before) await retireCertificate(tx, before.id, at)
  const { details } = opened
  const holder = holderOf(details.subject, details.qualifiedTypes)
  const publicId = tx.newId('cert')
  const row = await insertCertificate(tx, {
    public_id: publicId,
    kind: holder.kind,
    subject: printedName(details.subject),
    holder_name: holder.name,
    holder_nif: holder.nif,
    organization_nif: holder.organizationNif,
    issuer: issuerName(details.issuer),
    serial: opened.serial,
    fingerprint: opened.fingerprint,
    key_type: opened.keyType,
    valid_from: opened.validFrom,
    valid_to: opened.validTo,
    imported_at: at,
    chain: opened.chainPem,
    sealed_key: tx.env.store.sealer.seal(opened.key, keySealContext(publicId, tx.book.companyId)),
  })
  await recordCertificateChange(tx, of, 'certificate.imported', row)
  return row
}

/**
 * Imports a certificate from a file: opens it in a process of its own, checks it, and seals it in place of an earlier
 * one.
 */
export function importCertificate(of: CompanyOfBook): UseCase<typeof importCertificateContract> {
  return async (ctx, { file, password }) => {
    const bytes = Buffer.from(file, 'base64')
    const now = ctx.now()
    const opened = await openCertificateFile(bytes, password, now)
    bytes.fill(0)
    try {
      const { details, validFrom, validTo } = opened
      const warnings = assessCertificate(
        {
          holder: holderOf(details.subject, details.qualifiedTypes),
          details,
          validFrom,
          validTo,
          daysLeft: daysLeftOf(validTo, now),
        },
        { company: await of.company(ctx), now, sandbox: ctx.env.sandbox },
      )
      const row = await purgeSecret(ctx, (tx) => {
        // Records that waited for a certificate can be sent.
        tx.wake('sender')
        tx.wake('calendar')
        return replace(tx, opened, of)
      })
      return { certificate: certificateView(row, now), warnings }
    } finally {
      opened.key.fill(0)
    }
  }
}

/** Removes the company's certificate and destroys its key; the history keeps its description. */
export function removeCertificate(of: CompanyOfBook): UseCase<typeof removeCertificateContract> {
  return (ctx) =>
    purgeSecret(ctx, async (tx) => {
      const row = orNotFound(await activeCertificate(tx))
      await retireCertificate(tx, row.id, tx.now().getTime())
      await recordCertificateChange(tx, of, 'certificate.removed', row)
      return { removed: true }
    })
}

export const getCertificate: UseCase<typeof getCertificateContract> = async (ctx) => {
  const row = await activeCertificate(ctx)
  return { certificate: row && certificateView(row, ctx.now()) }
}
