/** Causes of not charging IPSI: its own, and those that it shares with VAT under its own articles. */
import type { TaxTreatment } from '../../../domain/tax/totals.ts'
import { cause } from '../cause.ts'
import type { Cause } from '../cause.ts'
import { sharedCauses } from '../causes.ts'

export function ipsiArticle(taxTreatment: TaxTreatment): string {
  if (taxTreatment === 'S1') return 'art. 18 Ley 8/1991'
  return taxTreatment.startsWith('N') ? 'art. 3 Ley 8/1991' : 'arts. 7 y 8 Ley 8/1991'
}

/** Keys of the record that IPSI has; what VAT reports under another key goes under the general one here. */
export const IPSI_KEYS: readonly string[] = '01 08 11 18 19 20'.split(' ')

/** Key of an interior exemption. Source: an open change of invopop/gobl.verifactu; no official example was found. */
export const IPSI_EXEMPT_KEY = '19'

function keyOf({ taxTreatment, regimeKey }: Cause): string {
  if (taxTreatment === 'E1') return IPSI_EXEMPT_KEY
  return taxTreatment === 'N2' && IPSI_KEYS.includes(regimeKey) ? regimeKey : '01'
}

export const ipsiCauses: readonly Cause[] = [
  cause(
    'trade',
    'N1',
    '01',
    ipsiArticle('N1'),
    'Venta al por mayor o al por menor de lo que no produces: no está sujeta',
    'Wholesale or retail sale of what you do not produce: not subject',
    { es: 'Operación no sujeta al IPSI ({article})', en: 'Outside the scope of IPSI' },
  ),
  cause(
    'ipsi_other',
    'E6',
    '01',
    'Ley 8/1991',
    'Otra exención del IPSI, con su propia norma',
    'Another exemption from IPSI, by a rule of its own',
    { es: 'Operación exenta del IPSI', en: 'Exempt from IPSI' },
  ),
  ...sharedCauses(ipsiArticle, false, keyOf),
]
