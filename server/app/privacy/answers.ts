/** What customers said with reply pages: their words and names. That and when something was said stays with the invoice. */
import { sql } from 'kysely'
import type { Ctx } from '../../context.ts'
import { namesPerson } from './person.ts'
import type { Person } from './person.ts'
import { listed } from './rows.ts'

type Keys = readonly (number | string)[]

interface AnswerFacts {
  id: number
  label: string
  link: string
}

/** Returns answers to the person's invoices, and those that name the person, as long as they have words or names. */
export async function answersOf(
  ctx: Ctx,
  person: Person,
  invoices: readonly number[],
): Promise<AnswerFacts[]> {
  const { rows } = await sql<{
    id: number
    invoice: number
    publicId: string
    number: string | null
    text: string
  }>`
    select a.id, a.invoice_id as invoice, i.public_id as "publicId", i.number,
      coalesce(a.words, '') || ' ' || coalesce(a.said_by, '') || ' ' || coalesce(a.sender, '') as text
    from reply_answers a join invoices i on i.id = a.invoice_id
    where a.book_id = ${ctx.book.id} and a.emptied_at is null
      and (a.words is not null or a.said_by is not null or a.sender is not null) order by a.id`.execute(
    ctx.db,
  )
  return rows
    .filter(({ invoice, text }) => invoices.includes(invoice) || namesPerson(person, text))
    .map(({ id, publicId, number }) => ({ id, label: number ?? '', link: `/invoices/${publicId}` }))
}

/** Empties answers: what was said on which day stays. */
export async function emptyAnswers(tx: Ctx, keys: Keys): Promise<void> {
  await sql`update reply_answers set emptied_at = ${tx.now().getTime()}, words = null, said_by = null, sender = null
    where id in ${listed(keys)}`.execute(tx.db)
}

/** Returns answers as they are handed to the person. */
export async function answerRows(ctx: Ctx, keys: Keys): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Record<string, unknown> & { said_at: number; taken_at: number }>`
    select a.public_id as id, i.number as invoice, a.kind, a.reason, a.pay_on, a.words, a.said_by, a.said_at,
      a.taken_at, a.channel, a.sender
    from reply_answers a join invoices i on i.id = a.invoice_id where a.id in ${listed(keys)} order by a.id`.execute(
    ctx.db,
  )
  const instant = (at: number): string => new Date(Number(at)).toISOString()
  return rows.map((row) => ({ ...row, said_at: instant(row.said_at), taken_at: instant(row.taken_at) }))
}
