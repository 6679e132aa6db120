/** Checks of the regime key of a line: which taxes have one, and what each key allows. */
import type { XmlElement } from '../../wire/reader.ts'
import type { RejectionCode } from '../messages/record-messages.ts'
import { centsOf, dayOf, has, recipientsOf, valueAt } from '../messages/values.ts'

/** Key 21 exists only for the Canary Islands' tax; the schema has one list for all. */
const NOT_OF_VAT = ['21']

/** Returns the first fault in a line's regime, its exemption or its base at cost. */
export function regimeRejection(line: XmlElement, record: XmlElement): RejectionCode | null {
  const tax = valueAt(line, 'Impuesto') || '01'
  const regime = valueAt(line, 'ClaveRegimen')
  const exemption = valueAt(line, 'OperacionExenta')
  if (tax === '05' && regime !== '') return '1260'
  if ((tax === '01' || tax === '03') && regime === '') return '1245'
  if (tax === '01' && NOT_OF_VAT.includes(regime)) return '1246'
  if (tax !== '03' && ['E7', 'E8'].includes(exemption)) return '1182'
  const mayBeAtCost = regime === '06' || tax === '02' || tax === '05'
  if (has(line, 'BaseImponibleACoste') && !mayBeAtCost) return '1257'
  if (tax === '01' && exemption === 'E5' && recipientsOf(record).some((one) => has(one, 'NIF'))) return '1289'
  // The tax of Ceuta and Melilla has its own list of keys, which at present only causes a warning (2009).
  return tax === '01' || tax === '03' ? combinationRejection(tax, regime, line, record) : null
}

function combinationRejection(
  tax: '01' | '03',
  regime: string,
  line: XmlElement,
  record: XmlElement,
): RejectionCode | null {
  const treatment = valueAt(line, 'CalificacionOperacion')
  const exemption = valueAt(line, 'OperacionExenta')
  const isExempt = exemption !== ''
  const kind = valueAt(record, 'TipoFactura')
  switch (regime) {
    case '01':
      return exemption === 'E2' || exemption === 'E3' ? '1199' : null
    case '02':
      return isExempt ? null : '1286'
    case '03':
      return treatment === 'S1' || isExempt ? null : '1200'
    case '04':
      return treatment === 'S2' || isExempt ? null : '1201'
    case '06':
      return ['F2', 'F3', 'R5'].includes(kind) || !has(line, 'BaseImponibleACoste') ? '1202' : null
    case '07':
      return ['S2', 'N1', 'N2'].includes(treatment) || ['E2', 'E3', 'E4', 'E5'].includes(exemption)
        ? '1203'
        : null
    case '08':
      return treatment === 'N2' ? null : '1252'
    case '10': {
      const areIdentified = recipientsOf(record).every((one) => has(one, 'NIF'))
      return treatment === 'N1' && kind === 'F1' && areIdentified ? null : '1205'
    }
    case '11': {
      // The Canary Islands' tax has other rates.
      const rate = valueAt(line, 'TipoImpositivo')
      return tax === '01' && rate !== '' && centsOf(rate) !== 2100 ? '1206' : null
    }
    case '14':
      return publicWorksRejection(record)
    case '20':
      return tax === '03' && treatment !== 'N2' ? '1293' : null
    default:
      return null
  }
}

function publicWorksRejection(record: XmlElement): RejectionCode | null {
  const issueDate = dayOf(valueAt(record, 'IDFactura', 'FechaExpedicionFactura')) ?? ''
  const operationDate = dayOf(valueAt(record, 'FechaOperacion')) ?? ''
  if (operationDate <= issueDate) return '1147'
  if (!['F1', 'R1', 'R2', 'R3', 'R4'].includes(valueAt(record, 'TipoFactura'))) return '1148'
  return recipientsOf(record).every((one) => /^[PQSV]/.test(valueAt(one, 'NIF'))) ? null : '1149'
}
