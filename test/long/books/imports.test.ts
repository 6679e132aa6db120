/** Ten thousand rows of each kind: every one accounted for, none twice, and none left after undo. */
import { expect, test } from 'vitest'
import { personalNif } from '../../support/nif.ts'
import { openWorld } from '../../support/world.ts'

const ROWS = 10_000
const nif = (index: number) => personalNif(10_000_000 + index * 37)

/** Spread over half a year, like real invoices. */
const day = (index: number) =>
  `${String((index % 28) + 1).padStart(2, '0')}/${String((index % 6) + 1).padStart(2, '0')}/2026`

const FILES = {
  contacts: {
    head: 'Nombre;NIF;Dirección;CP;Población;Correo;Teléfono',
    row: (index: number) =>
      `Cliente número ${index};${nif(index)};Calle ${index};28013;Madrid;c${index}@x.example;600${String(index).padStart(6, '0')}`,
    list: 'contacts.list',
  },
  items: {
    head: 'Código;Nombre;Precio;IVA',
    row: (index: number) => `SKU-${index};Producto ${index};${index},50;21`,
    list: 'items.list',
  },
  received: {
    head: 'Proveedor;NIF;Número;Fecha;Base;IVA %;Total',
    row: (index: number) =>
      `Proveedor ${index % 50};${nif(index % 50)};F-${index};${day(index)};100,00;21;121,00`,
    list: 'received.window',
  },
} as const

for (const kind of ['contacts', 'items', 'received'] as const)
  test(`${ROWS} ${kind} are previewed, imported and undone`, { timeout: 300_000 }, async () => {
    const world = await openWorld()
    const file = FILES[kind]
    const csv = [file.head, ...Array.from({ length: ROWS }, (_, index) => file.row(index + 1))].join('\r\n')
    const started = performance.now()
    const times: string[] = []
    const lap = (what: string) => times.push(`${what} ${Math.round(performance.now() - started)} ms`)
    const { run } = await world.run('imports.upload', {
      kind,
      fileName: 'grande.csv',
      content: Buffer.from(csv).toString('base64'),
    })
    lap('read')
    expect(await world.run('imports.check', { id: run.id })).toMatchObject({ created: ROWS, failed: 0 })
    lap('tried')
    for (let state = 'draft'; state !== 'done';)
      state = (await world.run('imports.apply', { id: run.id })).run.state
    lap('taken')
    const count = async () =>
      kind === 'received'
        ? (await world.run('received.window', { summary: true, limit: 0 })).totals?.count
        : (await world.run(kind === 'contacts' ? 'contacts.list' : 'items.list', { limit: 1 })).count
    expect(await count()).toBe(ROWS)
    for (let state = 'done'; state !== 'undone';)
      state = (await world.run('imports.undo', { id: run.id })).run.state
    lap('taken back')
    expect((await world.run('imports.get', { id: run.id })).run).toMatchObject({ restored: ROWS, kept: 0 })
    if (kind !== 'received') expect(await count()).toBe(0)
    console.info(`${kind}: ${times.join(', ')}`)
  })
