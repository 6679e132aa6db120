/** The form state of an amendment: the registered data, the corrected data, and their difference. Pure. */
import type { InputOf, OutputOf } from '../../../../server/api/contracts.ts'
import type { AmendPart } from '../../../registry/meaning.ts'
import type { DraftForm } from '../editor/draft.ts'

export type Changes = NonNullable<InputOf<'invoices.validate'>['changes']>
type Record_ = NonNullable<OutputOf<'invoices.validate'>['preview']['record']>
/** The last registered values of everything that can be amended. */
export type Facts = NonNullable<Record_['registration']>
export type Change = Record_['changes'][number]
type IdType = NonNullable<Facts['clientIdType']>
export type Treatment = Facts['breakdown'][number]['taxTreatment']

export interface AmendForm {
  /** Null where the record names no customer. */
  client: { name: string; nif: string; idType: IdType | ''; country: string } | null
  description: string
  operationDate: string | null
  /** Texts, empty for what is not told; without the address, which the registry is not told. */
  issuedBy: DraftForm['issuedBy']
  breakdown: { taxTreatment: Treatment; regimeKey: string }[]
}

/** Keys of the VAT regimes, in the registry's order. */
export const REGIME_KEYS = '01 02 03 04 05 06 07 08 09 10 11 14 15 17 18 19 20'.split(
  ' ',
) as readonly string[]

/** Treatments that a line without VAT may be changed to: none of them changes an amount. */
export const UNTAXED: readonly Treatment[] = ['S2', 'N1', 'N2', 'E1', 'E2', 'E3', 'E4', 'E5', 'E6']

function issuedByOf(facts: Facts): DraftForm['issuedBy'] {
  return {
    kind: facts.issuedBy ?? '',
    name: facts.issuedByName ?? '',
    nif: facts.issuedByNif ?? '',
    idType: facts.issuedByIdType ?? '',
    country: facts.issuedByCountry ?? 'ES',
    street: '',
    postalCode: '',
    city: '',
    province: '',
  }
}

/** Returns who issued it as the server takes it. */
function issuedByInput({ issuedBy }: Pick<AmendForm, 'issuedBy'>): NonNullable<Changes['issuedBy']> {
  const { kind, name, nif, idType, country } = issuedBy
  if (kind !== 'third_party') return { kind: kind === 'recipient' ? kind : null }
  return {
    kind,
    name: name.trim() || null,
    nif: nif.trim() || null,
    idType: (idType || null) as IdType | null,
    country: country || 'ES',
  }
}

/** Returns the form of the registered data. */
export function amendFormOf(facts: Facts): AmendForm {
  return {
    client:
      facts.clientName === undefined
        ? null
        : {
            name: facts.clientName,
            nif: facts.clientNif ?? '',
            idType: facts.clientIdType ?? '',
            country: facts.clientCountry ?? 'ES',
          },
    description: facts.description,
    operationDate: facts.operationDate,
    issuedBy: issuedByOf(facts),
    breakdown: facts.breakdown.map(({ taxTreatment, regimeKey }) => ({
      taxTreatment,
      regimeKey: regimeKey ?? '01',
    })),
  }
}

/** Returns only the fields that differ from the registered data. */
export function changesOf(form: AmendForm, facts: Facts): Changes {
  const changes: Changes = {}
  const { client } = form
  if (client) {
    const name = client.name.trim()
    const nif = client.nif.trim()
    if (name !== facts.clientName) changes.clientName = name
    if (nif !== (facts.clientNif ?? '')) changes.clientNif = nif
    if ((client.idType || null) !== (facts.clientIdType ?? null)) changes.clientIdType = client.idType || null
    // A Spanish number implies its country.
    if (client.idType !== '' && client.country !== (facts.clientCountry ?? 'ES'))
      changes.clientCountry = client.country
  }
  const description = form.description.trim()
  if (description !== facts.description) changes.description = description
  if (form.operationDate !== facts.operationDate) changes.operationDate = form.operationDate
  const issuedBy = issuedByInput(form)
  if (JSON.stringify(issuedBy) !== JSON.stringify(issuedByInput({ issuedBy: issuedByOf(facts) })))
    changes.issuedBy = issuedBy
  const breakdown = form.breakdown.flatMap((line, index) => {
    const told = facts.breakdown[index]
    const change = {
      index,
      ...(told && line.taxTreatment !== told.taxTreatment ? { taxTreatment: line.taxTreatment } : {}),
      ...(told && line.regimeKey !== (told.regimeKey ?? '01') ? { regimeKey: line.regimeKey } : {}),
    }
    return Object.keys(change).length > 1 ? [change] : []
  })
  if (breakdown.length > 0) changes.breakdown = breakdown
  return changes
}

/** Checks the form before the server is called. Returns message keys below `invoice.amend.fault`, by field. */
export function amendFaults(form: AmendForm): Partial<Record<AmendField, string>> {
  const faults: Partial<Record<AmendField, string>> = {}
  if (form.client?.name.trim() === '') faults.clientName = 'clientName'
  if (form.client?.nif.trim() === '') faults.clientNif = 'clientNif'
  if (form.description.trim() === '') faults.description = 'description'
  return faults
}

const AMEND_FIELDS = [
  'clientName',
  'clientNif',
  'clientIdType',
  'clientCountry',
  'description',
  'operationDate',
  'issuedBy.kind',
  'issuedBy.name',
  'issuedBy.nif',
  'issuedBy.idType',
  'issuedBy.country',
  'breakdown',
] as const
export type AmendField = (typeof AMEND_FIELDS)[number]

/** Returns the field of the form that the path of a fault names, or null. */
export function amendFieldOf(path: string): AmendField | null {
  const name = path.replace(/^changes\./, '')
  if (/^(lines|breakdown)/.test(name)) return 'breakdown'
  if (name === 'issuedBy') return 'issuedBy.kind'
  if (/^client\.?(nif|id)$/i.test(name)) return 'clientNif'
  return AMEND_FIELDS.find((field) => field === name) ?? null
}

/** The field at which the dialog opens, by part. */
export const FIRST_FIELD: Record<AmendPart, AmendField> = {
  client: 'clientNif',
  description: 'description',
  operationDate: 'operationDate',
  breakdown: 'breakdown',
}

/**
 * Returns the line of the breakdown (from 0) and the field that a change belongs to; the line is null for header
 * fields.
 */
export function changedField(field: string): { line: number | null; name: string } {
  const match = /^breakdown\[(\d+)\]\.(\w+)$/.exec(field)
  return match ? { line: Number(match[1]), name: match[2] ?? '' } : { line: null, name: field }
}
