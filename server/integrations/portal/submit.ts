/** Submits an invoice: signed and stored exactly as it will leave, and sent once. */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { findContact, dir3Of, storedDir3 } from '../../catalog/contacts/index.ts'
import type { Dir3 } from '../../catalog/contacts/contract.ts'
import { findCompany } from '../../company/index.ts'
import { orNotFound, refuseUnattended } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { failpoint } from '../../db/failpoints.ts'
import { availableFormats, facturaeXml } from '../../documents/e-invoice/index.ts'
import type { EInvoice } from '../../documents/e-invoice/index.ts'
import { eInvoiceOfRow, facturaeOf } from '../../documents/rendering/index.ts'
import { signFacturae } from '../../documents/signing/index.ts'
import { canonicalJson } from '../../domain/canonical-json.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { issuedRow, resolveInvoice } from '../../sales/invoices/index.ts'
import type { InvoiceRow } from '../../sales/invoices/index.ts'
import type { PORTAL_WHY_NOT, portalOfInvoiceContract, submitContract } from './contract.ts'
import { findSettings, findSubmission, insertSubmission, submissionsOf } from './rows.ts'
import { recordSubmission, notifyChange } from './settle.ts'
import { submissionView } from './views.ts'
import { environmentOf } from './environment.ts'
import { closedBecause, openPortal } from './way.ts'
import type { OpenPortal } from './way.ts'
import { attemptSubmission } from './work.ts'

type WhyNot = (typeof PORTAL_WHY_NOT)[number]

/** Returns the address that the portal writes to, or null. */
async function emailOf(ctx: Ctx): Promise<string | null> {
  return (await findSettings(ctx)).email ?? (await findCompany(ctx)).email
}

/** Returns the offices of an invoice: its own, fixed at issue, else those that its customer has now. */
async function unitsOf(
  ctx: Ctx,
  row: InvoiceRow,
  invoice: EInvoice | null,
): Promise<{ units: Dir3; from: 'invoice' | 'contact' } | null> {
  if (invoice?.buyer.dir3) return { units: invoice.buyer.dir3, from: 'invoice' }
  if (row.contact_public_id === null) return null
  const contact = await findContact(ctx, row.contact_public_id)
  const units = contact && dir3Of(contact)
  return units && { units, from: 'contact' }
}

interface Readiness {
  invoice: EInvoice | null
  units: Dir3 | null
  unitsFrom: 'invoice' | 'contact' | null
  email: string | null
  whyNot: WhyNot[]
  formatFault: string | null
}

/** Finds out whether an invoice can be submitted now. */
async function readinessOf(ctx: Ctx, row: InvoiceRow, given?: Dir3): Promise<Readiness> {
  const isIssued = row.state === 'issued'
  const invoice = isIssued ? await eInvoiceOfRow(ctx, row) : null
  const found = await unitsOf(ctx, row, invoice)
  const units = given ? storedDir3(given) : (found?.units ?? null)
  const email = await emailOf(ctx)
  const formatFault = invoice && availableFormats(invoice).facturae
  const closed = await closedBecause(ctx)
  const whyNot: WhyNot[] = [
    ...(isIssued ? [] : (['not_issued'] as const)),
    ...(row.cancelled_at === null ? [] : (['cancelled'] as const)),
    ...(units === null ? (['units_missing'] as const) : []),
    ...(email === null ? (['email_missing'] as const) : []),
    ...(formatFault === null ? [] : (['format'] as const)),
    ...(closed === null ? [] : [closed]),
  ]
  return { invoice, units, unitsFrom: given ? null : (found?.from ?? null), email, whyNot, formatFault }
}

/** Returns whether an invoice can be submitted, and what was submitted of it. */
export const portalOfInvoice: UseCase<typeof portalOfInvoiceContract> = async (ctx, { id }) => {
  const row = await resolveInvoice(ctx, id)
  const { units, unitsFrom, whyNot, formatFault } = await readinessOf(ctx, row)
  const submissions = await submissionsOf(ctx, row.id)
  return {
    units,
    unitsFrom,
    environment: environmentOf(ctx.book),
    whyNot,
    formatFault,
    submissions: await Promise.all(submissions.map((one) => submissionView(ctx, one))),
  }
}

/** Returns the signed file: the stored one where it names the same offices, else one signed for this submission. */
async function signedFile(
  ctx: Ctx,
  row: InvoiceRow,
  { invoice, units, portal }: { invoice: EInvoice; units: Dir3; portal: OpenPortal },
): Promise<Uint8Array> {
  const isSame = invoice.buyer.dir3 !== null && canonicalJson(invoice.buyer.dir3) === canonicalJson(units)
  if (isSame && portal.isOwnKey) {
    const { bytes, isSigned } = await facturaeOf(ctx, row, invoice)
    if (isSigned) return bytes
  }
  const xml = facturaeXml({ ...invoice, buyer: { ...invoice.buyer, dir3: units } })
  return Buffer.from(signFacturae(xml, portal.key, { signedAt: ctx.now() }), 'utf8')
}

/** Signed Facturae files have this extension, which the portal requires. */
const fileNameOf = ({ number }: InvoiceRow): string =>
  `${(number ?? '').replace(/[^A-Za-z0-9._-]/g, '-')}.xsig`

/**
 * Submits an invoice. The answer says what became of it: `waiting` if the portal cannot be reached now, `unknown` if the
 * answer was lost. Throws `portal_not_possible` with all reasons.
 */
export const submitToPortal: UseCase<typeof submitContract> = async (ctx, input) => {
  const row = await issuedRow(ctx, input.invoiceId)
  refuseUnattended(ctx)
  const { invoice, units, email, whyNot, formatFault } = await readinessOf(ctx, row, input.units)
  if (whyNot.length > 0 || !invoice || !units || email === null)
    throw new AppError('portal_not_possible', {
      details: { why: whyNot, ...(formatFault === null ? {} : { formatFault }) },
    })
  const earlier = (await submissionsOf(ctx, row.id)).find(({ is_open }) => is_open === 1)
  if (earlier) throw alreadySubmitted(earlier.public_id)
  const portal = await openPortal(ctx)
  if (portal.service === null) throw new AppError('portal_not_possible', { details: { why: [portal.why] } })
  const bytes = await signedFile(ctx, row, { invoice, units, portal })
  const publicId = await ctx.transaction(async (tx) => {
    // Another request may have submitted it meanwhile.
    const open = (await submissionsOf(tx, row.id)).find(({ is_open }) => is_open === 1)
    if (open) throw alreadySubmitted(open.public_id)
    const now = tx.now().getTime()
    const id = tx.newId('psb')
    await insertSubmission(tx, {
      book_id: tx.book.id,
      public_id: id,
      invoice_id: row.id,
      environment: portal.environment,
      units: JSON.stringify(units),
      email,
      file: gzipSync(bytes),
      sha256: createHash('sha256').update(bytes).digest(),
      file_name: fileNameOf(row),
      requested_by: tx.actor.name,
      state: 'waiting',
      is_open: 1,
      created_at: now,
      next_attempt_at: now,
    })
    const submission = orNotFound(await findSubmission(tx, id))
    await recordSubmission(tx, submission, 'portal.submitted')
    await notifyChange(tx, submission)
    tx.wake('portal')
    return id
  })
  failpoint('portal.queued')
  const submission = orNotFound(await findSubmission(ctx, publicId))
  await attemptSubmission(ctx, portal.service, submission.id)
  return submissionView(ctx, orNotFound(await findSubmission(ctx, publicId)))
}

const alreadySubmitted = (id: string): AppError =>
  new AppError('portal_already_submitted', { details: { id } })
