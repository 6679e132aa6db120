/** Warnings about the tax of a draft that follow from its parties, as a tax adviser would raise them. Pure. */
import type { Fault } from '../../../domain/errors/app-error.ts'
import { checkNif } from '../../../domain/tax/nif.ts'
import { isInUnion } from '../../../domain/tax/territories.ts'
import {
  taxSystemOf,
  taxSystemOfCode,
  territoryOfPostalCode,
  VAT_SYSTEM,
} from '../../../tax/systems/index.ts'
import type { TaxSystem } from '../../../tax/systems/index.ts'
import { warning } from './faults.ts'
import { isRectifying, isSimplified } from '../kinds.ts'
import type { DraftContent } from '../content.ts'
import type { PartyFacts } from './parties.ts'

type Party = Pick<PartyFacts, 'nif' | 'idType' | 'country' | 'postalCode'>

/**
 * True for companies, by the first letter of the NIF (Orden EHA/451/2008): they bear withholding on rents only (RIS
 * art. 61).
 */
const COMPANY = /^[ABCDF]/
/** Matches rents of premises, on which companies bear withholding too (RIS art. 61.a; RIRPF art. 75.2.a). */
const RENT_ACCOUNT = /^752/

/** True for a business of another member state, by its VAT number. */
function isEuBusiness({ idType, country }: Party): boolean {
  return idType === '02' && country !== 'ES' && (isInUnion(country) || country === 'XI')
}

/** Returns the tax where a Spanish customer is, by the postal code; null for another country or without a code. */
function systemAt({ country, idType, postalCode }: Party): TaxSystem | null {
  const territory = country === 'ES' && idType === null ? territoryOfPostalCode(postalCode ?? '') : null
  return territory === null ? null : taxSystemOf(territory)
}

function isNaturalPerson({ nif, idType, country }: Party): boolean {
  if (nif === null || idType !== null || country !== 'ES') return false
  const check = checkNif(nif)
  return check.ok && check.kind !== 'entity'
}

const isCompany = ({ nif }: Party): boolean =>
  nif !== null && checkNif(nif).kind === 'entity' && COMPANY.test(nif)

function vatFaults(content: DraftContent, issuer: Party): Fault[] {
  const { client } = content
  const system = taxSystemOfCode(content.tax)
  // A correction keeps the treatment of the original.
  if (isRectifying(content.kind) || isSimplified(content.kind)) return []
  const at = content.lines.findIndex(
    (line) =>
      !line.isDisbursement &&
      line.taxTreatment === 'S1' &&
      (line.vatRateBp ?? 0) > 0 &&
      line.regimeKey !== '17',
  )
  if (at < 0) return []
  const field = `lines[${at}].taxTreatment`
  if (isEuBusiness(client) && system === VAT_SYSTEM)
    return [
      warning({
        code: 'vat_to_eu_business',
        field,
        message: 'A business of another member state with a VAT number is charged Spanish VAT.',
        fix: 'Goods sent there are exempt (E5); services are usually not subject here (N2). Keep the VAT only where the operation takes place in Spain, such as works on property here.',
        params: { country: client.country },
      }),
    ]
  const theirs = systemAt(client)
  if (
    system === VAT_SYSTEM &&
    theirs !== null &&
    theirs !== system &&
    (systemAt(issuer) ?? system) === system
  )
    return [
      warning({
        code: 'vat_to_islands',
        field,
        message: 'A customer in the Canary Islands, Ceuta or Melilla is charged VAT.',
        fix: 'Goods sent there are exempt as exports (E2); services to businesses are usually not subject (N2). Keep the VAT only where the operation takes place in the mainland.',
      }),
    ]
  if (system !== VAT_SYSTEM && theirs !== system && (theirs !== null || isElsewhere(client)))
    return [
      warning({
        code: 'tax_to_outside',
        field,
        message: `A customer outside the area of ${system.name} is charged it.`,
        fix: `Goods sent there are exempt as exports (E2); services to businesses are usually not subject (N2). Keep ${system.name} only where the operation takes place in its area.`,
        params: { tax: system.name },
      }),
    ]
  return []
}

const isElsewhere = ({ country }: Party): boolean => country !== 'ES'

function withholdingFaults(content: DraftContent, issuer: Party): Fault[] {
  const { client, withholdingBp } = content
  if (withholdingBp === null || withholdingBp === 0) return []
  const field = 'withholdingPct'
  const isRent =
    content.property !== null ||
    content.lines.some((line) => line.regimeKey === '11' || RENT_ACCOUNT.test(line.account ?? ''))
  const faults: Fault[] = []
  if (isCompany(issuer) && !isRent)
    faults.push(
      warning({
        code: 'withholding_of_company',
        field,
        message: 'A company bears no income tax withholding, except on rents of premises.',
        fix: 'Take the withholding off.',
      }),
    )
  if (isNaturalPerson(client))
    faults.push(
      warning({
        code: 'withholding_private_client',
        field,
        message: 'Only businesses withhold: the customer is a natural person.',
        fix: 'Take the withholding off, unless the customer buys for a business of their own.',
      }),
    )
  else if (client.country !== 'ES' || client.idType !== null)
    faults.push(
      warning({
        code: 'withholding_foreign_client',
        field,
        message: 'A customer from another country withholds no Spanish income tax.',
        fix: 'Take the withholding off, unless the customer has an establishment in Spain.',
      }),
    )
  return faults
}

function reverseChargeFaults({ lines, client }: DraftContent): Fault[] {
  const at = lines.findIndex((line) => line.taxTreatment === 'S2')
  if (at < 0 || !isNaturalPerson(client)) return []
  return [
    warning({
      code: 'reverse_charge_private',
      field: `lines[${at}].taxTreatment`,
      message: 'Reverse charge is only for businesses: the customer is a natural person.',
      fix: 'Charge the VAT, unless the customer buys for a business of their own (art. 84.Uno.2º of Ley 37/1992).',
    }),
  ]
}

/** Returns warnings about the tax of a draft by its seller and its customer. */
export function taxFaults(content: DraftContent, issuer: PartyFacts): Fault[] {
  return [
    ...vatFaults(content, issuer),
    ...withholdingFaults(content, issuer),
    ...reverseChargeFaults(content),
  ]
}
