/**
 * Reads the holder of a certificate, as Spanish issuers write it: a person, an entity's representative, or an
 * entity's seal. Sources: ETSI EN 319 412-1 5.1.3 and 5.1.4 (IDCES-, VATES-), and the conventions of issuers before
 * it or besides it.
 */
import { checkNif, normalizeNif } from '../../domain/tax/nif.ts'
import type { NamePart } from './x509.ts'

export interface Holder {
  kind: 'person' | 'representative' | 'seal'
  /** Name of the person, or of the entity for a seal. */
  name: string
  /** Number of the person; null for a seal, and when the certificate names none. */
  nif: string | null
  organizationNif: string | null
}

const COMMON_NAME = '2.5.4.3'
const SURNAME = '2.5.4.4'
const SERIAL_NUMBER = '2.5.4.5'
const ORGANIZATION = '2.5.4.10'
const GIVEN_NAME = '2.5.4.42'
const DN_QUALIFIER = '2.5.4.46'
const ORGANIZATION_IDENTIFIER = '2.5.4.97'
/** Camerfirma's own attribute for an entity's tax number, in certificates that predate the standard. */
const CAMERFIRMA_ENTITY = '1.3.6.1.4.1.17326.30.3'
const QC_ESEAL = '0.4.0.1862.1.6.2'

/** Short names of the attributes in certificates (RFC 4519, X.520). */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  [COMMON_NAME]: 'CN',
  [SURNAME]: 'SN',
  [SERIAL_NUMBER]: 'serialNumber',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  [ORGANIZATION]: 'O',
  '2.5.4.11': 'OU',
  '2.5.4.12': 'title',
  '2.5.4.13': 'description',
  [GIVEN_NAME]: 'GN',
  [DN_QUALIFIER]: 'dnQualifier',
  [ORGANIZATION_IDENTIFIER]: 'organizationIdentifier',
}

/** Formats a distinguished name for people: `CN=…, O=…, C=ES`, the most specific part first. */
export function printedName(parts: readonly NamePart[]): string {
  return parts
    .toReversed()
    .map(({ attribute, text }) => `${SHORT_NAMES[attribute] ?? attribute}=${text}`)
    .join(', ')
}

function textOf(parts: readonly NamePart[], attribute: string): string | null {
  const text = parts.find((part) => part.attribute === attribute)?.text
  return text === undefined || text === '' ? null : text
}

/** Returns the short name of an issuer, with the organisation where the name does not contain it. */
export function issuerName(parts: readonly NamePart[]): string {
  const name = textOf(parts, COMMON_NAME)
  const organization = textOf(parts, ORGANIZATION)
  if (name === null || organization === null) return name ?? organization ?? printedName(parts)
  return name.includes(organization) ? name : `${name} (${organization})`
}

/** Returns the words in the format of a tax number, in reading order. */
function numbersIn(text: string | null): string[] {
  return (text?.toUpperCase().match(/[A-Z0-9][A-Z0-9.\-/]{6,}[A-Z0-9]/g) ?? []).flatMap((word) => {
    const bare = normalizeNif(word.replace(/^(?:IDC|VAT|TIN|PNO|PAS|NTR)[A-Z]{2}-/, ''))
    return bare.length === 9 ? [bare] : []
  })
}

/** Returns a person's number only when its control letter is correct: other words have the same format. */
function personIn(text: string | null): string | null {
  return numbersIn(text).find((number) => isPersonal(number)) ?? null
}

function isPersonal(number: string): boolean {
  const check = checkNif(number)
  return check.ok && check.kind !== 'entity'
}

function entityIn(text: string | null): string | null {
  return numbersIn(text).find((number) => checkNif(number).kind === 'entity') ?? null
}

/**
 * Returns the tax number of an entity or a professional by ETSI EN 319 412-1, else by the conventions of older
 * certificates.
 */
function organizationNifOf(subject: readonly NamePart[]): string | null {
  const identifier = textOf(subject, ORGANIZATION_IDENTIFIER)
  if (identifier !== null) {
    const match = /^(?:VAT|TIN)ES-(.+)$/i.exec(identifier)
    // A number of another country or of a company register is not a NIF.
    if (!match) return /^[A-Z]{3}[A-Z]{2}-/i.test(identifier) ? null : entityIn(identifier)
    const nif = normalizeNif(match[1] ?? '')
    return /^[A-Z0-9]{9}$/.test(nif) ? nif : null
  }
  return (
    entityIn(textOf(subject, CAMERFIRMA_ENTITY)) ??
    entityIn(textOf(subject, SERIAL_NUMBER)) ??
    entityIn(textOf(subject, DN_QUALIFIER)) ??
    entityIn(textOf(subject, COMMON_NAME))
  )
}

function personNifOf(subject: readonly NamePart[]): string | null {
  return (
    personIn(textOf(subject, SERIAL_NUMBER)) ??
    personIn(textOf(subject, DN_QUALIFIER)) ??
    personIn(textOf(subject, COMMON_NAME))
  )
}

/** Removes the tax numbers that issuers add to a common name: `PÉREZ ANA - 12345678Z`, `12345678Z ANA PÉREZ (R: B…)`. */
function bareName(text: string): string {
  const bare = text
    .replace(/\s*\(R:[^)]*\)/gi, '')
    .replace(/\s*\((?:FIRMA|AUTENTICACIÓN|AUTENTICACION)\)/gi, '')
    .replace(/^(?:ENTIDAD\s.*?-\s*NOMBRE|NOMBRE)\s+/i, '')
    .replace(/\s*-\s*(?:NIF|CIF|DNI)?:?\s*[A-Z0-9]{9}\b/gi, '')
    .replace(/^[A-Z0-9]?\d{7,8}[A-Z0-9]?\s+/i, '')
    .replace(/^[\s-]+|[\s-]+$/g, '')
  return bare === '' ? text : bare
}

function personNameOf(subject: readonly NamePart[]): string | null {
  const given = textOf(subject, GIVEN_NAME)
  const surname = textOf(subject, SURNAME)
  if (given !== null && surname !== null) return `${given} ${bareName(surname)}`
  const common = textOf(subject, COMMON_NAME)
  return common === null ? null : bareName(common)
}

/** Returns the holder from a certificate's subject and its qualified types. */
export function holderOf(subject: readonly NamePart[], qualifiedTypes: readonly string[]): Holder {
  const organizationNif = organizationNifOf(subject)
  const personNif = personNifOf(subject)
  const hasPerson = personNif !== null || textOf(subject, SURNAME) !== null
  const isSeal = qualifiedTypes.includes(QC_ESEAL) || (organizationNif !== null && !hasPerson)
  if (isSeal)
    return {
      kind: 'seal',
      name: textOf(subject, ORGANIZATION) ?? bareName(textOf(subject, COMMON_NAME) ?? printedName(subject)),
      nif: null,
      // A professional's seal contains a person's number.
      organizationNif: organizationNif ?? personNif,
    }
  return {
    kind: organizationNif === null ? 'person' : 'representative',
    name: personNameOf(subject) ?? printedName(subject),
    nif: personNif,
    organizationNif,
  }
}
