/** What the schemes of a year have against a VAT return: nobody has stated them, or Sello does not write one of them. */
import type { Fault } from '../../../domain/errors/app-error.ts'
import type { ModelNumber } from '../contract.ts'
import { isInSii } from './schemes.ts'
import type { Schemes } from './schemes.ts'

/** Returns that state the schemes. */
const STATING: readonly ModelNumber[] = ['303', '390']

function notWritten(scheme: string, name: string, why: string): Fault {
  return {
    code: 'scheme_not_written',
    field: 'schemes',
    severity: 'error',
    message: `Sello does not write this return for ${name}: ${why}.`,
    fix: 'File it in the agency’s form, or elsewhere.',
    params: { scheme },
  }
}

const LIMITED = 'input VAT is limited, and a page of its own is needed'

/**
 * Returns what the schemes have against writing a return. `isLast`: the last period of the year, in which a business excused
 * from the 390 states its activities and turnover on a page that the books do not fill for certain.
 */
export function schemeFaults(model: ModelNumber, schemes: Schemes | null, isLast: boolean): Fault[] {
  if (!STATING.includes(model)) return []
  if (schemes === null)
    return [
      {
        code: 'schemes_unstated',
        field: 'schemes',
        severity: 'error',
        message: 'The form states the tax schemes of the year, and nobody has stated them here.',
        fix: 'State them once for the year on the page that files this return (Regímenes del año).',
      },
    ]
  const faults: Fault[] = []
  if (schemes.jointReturn)
    faults.push(notWritten('jointReturn', 'a joint return', 'it has other forms, or other treasuries too'))
  if (schemes.insolvency)
    faults.push(
      notWritten(
        'insolvency',
        'an insolvent business',
        'the form asks for the day and the part of the period',
      ),
    )
  if (schemes.prorata !== 'none') faults.push(notWritten('prorata', 'a business with pro rata', LIMITED))
  if (model === '303' && schemes.fuelDepositary)
    faults.push(
      notWritten('fuelDepositary', 'keepers of fuel depots', 'payments on account are not in the books'),
    )
  if (model === '303' && isLast && (schemes.excused390 || isInSii(schemes)))
    faults.push(
      notWritten(
        'excused390',
        'the last period of a business without form 390',
        'it states all activities and the turnover of the year, which the books do not tell for certain',
      ),
    )
  return faults
}
