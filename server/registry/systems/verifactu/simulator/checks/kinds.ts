/** Checks of the kind of invoice and of the fields that only some kinds have. */
import { centsOf, has, linesOf, valueAt } from '../messages/values.ts'
import type { RejectionCode } from '../messages/record-messages.ts'
import type { Check } from './check.ts'

const TOLERANCE_CENTS = 1_000
const SIMPLIFIED_LIMIT_CENTS = 300_000
const MACRO_CENTS = 10_000_000_000

/** Checks for contradictory flags of a correction, whatever is held under the key. */
export const correctionFlags: Check = (record) => {
  if (valueAt(record, 'Subsanacion') === 'S') return null
  const earlier = valueAt(record, 'RechazoPrevio')
  if (earlier === 'S') return '1161'
  return earlier === 'X' ? '1153' : null
}

export const rectification: Check = (record) => {
  const kind = valueAt(record, 'TipoFactura')
  const isRectifying = kind.startsWith('R')
  const method = valueAt(record, 'TipoRectificativa')
  if (isRectifying && method === '') return '1114'
  if (!isRectifying && method !== '') return '1115'
  if (!isRectifying && has(record, 'FacturasRectificadas')) return '1117'
  if (kind !== 'F3' && has(record, 'FacturasSustituidas')) return '1116'
  const hasAmounts = has(record, 'ImporteRectificacion')
  if (method === 'S' && !hasAmounts) return '1118'
  return method !== 'S' && hasAmounts ? '1119' : null
}

export const flags: Check = (record) => {
  const kind = valueAt(record, 'TipoFactura')
  const isAnonymous = kind === 'F2' || kind === 'R5'
  if (valueAt(record, 'FacturaSimplificadaArt7273') === 'S' && isAnonymous) return '1183'
  if (valueAt(record, 'FacturaSinIdentifDestinatarioArt61d') === 'S' && !isAnonymous) return '1185'
  if (valueAt(record, 'Cupon') === 'S' && kind !== 'R1' && kind !== 'R5') return '1157'
  return macroRejection(record)
}

function macroRejection(record: Parameters<Check>[0]): RejectionCode | null {
  const isMacro = Math.abs(centsOf(valueAt(record, 'ImporteTotal'))) >= MACRO_CENTS
  const isMarked = valueAt(record, 'Macrodato') === 'S'
  if (isMarked === isMacro) return null
  return isMarked ? '1138' : '1139'
}

/** Checks the limit of simplified invoices; those under an agreement or art. 6.1.d are exempt. */
export const simplifiedLimit: Check = (record) => {
  if (valueAt(record, 'TipoFactura') !== 'F2') return null
  if (valueAt(record, 'FacturaSinIdentifDestinatarioArt61d') === 'S') return null
  if (valueAt(record, 'NumRegistroAcuerdoFacturacion') !== '') return null
  let sumCents = 0
  for (const line of linesOf(record)) {
    sumCents +=
      centsOf(valueAt(line, 'BaseImponibleOimporteNoSujeto')) + centsOf(valueAt(line, 'CuotaRepercutida'))
  }
  return sumCents > SIMPLIFIED_LIMIT_CENTS + TOLERANCE_CENTS ? '1150' : null
}
