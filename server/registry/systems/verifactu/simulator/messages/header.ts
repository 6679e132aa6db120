/** Checks of the caller's right to act: the header of a submission and of a query, and the caller's certificate. */
import { businessDateOf, registryDate } from '../../../../../domain/dates.ts'
import type { XmlElement } from '../../wire/reader.ts'
import { isAcceptableNif, isPersonsNif } from '../census.ts'
import type { Census } from '../census.ts'
import type { FaultCode } from './fault-messages.ts'
import { Refusal } from './soap.ts'
import { at, dayOf, valueAt } from './values.ts'

/** The caller, as its certificate names it. */
export interface Caller {
  /** The holder's own numbers; a representative's certificate counts for its company. */
  nifs: readonly string[]
}

/** A party that may act for an issuer: attorney, collaborator or successor. */
export interface Attorney {
  nif: string
  /** The issuer. */
  of: string
  /** False: may send, but not query. */
  mayQuery?: boolean
}

export interface Rights {
  census: Census
  attorneys: readonly Attorney[]
}

/** Checks a submission's header. Throws a Refusal; returns the stated presenter. */
export function checkSubmissionHeader(
  header: XmlElement | undefined,
  rights: Rights,
  caller: Caller | null,
  now: Date,
): string {
  checkIssuer(at(header, 'ObligadoEmision'), rights.census)
  const representative = at(header, 'Representante')
  if (representative) checkRepresentative(representative, rights.census)
  if (at(header, 'RemisionRequerimiento')) throw new Refusal('4126')
  const end = valueAt(header, 'RemisionVoluntaria', 'FechaFinVeriFactu')
  if (end !== '') {
    if (dayOf(end) === null) throw new Refusal('4106', end)
    if (!isYearEnd(end, now)) throw new Refusal('4120', end)
  }
  const issuer = valueAt(header, 'ObligadoEmision', 'NIF')
  if (!caller) return valueAt(representative, 'NIF') || issuer
  return presenterOf(caller, issuer, rights.attorneys) ?? refuse('4112')
}

/** Checks a query's header. Throws a Refusal; returns the issuer queried and the party that queries. */
export function checkQueryHeader(
  header: XmlElement | undefined,
  rights: Rights,
  caller: Caller | null,
): { as: 'issuer' | 'recipient'; nif: string } {
  const issuer = at(header, 'ObligadoEmision')
  const recipient = at(header, 'Destinatario')
  if (issuer) {
    checkIssuer(issuer, rights.census)
    const nif = valueAt(issuer, 'NIF')
    if (!caller) return { as: 'issuer', nif }
    const presenter = presenterOf(caller, nif, rights.attorneys) ?? refuse('4112')
    const mandate = rights.attorneys.find((each) => each.nif === presenter && each.of === nif)
    if (presenter !== nif && mandate?.mayQuery === false) throw new Refusal('4140')
    return { as: 'issuer', nif }
  }
  if (!recipient) throw new Refusal('1172')
  const nif = valueAt(recipient, 'NIF')
  if (!isAcceptableNif(nif)) throw new Refusal('4109', nif)
  if (!rights.census.matches(nif, valueAt(recipient, 'NombreRazon'))) throw new Refusal('4107', `NIF:${nif}`)
  if (at(header, 'IndicadorRepresentante')) throw new Refusal('1261')
  if (caller && presenterOf(caller, nif, rights.attorneys) === null) throw new Refusal('4132')
  return { as: 'recipient', nif }
}

function checkIssuer(issuer: XmlElement | undefined, census: Census): void {
  const nif = valueAt(issuer, 'NIF')
  const name = valueAt(issuer, 'NombreRazon')
  if (!isAcceptableNif(nif)) throw new Refusal('4116', nif)
  if (name === '' && isPersonsNif(nif)) throw new Refusal('1282', `NIF:${nif}`)
  if (!census.matches(nif, name)) throw new Refusal('4104', `NIF:${nif}. NOMBRE_RAZON:${name}`)
}

function checkRepresentative(representative: XmlElement, census: Census): void {
  const nif = valueAt(representative, 'NIF')
  if (!isAcceptableNif(nif)) throw new Refusal('4117', nif)
  if (!census.knows(nif)) throw new Refusal('4123', nif)
  const name = valueAt(representative, 'NombreRazon')
  if (!census.matches(nif, name)) throw new Refusal('4124', `NIF:${nif}. NOMBRE_RAZON:${name}`)
}

/** Returns the caller's number that may act for a party, or null. */
function presenterOf(caller: Caller, nif: string, attorneys: readonly Attorney[]): string | null {
  if (caller.nifs.includes(nif)) return nif
  return (
    caller.nifs.find((own) => attorneys.some((attorney) => attorney.nif === own && attorney.of === nif)) ??
    null
  )
}

function refuse(code: FaultCode): never {
  throw new Refusal(code)
}

/** Returns true for the only days on which VERI*FACTU can be left: the last day of this year or of the previous one. */
function isYearEnd(written: string, now: Date): boolean {
  const year = Number(businessDateOf(now).slice(0, 4))
  return [year, year - 1].some((allowed) => written === registryDate(`${allowed}-12-31`))
}
