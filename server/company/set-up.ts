/** Sets up a company with its live and its test book, and changes its data later. */
import { enterCompany } from '../db/query.ts'
import type { Db } from '../db/query.ts'
import { recordAudit } from '../platform/audit/index.ts'
import type { ContractInput } from '../domain/contract/define-contract.ts'
import { AppError, validationFailed } from '../domain/errors/app-error.ts'
import type { Fault } from '../domain/errors/app-error.ts'
import { basisPointsFromPercent } from '../domain/money.ts'
import { checkNif } from '../domain/tax/nif.ts'
import {
  refusalOf,
  registryOf,
  SII_REFUSAL,
  taxSystemOf,
  territoryOfPostalCode,
  USUAL_TERRITORY,
} from '../tax/systems/index.ts'
import type { Refusal } from '../tax/systems/index.ts'
import type { Territory, VatRegime } from '../tax/systems/contract.ts'
import { trimmedOrNull, normalizeText } from '../domain/text.ts'
import { inBook } from '../context.ts'
import type { Book, Ctx, Mode, UseCase } from '../context.ts'
import { emitEvent } from '../platform/events/index.ts'
import { ensureSeries } from './series/index.ts'
import { companyView } from './current.ts'
import type { Address, createCompanyContract, NewCompany, updateCompanyContract } from './contract.ts'
import { readIban } from '../domain/iban.ts'
import { findCompany } from './rows.ts'
import { booksOfCompany } from '../platform/books/index.ts'
import type { CompanyRow } from './rows.ts'

const MODES: readonly Mode[] = ['live', 'test']

function refused(
  code: string,
  field: string,
  message: string,
  fix: string,
  params?: Fault['params'],
): AppError {
  return validationFailed([{ code, field, severity: 'error', message, fix, ...(params ? { params } : {}) }])
}

function checkedIban(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null
  const iban = readIban(text)
  if (iban === null)
    throw refused(
      'iban_invalid',
      'iban',
      'The check digits of the IBAN do not match.',
      'Copy it again from the bank.',
    )
  return iban
}

/** Returns the code of an activity without its dots; null clears it. Throws `validation_failed` for another text. */
function checkedActivity(text: string | null | undefined): string | null {
  const code = (text ?? '').replace(/[\s.]/g, '')
  if (code === '') return null
  if (!/^\d{1,7}$/.test(code))
    throw refused(
      'activity_code_invalid',
      'activityCode',
      'The code of an activity has 1 to 7 digits.',
      'Copy it from the certificate of the census.',
    )
  return code
}

function addressColumns(address: Address | null | undefined) {
  return {
    street: trimmedOrNull(address?.street),
    postal_code: trimmedOrNull(address?.postalCode),
    city: trimmedOrNull(address?.city),
    province: trimmedOrNull(address?.province),
    country: address?.country ?? 'ES',
  }
}

interface Identity {
  nif: string
  kind: 'natural' | 'legal'
  warnings: Fault[]
}

/**
 * Returns the identity. A person's control letter follows a published rule; an entity's does not, so its mismatch is
 * only a warning.
 */
function identityOf(input: NewCompany): Identity {
  const check = checkNif(input.nif)
  const params = { nif: check.nif, ...(!check.ok && check.expected ? { expected: check.expected } : {}) }
  if (!check.ok && check.kind !== 'entity')
    throw refused(
      'nif_invalid',
      'nif',
      check.reason === 'shape'
        ? 'That is not a Spanish tax number.'
        : 'The letter of the NIF does not match its digits.',
      'Check it against the census certificate.',
      params,
    )
  const warnings: Fault[] = []
  if (!check.ok)
    warnings.push({
      code: 'nif_doubtful',
      field: 'nif',
      severity: 'warning',
      message: 'The control character of the NIF is not the usual one.',
      fix: 'Check it against the census certificate.',
      params,
    })
  const kind = check.kind === 'entity' ? 'legal' : 'natural'
  if (input.kind && input.kind !== kind)
    warnings.push({
      code: 'kind_from_nif',
      field: 'kind',
      severity: 'warning',
      message: `The NIF is that of a ${kind} person, so the company is kept as one.`,
      params: { kind },
    })
  return { nif: check.nif, kind, warnings }
}

/** Tells why something is refused, and when that was last looked up. */
function reasonOf({ reason, lookedUpOn }: Refusal): {
  reason: string
  reasonInSpanish: string
  lookedUpOn: string
} {
  return { reason: reason.en, reasonInSpanish: reason.es, lookedUpOn }
}

/**
 * Returns the tax territory: the one that is named, else that of the postal code. Rejects the company of a territory that is
 * refused, or under SII, with the reason. A postal code that contradicts the named territory causes a warning only: the tax
 * domicile is not always the address.
 */
function territoryOf(input: NewCompany, warnings: Fault[]): CompanyRow['territory'] {
  const { address } = input
  const likely = address?.country === 'ES' ? territoryOfPostalCode(address.postalCode) : null
  const territory = input.territory ?? (likely !== null && !refusalOf(likely) ? likely : USUAL_TERRITORY)
  const refusal = refusalOf(territory)
  if (refusal)
    throw new AppError('territory_not_supported', {
      field: 'territory',
      details: { territory, ...reasonOf(refusal) },
    })
  if (input.sii) throw new AppError('sii_not_supported', { field: 'sii', details: reasonOf(SII_REFUSAL) })
  if (likely !== null && likely !== territory)
    warnings.push({
      code: 'territory_doubtful',
      field: 'territory',
      severity: 'warning',
      message: 'The postal code is of a territory with other tax rules than the one chosen.',
      fix: "Go on only if the company's tax domicile is where you said: the territory of a book never changes.",
      params: { territory: likely, chosen: territory },
    })
  // Those that the table does not hold are refused above.
  return territory as CompanyRow['territory']
}

/** Returns the regime of the company, or rejects one that the tax of its territory does not have. */
function regimeOf(regime: VatRegime, territory: Territory): VatRegime {
  const system = taxSystemOf(territory)
  if (system.regimeOf(regime)) return regime
  throw refused(
    'regime_not_of_territory',
    'vatRegime',
    `${system.name} has no such scheme for a company.`,
    `Choose one of: ${system.regimes.map((rule) => rule.regime).join(', ')}.`,
    { tax: system.name, regime },
  )
}

/** Formats an instant as `20261121100000` in UTC. */
function compactInstant(at: Date): string {
  return at.toISOString().slice(0, 19).replace(/\D/g, '')
}

/** Returns the highest number of a book in the installation; 0 before the first. */
async function lastBook(db: Db): Promise<number> {
  const { last } = await db
    .selectFrom('books')
    .select((eb) => eb.fn.coalesce(eb.fn.max('id'), eb.lit(0)).as('last'))
    .executeTakeFirstOrThrow()
  return last
}

/** Returns the registry of a company's books; null for the first one. Throws where the province decides and is not known. */
function registryAt(territory: Territory, address: Address | null | undefined): string | null {
  const registry = registryOf(territory, address?.country === 'ES' ? address.postalCode : null)
  if (registry !== undefined) return registry
  throw refused(
    'province_unknown',
    'address.postalCode',
    'Each province of the territory has its own registry of invoices, and the postal code is of none of them.',
    'Enter the postal code of the tax domicile, or choose the territory that it belongs to.',
    { territory },
  )
}

/** Adds a book. `place` is its place among all books of the installation, for the number of its first chain. */
async function insertBook(
  tx: Ctx,
  companyId: number,
  mode: Mode,
  place: number,
  chosen: string | null,
): Promise<Book> {
  const publicId = tx.newId('book')
  const installation = `${compactInstant(tx.now())}-${String(place).padStart(4, '0')}`
  const { id, registry_system: registry } = await tx.db
    .insertInto('books')
    .values({
      public_id: publicId,
      company_id: companyId,
      mode,
      created_at: tx.now().getTime(),
      ...(chosen === null ? {} : { registry_system: chosen }),
    })
    .returning(['id', 'registry_system'])
    .executeTakeFirstOrThrow()
  const book: Book = { id, publicId, companyId, mode, environment: 'production', registry }
  // The chain of a book begins with the book: empty, and from then on it only grows.
  await tx.db.insertInto('registry_chains').values({ book_id: book.id, installation }).execute()
  await tx.db
    .insertInto('registry_installations')
    .values({
      installation,
      book_id: book.id,
      first_sequence: 1,
      reason: 'set_up',
      started_at: tx.now().getTime(),
    })
    .execute()
  await tx.db.insertInto('registry_flows').values({ book_id: book.id }).execute()
  // The book gets its mark outside the books before its first record.
  tx.wake('sender')
  tx.wake('calendar')
  return book
}

/** Creates a company with its live and its test book, each with its chain and the series of the year. */
export const createCompany: UseCase<typeof createCompanyContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const { nif, kind, warnings } = identityOf(input)
    const territory = territoryOf(input, warnings)
    const registry = registryAt(territory, input.address)
    const existing = await tx.db
      .selectFrom('companies')
      .select('public_id')
      .where('nif', '=', nif)
      .executeTakeFirst()
    if (existing)
      throw new AppError('company_exists', { field: 'nif', details: { companyId: existing.public_id } })
    const publicId = tx.newId('com')
    const legalName = normalizeText(input.legalName)
    const { id: companyId } = await tx.db
      .insertInto('companies')
      .values({
        public_id: publicId,
        legal_name: legalName,
        trade_name: trimmedOrNull(input.tradeName),
        nif,
        kind,
        ...addressColumns(input.address),
        territory,
        vat_regime: regimeOf(input.vatRegime ?? 'general', territory),
        email: trimmedOrNull(input.email),
        phone: trimmedOrNull(input.phone),
        iban: checkedIban(input.iban),
        registry_inscription: trimmedOrNull(input.registryInscription),
        activity_code: checkedActivity(input.activityCode),
        created_at: tx.now().getTime(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const last = await lastBook(tx.db)
    await enterCompany(tx.db, companyId)
    const year = Number(tx.today().slice(0, 4))
    const books: Book[] = []
    for (const mode of MODES) {
      const book = await insertBook(tx, companyId, mode, last + books.length + 1, registry)
      const there = inBook(tx, book)
      await recordAudit(there, {
        action: 'company.created',
        target: { type: 'company', id: publicId, label: legalName },
      })
      await ensureSeries(there, 'ordinary', year)
      await ensureSeries(there, 'simplified', year)
      await emitEvent(there, 'company.changed', { companyId: publicId })
      books.push(book)
    }
    return {
      companyId: publicId,
      books: books.map((book) => ({ id: book.publicId, mode: book.mode })),
      warnings,
    }
  })

type Changes = ContractInput<typeof updateCompanyContract>

function exactPercent(percent: number): number {
  const basisPoints = basisPointsFromPercent(percent)
  if (basisPoints === null)
    throw refused(
      'too_many_decimals',
      'defaults.withholdingPct',
      'A rate has at most two decimals.',
      'Write it with two decimals at most.',
    )
  return basisPoints
}

/** Returns the columns to change: an omitted field stays, null clears it. */
function changedColumns(input: Changes, row: CompanyRow): Partial<CompanyRow> {
  const columns: Partial<CompanyRow> = {}
  if (input.legalName !== undefined) columns.legal_name = normalizeText(input.legalName)
  if (input.tradeName !== undefined) columns.trade_name = trimmedOrNull(input.tradeName)
  if (input.address !== undefined) Object.assign(columns, addressColumns(input.address))
  if (input.vatRegime !== undefined) columns.vat_regime = regimeOf(input.vatRegime, row.territory)
  if (input.email !== undefined) columns.email = trimmedOrNull(input.email)
  if (input.phone !== undefined) columns.phone = trimmedOrNull(input.phone)
  if (input.iban !== undefined) columns.iban = checkedIban(input.iban)
  if (input.registryInscription !== undefined)
    columns.registry_inscription = trimmedOrNull(input.registryInscription)
  if (input.activityCode !== undefined) columns.activity_code = checkedActivity(input.activityCode)
  const { withholdingPct, paymentDays, language } = input.defaults ?? {}
  if (withholdingPct !== undefined)
    columns.default_withholding_bp = withholdingPct === null ? null : exactPercent(withholdingPct)
  if (paymentDays !== undefined) columns.default_payment_days = paymentDays
  if (language !== undefined) columns.default_language = language
  return columns
}

/** Changes the company's data for both its books. Issued invoices keep the data that they were issued with. */
export const updateCompany: UseCase<typeof updateCompanyContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const row = await findCompany(tx)
    if (input.expectedVersion !== undefined && input.expectedVersion !== row.version)
      throw new AppError('version_conflict', { details: { version: row.version } })
    const columns = changedColumns(input, row)
    if (Object.keys(columns).length === 0) return companyView(tx, row)
    const version = row.version + 1
    await tx.db
      .updateTable('companies')
      .set({ ...columns, version })
      .where('id', '=', row.id)
      .execute()
    for (const book of await booksOfCompany(tx.db, row.id)) {
      const there = inBook(tx, book)
      await recordAudit(there, {
        action: 'company.updated',
        target: { type: 'company', id: row.public_id, label: columns.legal_name ?? row.legal_name },
      })
      await emitEvent(there, 'company.changed', { companyId: row.public_id })
    }
    return companyView(tx, { ...row, ...columns, version })
  })
