/** The addresses of FACe's service. They are fixed: no setting, file or answer can name another. */
import type { SecureAddress } from '../../../platform/http-client/mutual-tls.ts'

/** Source: two working programs; never reached from here. */
const HOSTS = {
  production: 'webservice.face.gob.es',
  test: 'se-face-webservice.redsara.es',
} as const

export const SERVICE_PATH = '/facturasspp2'
const HTTPS_PORT = 443

/** Returns the address of an environment, or that of a stand-in on this computer, for a sandbox. */
export function addressOf(
  environment: keyof typeof HOSTS,
  standIn: { url: string; caPem: string } | null,
): SecureAddress {
  if (standIn === null) return { host: HOSTS[environment], port: HTTPS_PORT, caPem: null }
  const { hostname, port } = new URL(standIn.url)
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? HTTPS_PORT : Number(port),
    caPem: standIn.caPem,
  }
}
