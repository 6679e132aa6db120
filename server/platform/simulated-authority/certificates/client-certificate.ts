/** Checks a client's certificate for the simulated authority's server: its holder and whether it is trusted. */
import type { X509Certificate } from 'node:crypto'

export type CertificateFault = 'missing' | 'expired' | 'not_yet_valid' | 'not_trusted'

const MOST_INTERMEDIATES = 5

/**
 * Returns why a client's certificate is rejected, or null. Without `roots` every certificate within its dates is
 * accepted. The dates are compared with the simulated clock, so the check is made here and not by the TLS library.
 */
export function certificateFault(
  leaf: X509Certificate | undefined,
  presented: readonly X509Certificate[],
  roots: readonly X509Certificate[],
  now: Date,
): CertificateFault | null {
  if (!leaf) return 'missing'
  if (now < leaf.validFromDate) return 'not_yet_valid'
  if (now > leaf.validToDate) return 'expired'
  return roots.length === 0 || isTrusted(leaf, presented, roots, now) ? null : 'not_trusted'
}

function isTrusted(
  leaf: X509Certificate,
  presented: readonly X509Certificate[],
  roots: readonly X509Certificate[],
  now: Date,
): boolean {
  let current = leaf
  for (let step = 0; step <= MOST_INTERMEDIATES; step++) {
    const isIssuer = (candidate: X509Certificate) =>
      current.checkIssued(candidate) && current.verify(candidate.publicKey) && now <= candidate.validToDate
    if (roots.some((root) => root.fingerprint256 === current.fingerprint256 || isIssuer(root))) return true
    const next = presented.find((candidate) => candidate.ca && candidate !== current && isIssuer(candidate))
    if (!next) return false
    current = next
  }
  return false
}

/**
 * Returns the tax numbers that a certificate represents: the organization's where there is one (representative or
 * seal), else the person's. Their fields: ETSI EN 319 412-1, section 5.1 (`VATES-`, `IDCES-`), and FNMT's common
 * names.
 */
export function holderNifs(certificate: X509Certificate): string[] {
  const fields = new Map<string, string>()
  for (const line of certificate.subject.split('\n')) {
    const equals = line.indexOf('=')
    if (equals > 0) fields.set(line.slice(0, equals), line.slice(equals + 1))
  }
  const [, organization] = /^VATES-(\w{9})$/.exec(fields.get('organizationIdentifier') ?? '') ?? []
  if (organization) return [organization]
  const [, person] = /^(?:IDCES-)?(\w{9})$/.exec(fields.get('serialNumber') ?? '') ?? []
  if (person) return [person]
  const [, named] = /(?:^| - )(\w{9})(?: |$)/.exec(fields.get('CN') ?? '') ?? []
  return named ? [named] : []
}
