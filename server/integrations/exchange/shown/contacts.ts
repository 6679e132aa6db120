/** How customers receive electronic invoices. */
import { findContact } from '../../../catalog/contacts/index.ts'
import { AppError, validationFailed } from '../../../domain/errors/app-error.ts'
import { recordAudit } from '../../../platform/audit/index.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { orNotFound } from '../../../context.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import type { ExchangeContact, exchangeContactContract, setExchangeContactContract } from '../contract.ts'
import { findExchangeContact, writeExchangeContact } from '../state/settings.ts'
import type { ContactRow } from '../state/settings.ts'

function contactView(contactId: string, row: ContactRow | null): ExchangeContact {
  return {
    contactId,
    channel: row?.channel ?? 'platform',
    platformName: row?.platform_name ?? null,
    entryPoint: row?.entry_point ?? null,
    agreedOn: row?.agreed_on ?? null,
    acceptsOriginalOn: row?.accepts_original_on ?? null,
    version: row?.version ?? 0,
  }
}

async function found(ctx: Ctx, id: string): Promise<{ id: number; publicId: string; name: string }> {
  const contact = orNotFound(await findContact(ctx, id))
  return { id: contact.id, publicId: contact.public_id, name: contact.name }
}

/** Returns how a customer receives. */
export const exchangeContact: UseCase<typeof exchangeContactContract> = async (ctx, { id }) => {
  const contact = await found(ctx, id)
  return contactView(contact.publicId, await findExchangeContact(ctx, contact.id))
}

/** Says how a customer receives. A private platform needs the day on which it was agreed (RD 238/2026 art. 6.1). */
export const setExchangeContact: UseCase<typeof setExchangeContactContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const contact = await found(tx, input.id)
    const before = await findExchangeContact(tx, contact.id)
    const version = before?.version ?? 0
    if (input.expectedVersion !== undefined && input.expectedVersion !== version)
      throw new AppError('version_conflict', {
        field: 'expectedVersion',
        details: { expectedVersion: input.expectedVersion, version },
      })
    const row: ContactRow = {
      contact_id: contact.id,
      book_id: tx.book.id,
      channel: input.channel ?? before?.channel ?? 'platform',
      platform_name: chosen(input.platformName, before?.platform_name),
      entry_point: chosen(input.entryPoint, before?.entry_point),
      agreed_on: chosen(input.agreedOn, before?.agreed_on),
      accepts_original_on: chosen(input.acceptsOriginalOn, before?.accepts_original_on),
      version: version + 1,
    }
    if ((row.channel === 'copy' || row.channel === 'other') && row.agreed_on === null)
      throw validationFailed([
        {
          code: 'agreement_day_missing',
          field: 'agreedOn',
          severity: 'error',
          message: 'Another platform than the public one holds only where it was agreed.',
          fix: 'Write the day on which the customer agreed it.',
        },
      ])
    await writeExchangeContact(tx, row)
    await recordAudit(tx, {
      action: 'exchange.contact_changed',
      target: { type: 'contact', id: contact.publicId, label: contact.name },
    })
    await emitEvent(tx, 'contact.changed', { contactId: contact.publicId })
    return contactView(contact.publicId, row)
  })

/** Returns a changed value, or the earlier one. */
function chosen<Value>(value: Value | null | undefined, before: Value | null | undefined): Value | null {
  return value === undefined ? (before ?? null) : value
}
