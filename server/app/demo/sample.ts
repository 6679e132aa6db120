/**
 * Sample company of the first visit. It is a separate company, so that invented data never mixes with a business's
 * books, and it shows only its test book. Records, audit log and parties are chained or kept by the store and cannot
 * be erased: removing the sample hides the company, and showing it again restores it unchanged.
 */
import { enterCompany } from '../../db/query.ts'
import { createCompany } from '../../company/index.ts'
import { loadBook } from '../../platform/books/index.ts'
import { addDays } from '../../domain/dates.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { Territory } from '../../tax/systems/contract.ts'
import { examplePlaceOf, USUAL_TERRITORY } from '../../tax/systems/index.ts'
import { orNotFound, inBook } from '../../context.ts'
import type { Ctx, UseCase } from '../../context.ts'
import type {
  fillSampleContract,
  removeSampleContract,
  SamplePart,
  SampleState,
  sampleStateContract,
} from './contract.ts'
import { readSample, SAMPLE } from './start.ts'
import type { Sample } from './start.ts'
import { buyAndQuote, createEverydayDice, sellAndCollect } from './everyday.ts'
import { fillBook } from './fill.ts'

const INVOICES = 48
const DRAFTS = 2
const CONTACTS = 12
/** Days of sample history: two quarters and the one before. */
const HISTORY_DAYS = 240

/** Invented: no real company has this number. */
const COMPANY = {
  nif: 'B99999997',
  legalName: 'Empresa de ejemplo, S.L.',
  email: 'hola@ejemplo.example',
} as const

async function keepSample(tx: Ctx, sample: Sample): Promise<void> {
  const value = JSON.stringify(sample)
  await tx.db
    .insertInto('settings')
    .values({ name: SAMPLE, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** Where the sample is. A territory without an example has that of most of Spain. */
function placeOf(territory: Territory) {
  const place = examplePlaceOf(territory)
  const where = place === null ? USUAL_TERRITORY : territory
  return {
    territory: where,
    address: { street: 'Calle del Ejemplo 1', ...(place ?? examplePlaceOf(where)!), country: 'ES' },
  }
}

const historyFrom = (today: BusinessDate): BusinessDate => addDays(today, -HISTORY_DAYS)

/** Parts after the company itself; each joins the caller's transaction. */
const FILLS: readonly [Exclude<SamplePart, 'company'>, (there: Ctx) => Promise<unknown>][] = [
  [
    'customers',
    (there) =>
      fillBook(there, {
        invoices: INVOICES,
        contacts: CONTACTS,
        drafts: DRAFTS,
        from: historyFrom(there.today()),
      }),
  ],
  ['items', (there) => sellAndCollect(there, createEverydayDice())],
  ['purchases', (there) => buyAndQuote(there, historyFrom(there.today()), createEverydayDice())],
]
const PARTS = FILLS.length + 1

function stateOf(sample: Sample | null): SampleState {
  const made = sample?.made ?? 0
  return {
    bookId: sample?.book ?? null,
    shown: sample?.shown ?? false,
    made,
    parts: PARTS,
    next: made === 0 ? 'company' : (FILLS[made - 1]?.[0] ?? null),
  }
}

/** Returns how much of the sample exists. */
export const getSample: UseCase<typeof sampleStateContract> = async (ctx) => stateOf(await readSample(ctx.db))

/** Creates the next part, all or nothing; when all exist, only shows the company again. */
export const fillSample: UseCase<typeof fillSampleContract> = (ctx, { territory = USUAL_TERRITORY }) =>
  ctx.transaction(async (tx) => {
    const sample = await readSample(tx.db)
    if (!sample) {
      const { companyId, books } = await createCompany(tx, { ...COMPANY, ...placeOf(territory) })
      const book = orNotFound(books.find(({ mode }) => mode === 'test'))
      const made: Sample = { company: companyId, book: book.id, made: 1, shown: true }
      await keepSample(tx, made)
      return stateOf(made)
    }
    const fill = FILLS[sample.made - 1]
    if (fill) {
      const book = orNotFound(await loadBook(tx.db, sample.book))
      await enterCompany(tx.db, book.companyId)
      await fill[1](inBook(tx, book))
    }
    const next: Sample = { ...sample, made: fill ? sample.made + 1 : sample.made, shown: true }
    await keepSample(tx, next)
    return stateOf(next)
  })

/** Hides the sample company; missing parts are created when it is requested again. */
export const removeSample: UseCase<typeof removeSampleContract> = (ctx) =>
  ctx.transaction(async (tx) => {
    const sample = await readSample(tx.db)
    if (!sample) return stateOf(null)
    const hidden: Sample = { ...sample, shown: false }
    await keepSample(tx, hidden)
    return stateOf(hidden)
  })
