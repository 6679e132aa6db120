/** Incoming documents that have been read, and examples of their operations. */
import { incomingWork } from '../../../server/purchases/incoming/index.ts'
import { createWorker, inAllCompanies } from '../../../server/platform/jobs/index.ts'
import type { AppEnvironment } from '../../../server/context.ts'
import { learnFrom } from '../../../server/purchases/memory/index.ts'
import { personalNif } from '../nif.ts'
import type { InputOf } from '../../../server/api/contracts.ts'
import type { Furnished } from './index.ts'
import { EXAMPLE_SUPPLIER_FILE } from '../world.ts'

/** Reads the documents that wait, as the program does in the background. */
export async function readIncoming({ env }: { env: AppEnvironment }): Promise<void> {
  const log = (line: string): void => {
    throw new Error(line)
  }
  const worker = createWorker(inAllCompanies(env, incomingWork({ env, log }), log))
  await worker.poll()
  await worker.stop()
}

/** Returns a letter that is an invoice; each number makes another one. */
export function supplierLetter(number: number | string): InputOf<'incoming.add'> {
  const content = `Ferretería Luna, S.L.
NIF B58818501
Factura nº FL-2026-${number}
Fecha: 20/06/2026
Base imponible 21% 100,00
Cuota IVA 21,00
Total a pagar 121,00 EUR`
  return { name: `factura-${number}.txt`, content: Buffer.from(content).toString('base64') }
}

/** A PDF of two pages, each with a number of its own. */
export function twoPages(number: number): InputOf<'incoming.add'> {
  const page = (text: string): string => `BT /F1 12 Tf 50 780 Td (${text}) Tj ET`
  const streams = [page(`Factura A-${number}, pagina primera`), page(`Factura B-${number}, pagina segunda`)]
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
    ...[6, 7].map(
      (content) =>
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${content} 0 R /Resources << /Font << /F1 5 0 R >> >> >>`,
    ),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...streams.map((stream) => `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`),
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const start = file.length
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join('')}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return { name: `dos-facturas-${number}.pdf`, content: Buffer.from(file, 'latin1').toString('base64') }
}

async function added(made: Furnished): Promise<string> {
  return (await made.world.run('incoming.add', supplierLetter(made.next()))).id
}

async function read(made: Furnished, input = supplierLetter(made.next())): Promise<string> {
  const { id } = await made.world.run('incoming.add', input)
  await readIncoming(made.world)
  return id
}

const withId = (make: (made: Furnished) => Promise<string>) => async (made: Furnished) => ({
  params: { id: await make(made) },
  body: {},
})

/** A contact of whose documents something is remembered. */
async function rememberedContact(made: Furnished): Promise<string> {
  const { world } = made
  const number = made.next()
  const nif = personalNif(7_000_000 + number)
  const { id } = await world.run('contacts.create', { name: `Proveedor ${number}`, nif })
  const input = {
    supplierName: `Proveedor ${number}`,
    issueDate: '2026-07-02',
    taxLines: [{ base: 100, vatRate: 21 }],
    paymentMethod: 'transfer' as const,
  }
  await world.ctx().transaction((tx) => learnFrom(tx, { nif, reading: null, input }))
  return id
}

export const incomingExamples = {
  'received.concepts': () => ({}),
  'received.read': () => ({ body: EXAMPLE_SUPPLIER_FILE }),
  'incoming.list': () => ({}),
  'incoming.add': (made: Furnished) => ({ body: supplierLetter(made.next()) }),
  'incoming.rule': () => ({}),
  'incoming.settings': () => ({}),
  'incoming.get': async (made: Furnished) => ({ params: { id: await read(made) } }),
  'incoming.enter': async (made: Furnished) => {
    const id = await read(made)
    const { input } = await made.world.run('incoming.get', { id })
    return { params: { id }, body: { input } }
  },
  'received.memory': async (made: Furnished) => ({ params: { id: await rememberedContact(made) } }),
  'received.forget': async (made: Furnished) => ({ params: { id: await rememberedContact(made) } }),
  'bank.missingReceipts': () => ({}),
  'incoming.attachTo': async (made: Furnished) => ({
    params: { id: await read(made) },
    body: { receivedId: await made.received() },
  }),
  'incoming.enterMany': async (made: Furnished) => {
    const id = await read(made)
    await made.world.run('incoming.setRule', { rule: { knownSuppliersOnly: false, highestTotal: 500 } })
    return { body: { ids: [id] } }
  },
  'incoming.arrivals': async (made: Furnished) => ({ params: { id: await read(made) } }),
  'received.arrivals': async (made: Furnished) => {
    const id = await read(made)
    const { input } = await made.world.run('incoming.get', { id })
    if (input === null) throw new Error('The letter has nothing to enter.')
    const { received } = await made.world.run('incoming.enter', { id, input })
    return { params: { id: received.id } }
  },
  'incoming.reject': withId(added),
  'incoming.restore': withId(async (made) => {
    const id = await added(made)
    await made.world.run('incoming.reject', { id })
    return id
  }),
  'incoming.readAgain': withId((made) => read(made)),
  'incoming.split': async (made: Furnished) => ({
    params: { id: await read(made, twoPages(made.next())) },
    body: { starts: [1] },
  }),
  'incoming.join': async (made: Furnished) => ({
    params: { id: await added(made) },
    body: { others: [await added(made)] },
  }),
}
