/** The certificate with which the simulated portal signs its answers. */
import { issueClientCertificate, makeAuthorityCa } from '../../../platform/simulated-authority/index.ts'
import type { AuthorityCa, Validity } from '../../../platform/simulated-authority/index.ts'

/** Creates a seal of the portal, valid between two days. */
export async function portalIdentity({
  ca,
  ...dates
}: Validity & { ca?: AuthorityCa }): Promise<{ keyPem: string; chainPem: string }> {
  const { keyPem, certPem } = await issueClientCertificate({
    ca: ca ?? (await makeAuthorityCa(dates)),
    kind: 'seal',
    nif: 'S2800001A',
    name: 'PORTAL SIMULADO',
    ...dates,
  })
  return { keyPem, chainPem: certPem }
}
