/** Who files, and the data that only filing needs: typed by a person, or null. */
import type { Selectable } from 'kysely'
import { findCompany } from '../../../company/index.ts'
import type { Ctx } from '../../../context.ts'
import { prepare } from '../../../db/query.ts'
import type { FilingSettingsTable } from '../../../db/schema.ts'
import type { Filer } from './choices.ts'
import type { Representative } from './representation.ts'

interface FilingSettings {
  surnames: string | null
  firstName: string | null
  contactName: string | null
  contactPhone: string | null
  iban: string | null
  /** When filing with the real service was allowed, milliseconds since 1970. */
  liveSince: number | null
  liveBy: string | null
  /** As stated; it counts only while the certificate's holder is the same (filing/representative.ts). */
  representative: Representative | null
}

const settings = prepare((db, p: { bookId: number }) =>
  db.selectFrom('filing_settings').selectAll().where('book_id', '=', p.bookId),
)

/** Returns the stored data for filing; null where nobody has typed it. */
export async function findFilingSettings(ctx: Ctx): Promise<FilingSettings> {
  const row = await settings.first(ctx.db, { bookId: ctx.book.id })
  return {
    surnames: row?.surnames ?? null,
    firstName: row?.first_name ?? null,
    contactName: row?.contact_name ?? null,
    contactPhone: row?.contact_phone ?? null,
    iban: row?.iban ?? null,
    liveSince: row?.live_since ?? null,
    liveBy: row?.live_by ?? null,
    representative: row ? representativeOf(row) : null,
  }
}

function representativeOf(row: Selectable<FilingSettingsTable>): Representative | null {
  const { representation, representative_nif: nif, representative_name: name } = row
  const {
    representative_certificate: certificateId,
    representation_since: since,
    representation_by: by,
  } = row
  // The table has all of them or none.
  if (representation === null || nif === null || name === null) return null
  if (certificateId === null || since === null || by === null) return null
  return { as: representation, nif, name, certificateId, since, by }
}

/** Replaces the data for filing. */
export async function writeFilingSettings(ctx: Ctx, values: FilingSettings): Promise<void> {
  await ctx.db.deleteFrom('filing_settings').where('book_id', '=', ctx.book.id).execute()
  await ctx.db
    .insertInto('filing_settings')
    .values({
      book_id: ctx.book.id,
      surnames: values.surnames,
      first_name: values.firstName,
      contact_name: values.contactName,
      contact_phone: values.contactPhone,
      iban: values.iban,
      live_since: values.liveSince,
      live_by: values.liveBy,
      representation: values.representative?.as ?? null,
      representative_nif: values.representative?.nif ?? null,
      representative_name: values.representative?.name ?? null,
      representative_certificate: values.representative?.certificateId ?? null,
      representation_since: values.representative?.since ?? null,
      representation_by: values.representative?.by ?? null,
    })
    .execute()
}

/** Returns the parts of a name written as `Surnames, First name`; null if it is not written so. */
function partedName(name: string): { surnames: string; firstName: string } | null {
  const [surnames = '', firstName = '', ...rest] = name.split(',').map((part) => part.trim())
  return rest.length === 0 && surnames !== '' && firstName !== '' ? { surnames, firstName } : null
}

/** Returns who files: the company, with what was typed for filing. */
export async function filerOf(ctx: Ctx): Promise<Filer & { iban: string | null }> {
  const company = await findCompany(ctx)
  const typed = await findFilingSettings(ctx)
  const parted = company.kind === 'natural' ? partedName(company.legal_name) : null
  const isNatural = company.kind === 'natural'
  return {
    nif: company.nif,
    kind: company.kind,
    name: company.legal_name,
    surnames: isNatural ? (typed.surnames ?? parted?.surnames ?? null) : company.legal_name,
    firstName: isNatural ? (typed.firstName ?? parted?.firstName ?? '') : '',
    contactName: typed.contactName ?? company.legal_name,
    contactPhone: typed.contactPhone ?? company.phone,
    cashAccounting: company.vat_regime === 'cash',
    iban: typed.iban ?? company.iban,
  }
}
