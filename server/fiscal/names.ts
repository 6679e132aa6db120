/** The returns by name. */
import type { Words } from './boxes.ts'
import type { ModelNumber } from './contract.ts'

export const MODEL_NAMES: Record<ModelNumber, Words> = {
  '303': { es: 'IVA, autoliquidación', en: 'VAT return' },
  '130': { es: 'IRPF, pago fraccionado', en: 'Income tax instalment' },
  '111': { es: 'Retenciones a profesionales y trabajadores', en: 'Withheld from professionals and staff' },
  '115': { es: 'Retenciones por alquiler de locales', en: 'Withheld from rents of premises' },
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
}

/** Where the boxes and rules of each come from, when no dated layout says it. */
export const MODEL_SOURCES: Record<ModelNumber, string> = {
  '303': 'Orden EHA/3786/2008',
  '130': 'Orden EHA/672/2007; RIRPF arts. 109 and 110',
  '111': 'Orden EHA/586/2011',
  '115': 'Orden EHA/3435/2007',
  '349': 'Orden EHA/769/2010; RIVA arts. 78 to 81',
  '369': 'Orden HAC/610/2021',
  '390': 'Orden EHA/3111/2009',
  '347': 'Orden EHA/3012/2008; RD 1065/2007 arts. 31-35',
  '190': 'Orden EHA/3127/2009',
  '180': 'Orden EHA/3435/2007',
}
