/** Invoices to public bodies, and the portal that takes them, for tests. */
import { onTestFinished } from 'vitest'
import { startPortalServer } from '../../../../server/integrations/portal/simulator/server.ts'
import type { PortalServer } from '../../../../server/integrations/portal/simulator/server.ts'
import { makeAuthorityCa } from '../../../../server/platform/simulated-authority/certificates/certificates.ts'
import { openBooks } from '../../../support/books.ts'
import type { DraftInput, TestBooks } from '../../../support/books.ts'
import { makeP12 } from '../../../support/files/certificates.ts'
import { EXAMPLE_COMPANY } from '../../../support/store.ts'

export const UNITS = {
  accountingOffice: 'L01280796',
  managingBody: 'L01280797',
  processingUnit: 'L01280798',
}

/** A customer that is a public body. */
export const PUBLIC_BODY = {
  clientName: 'Ayuntamiento de Ejemplo',
  clientNif: 'P2807900B',
  client: {
    address: {
      street: 'Plaza Mayor, 1',
      postalCode: '28012',
      city: 'Madrid',
      province: 'Madrid',
      country: 'ES',
    },
    dir3: UNITS,
  },
  lines: [{ description: 'Reparación de mobiliario urbano', quantity: 2, unitPrice: 150 }],
} satisfies Partial<DraftInput>

export const EMAIL = 'facturas@example.com'

/** Opens books whose test book can submit. */
export async function openPortalBooks(options: Parameters<typeof openBooks>[0] = {}): Promise<TestBooks> {
  const world = await openBooks(options)
  await world.run('portal.setSettings', { email: EMAIL, live: false })
  return world
}

/** Starts the portal over TLS until the test ends. */
export async function startPortal(now: () => Date): Promise<PortalServer> {
  const server = await startPortalServer({ now, ca: await makeAuthorityCa({ keyType: 'rsa' }) })
  onTestFinished(() => server.close())
  return server
}

/** The company's seal as a file to import. */
export function companySeal(): { file: string; password: string } {
  const password = 'clave'
  const { p12 } = makeP12({
    kind: 'seal',
    organization: EXAMPLE_COMPANY.legalName,
    organizationNif: EXAMPLE_COMPANY.nif,
    keyType: 'rsa',
    from: '2025-01-01T00:00:00Z',
    to: '2039-01-01T00:00:00Z',
    password,
  })
  return { file: p12.toString('base64'), password }
}

/** Opens books of a sandbox whose live book submits to that portal, with a certificate of its own. */
export async function openLiveAt(portal: { url: string; caPem: string }, at: string): Promise<TestBooks> {
  const world = await openBooks({
    at,
    environment: { sandbox: true, portalMockEndpoint: { url: portal.url, caPem: portal.caPem } },
  })
  await world.run('certificates.import', companySeal(), world.live)
  await world.run('portal.setSettings', { email: EMAIL, live: true }, world.live)
  return world
}
