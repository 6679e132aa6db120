/** Valid requests for the operations of the portal for public bodies. */
import type { Example, Furnished } from './index.ts'

const UNITS = { accountingOffice: 'L01280797', managingBody: 'L01280796', processingUnit: 'L01280798' }
const DIRECTORY =
  'Administración;Código OG;OG;Código UT;UT;Código OC;OC\n' +
  'Ayuntamiento de Madrid;L01280796;Ayuntamiento de Madrid;L01280798;Contratación;L01280797;Intervención\n'

/** Issues an invoice to a public body in a book that can submit it. */
async function issuedToBody(made: Furnished): Promise<string> {
  const { world } = made
  await world.run('portal.setSettings', { email: 'facturas@example.com', live: false })
  const { id } = await made.issued({
    clientName: 'Ayuntamiento de Madrid',
    clientNif: 'P2807900B',
    client: {
      address: { street: 'Plaza de Cibeles, 1', postalCode: '28014', city: 'Madrid', country: 'ES' },
      dir3: UNITS,
    },
  })
  return id
}

async function submitted(made: Furnished): Promise<string> {
  return (await made.world.run('portal.submit', { invoiceId: await issuedToBody(made) })).id
}

async function withDirectory({ world }: Furnished): Promise<void> {
  const { units } = await world.run('portal.settings', {})
  if (units === 0)
    await world.run('portal.importDirectory', {
      name: 'unidades.csv',
      content: Buffer.from(DIRECTORY).toString('base64'),
    })
}

export const portalExamples = {
  'portal.settings': async (made) => {
    await withDirectory(made)
    return {}
  },
  'portal.units': async (made) => {
    await withDirectory(made)
    return { query: { search: 'Madrid', role: 'managingBody' } }
  },
  'portal.ofInvoice': async (made) => ({ params: { id: await issuedToBody(made) } }),
  'portal.submit': async (made) => ({ body: { invoiceId: await issuedToBody(made) } }),
  'portal.list': async (made) => {
    await submitted(made)
    return { query: { state: 'registered', limit: 2 } }
  },
  'portal.get': async (made) => ({ params: { id: await submitted(made) } }),
  'portal.file': async (made) => ({ params: { id: await submitted(made) } }),
  'portal.cancel': async (made) => ({
    params: { id: await submitted(made) },
    body: { reason: 'El importe no es el acordado' },
  }),
  'portal.refresh': async (made) => ({ params: { id: await submitted(made) } }),
} satisfies Record<string, (made: Furnished) => Example | Promise<Example>>
