/** Moves at every step, for the gallery: files with all that can be said of them, half taken in, to be proven, done. */
import { zipSync } from 'fflate'
import { pdfOf } from '../../../server/accounting/returns/simulator/pdf.ts'
import type { OutputOf } from '../../../server/api/contracts.ts'
import { callAsWindow } from '../../support/browser/browser.ts'
import type { ServedApp } from '../../support/browser/browser.ts'
import { COMPANY } from '../../support/browser/prepared-books.ts'
import { booksOf, bytesAsWindow } from '../../support/moving/window.ts'

type Move = OutputOf<'moving.get'>['move']
type Proof = OutputOf<'moving.proof'>

const SALES = [
  'Serie;Número;Fecha;Cliente;NIF;Base;% IVA;Cuota IVA;Total;Estado',
  'A;1;12/02/2024;Bar Sol;B12345674;100,00;21;21,00;121,00;Pagada',
  'A;2;31/02/2024;Bar Sol;B12345674;100,00;21;21,00;121,00;Pagada',
  'A;3;16/02/2024;Hôtel du Lac;FR40303265045;250,00;;;250,00;Pendiente',
  'A;4;17/02/2024;Librería Tirón;B12345674;100,00;21;21,00;150,00;Pendiente',
  'A;5;20/02/2024;Museum Basel;CHE123456789;480,00;;;480,00;Pagada',
  ';;;Total;;1030,00;;;1122,00;',
].join('\n')
const contacts = (count: number): string =>
  [
    'Nombre;NIF;Dirección;Email',
    ...Array.from(
      { length: count },
      (_, index) => `Cliente ${index + 1};;Calle Mayor ${index + 1};c${index + 1}@ejemplo.example`,
    ),
  ].join('\n')
const UNKNOWN = 'Cosa;Otra\nuno;dos\ntres;cuatro\n'

const amount = (value: number): string => {
  const [whole = '', cents = ''] = Math.abs(value).toFixed(2).split('.')
  return `${value < 0 ? '-' : ''}${whole.replace(/\B(?=(\d{3})+$)/g, '.')},${cents}`
}

/** Begins and furnishes the moves; returns their identifiers by name. */
export async function furnishMoves(app: ServedApp): Promise<Record<string, string>> {
  const books = await booksOf(app)
  const call = <Answer>(name: string, input: object): Promise<Answer> =>
    callAsWindow(app, name, input, books.live) as Promise<Answer>
  const begin = async (firstDay: string): Promise<string> =>
    (await call<{ move: Move }>('moving.start', { firstDay })).move.id
  const add = (id: string, name: string, bytes: Uint8Array | string) =>
    call<{ move: Move }>('moving.addFile', { id, name, content: Buffer.from(bytes).toString('base64') })
  const apply = async (id: string): Promise<void> => {
    for (let state = ''; state !== 'applied';)
      ({ state } = (await call<{ move: Move }>('moving.apply', { id })).move)
  }
  const bookOf = (year: number) =>
    bytesAsWindow(app, 'fiscal.vatBooks', { year, quarter: 4, format: 'xlsx' }, books.test)
  const year = new Date().getFullYear() - 1

  const proof = await begin(`${year + 1}-01-01`)
  await add(proof, `libros ${year}.xlsx`, await bookOf(year))
  await apply(proof)
  const { returns } = await call<Proof>('moving.proof', { id: proof })
  const valueOf = (period: string, box: string): number =>
    returns
      .find((each) => each.model === '303' && each.period === period)
      ?.boxes.find((each) => each.box === box)?.computed ?? 0
  const filed = { id: proof, model: '303', year }
  await call('moving.setFiled', { ...filed, period: '1T', boxes: { '71': valueOf('1T', '71') } })
  await call('moving.setFiled', { ...filed, period: '2T', boxes: { '71': valueOf('2T', '71') - 12.5 } })
  // One part of a sum is wrong, so that neither is proven.
  const lines = returns
    .find((each) => each.model === '303' && each.period === '3T')
    ?.boxes.filter(({ box, computed }) => /^\d{2,3}$/.test(box) && computed !== null && computed !== 0)
    .map(({ box, computed }) => `${box} ${amount((computed ?? 0) + (box === '29' ? 7 : 0))}`)
  const pdf = pdfOf(['Modelo 303', `NIF ${COMPANY.nif} Ejercicio ${year} Periodo 3T`, ...(lines ?? [])])
  await add(proof, `303 3T ${year}.pdf`, pdf)

  const done = await begin(`${year}-01-01`)
  await add(done, `libros ${year - 1}.xlsx`, await bookOf(year - 1))
  await add(done, 'ventas mal.csv', SALES)
  await apply(done)
  const open = (await call<Proof>('moving.proof', { id: done })).returns.filter(
    (each) => each.status === 'open',
  )
  await call('moving.finish', {
    id: done,
    withoutProof: open.map(({ model, year: of, period }) => ({ model, year: of, period })),
  })

  const half = await begin('2024-01-01')
  await add(half, 'clientes.csv', contacts(40))
  await add(half, 'ventas.csv', SALES.replaceAll('/2024', '/2023').replaceAll(';A;', ';B;'))
  await call('moving.apply', { id: half })

  const files = await begin(`${year + 1}-01-01`)
  await add(files, `libros ${year}.xlsx`, await bookOf(year))
  await add(files, 'ventas.csv', SALES)
  await add(files, 'clientes.csv', contacts(12))
  await add(files, 'raro.csv', UNKNOWN)
  await add(files, 'viejo.xls', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2_000)]))
  await add(files, 'papeles.zip', zipSync({ 'F-0001.pdf': pdf, 'F-0002.pdf': pdf }))
  return { files, half, proof, done }
}
