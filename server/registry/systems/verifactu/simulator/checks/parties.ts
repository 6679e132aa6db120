/**
 * Checks of the parties of a record: recipients, the third party that made it, the party that cancels it, and the
 * producer.
 */
import { checkNif } from '../../../../../domain/tax/nif.ts'
import { isEuVatNumber } from '../../record/parties.ts'
import type { XmlElement } from '../../wire/reader.ts'
import { isAcceptableNif, isPersonsNif } from '../census.ts'
import type { RejectionCode } from '../messages/record-messages.ts'
import { at, has, operationDayOf, recipientsOf, valueAt } from '../messages/values.ts'
import type { Check, Surroundings } from './check.ts'

/** Codes of each block for the same mistakes. */
interface Block {
  /** Missing name, beside a natural person's number and beside any other. */
  namelessPerson: RejectionCode
  nameless: RejectionCode
  badNif: RejectionCode
  notInCensus: RejectionCode
  badId: RejectionCode
  /** Country ES with a kind of identification that is not admitted there. */
  spain: RejectionCode
  /** Code for type 07 where it is refused; null where it is admitted. */
  uncensused: RejectionCode | null
}

const RECIPIENT: Block = {
  namelessPerson: '1283',
  nameless: '1100',
  badNif: '1123',
  notInCensus: '1110',
  badId: '1103',
  spain: '1126',
  uncensused: null,
}
const THIRD_PARTY: Block = { ...RECIPIENT, notInCensus: '1109', spain: '1232', uncensused: '1211' }
const MAKER: Block = { ...THIRD_PARTY, badNif: '1258', notInCensus: '1259', uncensused: '1229' }
const RECIPIENT_MAKER: Block = { ...MAKER, spain: '1230', uncensused: null }
const PRODUCER: Block = {
  namelessPerson: '1179',
  nameless: '1179',
  badNif: '1176',
  notInCensus: '1176',
  badId: '1222',
  spain: '1232',
  uncensused: '1221',
}

/** Format of Great Britain's numbers, valid until it left the EU. */
const GB_VAT_FORM = /^GB(?:\d{9}|\d{12}|GD\d{3}|HA\d{3})$/

export const recipients: Check = (record, around) => {
  const found = recipientsOf(record)
  const kind = valueAt(record, 'TipoFactura')
  const isAnonymous = kind === 'F2' || kind === 'R5'
  if (!isAnonymous && found.length === 0) return '1189'
  if (isAnonymous && found.length > 0) return '1190'
  for (const recipient of found) {
    const idType = valueAt(recipient, 'IDOtro', 'IDType')
    if (kind === 'R3' && idType !== '' && idType !== '07') return '1191'
    if (kind === 'R2' && idType !== '' && idType !== '07' && idType !== '02') return '1192'
    const code = partyRejection(recipient, RECIPIENT, around, operationDayOf(record))
    if (code !== null) return code
  }
  return null
}

/** Checks the party that made the invoice for the issuer: T names a third party, D states that it was the recipient. */
export const madeBy: Check = (record, around) => {
  const by = valueAt(record, 'EmitidaPorTerceroODestinatario')
  const party = at(record, 'Tercero')
  if (by === '') return party ? '1155' : null
  if (by === 'D') {
    if (party) return '1159'
    return recipientsOf(record).length === 0 ? '1158' : null
  }
  if (!party) return '1186'
  const nif = valueAt(party, 'NIF')
  if (nif !== '' && nif === around.headerNif) return '1188'
  return partyRejection(party, THIRD_PARTY, around, operationDayOf(record))
}

/** Checks the party that requests a cancellation, when the record names one. */
export const cancelledBy: Check = (record, around) => {
  const by = valueAt(record, 'GeneradoPor')
  const party = at(record, 'Generador')
  if ((by === '') !== !party) return '1224'
  if (!party) return null
  const nif = valueAt(party, 'NIF')
  if (by === 'E' && nif === '') return '1227'
  const code = partyRejection(party, by === 'D' ? RECIPIENT_MAKER : MAKER, around, '')
  if (code !== null) return code
  return nif !== '' && nif === around.headerNif ? '1259' : null
}

/** Checks the producer of the program, and the program. */
export const system: Check = (record, around) => {
  const block = at(record, 'SistemaInformatico')
  if (!block) return '1179'
  // The name of a producer is often its trade name.
  const { census } = around
  const nameless = { ...around, census: { ...census, matches: census.knows } }
  const code = partyRejection(block, PRODUCER, nameless, '')
  if (code !== null) return code
  if (valueAt(block, 'NombreSistemaInformatico') === '') return '1220'
  if (!/^[A-Z0-9]{2}$/.test(valueAt(block, 'IdSistemaInformatico'))) return '1177'
  return valueAt(block, 'Version') === '' || valueAt(block, 'NumeroInstalacion') === '' ? '1179' : null
}

/**
 * Returns the rejection of a party. `day` is the operation's, for numbers that existed only for a time; empty where
 * it does not matter.
 */
function partyRejection(
  party: XmlElement,
  block: Block,
  { census }: Surroundings,
  day: string,
): RejectionCode | null {
  const nif = valueAt(party, 'NIF')
  const name = valueAt(party, 'NombreRazon')
  if (has(party, 'NIF')) {
    if (!isAcceptableNif(nif)) return block.badNif
    if (name === '') return isPersonsNif(nif) ? block.namelessPerson : block.nameless
    return census.matches(nif, name) ? null : block.notInCensus
  }
  return name === '' ? block.nameless : otherIdRejection(party, block, day)
}

function otherIdRejection(party: XmlElement, block: Block, day: string): RejectionCode | null {
  const country = valueAt(party, 'IDOtro', 'CodigoPais')
  const idType = valueAt(party, 'IDOtro', 'IDType')
  const id = valueAt(party, 'IDOtro', 'ID')
  if (id === '') return block.badId
  if (idType === '07' && block.uncensused !== null) return block.uncensused
  if (country === 'ES' && idType !== '03' && idType !== '07') return block.spain
  if (idType === '02') return vatNumberRejection(country, id, block, day)
  if (country === '') return '1111'
  if (idType !== '07') return null
  if (country !== 'ES') return '1126'
  const check = checkNif(id)
  if (!check.ok || check.nif !== id) return '1290'
  return check.kind === 'entity' ? '1131' : null
}

function vatNumberRejection(country: string, id: string, block: Block, day: string): RejectionCode | null {
  const prefix = id.slice(0, 2)
  if (prefix === 'GB' && (day === '' || day >= '2021-02-01')) return '1255'
  if (prefix === 'XI' && day !== '' && day < '2021-01-01') return '1254'
  if (!isEuVatNumber(id) && !GB_VAT_FORM.test(id)) return block.badId
  // Greece uses EL in its numbers and GR in the list of countries; Northern Ireland is part of GB there.
  const named = { EL: 'GR', XI: 'GB' }[prefix] ?? prefix
  return country === '' || country === named ? null : '1122'
}
