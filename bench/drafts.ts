/** Drafts created during a run: 3 lines each, for customers of the book, always the same. */
import { createDice } from '../server/app/demo/index.ts'
import type { OpenedSello } from '../server/api/application.ts'
import type { Book } from '../server/context.ts'
import type { NewLine } from './limits/books.ts'

export interface DraftBody {
  clientName: string
  clientNif: string
  lines: NewLine[]
}

const WORK = [
  'Diseño de la página de reservas',
  'Mantenimiento mensual',
  'Consultoría de procesos',
  'Desplazamiento',
  'Menú de trabajo',
]
const RATES = [21, 21, 21, 21, 10]

/** Returns the first customers of the book. */
export async function someCustomers(
  sello: OpenedSello,
  book: Book,
  count: number,
): Promise<{ name: string; nif: string }[]> {
  const rows = await sello
    .ctx(book)
    .db.selectFrom('contacts')
    .select(['name', 'nif'])
    .where('book_id', '=', book.id)
    .where('nif', 'is not', null)
    .orderBy('id')
    .limit(count)
    .execute()
  return rows.map(({ name, nif }) => ({ name, nif: nif ?? '' }))
}

/** Returns bodies of `POST /invoices`. */
export function draftBodies(
  count: number,
  customers: readonly { name: string; nif: string }[],
  seed = 7,
): DraftBody[] {
  const dice = createDice(seed)
  return Array.from({ length: count }, () => {
    const customer = customers[dice(customers.length)] ?? { name: '', nif: '' }
    const lines = Array.from({ length: 3 }, () => {
      const kind = dice(WORK.length)
      return {
        description: WORK[kind] ?? '',
        quantity: 1 + dice(20),
        unitPrice: (400 + dice(9000)) / 100,
        vatRate: RATES[kind] ?? 21,
      }
    })
    return { clientName: customer.name, clientNif: customer.nif, lines }
  })
}
