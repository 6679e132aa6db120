/**
 * The records of a book in the shapes of the public API, for other programs: lists of JSON with their JSON Schema, which is
 * that of the operation that reads them.
 */
import { z } from 'zod'
import type { ZipEntry } from '../../../domain/formats/zip-stream.ts'
import type { Ctx, Operation } from '../../../context.ts'

/** Most records that an operation answers at a time. */
const PAGE = 100

interface Kind {
  /** Name of the file. */
  name: string
  es: string
  en: string
  /** Lists the records: all at once, or in pages. */
  list: string
  /** Reads one record of the list with all of its fields. */
  one?: string
  /** What the list is asked for, besides pages. */
  input?: Readonly<Record<string, unknown>>
  isPaged?: false
}

export const KINDS: readonly Kind[] = [
  { name: 'series', es: 'Series de facturas', en: 'Series of invoices', list: 'series.list', isPaged: false },
  { name: 'contacts', es: 'Contactos', en: 'Contacts', list: 'contacts.list', one: 'contacts.get' },
  {
    name: 'items',
    es: 'Productos y servicios',
    en: 'Products and services',
    list: 'items.list',
    one: 'items.get',
  },
  {
    name: 'invoices',
    es: 'Facturas emitidas y borradores',
    en: 'Issued invoices and drafts',
    list: 'invoices.list',
    one: 'invoices.get',
  },
  { name: 'quotes', es: 'Presupuestos', en: 'Quotes', list: 'quotes.list', one: 'quotes.get' },
  {
    name: 'recurring',
    es: 'Facturas periódicas',
    en: 'Recurring invoices',
    list: 'recurring.list',
    one: 'recurring.get',
    isPaged: false,
  },
  {
    name: 'received',
    es: 'Facturas recibidas y gastos',
    en: 'Received invoices and expenses',
    list: 'received.list',
    one: 'received.get',
  },
  { name: 'payments', es: 'Cobros y pagos', en: 'Payments', list: 'payments.list' },
  { name: 'remittances', es: 'Remesas', en: 'Remittances', list: 'remittances.list' },
  {
    name: 'mandates',
    es: 'Mandatos de domiciliación',
    en: 'Direct debit mandates',
    list: 'mandates.list',
    isPaged: false,
  },
  {
    name: 'bank-accounts',
    es: 'Cuentas bancarias',
    en: 'Bank accounts',
    list: 'bank.accounts',
    isPaged: false,
  },
  {
    name: 'bank-transactions',
    es: 'Movimientos bancarios',
    en: 'Bank transactions',
    list: 'bank.transactions',
  },
  {
    name: 'accounts',
    es: 'Cuentas contables',
    en: 'Ledger accounts',
    list: 'ledger.accounts',
    input: { used: true },
    isPaged: false,
  },
  {
    name: 'journal',
    es: 'Asientos del diario',
    en: 'Journal entries',
    list: 'ledger.journal',
    input: { sort: 'date' },
  },
  {
    name: 'assets',
    es: 'Inmovilizado',
    en: 'Fixed assets',
    list: 'assets.list',
    one: 'assets.get',
    isPaged: false,
  },
]

interface Loaded extends Kind {
  listing: Operation
  reading: Operation | null
}

/** Loads the operations of all kinds. */
export async function loadKinds({ env }: Ctx): Promise<Loaded[]> {
  const { loadOperation } = env
  if (!loadOperation) throw new Error('The operations are not here.')
  return Promise.all(
    KINDS.map(async (kind) => ({
      ...kind,
      listing: await loadOperation(kind.list),
      reading: kind.one === undefined ? null : await loadOperation(kind.one),
    })),
  )
}

type Json = Record<string, unknown>

/** Returns the JSON Schema of the records of a kind. */
function schemaOf({ listing, reading, es, en }: Loaded): Json {
  const options = { io: 'output', unrepresentable: 'any', target: 'draft-2020-12' } as const
  const whole = z.toJSONSchema((reading ?? listing).contract.output, options) as Json
  const { $schema, $defs, ...body } = whole
  const items = reading ? body : ((body.properties as Json).items as Json).items
  return {
    $schema,
    title: `${es} · ${en}`,
    type: 'array',
    items,
    ...($defs ? { $defs } : {}),
  }
}

const schemaPath = (name: string): string => `schema/${name}.schema.json`

/** Yields the schemas of all kinds. */
export function* schemaEntries(kinds: readonly Loaded[]): Generator<ZipEntry> {
  for (const kind of kinds)
    yield {
      name: schemaPath(kind.name),
      bytes: Buffer.from(`${JSON.stringify(schemaOf(kind), null, 1)}\n`, 'utf8'),
      compress: true,
    }
}

async function* pagesOf(
  ctx: Ctx,
  { listing, reading, input = {}, isPaged }: Loaded,
): AsyncGenerator<unknown[]> {
  for (let cursor: string | null = null; ;) {
    const asked = {
      ...input,
      ...(isPaged === false ? {} : { limit: PAGE }),
      ...(cursor === null ? {} : { cursor }),
    }
    const answer = (await listing.run(ctx, listing.contract.input.parse(asked))) as {
      items: { id: string }[]
      nextCursor?: string | null
    }
    const items: unknown[] = []
    for (const item of answer.items)
      items.push(reading ? await reading.run(ctx, reading.contract.input.parse({ id: item.id })) : item)
    if (items.length > 0) yield items
    cursor = answer.nextCursor ?? null
    if (cursor === null) return
  }
}

async function* asArray(
  pages: AsyncIterable<unknown[]>,
  seen: (done: number) => void,
): AsyncGenerator<string> {
  let done = 0
  yield '['
  for await (const page of pages) {
    yield page
      .map((record, index) => `${done + index === 0 ? '\n' : ',\n'}${JSON.stringify(record)}`)
      .join('')
    seen((done += page.length))
  }
  yield '\n]\n'
}

/** Yields the lists of a book. `seen` is called with the number of records so far. */
export async function* dataEntries(
  ctx: Ctx,
  folder: string,
  kinds: readonly Loaded[],
  seen: (done: number) => void,
): AsyncGenerator<ZipEntry, void, undefined> {
  let before = 0
  for (const kind of kinds) {
    let done = 0
    yield {
      name: `${folder}/data/${kind.name}.json`,
      parts: asArray(pagesOf(ctx, kind), (now) => seen(before + (done = now))),
    }
    before += done
  }
}
