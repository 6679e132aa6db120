/** Fills a test book with plausible customers and invoices, identical for the same size. */
import { createContact, findContact } from '../../catalog/contacts/index.ts'
import { findCompany } from '../../company/index.ts'
import { addDays, daysBetween } from '../../domain/dates.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { BasisPoints } from '../../domain/money.ts'
import type { Ctx } from '../../context.ts'
import { PLAIN_CONTENT, PLAIN_LINE, writeInBulk } from '../../sales/invoices/index.ts'
import type { BulkInvoice, DraftContent, DraftLine } from '../../sales/invoices/index.ts'
import { localTrade } from './local-trade.ts'
import { CITIES, FAMILY_NAMES, GIVEN_NAMES, SERVICES, TRADES } from './names.ts'

/** Returns a small linear congruential generator: the same book on every machine. */
export function createDice(seed: number): (sides: number) => number {
  let state = seed >>> 0
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

interface FillOptions {
  invoices: number
  /** Default: a twentieth of the invoices, between 5 and 5,000. */
  contacts?: number
  /** Drafts in addition to issued invoices. Default: 5 in 1,000, at least 2. */
  drafts?: number
  /** Exact number of lines; default 1 to 5. */
  lines?: number
  from?: BusinessDate
  /** Called after each batch. */
  progress?: (done: number) => void
}

interface Client {
  rowId: number
  facts: DraftContent['client']
}

const NIF_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE'
const BATCH = 500
/** The registry accepts nothing older. */
export const FIRST_DAY: BusinessDate = '2024-11-01'

function personNif(number: number): string {
  return `${String(number).padStart(8, '0')}${NIF_LETTERS.charAt(number % 23)}`
}

function companyNif(number: number): string {
  const digits = String(number).padStart(7, '0')
  let sum = 0
  for (let index = 0; index < 7; index++) {
    const digit = Number(digits[index])
    sum += index % 2 === 0 ? Math.floor((digit * 2) / 10) + ((digit * 2) % 10) : digit
  }
  return `B${digits}${(10 - (sum % 10)) % 10}`
}

const pick = <T>(dice: (sides: number) => number, list: readonly T[]): T => list[dice(list.length)] as T

async function makeClients(ctx: Ctx, count: number, dice: (sides: number) => number): Promise<Client[]> {
  const { place: home } = await localTrade(ctx)
  const clients: Client[] = []
  while (clients.length < count) {
    const batch = await ctx.transaction(async (tx) => {
      const made: Client[] = []
      while (made.length < BATCH && clients.length + made.length < count) {
        const index = clients.length + made.length
        const isCompany = dice(3) > 0
        const family = pick(dice, FAMILY_NAMES)
        const name = isCompany
          ? `${pick(dice, TRADES)} ${family}${index >= 200 ? ` ${index}` : ''} S.L.`
          : `${pick(dice, GIVEN_NAMES)} ${family} ${pick(dice, FAMILY_NAMES)}`
        const nif = isCompany ? companyNif(5_000_000 + index * 7) : personNif(20_000_000 + index * 13)
        // Drawn in any case: the other facts are the same in every territory.
        const city = pick(dice, CITIES)
        const place = home ?? city
        const address = {
          street: `Calle ${pick(dice, FAMILY_NAMES)} ${1 + dice(120)}`,
          ...place,
          country: 'ES',
        }
        const contact = await createContact(tx, {
          name,
          nif,
          address,
          email: `admin${index}@cliente.example`,
        })
        const row = await findContact(tx, contact.id)
        if (!row) throw new Error('A contact vanished.')
        made.push({
          rowId: row.id,
          facts: {
            name,
            tradeName: null,
            nif,
            idType: null,
            street: address.street,
            postalCode: address.postalCode,
            city: address.city,
            province: address.province,
            country: 'ES',
            email: contact.email,
            phone: null,
            iban: null,
            registryInscription: null,
            dir3: null,
          },
        })
      }
      return made
    })
    clients.push(...batch)
  }
  return clients
}

function makeLine(
  dice: (sides: number) => number,
  rateOf: (vatRateBp: BasisPoints) => BasisPoints,
): DraftLine {
  const service = pick(dice, SERVICES)
  return {
    description: service.description,
    ...PLAIN_LINE,
    quantityMicro: (1 + dice(service.most)) * 1_000_000,
    unitPriceMicro: (service.cents + dice(40) * 25) * 10_000,
    discountBp: dice(12) === 0 ? 1000 : 0,
    vatRateBp: rateOf(service.vatRateBp),
  }
}

const WITHHELD_BP = 1500

/** Adds customers, issued invoices spread evenly up to today, and some drafts. Only for test books. */
export async function fillBook(
  ctx: Ctx,
  options: FillOptions,
): Promise<{ contacts: number; invoices: number; drafts: number }> {
  const dice = createDice(20_261_121)
  const { invoices, progress } = options
  const contacts = options.contacts ?? Math.max(5, Math.min(5000, Math.ceil(invoices / 20)))
  const drafts = options.drafts ?? Math.max(2, Math.round(invoices / 200))
  const clients = await makeClients(ctx, contacts, dice)
  // Of a company's fees nothing is withheld (RIRPF art. 75).
  const isPerson = (await findCompany(ctx)).kind === 'natural'
  const { tax, rateOf } = await localTrade(ctx)
  const today = ctx.today()
  const from = options.from ?? FIRST_DAY
  const days = Math.max(0, daysBetween(from, today))
  const makeInvoice = (issueDate: BusinessDate | null): BulkInvoice => {
    const client = pick(dice, clients)
    const count = options.lines ?? 1 + dice(5)
    return {
      contactRowId: client.rowId,
      content: {
        ...PLAIN_CONTENT,
        tax,
        kind: 'F1',
        issueDate,
        dueDate: issueDate === null ? null : addDays(issueDate, 30),
        client: client.facts,
        withholdingBp: dice(6) === 0 && isPerson ? WITHHELD_BP : null,
        lines: Array.from({ length: count }, () => makeLine(dice, rateOf)),
        paymentMethod: 'transfer',
      },
    }
  }
  for (let done = 0; done < invoices;) {
    const size = Math.min(BATCH, invoices - done)
    const batch = Array.from({ length: size }, (_, index) =>
      makeInvoice(
        addDays(from, invoices === 1 ? days : Math.floor(((done + index) * days) / (invoices - 1))),
      ),
    )
    await ctx.transaction((tx) => writeInBulk(tx, batch))
    done += size
    progress?.(done)
  }
  await ctx.transaction((tx) =>
    writeInBulk(
      tx,
      Array.from({ length: drafts }, () => makeInvoice(null)),
    ),
  )
  return { contacts, invoices, drafts }
}
