/**
 * Checks a customer or supplier on request: the VAT number in VIES, the NIF in the census. Stores the answers as
 * evidence.
 */
import { recordAudit } from '../../platform/audit/index.ts'
import { madridInstant } from '../../domain/dates.ts'
import { lastIdIn, pageById } from '../../domain/contract/cursor.ts'
import { validationFailed } from '../../domain/errors/app-error.ts'
import { checkNif, normalizeNif } from '../../domain/tax/nif.ts'
import { normalizeText } from '../../domain/text.ts'
import { splitVatNumber, vatNumberFault } from '../../domain/tax/vat-numbers.ts'
import type { Ctx, UseCase } from '../../context.ts'
import type {
  checkCensusContract,
  checkVatNumberContract,
  listVatNumberChecksContract,
  VatNumberCheck,
} from './contract.ts'
import {
  contactRowId,
  insertCensusCheck,
  insertVatNumberCheck,
  remainingContact,
  vatNumberChecksOf,
} from './rows.ts'
import type { VatNumberCheckRow } from './rows.ts'
import { censusService, isSimulated, vatNumberService } from './services.ts'

function viewOf(row: VatNumberCheckRow): VatNumberCheck {
  return {
    id: row.public_id,
    vatNumber: row.vat_number,
    valid: row.valid === 1,
    name: row.name,
    address: row.address,
    requester: row.requester,
    consultationNumber: row.consultation,
    checkedAt: madridInstant(new Date(row.checked_at)),
    contactId: row.contact_public_id,
    ...(row.simulated === 1 ? { simulated: true as const } : {}),
  }
}

/**
 * Queries VIES. The format is checked first, so that a typing mistake costs no request; the request runs outside
 * every transaction.
 */
export function checkVatNumber(
  findNif: (ctx: Ctx) => Promise<string>,
): UseCase<typeof checkVatNumberContract> {
  return async (ctx, { vatNumber, contactId, asRequester = true }) => {
    const parts = splitVatNumber(vatNumber)
    const fault = parts ? vatNumberFault(parts.country, vatNumber) : vatNumberFault('', vatNumber)
    if (!parts || fault)
      throw validationFailed([
        {
          code: parts && fault ? fault.code : 'vat_number_prefix_missing',
          field: 'vatNumber',
          severity: 'error',
          message: parts && fault ? fault.message : 'A VAT number begins with the two letters of its state.',
          fix: parts && fault ? fault.fix : 'Write it like DE123456789.',
          ...(parts && fault?.params ? { params: fault.params } : {}),
        },
      ])
    if (contactId !== undefined) await contactRowId(ctx, contactId)
    const requester = asRequester ? `ES${await findNif(ctx)}` : null
    const answer = await vatNumberService(ctx).check(parts, requester)
    return ctx.transaction(async (tx) => {
      const contact = await remainingContact(tx, contactId)
      const id = tx.newId('chk')
      const checkedAt = tx.now().getTime()
      const full = parts.prefix + parts.number
      await insertVatNumberCheck(tx, {
        book_id: tx.book.id,
        public_id: id,
        contact_id: contact,
        vat_number: full,
        valid: answer.valid ? 1 : 0,
        name: answer.name,
        address: answer.address,
        requester,
        consultation: answer.consultationNumber,
        simulated: isSimulated(tx) ? 1 : 0,
        checked_at: checkedAt,
      })
      await recordAudit(tx, { action: 'lookup.vat_number', target: { type: 'lookup', id, label: full } })
      return {
        id,
        vatNumber: full,
        valid: answer.valid,
        name: answer.name,
        address: answer.address,
        requester,
        consultationNumber: answer.consultationNumber,
        checkedAt: madridInstant(new Date(checkedAt)),
        contactId: contact === null ? null : (contactId ?? null),
        ...(isSimulated(tx) ? { simulated: true as const } : {}),
      }
    })
  }
}

/** Returns the evidence, newest first. */
export const listVatNumberChecks: UseCase<typeof listVatNumberChecksContract> = async (
  ctx,
  { vatNumber, contactId, limit = 25, cursor },
) => {
  const parts = vatNumber === undefined ? null : splitVatNumber(vatNumber)
  const wanted = parts ? parts.prefix + parts.number : vatNumber
  const rows = await vatNumberChecksOf(ctx, {
    vatNumber: wanted ?? null,
    contactId: contactId ?? null,
    before: cursor === undefined ? null : lastIdIn(cursor, 'vat numbers', { vatNumber, contactId }),
    limit: limit + 1,
  })
  const { shown, nextCursor } = pageById(rows, limit, 'vat numbers', { vatNumber, contactId })
  return { items: shown.map(viewOf), nextCursor }
}

/** Checks in the census whether NIF and name belong together. */
export const checkCensus: UseCase<typeof checkCensusContract> = async (
  ctx,
  { nif: written, name: asked, contactId },
) => {
  const check = checkNif(written)
  if (!check.ok && check.reason === 'shape')
    throw validationFailed([
      {
        code: 'nif_invalid',
        field: 'nif',
        severity: 'error',
        message: 'That is not a Spanish tax number.',
        fix: 'The census has Spanish tax numbers only.',
        params: { nif: check.nif },
      },
    ])
  const nif = normalizeNif(written)
  const name = normalizeText(asked)
  if (contactId !== undefined) await contactRowId(ctx, contactId)
  const service = await censusService(ctx)
  const answer = await service.check(nif, name)
  return ctx.transaction(async (tx) => {
    const contact = await remainingContact(tx, contactId)
    const id = tx.newId('chk')
    const checkedAt = tx.now().getTime()
    await insertCensusCheck(tx, {
      book_id: tx.book.id,
      public_id: id,
      contact_id: contact,
      nif,
      name,
      result: answer.result,
      census_name: answer.name,
      simulated: isSimulated(tx) ? 1 : 0,
      checked_at: checkedAt,
    })
    await recordAudit(tx, { action: 'lookup.census', target: { type: 'lookup', id, label: nif } })
    return {
      id,
      nif,
      name,
      result: answer.result,
      censusName: answer.name,
      checkedAt: madridInstant(new Date(checkedAt)),
      contactId: contact === null ? null : (contactId ?? null),
      ...(isSimulated(tx) ? { simulated: true as const } : {}),
    }
  })
}
