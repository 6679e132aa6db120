/** Parties of invoices: immutable rows, shared by all invoices with the same facts. */
import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import { canonicalJson } from '../../../domain/canonical-json.ts'
import { dir3Of } from '../../../catalog/contacts/index.ts'
import { normalizeNif } from '../../../domain/tax/nif.ts'
import { searchText } from '../../../domain/text.ts'
import type { Ctx } from '../../../context.ts'
import type { Db } from '../../../db/query.ts'
import { prepare, prepareInsert } from '../../../db/query.ts'
import type { PartiesTable } from '../../../db/schema.ts'
import type { Dir3, IdType } from '../../../catalog/contacts/contract.ts'
import type { Party } from '../contract.ts'

export interface PartyFacts {
  name: string
  tradeName: string | null
  nif: string | null
  /** Type of identifier of a party without a Spanish NIF; null for Spanish NIFs. */
  idType: IdType | null
  street: string | null
  postalCode: string | null
  city: string | null
  province: string | null
  country: string
  email: string | null
  phone: string | null
  iban: string | null
  registryInscription: string | null
  /** Offices of a public body at the time of the invoice. */
  dir3: Dir3 | null
}

const DIGEST_BYTES = 16

function digestOf(facts: PartyFacts): Buffer {
  return createHash('sha256').update(canonicalJson(facts)).digest().subarray(0, DIGEST_BYTES)
}

const findByDigest = prepare((db, p: { bookId: number; digest: Uint8Array }) =>
  db.selectFrom('parties').select('id').where('book_id', '=', p.bookId).where('digest', '=', p.digest),
)

interface InsertValues extends Omit<PartyFacts, 'dir3'> {
  bookId: number
  digest: Uint8Array
  search: string
  office: string | null
  body: string | null
  unit: string | null
  proposing: string | null
}

const insert = prepareInsert((db, p: InsertValues) =>
  db
    .insertInto('parties')
    .values({
      book_id: p.bookId,
      digest: p.digest,
      name: p.name,
      trade_name: p.tradeName,
      nif: p.nif,
      id_type: p.idType,
      street: p.street,
      postal_code: p.postalCode,
      city: p.city,
      province: p.province,
      country: p.country,
      email: p.email,
      phone: p.phone,
      iban: p.iban,
      registry_inscription: p.registryInscription,
      dir3_office: p.office,
      dir3_body: p.body,
      dir3_unit: p.unit,
      dir3_proposing: p.proposing,
      search: p.search,
    })
    .returning('id'),
)

/** Returns the row of these facts; inserts it when they are new. */
export async function saveParty(ctx: Ctx, facts: PartyFacts): Promise<number> {
  const digest = digestOf(facts)
  const existing = await findByDigest.first(ctx.db, { bookId: ctx.book.id, digest })
  if (existing) return existing.id
  const bareNif = facts.nif === null ? null : normalizeNif(facts.nif)
  const search = searchText(
    [facts.name, facts.tradeName, facts.nif, bareNif === facts.nif ? null : bareNif]
      .filter(Boolean)
      .join(' '),
  )
  const { dir3, ...plain } = facts
  return insert.run(ctx.db, {
    ...plain,
    bookId: ctx.book.id,
    digest,
    search,
    office: dir3?.accountingOffice ?? null,
    body: dir3?.managingBody ?? null,
    unit: dir3?.processingUnit ?? null,
    proposing: dir3?.proposingBody ?? null,
  })
}

/** Most issuers of a store whose rows are remembered. */
const MOST_KNOWN = 5_000

/** Rows of the issuers of committed invoices, by store, book and facts: an issued invoice keeps its issuer for good. */
const knownIssuers = new WeakMap<object, Map<string, number>>()

/** Returns the row of the issuer of an invoice that is being issued, like `saveParty`. */
export async function saveIssuer(tx: Ctx, facts: PartyFacts): Promise<number> {
  const { rowIdentity } = tx.env.store
  let known = knownIssuers.get(rowIdentity)
  if (!known) knownIssuers.set(rowIdentity, (known = new Map()))
  const key = `${tx.book.id} ${digestOf(facts).toString('base64')}`
  const cached = known.get(key)
  if (cached !== undefined) return cached
  const id = await saveParty(tx, facts)
  const cache = known
  tx.afterCommit(() => {
    if (cache.size >= MOST_KNOWN) cache.clear()
    cache.set(key, id)
  })
  return id
}

/** Deletes a party that no invoice shows any more (of a deleted draft). */
export async function dropUnusedParty(ctx: Ctx, partyId: number): Promise<void> {
  const used = await ctx.db
    .selectFrom('invoices')
    .select('id')
    .where((where) => where.or([where('party_id', '=', partyId), where('issuer_id', '=', partyId)]))
    .limit(1)
    .executeTakeFirst()
  const amended = await ctx.db
    .selectFrom('amended_parties')
    .select('invoice_id')
    .where('party_id', '=', partyId)
    .limit(1)
    .executeTakeFirst()
  if (!used && !amended) await ctx.db.deleteFrom('parties').where('id', '=', partyId).execute()
}

const COLUMNS = [
  'name',
  'trade_name',
  'nif',
  'id_type',
  'street',
  'postal_code',
  'city',
  'province',
  'country',
  'email',
  'phone',
  'iban',
  'registry_inscription',
  'dir3_office',
  'dir3_body',
  'dir3_unit',
  'dir3_proposing',
] as const

type Column = (typeof COLUMNS)[number]
type PartyRow = Pick<Selectable<PartiesTable>, Column>

function factsOf(row: PartyRow): PartyFacts {
  return {
    name: row.name,
    tradeName: row.trade_name,
    nif: row.nif,
    idType: row.id_type as IdType | null,
    street: row.street,
    postalCode: row.postal_code,
    city: row.city,
    province: row.province,
    country: row.country,
    email: row.email,
    phone: row.phone,
    iban: row.iban,
    registryInscription: row.registry_inscription,
    dir3: dir3Of(row),
  }
}

const byId = prepare((db, p: { id: number }) =>
  db.selectFrom('parties').select(COLUMNS).where('id', '=', p.id),
)

/** Returns the facts of a party's row. */
export async function partyFacts(db: Db, id: number): Promise<PartyFacts> {
  const row = await byId.first(db, { id })
  if (!row) throw new Error(`Party ${id} is missing.`)
  return factsOf(row)
}

type ClientColumn = { [C in Column]: `parties.${C} as client_${C}` }[Column]

/** Columns of the customer, read with the row of the invoice. */
export const CLIENT_COLUMNS = COLUMNS.map(
  (column) => `parties.${column} as client_${column}`,
) as ClientColumn[]

type ClientRow = { [C in Column as `client_${C}`]: PartyRow[C] }

/** Returns the facts of the customer from the row of the invoice. */
export function clientOf(row: ClientRow): PartyFacts {
  return factsOf({
    name: row.client_name,
    trade_name: row.client_trade_name,
    nif: row.client_nif,
    id_type: row.client_id_type,
    street: row.client_street,
    postal_code: row.client_postal_code,
    city: row.client_city,
    province: row.client_province,
    country: row.client_country,
    email: row.client_email,
    phone: row.client_phone,
    iban: row.client_iban,
    registry_inscription: row.client_registry_inscription,
    dir3_office: row.client_dir3_office,
    dir3_body: row.client_dir3_body,
    dir3_unit: row.client_dir3_unit,
    dir3_proposing: row.client_dir3_proposing,
  })
}

const MAX_ISSUERS = 64

/** Cached facts of issuers by row, for each reader of a store's rows: the row of an issuer never changes. */
const issuers = new WeakMap<Db, { rows: object; facts: Map<number, PartyFacts> }>()

/**
 * Returns the facts of the issuer of an invoice, cached because nearly all invoices have the same one. To verify the
 * store itself, read `partyFacts`.
 */
export async function issuerOf(ctx: Ctx, id: number): Promise<PartyFacts> {
  // A transaction may roll back a new row, and another party may get its number.
  if (ctx.inTransaction) return partyFacts(ctx.db, id)
  const { rowIdentity } = ctx.env.store
  let cache = issuers.get(ctx.db)
  if (cache?.rows !== rowIdentity) issuers.set(ctx.db, (cache = { rows: rowIdentity, facts: new Map() }))
  const known = cache.facts
  let facts = known.get(id)
  if (facts) return facts
  facts = Object.freeze(await partyFacts(ctx.db, id))
  if (known.size >= MAX_ISSUERS) known.clear()
  known.set(id, facts)
  return facts
}

/** Returns a party as an answer. */
export function partyView(facts: PartyFacts): Party {
  const { street, postalCode, city, province, country } = facts
  return {
    name: facts.name,
    nif: facts.nif,
    idType: facts.idType ?? undefined,
    country,
    address:
      street && postalCode && city
        ? { street, postalCode, city, province: province ?? undefined, country }
        : undefined,
    email: facts.email ?? undefined,
    dir3: facts.dir3 ?? undefined,
  }
}

const amendedRow = prepare((db, p: { invoiceId: number }) =>
  db.selectFrom('amended_parties').select('party_id').where('invoice_id', '=', p.invoiceId),
)

const writeAmended = prepare((db, p: { invoiceId: number; partyId: number }) =>
  db
    .insertInto('amended_parties')
    .values({ invoice_id: p.invoiceId, party_id: p.partyId })
    .onConflict((conflict) => conflict.column('invoice_id').doUpdateSet({ party_id: p.partyId })),
)

/** Returns the customer that an amendment named; null when none did. */
export async function amendedParty(ctx: Ctx, invoiceId: number): Promise<PartyFacts | null> {
  const row = await amendedRow.first(ctx.db, { invoiceId })
  return row ? partyFacts(ctx.db, row.party_id) : null
}

/** Stores the customer that an amendment named. Runs in the transaction of its record. */
export async function saveAmendedParty(ctx: Ctx, invoiceId: number, client: PartyFacts): Promise<void> {
  await writeAmended.run(ctx.db, { invoiceId, partyId: await saveParty(ctx, client) })
}
