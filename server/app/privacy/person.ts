/** Identity of a person in a book: the contacts, numbers, mail addresses, accounts and names that assign rows to them. */
import { sql } from 'kysely'
import { normalizeNif } from '../../domain/tax/nif.ts'
import { searchText } from '../../domain/text.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import type { Ctx } from '../../context.ts'
import type { ContactRecord } from '../../catalog/contacts/index.ts'
import type { Subject } from './contract.ts'

export interface Person {
  name: string
  /** First the contact that represents them, blocked or not; then merged entries and others with the same number. */
  contacts: readonly ContactRecord[]
  contactRows: readonly number[]
  contactIds: readonly string[]
  nifs: readonly string[]
  /** In lower case. */
  emails: readonly string[]
  ibans: readonly string[]
  /** Folded for search. */
  names: readonly string[]
  /** Words that identify the person in a text stored whole, such as a proposal or an import cell. */
  needles: readonly string[]
}

/** Returns a number with and without its country prefix, because both forms occur. */
function spellings(nif: string): string[] {
  const plain = normalizeNif(nif)
  return plain.startsWith('ES') ? [plain, plain.slice(2)] : [plain, `ES${plain}`]
}

const unique = (texts: readonly (string | null | undefined)[]): string[] => [
  ...new Set(texts.filter((text): text is string => Boolean(text))),
]

/** Shorter names occur in too many words to be searched inside texts. */
const SHORTEST_NEEDLE = 4

async function contactsOf(ctx: Ctx, { contactId, nif, email, name }: Subject): Promise<ContactRecord[]> {
  const rows = (): ReturnType<typeof query> => query()
  const query = () => ctx.db.selectFrom('contacts').selectAll().where('book_id', '=', ctx.book.id)
  const seeds = contactId
    ? await rows().where('public_id', '=', contactId).execute()
    : [
        ...(nif ? await rows().where('nif', 'in', spellings(nif)).execute() : []),
        ...(email
          ? await rows()
              .where(sql`lower(email)`, '=', email.trim().toLowerCase())
              .execute()
          : []),
        // A name alone is weak evidence: it counts only when nothing stronger was given.
        ...(name && !nif && !email ? await rows().where('name_key', '=', searchText(name)).execute() : []),
      ]
  const found = new Map<number, ContactRecord>()
  const add = async (row: ContactRecord): Promise<void> => {
    if (found.has(row.id)) return
    found.set(row.id, row)
    const related = await rows()
      .where((where) =>
        where.or([
          where('merged_into', '=', row.id),
          where('id', '=', row.merged_into ?? -1),
          ...(row.nif === null ? [] : [where('nif', '=', row.nif)]),
        ]),
      )
      .execute()
    for (const other of related) await add(other)
  }
  for (const row of seeds) await add(row)
  // The entry into which others were merged comes first.
  return [...found.values()].toSorted(
    (one, other) => Number(one.merged_into !== null) - Number(other.merged_into !== null),
  )
}

/** Returns the person of a subject. Throws `not_found` when it identifies no one, or a missing contact. */
export async function personOf(ctx: Ctx, subject: Subject): Promise<Person> {
  const contacts = await contactsOf(ctx, subject)
  if (subject.contactId ? contacts.length === 0 : !(subject.nif || subject.email || subject.name))
    throw new AppError('not_found')
  const contactRows = contacts.map((row) => row.id)
  const mandates = contactRows.length
    ? await ctx.db
        .selectFrom('mandates')
        .select(['iban', 'holder'])
        .where('contact_id', 'in', contactRows)
        .execute()
    : []
  const nifs = unique([subject.nif, ...contacts.map((row) => row.nif)]).flatMap(spellings)
  const emails = unique([subject.email, ...contacts.map((row) => row.email)]).map((email) =>
    email.trim().toLowerCase(),
  )
  const ibans = unique([...contacts.map((row) => row.iban), ...mandates.map((row) => row.iban)])
  const written = unique([subject.name, ...contacts.map((row) => row.name)])
  return {
    name: contacts[0]?.name ?? subject.name ?? subject.nif ?? subject.email ?? '',
    contacts,
    contactRows,
    contactIds: contacts.map((row) => row.public_id),
    nifs: unique(nifs),
    emails: unique(emails),
    ibans,
    names: unique(written.map(searchText)),
    needles: unique([
      ...contacts.map((row) => row.public_id),
      ...nifs.filter((nif) => nif.length > SHORTEST_NEEDLE),
      ...emails,
      ...ibans,
      ...written.filter((name) => name.length >= SHORTEST_NEEDLE),
    ]),
  }
}

/**
 * Returns true when a row with its own copy of name, number and mail belongs to the person. The number decides;
 * without one, name and mail do.
 */
export function belongsTo(
  person: Person,
  row: { name: string | null; nif: string | null; email?: string | null },
): boolean {
  if (row.nif !== null) return person.nifs.includes(normalizeNif(row.nif))
  if (row.email && person.emails.includes(row.email.toLowerCase())) return true
  return row.name !== null && person.names.includes(searchText(row.name))
}

/** Returns true when a text stored whole names the person. */
export function namesPerson(person: Person, text: string | null): boolean {
  if (text === null) return false
  const lower = text.toLowerCase()
  return person.needles.some((needle) => lower.includes(needle.toLowerCase()))
}
