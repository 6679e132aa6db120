/** Checks whether a certificate can serve the company: reasons to reject it, and warnings for the person. */
import { AppError } from '../../domain/errors/app-error.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import type { Holder } from './holder.ts'
import { EXPIRING_DAYS } from './state.ts'
import type { CertificateDetails, NamePart } from './x509.ts'

/** Facts of the certificate to check; instants in milliseconds. */
export interface CertificateVerdict {
  holder: Holder
  details: Pick<CertificateDetails, 'issuer' | 'signsDigitally' | 'purposes'>
  validFrom: number
  validTo: number
  /** Whole days until the day of expiry, in Spain. */
  daysLeft: number
}

interface CertificateSubject {
  company: { nif: string }
  now: Date
  /** A sandbox accepts any issuer. */
  sandbox: boolean
}

const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2'
const ANY_PURPOSE = '2.5.29.37.0'

/**
 * Providers of qualified certificates on Spain's trusted list, by the issuer's name. A name proves nothing and need
 * not: the authority checks the issuer. This check saves the person a rejection days later.
 */
const KNOWN_ISSUERS = [
  /\bFNMT\b|Fábrica Nacional de Moneda/i,
  /\bACCV(?:CA)?\b|Certificació Electrònica|Certificación Electrónica de la Comunitat/i,
  /Camerfirma/i,
  /\bIzenpe\b/i,
  /Firmaprofesional/i,
  /\bANF\b/,
  /EAD ?Trust|European Agency of Digital Trust/i,
  /Uanataca/i,
  /\bDNIE?\b|Dirección General de la Policía|DIRECCION GENERAL DE LA POLICIA/i,
  /Abogac[ií]a/i,
  /Registradores/i,
  /Notarial|Notariado|ANCERT/i,
  /Consorci (?:Administració|AOC)|CATCert|\bEC-/i,
  /Banco de España|BANCO DE ESPANA/i,
  /Seguridad Social/i,
  /Ministerio de Defensa/i,
  /Ivnosys|Signaturit/i,
  /Vintegris|vinCAsign/i,
  /EDICOM/i,
  /esFIRMA/i,
  /Logalty/i,
  /HealthSign/i,
  /\bSIGNE\b/i,
  /Digitel/i,
  /\bSIA\b|Sistemas Informáticos Abiertos/i,
]

function isKnown(issuer: readonly NamePart[]): boolean {
  return issuer.some(({ text }) => KNOWN_ISSUERS.some((known) => known.test(text)))
}

function checkDates({ validFrom, validTo }: CertificateVerdict, now: Date): void {
  const at = now.getTime()
  if (validFrom <= at && at <= validTo) return
  throw new AppError('certificate_expired', {
    field: 'file',
    details: {
      why: at > validTo ? 'expired' : 'not_yet_valid',
      validFrom: new Date(validFrom).toISOString(),
      validTo: new Date(validTo).toISOString(),
    },
  })
}

function warning(code: string, message: string, fix: string, params?: Fault['params']): Fault {
  return { code, field: 'file', severity: 'warning', message, fix, ...(params ? { params } : {}) }
}

/**
 * Checks the holder. Another party's certificate works when its holder has a power of attorney or is a social
 * collaborator, such as a gestoría that is a company (LGT art. 92; the authority's error 4112 lists who may send). A
 * certificate does not show that, so the result is a warning, for a person's, a representative's and a seal alike.
 */
function checkHolder({ holder }: CertificateVerdict, nif: string): Fault[] {
  const { kind, nif: holderNif, organizationNif } = holder
  if (organizationNif === nif) return []
  if (holderNif === nif && kind === 'person') return []
  if (holderNif === null && organizationNif === null)
    return [
      warning(
        'certificate_no_tax_number',
        'The certificate names no Spanish tax number, so it cannot be told whose it is.',
        'Make sure that the authority takes it, or use a qualified certificate with the NIF.',
      ),
    ]
  return [
    warning(
      'certificate_third_party',
      kind === 'person'
        ? 'The certificate is of a person whose tax number is not the one that issues the invoices.'
        : 'The certificate speaks for another entity than the one that issues the invoices.',
      'It works only if that holder has a power of attorney for this procedure or is a social collaborator.',
      { holderNif: organizationNif ?? holderNif ?? '', companyNif: nif },
    ),
  ]
}

function checkPurpose({ signsDigitally, purposes }: CertificateVerdict['details']): Fault[] {
  const found: Fault[] = []
  if (signsDigitally === false)
    found.push(
      warning(
        'certificate_no_signature',
        'Its issuer did not mean its key for digital signatures, which secure connections need.',
        "Use the issuer's certificate for identification or authentication.",
      ),
    )
  if (purposes && !purposes.some((purpose) => [CLIENT_AUTHENTICATION, ANY_PURPOSE].includes(purpose)))
    found.push(
      warning(
        'certificate_not_for_connections',
        'Its issuer did not mean it for identifying oneself on a connection.',
        "Use the issuer's certificate for identification or authentication.",
      ),
    )
  return found
}

/** Returns what a person should know about a certificate, as warnings. Throws `certificate_expired` outside its dates. */
export function assessCertificate(
  judged: CertificateVerdict,
  { company, now, sandbox }: CertificateSubject,
): Fault[] {
  checkDates(judged, now)
  const warnings = [...checkHolder(judged, company.nif), ...checkPurpose(judged.details)]
  if (!sandbox && !isKnown(judged.details.issuer))
    warnings.push(
      warning(
        'certificate_unknown_issuer',
        'Its issuer is none of the known Spanish providers of qualified certificates.',
        'Make sure that the authority takes certificates of that provider.',
      ),
    )
  if (judged.daysLeft <= EXPIRING_DAYS)
    warnings.push(
      warning('certificate_expiring', 'It ends soon.', 'Renew it in time and import the new one.', {
        daysLeft: judged.daysLeft,
      }),
    )
  return warnings
}
