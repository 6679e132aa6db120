/** VAT (IVA): mainland and Balearic Islands. Its rates are in `domain/tax/vat-rates.ts`, which the record checks too. */
import { TAX_TREATMENTS } from '../../../domain/tax/totals.ts'
import { vatRates } from '../../../domain/tax/vat-rates.ts'
import { defineSystem, regimeRule } from '../system.ts'
import type { TaxSystem } from '../system.ts'
import { causes } from './causes/index.ts'
import { vatSupply } from './place.ts'
import { VAT_TRANSLATED, VAT_MENTIONS } from './mentions.ts'

export const VAT_SYSTEM: TaxSystem = defineSystem({
  family: 'vat',
  code: '01',
  name: 'IVA',
  englishName: 'VAT',
  generalRateReason: 'The general VAT rate on the day.',
  area: 'vat',
  place: 'ES',
  category: { taxed: 'S', zero: 'Z' },
  // The surcharge of a retailer is charged by its supplier, never at customs alone (LIVA arts. 154 to 163).
  rates: vatRates.map((rate) => ({ ...rate, importSurchargeBp: null })),
  hasGeneralRate: true,
  regimes: [
    regimeRule('general'),
    regimeRule('surcharge', { taxedKey: '18', deducts: false }),
    regimeRule('simplified', { taxedKey: '20' }),
    regimeRule('cash', { taxedKey: '07', exemptKeys: { E1: '07' } }),
    regimeRule('exempt', {
      sale: {
        on: 'all',
        taxTreatment: 'E1',
        cause: null,
        why: 'What the company does is exempt (art. 20 LIVA).',
      },
      deducts: false,
    }),
    regimeRule('used_goods'),
    regimeRule('travel', { marginKey: '05' }),
  ],
  // List L8A of the registry.
  regimeKeys: '01 02 03 04 05 06 07 08 09 10 11 14 15 17 18 19 20'.split(' '),
  keyOfTreatment: {},
  treatments: TAX_TREATMENTS.filter((code) => code !== 'E7' && code !== 'E8'),
  causes,
  articleOf: null,
  words: VAT_MENTIONS,
  translated: VAT_TRANSLATED,
  law: 'Ley 37/1992',
  supply: vatSupply,
  purchases: { unionNatures: true, deducts: true, trustsOwnRateFromElsewhere: true },
  listsWithheld: false,
  limits: [],
  returns: [
    { model: '303', name: { es: 'IVA, autoliquidación', en: 'VAT return' }, period: 'quarter' },
    { model: '390', name: { es: 'IVA, resumen anual', en: 'VAT annual summary' }, period: 'year' },
    {
      model: '349',
      name: { es: 'Operaciones intracomunitarias', en: 'Recapitulative statement' },
      period: 'quarter',
    },
    { model: '347', name: { es: 'Operaciones con terceras personas', en: 'Third parties' }, period: 'year' },
    {
      model: '309',
      name: { es: 'IVA, autoliquidación no periódica', en: 'Occasional VAT return' },
      period: 'occasion',
    },
  ],
})
