/** Codes 3000 to 3004, about records already held, and 2000 to 2009, about records accepted with errors. */
import { lines, to, foreigner, other, rejected, stricter, SERIALIZER, EARLIER, HELD } from './making.ts'
import type { Coverage } from './making.ts'

export const CODES_2000: Coverage = {
  '3000': HELD,
  '3001': HELD,
  '3002': HELD,
  '3003': 'authority data: who may write for whom',
  '3004': HELD,
  '2000': SERIALIZER,
  '2001': [
    rejected(
      'a person not in the census',
      to(foreigner({ country: 'ES', idType: '07', id: '89890002E' })),
      'recipient_not_in_census',
      '2001',
      { authority: 'AceptadoConErrores 2001', severity: 'warning' },
    ),
  ],
  '2002': EARLIER,
  '2003': EARLIER,
  '2004': 'authority data: its clock',
  '2005': [
    rejected('a total 10.01 off', { totalCents: 13_101 }, 'total_mismatch', '2005', {
      authority: 'AceptadoConErrores 2005',
    }),
    stricter('a total a cent off', { totalCents: 12_101 }, 'total_mismatch', '2005'),
  ],
  '2006': [
    rejected('a tax total 10.01 off', { taxTotalCents: 3_101 }, 'tax_total_mismatch', '2006', {
      authority: 'AceptadoConErrores 2006',
    }),
    stricter('a tax total a cent off', { taxTotalCents: 2_099 }, 'tax_total_mismatch', '2006'),
  ],
  '2007': HELD,
  '2008': EARLIER,
  '2009': [
    rejected('IPSI without regime', lines(other('02', null)), 'ipsi_regime', '2009', {
      authority: 'AceptadoConErrores 2009',
      severity: 'warning',
    }),
    rejected('IPSI with a regime of VAT', lines(other('02', '07')), 'ipsi_regime', '2009', {
      authority: 'AceptadoConErrores 2009',
      severity: 'warning',
    }),
  ],
}
