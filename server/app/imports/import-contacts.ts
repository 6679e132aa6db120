/** Imports rows as contacts, matched by NIF, else by name. */
import {
  checkContact,
  findContactByRow,
  findSameContacts,
  insertContact,
} from '../../catalog/contacts/index.ts'
import {
  isContactUnused,
  removeContact,
  restoreContact,
  rewriteContact,
} from '../../catalog/contacts/index.ts'
import { createContactContract, updateContactContract } from '../../catalog/contacts/contract.ts'
import type { ContactRecord } from '../../catalog/contacts/index.ts'
import type { ContractInput } from '../../domain/contract/define-contract.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import type { DocumentLanguage } from '../../domain/languages.ts'
import { checkNif, normalizeNif } from '../../domain/tax/nif.ts'
import { searchText } from '../../domain/text.ts'
import { splitVatNumber } from '../../domain/tax/vat-numbers.ts'
import { orNotFound } from '../../context.ts'
import { contractFaults, omitUndefined } from './importer.ts'
import type { RowReader, Importer } from './importer.ts'
import { readCountry } from '../../platform/spreadsheets/values.ts'

type Input = ContractInput<typeof createContactContract>

const ROLES = [
  ['both', /^(ambos|cliente ?(y|e|\/|-|,) ?proveedor|cliente\/prov|both|customer ?(and|\/) ?supplier)/],
  ['supplier', /^(prov|acreedor|supplier|vendor|creditor)/],
  ['customer', /^(cli|customer|client|deudor)/],
] as const
const METHODS = [
  ['transfer', /^(transf|transfer|bank)/],
  ['direct_debit', /^(domicilia|recibo|adeudo|giro|direct debit|sepa)/],
  ['card', /^(tarjeta|card|tpv|visa)/],
  ['cash', /^(efectivo|contado|cash|metalico)/],
  ['bizum', /^bizum/],
  ['cheque', /^(cheque|talon|pagare|check)/],
  ['other', /^(otro|otra|other)/],
] as const
const LANGUAGES = [
  ['es', /^(es\b|esp|spa|cast)/],
  ['ca', /^(ca\b|cat|val)/],
  ['eu', /^(eu\b|eus|vasc|bas)/],
  ['gl', /^(gl\b|ga)/],
  ['en', /^(en|ing|ang)/],
  ['fr', /^fr/],
  ['de', /^(de|al|ger)/],
  ['pt', /^(pt|por)/],
] as const satisfies readonly (readonly [DocumentLanguage, RegExp])[]
const ID_TYPES = [
  ['02', /^(0?2|nif-?iva|vat)/],
  ['03', /^(0?3|pasap|passp)/],
  ['04', /^(0?4|documento oficial|doc)/],
  ['05', /^(0?5|cert)/],
  ['06', /^(0?6|otro|other)/],
  ['07', /^(0?7|no censado)/],
] as const

/** Restores the leading zeros that a NIF lost in a spreadsheet, when only that makes it valid. */
function withZeros(nif: string): string {
  const bare = normalizeNif(nif)
  if (!/^\d{5,7}[A-Z]$/.test(bare)) return bare
  const padded = bare.padStart(9, '0')
  return checkNif(padded).ok ? padded : bare
}

function addressOf(row: RowReader, country: string | undefined): Input['address'] | undefined {
  const [street, city, province] = ['street', 'city', 'province'].map((name) => row.text(name))
  let postalCode = row.text('postalCode')
  // 08001 becomes 8001 when a spreadsheet reads it as a number.
  if (postalCode && (country ?? 'ES') === 'ES' && /^\d{4}$/.test(postalCode)) postalCode = `0${postalCode}`
  if (street && postalCode && city)
    return { street, postalCode, city, ...(province ? { province } : {}), country: country ?? 'ES' }
  if (street || postalCode || city || province)
    row.fault(
      'import_address_incomplete',
      !street ? 'street' : !postalCode ? 'postalCode' : 'city',
      'An address needs street, postal code and city: it is left out.',
      'warning',
    )
  return undefined
}

function inputOf(row: RowReader): Input {
  let country: string | undefined
  if (row.text('country') !== undefined) {
    country = readCountry(row.text('country') ?? null) ?? undefined
    if (country === undefined) row.fault('import_country_unknown', 'country', 'There is no such country.')
  }
  const written = row.text('nif')
  const nif = written === undefined ? undefined : withZeros(written)
  const elsewhere = country !== undefined && country !== 'ES'
  const vat = nif === undefined || !elsewhere ? null : splitVatNumber(nif)
  const idType =
    row.choice('idType', ID_TYPES, searchText) ??
    (vat && vat.country === country ? ('02' as const) : undefined)
  const role = row.choice('role', ROLES, searchText)
  const dir3 = ['dir3Office', 'dir3Body', 'dir3Unit'].map((name) => row.text(name)?.toUpperCase())
  const [accountingOffice, managingBody, processingUnit] = dir3
  if (dir3.some(Boolean) && !dir3.every(Boolean))
    row.fault('dir3_incomplete', 'dir3Office', 'A public body has three DIR3 codes, not one or two.')
  const tags = row
    .text('tags')
    ?.split(/[,;|]/)
    .map((tag) => tag.trim())
  const externalRef = row.text('externalRef')
  return omitUndefined({
    name: row.text('name') ?? '',
    tradeName: row.text('tradeName'),
    nif,
    idType,
    address: addressOf(row, country),
    email: row.text('email')?.toLowerCase(),
    phone: row.text('phone'),
    iban: row.text('iban'),
    roles: role && { customer: role !== 'supplier', supplier: role !== 'customer' },
    paymentDays: row.number('paymentDays'),
    paymentMethod: row.choice('paymentMethod', METHODS, searchText),
    withholdingPct: row.number('withholdingPct'),
    surcharge: row.flag('surcharge'),
    language: row.choice('language', LANGUAGES, searchText),
    tags: tags?.filter(Boolean),
    externalRefs: externalRef === undefined ? undefined : [externalRef],
    dir3:
      accountingOffice && managingBody && processingUnit
        ? { accountingOffice, managingBody, processingUnit }
        : undefined,
    notes: row.text('notes')?.replace(/\s*\n\s*/g, ' '),
  }) as Input
}

function fieldOf(path: string): string {
  const last = path.replace(/^(address|roles)\./, '').replace(/\[\d+\]$/, '')
  const dir3 = { accountingOffice: 'dir3Office', managingBody: 'dir3Body', processingUnit: 'dir3Unit' }
  if (last.startsWith('dir3.')) return dir3[last.slice(5) as keyof typeof dir3] ?? 'dir3Office'
  return last === 'externalRefs' ? 'externalRef' : last === 'roles' ? 'role' : last
}

export const contactImporter: Importer = {
  async check(ctx, row) {
    const input = inputOf(row)
    const faults: Fault[] = [...contractFaults(createContactContract.input, input, fieldOf)]
    // A field that could not be parsed needs no second fault.
    const unread = new Set(row.faults.map((fault) => fault.field))
    const all = [...row.faults, ...faults.filter((fault) => !unread.has(fault.field))]
    if (!all.some((fault) => fault.severity === 'error')) {
      try {
        all.push(...checkContact(input))
      } catch (thrown) {
        if (!(thrown instanceof AppError) || thrown.code !== 'validation_failed') throw thrown
        all.push(...(thrown.details?.faults as Fault[]))
      }
    }
    const number = input.nif ? normalizeNif(input.nif) || null : null
    const same = await findSameContacts(ctx, number, input.name)
    return {
      label: input.name,
      identity: { group: '', number, name: input.name },
      // An import never changes names.
      known: same.map((row) => ({
        rowId: row.id,
        hasSameNumber: number !== null && row.nif === number,
        group: '',
        number: number ?? row.nif,
        name: row.name,
      })),
      faults: all,
      input,
    }
  },

  async create(tx, input) {
    return insertContact(tx, createContactContract.input.parse(input))
  },

  async update(tx, targetId, input) {
    const before = orNotFound(await findContactByRow(tx, targetId))
    const { name: _name, ...rest } = input as Input
    const {
      id: _id,
      expectedVersion: _version,
      ...changes
    } = updateContactContract.input.parse({ ...rest, id: before.public_id })
    const after = await rewriteContact(tx, before, changes)
    return { id: after.id, version: after.version, before }
  },

  async undo(tx, target) {
    const row = await findContactByRow(tx, target.id)
    if (!row) return true
    if (row.version !== target.version || row.merged_into !== null || !(await isContactUnused(tx, row.id)))
      return false
    await removeContact(tx, row.id)
    return true
  },

  async putBack(tx, target, before) {
    const row = await findContactByRow(tx, target.id)
    if (!row || row.version !== target.version || row.merged_into !== null) return false
    await restoreContact(tx, row, before as ContactRecord)
    return true
  },
}
