/** Checks common to both kinds of record: the place in the chain, the time and the format of the hash. */
import { isAcceptableNif } from '../census.ts'
import { at, dayOf, valueAt } from '../messages/values.ts'
import type { Check } from './check.ts'

const ALPHANUMERIC = /^[A-Za-z0-9]*$/

export const chain: Check = (record) => {
  const previous = at(record, 'Encadenamiento', 'RegistroAnterior')
  if (!previous) return null
  const nif = valueAt(previous, 'IDEmisorFactura')
  const number = valueAt(previous, 'NumSerieFactura')
  const hash = valueAt(previous, 'Huella')
  if (nif === '' || number === '' || hash === '') return '1269'
  // A number other than the issuer's own is valid here: companies merge.
  if (!isAcceptableNif(nif)) return '1180'
  if (dayOf(valueAt(previous, 'FechaExpedicionFactura')) === null) return '1174'
  if (!/^[\x20-\x7e]+$/.test(number) || /["'<>=]/.test(number)) return '1175'
  return ALPHANUMERIC.test(hash) ? null : '1291'
}

export const seal: Check = (record) => {
  const generatedAt = valueAt(record, 'FechaHoraHusoGenRegistro')
  const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/
  if (!form.test(generatedAt) || Number.isNaN(Date.parse(generatedAt))) return '1244'
  const hash = valueAt(record, 'Huella')
  if (hash.length !== 64) return '1262'
  return ALPHANUMERIC.test(hash) ? null : '1292'
}
