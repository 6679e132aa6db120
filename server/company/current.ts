/** The active company: its tax data, its permissions in this book, and the missing steps before it can issue. */
import { sql } from 'kysely'
import { certificateState, hasHadCertificate } from './certificates/index.ts'
import { percentFromBasisPoints } from '../domain/money.ts'
import type { AppEnvironment, Ctx, UseCase } from '../context.ts'
import { taxSystemOf } from '../tax/systems/index.ts'
import { printedNumber, seriesOfBook } from './series/index.ts'
import { prepareCached } from '../db/query.ts'
import type { Address, Company, currentCompanyContract } from './contract.ts'
import { findCompany } from './rows.ts'
import type { CompanyRow } from './rows.ts'

/** The issuer, as an invoice shows it. */
interface IssuerFacts {
  name: string
  tradeName: string | null
  nif: string
  idType: null
  street: string | null
  postalCode: string | null
  city: string | null
  province: string | null
  country: string
  email: string | null
  phone: string | null
  iban: string | null
  registryInscription: string | null
  dir3: null
}

/** Returns the company as it appears on an invoice issued now. */
export function issuerFacts(row: CompanyRow): IssuerFacts {
  return {
    name: row.legal_name,
    tradeName: row.trade_name,
    nif: row.nif,
    idType: null,
    street: row.street,
    postalCode: row.postal_code,
    city: row.city,
    province: row.province,
    country: row.country,
    email: row.email,
    phone: row.phone,
    iban: row.iban,
    registryInscription: row.registry_inscription,
    dir3: null,
  }
}

/**
 * Returns the environment of the book's records: test books never leave the computer, and a sandbox store never
 * reaches the authority.
 */
export function environmentOf(ctx: Ctx): 'production' | 'preproduction' | 'simulated' | 'sandbox' {
  if (ctx.book.mode === 'test') return 'simulated'
  return ctx.env.sandbox ? 'sandbox' : ctx.book.environment
}

interface Missing {
  code: 'producer_missing' | 'certificate_missing' | 'issuer_address_missing'
  message: string
  field?: string
}

/**
 * Returns true if the producer's data are missing. A sandbox's records carry the authority's sample producer, like a
 * test book's: they reach only a mock endpoint.
 */
function isProducerBlank({ producer, sandbox }: AppEnvironment): boolean {
  if (sandbox) return false
  return [producer.name, producer.nif, producer.address, producer.systemId].some((part) => part.trim() === '')
}

/**
 * Returns what stops the book from issuing; empty when it can. A live book needs a certificate to begin; afterwards a
 * missing or expired one does not stop issuing, because the records wait for the next one.
 */
export async function readinessOf(ctx: Ctx, company: CompanyRow): Promise<Missing[]> {
  const missing: Missing[] = []
  if (ctx.book.mode === 'live') {
    if (isProducerBlank(ctx.env))
      missing.push({
        code: 'producer_missing',
        message: "The details of the software's producer are blank in this build.",
      })
    if (!(await hasHadCertificate(ctx)))
      missing.push({
        code: 'certificate_missing',
        message: 'The company has no certificate, and the registry accepts live records only with one.',
      })
  }
  if (!company.street || !company.postal_code || !company.city)
    missing.push({
      code: 'issuer_address_missing',
      message: "An invoice must show the company's address.",
      field: 'address',
    })
  return missing
}

function addressOf(row: CompanyRow): Address | undefined {
  const { street, postal_code: postalCode, city, province, country } = row
  if (!street || !postalCode || !city) return undefined
  return { street, postalCode, city, ...(province ? { province } : {}), country }
}

const erpRows = prepareCached((db, p: { bookId: number }) =>
  db
    .selectFrom('erp_connections')
    .select(['state', 'last_sync_at'])
    .where('book_id', '=', p.bookId)
    .orderBy(sql`sealed_key is null`)
    .orderBy('updated_at', 'desc')
    .limit(1),
)

/** Returns whether an accounting system is connected, and when it was last read completely. */
async function erpState(ctx: Ctx): Promise<Company['erp']> {
  const row = await erpRows.first(ctx.db, { bookId: ctx.book.id })
  return {
    connected: row?.state === 'connected',
    lastSyncAt: row?.last_sync_at == null ? null : new Date(row.last_sync_at).toISOString(),
  }
}

/** Returns tax data of the active company, with the permissions of the caller's key. */
export const currentCompany: UseCase<typeof currentCompanyContract> = async (ctx) =>
  companyView(ctx, await findCompany(ctx))

export async function companyView(ctx: Ctx, row: CompanyRow): Promise<Company> {
  const address = addressOf(row)
  const today = ctx.today()
  const series = (await seriesOfBook(ctx)).filter((each) => each.archivedAt === null)
  const { actor, book } = ctx
  return {
    id: row.public_id,
    legalName: row.legal_name,
    ...(row.trade_name === null ? {} : { tradeName: row.trade_name }),
    nif: row.nif,
    kind: row.kind,
    ...(address ? { address } : {}),
    ...(row.email === null ? {} : { email: row.email }),
    ...(row.phone === null ? {} : { phone: row.phone }),
    ...(row.iban === null ? {} : { iban: row.iban }),
    ...(row.registry_inscription === null ? {} : { registryInscription: row.registry_inscription }),
    ...(row.activity_code === null ? {} : { activityCode: row.activity_code }),
    territory: row.territory,
    vatRegime: row.vat_regime,
    defaults: {
      withholdingPct:
        row.default_withholding_bp === null ? null : percentFromBasisPoints(row.default_withholding_bp),
      paymentDays: row.default_payment_days,
      language: row.default_language,
    },
    mode: book.mode,
    series: series.map(({ code, kind, nextNumber }) => ({
      code,
      kind,
      nextNumber,
      nextPrintedNumber: printedNumber(code, nextNumber),
    })),
    certificate: await certificateState(ctx),
    registry: { system: ctx.book.registry, environment: environmentOf(ctx) },
    vatRates: taxSystemOf(row.territory)
      .ratesAt(today)
      .map((rate) => ({
        rate: percentFromBasisPoints(rate.rateBp),
        surcharge: rate.surchargesBp[0] === undefined ? null : percentFromBasisPoints(rate.surchargesBp[0]),
        from: rate.from,
        ...(rate.to === null ? {} : { to: rate.to }),
      })),
    erp: await erpState(ctx),
    ...(actor.kind === 'key'
      ? { key: { name: actor.name, mode: book.mode, scopes: [...actor.scopes] } }
      : {}),
    readiness: await readinessOf(ctx, row),
    today,
    version: row.version,
  }
}
