/** Shows and erases what is remembered of a supplier. */
import { findContact } from '../../catalog/contacts/index.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { idPattern } from '../../domain/ids.ts'
import { normalizeNif } from '../../domain/tax/nif.ts'
import { purgeSecret } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import { recordAudit } from '../../platform/audit/index.ts'
import { emitEvent } from '../../platform/events/index.ts'
import type { forgetSupplierContract, supplierMemoryContract, SupplierMemoryView } from './contract.ts'
import { deleteMemory, findMemory } from './rows.ts'
import type { MemoryRow } from './rows.ts'
import { PLACED_FIELDS, SURE_AFTER, USUAL_FIELDS } from './shape.ts'

const CONTACT = idPattern('con')

interface Supplier {
  /** Null for a contact without a tax number. */
  nif: string | null
  contactId: string | null
  name: string | null
}

async function supplierOf(ctx: Ctx, id: string): Promise<Supplier> {
  const contact = await findContact(ctx, id)
  if (contact) return { nif: contact.nif, contactId: contact.public_id, name: contact.name }
  // A contact of another book, or one that is gone, is no tax number.
  if (CONTACT.test(id)) throw new AppError('not_found')
  return { nif: normalizeNif(id), contactId: null, name: null }
}

/** `FV-\d{4,5}` as a person reads it: `FV-####(#)`. */
function readable(shape: string): string {
  return shape.replace(/\\([dl])\{(\d+)(?:,(\d+))?\}/g, (_, kind: string, least: string, most?: string) => {
    const sign = kind === 'd' ? '#' : '@'
    const more = Number(most ?? least) - Number(least)
    return `${sign.repeat(Number(least))}${more > 0 ? `(${sign.repeat(more)})` : ''}`
  })
}

function memoryView({ nif, memory, documents, updatedAt }: MemoryRow): SupplierMemoryView {
  const { layouts, usual } = memory
  const rules = layouts.flatMap((layout) => layout.rules)
  return {
    nif,
    name: usual.supplierName?.value ?? null,
    documents,
    updatedAt: new Date(updatedAt).toISOString(),
    places: PLACED_FIELDS.flatMap((field) =>
      rules
        .filter((rule) => rule.field === field)
        .map(({ label, shapes, streak }) => ({
          field,
          label,
          shapes: shapes.map(readable),
          documents: streak,
          isSure: streak >= SURE_AFTER,
        })),
    ),
    usual: USUAL_FIELDS.flatMap((field) => {
      const value = usual[field]
      if (!value || value.streak === 0) return []
      return [{ field, value: value.value, documents: value.streak, isSure: value.streak >= SURE_AFTER }]
    }),
    rates: memory.rates,
    ibans: memory.ibans,
    fields: Object.entries(memory.fields).map(([field, counts]) => ({ field, ...counts })),
  }
}

/** Returns what is remembered of a supplier. */
export const showMemory: UseCase<typeof supplierMemoryContract> = async (ctx, { id }) => {
  const { nif } = await supplierOf(ctx, id)
  const row = nif === null ? null : await findMemory(ctx, nif)
  return { memory: row === null ? null : memoryView(row) }
}

/** Erases what is remembered of a supplier, also from the files of the database. */
export const forgetSupplier: UseCase<typeof forgetSupplierContract> = (ctx, { id }) =>
  purgeSecret(ctx, async (tx) => {
    const { nif, contactId, name } = await supplierOf(tx, id)
    if (nif === null || !(await deleteMemory(tx, nif))) return { erased: false }
    await recordAudit(tx, {
      action: 'received.memory_erased',
      target: { type: 'contact', id: contactId ?? nif, label: name ?? nif },
    })
    await emitEvent(tx, 'contact.changed', { contactId })
    return { erased: true }
  })
