/** Rules of an invoice that a third party or the customer issues in the company's name. Pure. */
import type { Fault } from '../../../domain/errors/app-error.ts'
import type { DraftContent } from '../content.ts'
import { thirdPartyOf } from '../issued-by.ts'
import { isSimplified } from '../kinds.ts'
import { identityFaults } from './check.ts'
import { error, warning } from './faults.ts'
import type { PartyFacts } from './parties.ts'

/** What the book knows of the series of the draft. */
export interface IssuerOfSeries {
  /** What the series is kept apart for; null until it exists. */
  purpose: string | null
  /** Number and name of the third party or customer whose invoices the series has. */
  other: { nif: string | null; name: string } | null
}

const FIELDS: Readonly<Record<string, string>> = {
  clientNif: 'issuedBy.nif',
  'client.idType': 'issuedBy.idType',
  'client.country': 'issuedBy.country',
}

/** Returns the faults in the identification of the third party, as far as it can be checked offline. */
export function thirdPartyFaults(third: PartyFacts, issuerNif: string | null): Fault[] {
  const faults: Fault[] = []
  if (third.name === '')
    faults.push(
      error({
        code: 'issued_by_name_missing',
        field: 'issuedBy.name',
        message: 'An invoice that a third party issues names the third party.',
        fix: 'Give its name, as its tax number is registered.',
        authorityCode: '1178',
      }),
    )
  if (third.nif === null)
    return [
      ...faults,
      error({
        code: 'issued_by_nif_missing',
        field: 'issuedBy.nif',
        message: 'An invoice that a third party issues carries the tax number of the third party.',
        fix: 'Give its number.',
        authorityCode: '1178',
      }),
    ]
  if (third.idType === null && third.country === 'ES' && third.nif === issuerNif)
    faults.push(
      error({
        code: 'issued_by_company',
        field: 'issuedBy.nif',
        message: 'The third party is the company itself.',
        fix: 'Name the third party, or leave it out: the company issues the invoice.',
        authorityCode: '1188',
      }),
    )
  if (third.idType === '07')
    faults.push(
      error({
        code: 'issued_by_not_in_census',
        field: 'issuedBy.idType',
        message: 'A third party cannot be identified as "not in the census".',
        fix: 'Use its NIF, or another kind of identifier.',
        authorityCode: '1211',
      }),
    )
  else
    // The rules of a customer's identification, under codes whose texts name the third party.
    for (const fault of identityFaults({ ...third, nif: third.nif })) {
      const isDoubt = fault.severity === 'warning'
      faults.push({
        ...fault,
        code: isDoubt ? 'issued_by_number_doubtful' : 'issued_by_number_wrong',
        field: FIELDS[fault.field] ?? fault.field,
        message: `The identification of the third party is wrong: ${fault.message}`,
      })
    }
  return faults
}

/** RD 1619/2012 art. 6.1.a: a series for each third party and each customer that issues invoices. */
function seriesFaults({ issuedBy, client }: DraftContent, series: IssuerOfSeries): Fault[] {
  const isForOthers = series.purpose === 'third_party' || series.purpose === 'recipient'
  if (issuedBy === null)
    return isForOthers
      ? [
          warning({
            code: 'issued_by_not_said',
            field: 'series',
            message: 'The series is kept apart for invoices that somebody else issues.',
            fix: 'Say who issues it, or choose another series.',
          }),
        ]
      : []
  if (series.purpose !== issuedBy.kind)
    return [
      error({
        code: 'issued_by_series',
        field: 'series',
        message: 'Invoices that somebody else issues have a series of their own.',
        fix: `Choose a series whose purpose is ${issuedBy.kind}, or add one.`,
      }),
    ]
  const nif = issuedBy.kind === 'recipient' ? client.nif : issuedBy.nif
  if (series.other === null || series.other.nif === nif) return []
  return [
    error({
      code: 'issued_by_other_series',
      field: 'series',
      message: `The series has invoices that ${series.other.name} issued.`,
      fix: 'Each third party and each customer has a series of its own: choose another one, or add it.',
      params: { name: series.other.name },
    }),
  ]
}

/** Returns the faults of who issues the draft. */
export function issuedByFaults(content: DraftContent, issuer: PartyFacts, series: IssuerOfSeries): Fault[] {
  const faults = seriesFaults(content, series)
  const third = thirdPartyOf(content)
  if (third !== null) return [...thirdPartyFaults(third, issuer.nif), ...faults]
  // Without a recipient in the record nobody could have issued it (1158); a simplified invoice is registered without.
  if (content.issuedBy?.kind === 'recipient' && isSimplified(content.kind))
    faults.unshift(
      error({
        code: 'issued_by_nobody',
        field: 'issuedBy.kind',
        message: 'A simplified invoice is registered without its customer, so the customer cannot issue it.',
        fix: 'Make it a complete invoice (F1), or say that the company issues it.',
        authorityCode: '1158',
      }),
    )
  return faults
}
