/** Choices of the form of an asset: kinds, rows of the tables, and what a kind proposes. */
import type { InputOf, OutputOf } from '../../../server/api/contracts.ts'
import { ASSET_KINDS, kindFacts, proposedTable } from '../../../server/accounting/assets/kinds.ts'
import { DEPRECIATION_TABLES, maxRateOf, tableRow } from '../../../server/accounting/assets/tables.ts'
import { eurosFromCents } from '../../../server/domain/money.ts'

export type Asset = OutputOf<'assets.get'>
type AssetInput = InputOf<'assets.create'>
export type Candidate = OutputOf<'assets.candidates'>['items'][number]

export const KINDS = ASSET_KINDS
export const TABLES = DEPRECIATION_TABLES.map(({ name, rows }) => ({ name, rows: rows.map(({ id }) => id) }))

/** Values of the form; amounts in cents, percentages in basis points. */
interface AssetForm {
  description: string
  kind: AssetInput['kind']
  identifier: string
  account: string
  acquiredOn: string | null
  inUseOn: string | null
  base: number | null
  vat: number | null
  vatPercent: number | null
  vatDeducted: number | null
  residual: number | null
  method: AssetInput['method']
  percent: number | null
  years: string
  table: string
  pace: NonNullable<AssetInput['pace']>
  before: number | null
  beforeUntil: string | null
  supplierName: string
  supplierNif: string
  invoiceNumber: string
  invoiceDate: string | null
  notes: string
  receivedId: string | null
  receivedLine: number | null
}

const cents = (euros: number): number => Math.round(euros * 100)

/** Returns an empty form, for a new asset of today. */
export function emptyForm(today: string): AssetForm {
  return {
    description: '',
    kind: '23',
    identifier: '',
    account: '',
    acquiredOn: today,
    inUseOn: today,
    base: null,
    vat: null,
    vatPercent: 2100,
    vatDeducted: null,
    residual: null,
    method: 'percent',
    percent: null,
    years: '',
    table: '',
    pace: 'normal',
    before: null,
    beforeUntil: null,
    supplierName: '',
    supplierNif: '',
    invoiceNumber: '',
    invoiceDate: null,
    notes: '',
    receivedId: null,
    receivedLine: null,
  }
}

/** Returns the form of an asset. */
export function formOf(asset: Asset): AssetForm {
  return {
    description: asset.description,
    kind: asset.kind,
    identifier: asset.identifier ?? '',
    account: asset.account,
    acquiredOn: asset.acquiredOn,
    inUseOn: asset.inUseOn,
    base: cents(asset.base),
    vat: cents(asset.vat),
    vatPercent: asset.vatPercent === null ? null : cents(asset.vatPercent),
    vatDeducted: cents(asset.vatDeducted),
    residual: asset.residual === 0 ? null : cents(asset.residual),
    method: asset.method,
    percent: asset.percent === null ? null : cents(asset.percent),
    years: asset.years === null ? '' : String(asset.years),
    table: asset.table ?? '',
    pace: asset.pace,
    before: asset.accumulatedBefore === 0 ? null : cents(asset.accumulatedBefore),
    beforeUntil: asset.accumulatedUntil,
    supplierName: asset.received ? '' : (asset.supplier ?? ''),
    supplierNif: asset.received ? '' : (asset.supplierNif ?? ''),
    invoiceNumber: asset.received ? '' : (asset.invoiceNumber ?? ''),
    invoiceDate: asset.received ? null : asset.invoiceDate,
    notes: asset.notes ?? '',
    receivedId: asset.received?.id ?? null,
    receivedLine: asset.received?.line ?? null,
  }
}

/** Returns the form of a good that was bought. */
export function formOfCandidate(good: Candidate, today: string): AssetForm {
  return {
    ...emptyForm(today),
    description: good.description,
    kind: good.kind,
    account: good.account,
    acquiredOn: good.date,
    inUseOn: good.inUseOn,
    base: cents(good.base),
    vat: cents(good.vat),
    vatPercent: good.vatPercent === null ? null : cents(good.vatPercent),
    vatDeducted: cents(good.vatDeducted),
    method: good.percent === null ? 'none' : 'percent',
    percent: good.percent === null ? null : cents(good.percent),
    table: good.table ?? '',
    receivedId: good.receivedId,
    receivedLine: good.receivedLine,
  }
}

/** Returns the terms of a form, as the preview takes them; null while one is missing. */
export function termsOf(form: AssetForm): Omit<InputOf<'assets.preview'>, 'id'> | null {
  const years = /^\d{1,3}$/.test(form.years.trim()) ? Number(form.years) : null
  if (!form.acquiredOn || !form.inUseOn || form.base === null || form.base <= 0) return null
  if (form.method === 'percent' && (form.percent === null || form.percent <= 0 || form.percent > 10_000))
    return null
  if (form.method === 'years' && (years === null || years < 1 || years > 100)) return null
  if (form.before !== null && form.before > 0 && !form.beforeUntil) return null
  return {
    kind: form.kind,
    acquiredOn: form.acquiredOn,
    inUseOn: form.inUseOn,
    base: eurosFromCents(form.base),
    vat: eurosFromCents(form.vat ?? 0),
    vatDeducted: eurosFromCents(form.vatDeducted ?? form.vat ?? 0),
    residual: eurosFromCents(form.residual ?? 0),
    method: form.method,
    percent: form.method === 'percent' && form.percent !== null ? form.percent / 100 : null,
    years: form.method === 'years' ? years : null,
    table: form.table === '' ? null : form.table,
    pace: form.pace,
    accumulatedBefore: eurosFromCents(form.before ?? 0),
    accumulatedUntil: form.before ? form.beforeUntil : null,
  }
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text)

/** Returns the whole input of a form; null while the terms are not complete. */
export function inputOf(form: AssetForm): AssetInput | null {
  const terms = termsOf(form)
  if (!terms || form.description.trim() === '') return null
  return {
    ...terms,
    description: form.description,
    identifier: orNull(form.identifier),
    ...(form.account === '' ? {} : { account: form.account }),
    vatPercent: form.vatPercent === null ? null : form.vatPercent / 100,
    receivedId: form.receivedId,
    receivedLine: form.receivedLine,
    supplierName: orNull(form.supplierName),
    supplierNif: orNull(form.supplierNif),
    invoiceNumber: orNull(form.invoiceNumber),
    invoiceDate: form.invoiceDate,
    notes: orNull(form.notes),
  }
}

/** Returns the highest percentage of a row, in basis points; null without one. */
export function highest(form: Pick<AssetForm, 'table' | 'inUseOn' | 'pace'>): number | null {
  const row = form.table === '' || !form.inUseOn ? undefined : tableRow(form.table, form.inUseOn)
  return row ? maxRateOf(row, form.pace) : null
}

/** Returns what a kind proposes: account, and the row of a table. */
export function proposedBy(kind: AssetInput['kind'], isLegal: boolean): { account: string; table: string } {
  const { account } = kindFacts(kind)
  return { account, table: proposedTable(kind, account, isLegal) ?? '' }
}
