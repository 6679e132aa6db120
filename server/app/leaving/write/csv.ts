/** The books of a company and its lists as spreadsheets. */
import type { Ctx } from '../../../context.ts'
import type { StreamAnswer } from '../../../domain/contract/fields.ts'
import type { ZipEntry } from '../../../domain/formats/zip-stream.ts'
import { bookEntries, yearsOfBook } from '../../inspection/index.ts'

/** The lists that the window also exports, by their operation. */
const LISTS = {
  'facturas-emitidas': 'invoices.export',
  'facturas-recibidas': 'received.export',
  contactos: 'contacts.export',
  productos: 'items.export',
} as const

export async function* csvEntries(ctx: Ctx, folder: string): AsyncGenerator<ZipEntry, void, undefined> {
  for (const [name, operation] of Object.entries(LISTS)) {
    const { contract, run } = await ctx.env.loadOperation!(operation)
    const { stream } = (await run(ctx, contract.input.parse({}))) as StreamAnswer
    yield { name: `${folder}/csv/${name}.csv`, parts: stream }
  }
  const years = await yearsOfBook(ctx)
  for await (const entry of bookEntries(ctx, years, () => {}))
    yield { ...entry, name: entry.name.replace(/^books\//, `${folder}/csv/`) }
}
