/** A person who issues invoices in the company's name, or whom history names, is found, exported, erased and kept. */
import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { pdfOf } from '../../../../server/accounting/returns/simulator/pdf.ts'
import { openBooks } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { buffer } from 'node:stream/consumers'
import { addFile } from '../../../support/moving/files.ts'
import { applyAll } from '../../../support/moving/move.ts'

const NIF = '12345678Z'
const NAME = 'Zafira Olenda Gestora'
const issuedBy = {
  kind: 'third_party',
  name: NAME,
  nif: NIF,
  country: 'ES',
  street: 'Calle Zafira 1',
} as const
const invoice = {
  clientName: 'Otra, S.A.',
  clientNif: 'A58818501',
  client: { address: { street: 'Calle Sol 3', postalCode: '29001', city: 'Málaga', country: 'ES' } },
  lines: [{ description: 'Obra', quantity: 1, unitPrice: 100 }],
  issuedBy,
}

async function plant(world: TestBooks): Promise<{ draft: string; issued: string }> {
  await world.run('series.create', { code: 'GEST', kind: 'ordinary', purpose: 'third_party' })
  const draft = await world.run('invoices.create', { ...invoice, series: 'GEST' })
  const { id: issued } = await world.run('invoices.create', { ...invoice, series: 'GEST' })
  const { confirmation } = await world.run('invoices.validate', { id: issued })
  await world.run('invoices.issue', {
    id: issued,
    confirmationToken: confirmation?.confirmationToken ?? '',
  })
  await world.run('templates.create', { name: 'Plantilla', invoice })
  await world.run('recurring.create', {
    name: 'Cuota',
    rule: { freq: 'monthly', start: '2026-12-01' },
    invoice,
  })
  return { draft: draft.id, issued }
}

test('whoever issues in the company’s name', async () => {
  const world = await openBooks({ at: '2026-07-15T12:00:00+02:00' })
  const { draft, issued } = await plant(world)
  const { people } = await world.run('privacy.find', { text: 'zafira' })
  expect(people).toMatchObject([{ name: NAME, nif: NIF, kind: 'elsewhere' }])
  const subject = { nif: NIF, name: NAME }
  const { findings, hash } = await world.run('privacy.preview', { subject })
  expect(findings.filter(({ area }) => area === 'issuers')).toMatchObject([
    { fate: 'erase', count: 3 },
    { fate: 'keep', count: 1, samples: [{ label: 'T-GEST-0001', link: `/invoices/${issued}` }] },
  ])
  const zip = unzipSync(await buffer((await world.run('privacy.export', { subject })).stream))
  const rows = JSON.parse(strFromU8(zip['datos/issuers.json'] ?? new Uint8Array())) as unknown[]
  expect(rows).toHaveLength(4)
  expect(rows[0]).toMatchObject({ name: NAME, nif: NIF, street: 'Calle Zafira 1' })
  await world.run('privacy.erase', { subject, hash })
  expect((await world.run('invoices.get', { id: draft })).issuedBy).toBeUndefined()
  expect((await world.run('invoices.get', { id: issued })).issuedBy).toMatchObject({ name: NAME })
  const contents = [
    ...(await world.test.db.selectFrom('templates').select('content').execute()),
    ...(await world.test.db.selectFrom('recurrences').select('content').execute()),
  ]
  expect(contents).toHaveLength(2)
  expect(JSON.stringify(contents)).not.toContain('Zafira')
  expect(JSON.stringify(contents)).toContain('Otra, S.A.')
})

test('the customer of an invoice of an earlier program', async () => {
  const world = await openBooks({ at: '2026-07-15T12:00:00+02:00' })
  const { move } = await world.run('moving.start', { firstDay: '2026-07-01' })
  await addFile(
    world,
    move.id,
    'ventas.csv',
    `Número;Fecha;Cliente;NIF;Base;IVA %;Cuota;Total\nF-1;10/02/2026;${NAME};${NIF};100;21;21;121`,
  )
  await applyAll(world, move.id)
  const content = Buffer.from(pdfOf(['Factura F-1'])).toString('base64')
  await world.run('moving.attach', { id: move.id, name: 'F-1.pdf', content })
  const subject = { nif: NIF, name: NAME }
  const { findings } = await world.run('privacy.preview', { subject })
  expect(findings.filter(({ fate }) => fate === 'keep').map(({ area, count }) => [area, count])).toEqual(
    expect.arrayContaining([
      ['issued', 1],
      ['attachments', 1],
    ]),
  )
  const zip = unzipSync(await buffer((await world.run('privacy.export', { subject })).stream))
  expect(Object.keys(zip)).toEqual(expect.arrayContaining(['datos/issued.json', 'archivos/emitidas/F-1.pdf']))
  expect(strFromU8(zip['resumen.html'] ?? new Uint8Array())).not.toContain('No se ha podido incluir')
})
