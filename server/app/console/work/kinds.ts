/** What a unit of each kind of work does for its company. Each may be repeated after a restart without doing it twice. */
import { booksFile } from '../../../accounting/returns/index.ts'
import { exportLedger } from '../../../accounting/ledger/index.ts'
import { findCompany } from '../../../company/index.ts'
import { getCertificate, importCertificate } from '../../../company/certificates/index.ts'
import type { Ctx } from '../../../context.ts'
import { readyReminders, sendPlanned } from '../../../documents/mail/index.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import { booksOfCompany } from '../../../platform/books/index.ts'
import { accountantPack } from '../../accountant-pack/index.ts'
import { enterVat, fiscalClosing } from '../../closing/index.ts'
import { inspectorPack } from '../../inspection/index.ts'
import { assignTo } from '../care.ts'
import type { Outcome, WorkInput } from '../work-contract.ts'

/** What a unit has made. `skipped`: there was nothing to do, and why. */
export type Result =
  | { outcome: Outcome; file?: { name: string; bytes: Uint8Array } }
  | { skipped: 'nothing_to_do' | 'nothing_to_export' | 'company_archived' }

/** Input of a unit; the parts of a certificate are sealed apart. */
export type UnitInput = Exclude<WorkInput, { kind: 'certificate' }> | { kind: 'certificate' }

/** The sealed part of the input of a certificate. */
export interface UnitSecret {
  file: string
  password: string
}

/** Which attempt of the unit it is, and when the work was started. */
interface Attempt {
  attempt: number
  createdAt: number
}

/** Largest file of a company: it is in memory as a whole. */
const MOST_FILE_BYTES = 1_500_000_000
/** Most reminders that one call sends. */
const MOST_REMINDERS = 100

async function wholeStream(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of stream) {
    size += part.byteLength
    if (size > MOST_FILE_BYTES) throw new AppError('books_too_large', { details: { bytes: MOST_FILE_BYTES } })
    parts.push(part)
  }
  return Buffer.concat(parts)
}

async function makeExport(
  ctx: Ctx,
  { what, year }: Extract<WorkInput, { kind: 'export' }>,
): Promise<{ name: string; bytes: Uint8Array }> {
  if (what === 'vat_books') {
    const { bytes, fileName } = await booksFile(ctx, { year, quarter: 4, format: 'xlsx' })
    return { name: fileName, bytes }
  }
  if (what === 'journal') {
    const { bytes, fileName } = await exportLedger(ctx, {
      what: 'journal',
      format: 'xlsx',
      year,
      language: 'es',
    })
    return { name: fileName, bytes }
  }
  const { stream, fileName = 'inspeccion.zip' } = await inspectorPack(ctx, { from: year, to: year })
  return { name: fileName, bytes: await wholeStream(stream) }
}

/** Computes the closing and, if requested, books the settlement of the VAT where nothing speaks against it. */
async function prepareClosing(
  ctx: Ctx,
  { year, quarter, enterVat: mayEnter }: Extract<WorkInput, { kind: 'close' }>,
): Promise<Outcome> {
  let closing = await fiscalClosing(ctx, { year, quarter })
  const vat = closing.steps.find(({ id }) => id === 'vat_entry')
  const isOpen = mayEnter === true && vat?.state === 'missing' && vat.why === null
  if (isOpen) {
    await enterVat(ctx, { year, quarter })
    closing = await fiscalClosing(ctx, { year, quarter })
  }
  const missing = closing.steps.filter(({ state }) => state === 'missing').map(({ id }) => id)
  return { missing, unknown: closing.unknown, ...(isOpen ? { entered: true } : {}) }
}

async function sendReminders(ctx: Ctx): Promise<Result> {
  // Nobody writes to the customers of a company at rest; its duties go on, so that all other work is done.
  if (ctx.book.archived) return { skipped: 'company_archived' }
  const { items } = await readyReminders(ctx, {})
  if (items.length === 0) return { skipped: 'nothing_to_do' }
  let sent = 0
  let refused = 0
  for (let from = 0; from < items.length; from += MOST_REMINDERS) {
    const ids = items.slice(from, from + MOST_REMINDERS).map(({ id }) => id)
    const result = await sendPlanned(ctx, { ids })
    sent += result.queued.length
    refused += result.refused.length
  }
  return { outcome: { sent, refused } }
}

const replaceCertificate = importCertificate({
  company: findCompany,
  books: (ctx) => booksOfCompany(ctx.db, ctx.book.companyId),
})

async function importOne(
  ctx: Ctx,
  secret: UnitSecret | null,
  { attempt, createdAt }: Attempt,
): Promise<Outcome> {
  if (attempt > 1) {
    // An attempt that was cut off may have imported it.
    const { certificate } = await getCertificate(ctx, {})
    if (certificate && Date.parse(certificate.importedAt) >= createdAt)
      return { until: certificate.validTo.slice(0, 10) }
  }
  // Units are begun with their secret, which goes when they end.
  if (!secret) throw new Error('A certificate has no file.')
  const { certificate, warnings } = await replaceCertificate(ctx, secret)
  return { until: certificate.validTo.slice(0, 10), warnings: warnings.map(({ code }) => code) }
}

/** Does the work of one unit in the live book of its company. */
export async function performUnit(
  ctx: Ctx,
  input: UnitInput,
  secret: UnitSecret | null,
  attempt: Attempt,
): Promise<Result> {
  switch (input.kind) {
    case 'pack': {
      const { bytes, fileName } = await accountantPack(ctx, { year: input.year, quarter: input.quarter })
      return { outcome: { file: fileName }, file: { name: fileName, bytes } }
    }
    case 'export': {
      const file = await makeExport(ctx, input)
      return { outcome: { file: file.name }, file }
    }
    case 'close':
      return { outcome: await prepareClosing(ctx, input) }
    case 'remind':
      return sendReminders(ctx)
    case 'certificate':
      return { outcome: await importOne(ctx, secret, attempt) }
    case 'assign':
      return (await assignTo(ctx, input.assignee)) ? { outcome: {} } : { skipped: 'nothing_to_do' }
  }
}
