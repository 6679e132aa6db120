/** IGIC: the Canary Islands. */
import { TAX_TREATMENTS } from '../../../domain/tax/totals.ts'
import { defineSystem, regimeRule } from '../system.ts'
import type { TaxSystem } from '../system.ts'
import { mentionsWithName } from '../mentions.ts'
import { igicArticle, igicCauses } from './causes.ts'
import { igicSupply } from './place.ts'
import { igicRates } from './rates.ts'
import { IGIC_MENTIONS } from './mentions.ts'

export const IGIC_SYSTEM: TaxSystem = defineSystem({
  family: 'igic',
  code: '03',
  name: 'IGIC',
  englishName: 'IGIC',
  generalRateReason: 'The general IGIC rate on the day.',
  area: 'canary',
  place: 'ES-CN',
  category: { taxed: 'L', zero: 'L' },
  rates: igicRates,
  hasGeneralRate: true,
  // The simplified regime is left out: the sources disagree on its key (20 asks for N2), and its return is not covered.
  regimes: [
    regimeRule('general'),
    regimeRule('retailer', {
      sale: {
        on: 'goods',
        taxTreatment: 'E1',
        cause: 'retailer',
        why: 'The company is a retailer (comerciante minorista).',
      },
      deducts: false,
      paysImportSurcharge: true,
      conditions: {
        es: 'quién es comerciante minorista lo dice el art. 50.Uno.27º de la Ley 4/2012 de Canarias, por lo vendido el año anterior.',
        en: 'art. 50.Uno.27º of Ley 4/2012 (Canary Islands) says who is a retailer, by the sales of the year before.',
      },
    }),
    regimeRule('small_business', {
      exemptKeys: { E7: '18' },
      sale: {
        on: 'all',
        taxTreatment: 'E7',
        cause: 'small_business',
        why: 'The company is under the special scheme of small businesses (REPEP).',
      },
      deducts: false,
      conditions: {
        es: 'es para personas físicas con operaciones de hasta 30.000 euros el año anterior.',
        en: 'it is for natural persons with operations of at most 30,000 euros in the year before.',
      },
    }),
    regimeRule('cash', { taxedKey: '07', exemptKeys: { E1: '07' } }),
    regimeRule('exempt', {
      sale: {
        on: 'all',
        taxTreatment: 'E1',
        cause: null,
        why: 'What the company does is exempt (art. 50 Ley 4/2012 de Canarias).',
      },
      deducts: false,
    }),
    regimeRule('used_goods'),
    regimeRule('travel', { marginKey: '05' }),
  ],
  // List L8B of the registry.
  regimeKeys: '01 02 03 04 05 06 07 08 09 10 11 14 15 17 18 19 20 21'.split(' '),
  keyOfTreatment: {},
  treatments: TAX_TREATMENTS,
  causes: igicCauses,
  articleOf: igicArticle,
  words: IGIC_MENTIONS,
  translated: mentionsWithName('IGIC'),
  law: null,
  supply: igicSupply,
  // A business of the mainland that charges a rate of IGIC is established in the islands too, as far as this tax goes.
  purchases: { unionNatures: false, deducts: true, trustsOwnRateFromElsewhere: true },
  // By one note of a publisher on model 415.
  listsWithheld: true,
  limits: [
    {
      code: 'small_business_turnover',
      regime: 'small_business',
      cents: 3_000_000,
      from: '2018-01-01',
      to: null,
      source: 'Régimen especial del pequeño empresario o profesional, art. 110 Ley 4/2012 de Canarias',
      certain: false,
    },
    {
      code: 'operations_with_third_parties',
      cents: 300_506,
      from: '2008-01-01',
      to: null,
      source: 'Modelo 415 de la Agencia Tributaria Canaria',
    },
  ],
  returns: [
    {
      model: '420',
      name: { es: 'IGIC, autoliquidación trimestral', en: 'IGIC quarterly return' },
      period: 'quarter',
    },
    { model: '425', name: { es: 'IGIC, resumen anual', en: 'IGIC annual summary' }, period: 'year' },
    { model: '415', name: { es: 'Operaciones con terceras personas', en: 'Third parties' }, period: 'year' },
    {
      model: '412',
      name: { es: 'IGIC, autoliquidación ocasional', en: 'Occasional IGIC return' },
      period: 'occasion',
    },
  ],
})
