/** Fills a demonstration book with everyday data around its invoices: items, purchases, payments in and out, quotes. */
import { addDays } from '../../domain/dates.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { Ctx } from '../../context.ts'
import { createItem } from '../../catalog/items/index.ts'
import { recordPayment } from '../../accounting/payments/index.ts'
import { createQuote, setQuoteState } from '../../sales/quotes/index.ts'
import { createReceived, resolveReceived } from '../../purchases/invoices/index.ts'
import { createDice } from './fill.ts'
import { localTrade } from './local-trade.ts'
import { PURCHASES, SERVICES } from './names.ts'

/** Percentage of customers who pay, and the days they take. */
const PAY_PERCENT = 93
const PAY_DAYS = [12, 28, 31, 33, 45]
const PAGE = 200

async function sellItems(ctx: Ctx): Promise<number> {
  const { rateOf } = await localTrade(ctx)
  for (const [index, service] of SERVICES.entries())
    await createItem(ctx, {
      sku: `S-${String(index + 1).padStart(3, '0')}`,
      name: service.description.slice(0, 120),
      unitPrice: service.cents / 100,
      vatRate: rateOf(service.vatRateBp) / 100,
    })
  return SERVICES.length
}

/** Records payments of most invoices some weeks after their issue, in date order. */
async function collect(ctx: Ctx, dice: (sides: number) => number): Promise<number> {
  const today = ctx.today()
  let paid = 0
  for (let after = 0; ;) {
    const page = await ctx.db
      .selectFrom('invoices')
      .select(['id', 'issue_date', 'due_cents'])
      .where('book_id', '=', ctx.book.id)
      .where('state', '=', 'issued')
      .where('is_owed', '=', 1)
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    await ctx.transaction(async (tx) => {
      for (const { id, issue_date: issued, due_cents: dueCents } of page) {
        after = id
        const date = addDays(issued ?? today, PAY_DAYS[dice(PAY_DAYS.length)] ?? 30)
        if (date > today || dice(100) >= PAY_PERCENT) continue
        // Occasionally only a part is paid.
        const cents = dice(25) === 0 ? Math.ceil(dueCents / 2) : dueCents
        await recordPayment(tx, {
          direction: 'in',
          date,
          amountCents: cents,
          method: dice(5) === 0 ? 'bizum' : 'transfer',
          allocations: [{ invoiceId: id, cents }],
        })
        paid += 1
      }
    })
    if (page.length < PAGE) return paid
  }
}

/** Records rent, telephone, power and supplies for every month since `from`. */
async function buy(ctx: Ctx, from: BusinessDate, dice: (sides: number) => number): Promise<number> {
  const { rateOf } = await localTrade(ctx)
  const today = ctx.today()
  let bought = 0
  for (let day = `${from.slice(0, 8)}05`; day <= today; day = addDays(`${day.slice(0, 8)}28`, 8)) {
    for (const purchase of PURCHASES) {
      const issueDate = addDays(day, dice(15))
      if (issueDate > today) continue
      const cents = purchase.cents + dice(20) * purchase.step
      const { id } = await createReceived(ctx, {
        supplierName: purchase.supplier,
        supplierNif: purchase.nif,
        supplierNumber: `${purchase.prefix}-${issueDate.slice(0, 7)}-${String(100 + dice(900))}`,
        issueDate,
        receptionDate: issueDate,
        dueDate: addDays(issueDate, 30),
        concept: purchase.concept,
        taxLines: [{ base: cents / 100, vatRate: rateOf(purchase.vatRateBp) / 100 }],
        ...(purchase.withheld ? { withholding: purchase.withheld } : {}),
      })
      bought += 1
      const paidOn = addDays(issueDate, 20 + dice(12))
      if (paidOn > today) continue
      await ctx.transaction(async (tx) => {
        const row = await resolveReceived(tx, id)
        const amountCents = row.payable_cents - row.paid_cents
        await recordPayment(tx, {
          direction: 'out',
          date: paidOn,
          amountCents,
          method: 'direct_debit',
          allocations: [{ receivedId: row.id, cents: amountCents }],
        })
      })
    }
  }
  return bought
}

async function quote(ctx: Ctx, dice: (sides: number) => number): Promise<number> {
  const contacts = await ctx.db
    .selectFrom('contacts')
    .select(['public_id', 'name', 'nif'])
    .where('book_id', '=', ctx.book.id)
    .orderBy('id')
    .limit(4)
    .execute()
  for (const [index, contact] of contacts.entries()) {
    const service = SERVICES[dice(SERVICES.length)]
    if (!service) continue
    const { id } = await createQuote(ctx, {
      clientName: contact.name,
      clientNif: contact.nif,
      clientId: contact.public_id,
      validUntil: addDays(ctx.today(), 30),
      lines: [{ description: service.description, quantity: 1 + dice(4), unitPrice: service.cents / 100 }],
    })
    if (index > 0) await setQuoteState(ctx, { id, state: index === 1 ? 'accepted' : 'sent' })
  }
  return contacts.length
}

/** Creates the random generator for everyday data: the same sequence in every book. */
export const createEverydayDice = (): ((sides: number) => number) => createDice(20_261_122)

/** Adds items and payments received. Call after `fillBook`; only for test books. */
export async function sellAndCollect(
  ctx: Ctx,
  dice: (sides: number) => number,
): Promise<{ items: number; payments: number }> {
  return { items: await sellItems(ctx), payments: await collect(ctx, dice) }
}

/** Adds purchases since `from`, and quotes. Call after `fillBook`; only for test books. */
export async function buyAndQuote(
  ctx: Ctx,
  from: BusinessDate,
  dice: (sides: number) => number,
): Promise<{ received: number; quotes: number }> {
  return { received: await buy(ctx, from, dice), quotes: await quote(ctx, dice) }
}

/** Adds all everyday data. Call after `fillBook`; only for test books. */
export async function fillEveryday(
  ctx: Ctx,
  from: BusinessDate,
): Promise<{ items: number; payments: number; received: number; quotes: number }> {
  const dice = createEverydayDice()
  return { ...(await sellAndCollect(ctx, dice)), ...(await buyAndQuote(ctx, from, dice)) }
}
