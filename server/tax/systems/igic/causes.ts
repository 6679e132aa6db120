/** Causes of not charging IGIC as usual: its own, and those that it shares with VAT under its own articles. */
import type { TaxTreatment } from '../../../domain/tax/totals.ts'
import { cause } from '../cause.ts'
import type { Cause } from '../cause.ts'
import { sharedCauses } from '../causes.ts'

/** Articles of each treatment. The consolidated text of 2025 numbers them anew; its official text was not read. */
export function igicArticle(taxTreatment: TaxTreatment): string {
  if (taxTreatment === 'S1') return 'art. 51 Ley 4/2012 de Canarias'
  if (taxTreatment === 'S2') return 'art. 19 Ley 20/1991'
  if (taxTreatment === 'E2' || taxTreatment === 'E3') return 'arts. 11 y 12 Ley 20/1991'
  if (taxTreatment === 'E4') return 'art. 13 Ley 20/1991'
  if (taxTreatment === 'E5') return 'art. 25 Ley 19/1994'
  if (taxTreatment === 'E6') return 'art. 47 Ley 19/1994'
  if (taxTreatment === 'E7') return 'art. 110 Ley 4/2012 de Canarias'
  return taxTreatment.startsWith('N') ? 'arts. 16 y 17 Ley 20/1991' : 'art. 50 Ley 4/2012 de Canarias'
}

export const igicCauses: readonly Cause[] = [
  cause(
    'reverse_igic',
    'S2',
    '01',
    igicArticle('S2'),
    'El cliente, empresario, ingresa el impuesto (inversión del sujeto pasivo)',
    'The customer, a business, accounts for the tax (reverse charge)',
    { es: 'Inversión del sujeto pasivo ({article})', en: 'Reverse charge' },
  ),
  cause(
    'retailer',
    'E1',
    '17',
    'art. 50.Uno.27º Ley 4/2012 de Canarias',
    'Ventas de un comerciante minorista',
    'Sales of a retailer (comerciante minorista)',
    {
      es: 'Operación exenta. Comerciante minorista ({article})',
      en: 'Exempt from IGIC: retailer (comerciante minorista)',
    },
  ),
  cause(
    'investment_goods',
    'E5',
    '01',
    igicArticle('E5'),
    'Bienes de inversión exentos por el régimen económico y fiscal de Canarias',
    "Investment goods exempt under the islands' economic and tax regime",
    { es: 'Operación exenta ({article})', en: 'Exempt from IGIC' },
  ),
  cause(
    'special_zone',
    'E6',
    '01',
    igicArticle('E6'),
    'Entregas y servicios entre entidades de la Zona Especial Canaria (ZEC)',
    'Supplies between entities of the Canary Islands Special Zone (ZEC)',
    { es: 'Operación exenta ({article})', en: 'Exempt from IGIC' },
  ),
  cause(
    'small_business',
    'E7',
    '18',
    igicArticle('E7'),
    'Régimen especial del pequeño empresario o profesional (REPEP)',
    'Special scheme of small businesses and professionals (REPEP)',
    {
      es: 'Exento por el régimen especial del pequeño empresario o profesional ({article})',
      en: 'Exempt from IGIC under the special scheme of small businesses',
    },
  ),
  cause(
    'igic_other',
    'E8',
    '01',
    'Ley 4/2012 de Canarias',
    'Otra exención del IGIC, con su propia norma',
    'Another exemption from IGIC, by a rule of its own',
    { es: 'Operación exenta del IGIC', en: 'Exempt from IGIC' },
  ),
  ...sharedCauses(igicArticle, true),
]
