/** Names and legal sources of the returns. */
import type { Bilingual } from './boxes.ts'
import type { ModelNumber } from '../contract.ts'

export const MODEL_NAMES: Record<ModelNumber, Bilingual> = {
  '303': { es: 'IVA, autoliquidación', en: 'VAT return' },
  '309': { es: 'IVA, autoliquidación no periódica', en: 'VAT, occasional return' },
  '130': { es: 'IRPF, pago fraccionado', en: 'Income tax instalment' },
  '131': { es: 'IRPF, pago fraccionado en módulos', en: 'Income tax instalment under modules' },
  '111': { es: 'Retenciones a profesionales y trabajadores', en: 'Withheld from professionals and staff' },
  '115': { es: 'Retenciones por alquiler de locales', en: 'Withheld from rents of premises' },
  '123': { es: 'Retenciones sobre dividendos e intereses', en: 'Withheld from dividends and interest' },
  '349': { es: 'Operaciones intracomunitarias', en: 'Operations in the EU' },
  '369': { es: 'Ventanilla única (OSS)', en: 'One-stop shop (OSS)' },
  '390': { es: 'IVA, resumen anual', en: 'VAT, yearly summary' },
  '347': { es: 'Operaciones con terceras personas', en: 'Operations with third parties' },
  '190': {
    es: 'Retenciones a profesionales y trabajadores, resumen anual',
    en: 'Withheld from professionals and staff, yearly',
  },
  '180': {
    es: 'Retenciones por alquiler de locales, resumen anual',
    en: 'Withheld from rents of premises, yearly',
  },
  '420': { es: 'IGIC, autoliquidación', en: 'IGIC return' },
  '425': { es: 'IGIC, resumen anual', en: 'IGIC, yearly summary' },
  '415': {
    es: 'IGIC, operaciones con terceras personas',
    en: 'IGIC, operations with third parties',
  },
}

/** Returns a name that is the same in both languages, as that of an order. */
const same = (name: string): Bilingual => ({ es: name, en: name })

/** Source of the boxes and rules of each return without a dated layout. */
export const MODEL_SOURCES: Record<ModelNumber, Bilingual> = {
  '303': same('Orden EHA/3786/2008'),
  '309': { es: 'art. 71 RIVA', en: 'RIVA art. 71' },
  '130': {
    es: 'Orden EHA/672/2007; arts. 109 y 110 RIRPF',
    en: 'Orden EHA/672/2007; RIRPF arts. 109 and 110',
  },
  '131': {
    es: 'Orden EHA/672/2007; art. 110.1.b RIRPF',
    en: 'Orden EHA/672/2007; RIRPF art. 110.1.b',
  },
  '111': same('Orden EHA/586/2011'),
  '115': same('Orden EHA/3435/2007'),
  '123': same('Orden EHA/3435/2007'),
  '349': { es: 'Orden EHA/769/2010; arts. 78 a 81 RIVA', en: 'Orden EHA/769/2010; RIVA arts. 78 to 81' },
  '369': same('Orden HAC/610/2021'),
  '390': same('Orden EHA/3111/2009'),
  '347': {
    es: 'Orden EHA/3012/2008; arts. 31 a 35 RD 1065/2007',
    en: 'Orden EHA/3012/2008; RD 1065/2007 arts. 31-35',
  },
  '190': same('Orden EHA/3127/2009'),
  '180': same('Orden EHA/3435/2007'),
  '420': {
    es: 'Resolución de 14 de enero de 2019 de la Agencia Tributaria Canaria (BOC 15, de 23-1-2019)',
    en: 'Resolution of 14 January 2019, Canary tax office (BOC 15, 23-1-2019)',
  },
  '425': {
    es: 'Instrucciones del modelo 425 de la Agencia Tributaria Canaria',
    en: 'Instructions for form 425, Canary tax office',
  },
  '415': {
    es: 'Decreto 268/2011 de Canarias; Orden de 17 de abril de 2001',
    en: 'Decreto 268/2011 (Canary Islands); Orden 17-4-2001',
  },
}
