/** A book that exchanges electronic invoices, and examples of its operations. */
import { findCompany } from '../../../server/company/index.ts'
import { createSystemCtx } from '../../../server/context.ts'
import { invoiceXml } from '../../../server/integrations/exchange/formats.ts'
import { exchangeTurn } from '../../../server/integrations/exchange/sending/turn.ts'
import { MemoryPlatform } from '../exchange/memory-platform.ts'
import { incomingExamples } from './incoming.ts'
import type { Furnished } from './index.ts'
import type { World } from '../world.ts'
import { CLIENT_ADDRESS } from '../books.ts'

const CUSTOMER = {
  clientName: 'Cliente Primero, S.L.',
  clientNif: 'B87654323',
  client: { address: CLIENT_ADDRESS },
}
const SUPPLIER_NIF = 'A58818501'

const platforms = new WeakMap<World, MemoryPlatform>()

/** Turns sending on, and returns the platform of the world. */
async function platformOf({ world }: Furnished): Promise<MemoryPlatform> {
  const platform = platforms.get(world) ?? new MemoryPlatform(() => world.env.now())
  platforms.set(world, platform)
  await world.run('exchange.setSettings', { sending: true })
  return platform
}

async function turn(made: Furnished): Promise<void> {
  const { world } = made
  const port = (await platformOf(made)).portOf((await findCompany(world.ctx())).nif)
  await world.run('exchange.poll', {})
  await exchangeTurn(createSystemCtx(world.env, world.books.test), () => Promise.resolve({ port, why: null }))
}

/** Returns an invoice that is at the platform. */
async function admitted(made: Furnished): Promise<string> {
  await platformOf(made)
  const { id: invoiceId } = await made.issued(CUSTOMER)
  await turn(made)
  return (await made.world.run('exchange.list', { invoiceId })).items[0]?.id ?? ''
}

/** Returns the file of an invoice that a supplier's program wrote. */
async function supplierFile(made: Furnished): Promise<string> {
  const { world } = made
  const { id, number } = await made.issued({
    clientName: 'Proveedor, S.A.',
    clientNif: SUPPLIER_NIF,
    client: { address: CLIENT_ADDRESS },
  })
  const { id: rowId } = await world
    .ctx()
    .db.selectFrom('invoices')
    .select('id')
    .where('public_id', '=', id)
    .executeTakeFirstOrThrow()
  const written = await invoiceXml(world.ctx(), rowId, { copy: false })
  if (!('xml' in written)) throw new Error(written.fault)
  const { nif } = await findCompany(world.ctx())
  const xml = written.xml
    .replaceAll(nif, '#own#')
    .replaceAll(SUPPLIER_NIF, nif)
    .replaceAll('#own#', SUPPLIER_NIF)
    .replaceAll(number ?? '', `S-${made.next()}`)
  return Buffer.from(xml).toString('base64')
}

/** Returns an invoice that arrived as a file. */
async function arrived(made: Furnished): Promise<string> {
  await platformOf(made)
  const { documents } = await made.world.run('exchange.importFile', {
    name: 'factura.xml',
    content: await supplierFile(made),
  })
  return documents[0]?.id ?? ''
}

/** A token is its owner's: it is asked for with the key that uses it. */
async function confirmed(made: Furnished, id: string, kind: 'rejected' | 'withdrawn' | 'cancel') {
  const { body } = await made.world.post(`/api/v1/exchange/documents/${id}/prepare`, {
    kind,
    ...(kind === 'rejected' ? { reason: 'commercial' } : {}),
  })
  return { params: { id }, body: { confirmationToken: String(body.data.confirmationToken) } }
}

async function rejected(made: Furnished): Promise<string> {
  const id = await arrived(made)
  const { body } = await confirmed(made, id, 'rejected')
  await made.world.post(`/api/v1/exchange/documents/${id}/report`, body)
  return id
}

/** Examples of documents that arrive and of electronic invoices. */
export const arrivalExamples = {
  ...incomingExamples,
  'exchange.readiness': () => ({}),
  'exchange.assumptions': () => ({}),
  'exchange.settings': () => ({}),
  'exchange.contact': async (made: Furnished) => ({ params: { id: await made.contact() } }),
  'exchange.setContact': async (made: Furnished) => ({
    params: { id: await made.newContact() },
    body: { channel: 'other', platformName: 'Facturas Ejemplo', agreedOn: '2026-07-01' },
  }),
  'exchange.list': () => ({}),
  'exchange.due': () => ({}),
  'exchange.get': async (made: Furnished) => ({ params: { id: await admitted(made) } }),
  'exchange.file': async (made: Furnished) => ({ params: { id: await admitted(made) } }),
  'exchange.message': async (made: Furnished) => {
    const { facts } = await made.world.run('exchange.get', { id: await admitted(made) })
    return { params: { id: facts.find(({ messageId }) => messageId !== null)?.messageId ?? '' } }
  },
  'exchange.send': async (made: Furnished) => {
    await platformOf(made)
    return { params: { id: (await made.issued(CUSTOMER)).id }, body: {} }
  },
  'exchange.retry': async (made: Furnished) => {
    const platform = await platformOf(made)
    const { id: invoiceId, number } = await made.issued(CUSTOMER)
    platform.refused.set(number ?? '', 'SPFE-GEN-45')
    await turn(made)
    const { items } = await made.world.run('exchange.list', { invoiceId })
    return { params: { id: items[0]?.id ?? '' }, body: {} }
  },
  'exchange.poll': async (made: Furnished) => {
    await platformOf(made)
    return { body: {} }
  },
  'exchange.prepare': async (made: Furnished) => ({
    params: { id: await arrived(made) },
    body: { kind: 'rejected', reason: 'commercial', note: 'No la hemos pedido' },
  }),
  'exchange.report': async (made: Furnished) => confirmed(made, await arrived(made), 'rejected'),
  'exchange.cancelReport': async (made: Furnished) => confirmed(made, await rejected(made), 'cancel'),
  'exchange.withdraw': async (made: Furnished) => confirmed(made, await admitted(made), 'withdrawn'),
  'exchange.exportStatus': async (made: Furnished) => ({
    query: { role: 'recipient', documentId: await rejected(made) },
  }),
  'exchange.importFile': async (made: Furnished) => {
    await platformOf(made)
    return { body: { name: 'factura.xml', content: await supplierFile(made) } }
  },
}
