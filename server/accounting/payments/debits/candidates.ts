/** What can go into a file of debits or transfers. */
import { sql } from 'kysely'
import { eurosFromCents } from '../../../domain/money.ts'
import type { Cents } from '../../../domain/money.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import type { candidatesContract } from './contract.ts'
import { mandatesInForce } from './mandates.ts'
import type { MandateRow } from './mandates.ts'
import { firstExecution } from './target-calendar.ts'

export type Sequence = 'FRST' | 'RCUR' | 'OOFF' | 'FNAL'

/** Returns the sequence type of the mandate's next debit. */
export function sequenceOf(mandate: MandateRow, usedNow: number, last: boolean): Sequence {
  if (mandate.type === 'one_off') return 'OOFF'
  if (last) return 'FNAL'
  return mandate.uses + usedNow === 0 ? 'FRST' : 'RCUR'
}

interface CandidateRow {
  public_id: string
  /** 0 without. */
  instalment: number
  number: string | null
  name: string
  contact_id: number | null
  contact_public_id: string | null
  due_date: string | null
  open_cents: Cents
  in_file: number
}

async function owed(ctx: Ctx, kind: 'debit' | 'transfer'): Promise<CandidateRow[]> {
  const query =
    kind === 'debit'
      ? sql<CandidateRow>`select o.*, exists (select 1 from remittance_items x where x.invoice_id = o.id
            and x.instalment = o.instalment and x.is_open = 1) as in_file from (
          select i.id, i.public_id, coalesce(s.position, 0) as instalment, i.number, p.name, i.contact_id,
          c.public_id as contact_public_id, coalesce(s.due_date, i.due_date) as due_date,
          coalesce(s.open_cents, i.due_cents) as open_cents
          from invoices i join parties p on p.id = i.party_id left join contacts c on c.id = i.contact_id
          left join invoice_instalments s on s.invoice_id = i.id and s.open_cents > 0
          where i.book_id = ${ctx.book.id} and i.is_owed = 1) o
          order by o.due_date is null, o.due_date, o.id limit 1000`
      : sql<CandidateRow>`select r.public_id, 0 as instalment, r.supplier_number as number, r.supplier_name as name, r.contact_id,
          c.public_id as contact_public_id, r.due_date, r.payable_cents - r.paid_cents as open_cents,
          exists (select 1 from remittance_items x where x.received_id = r.id and x.is_open = 1) as in_file
          from received_invoices r left join contacts c on c.id = r.contact_id
          where r.book_id = ${ctx.book.id} and r.is_owed = 1 order by r.due_date is null, r.due_date, r.id limit 1000`
  return (await query.execute(ctx.db)).rows
}

/** Returns the account on which each supplier was last paid. */
export async function lastIbans(
  ctx: Ctx,
  contactIds: readonly number[],
): Promise<Map<number, { iban: string; bic: string | null }>> {
  if (contactIds.length === 0) return new Map()
  const { rows } = await sql<{ contact_id: number; iban: string; bic: string | null }>`
    select r.contact_id, x.iban, x.bic from remittance_items x join received_invoices r on r.id = x.received_id
    where r.contact_id in (${sql.join(contactIds)}) order by x.remittance_id`.execute(ctx.db)
  return new Map(rows.map((row) => [row.contact_id, row]))
}

/** Lists the items that can go into a remittance, each open instalment by itself. */
export const candidates: UseCase<typeof candidatesContract> = async (ctx, { kind, scheme = 'CORE' }) => {
  const rows = await owed(ctx, kind)
  const contactIds = [...new Set(rows.flatMap(({ contact_id: id }) => (id === null ? [] : [id])))]
  const mandates =
    kind === 'debit' ? await mandatesInForce(ctx, scheme, contactIds) : new Map<number, MandateRow>()
  const ibans = kind === 'transfer' ? await lastIbans(ctx, contactIds) : new Map<number, { iban: string }>()
  const missingOf = (row: CandidateRow) => {
    if (row.in_file === 1) return 'in_other_file' as const
    if (kind === 'transfer')
      return row.contact_id !== null && ibans.has(row.contact_id) ? null : ('iban' as const)
    if (row.contact_id === null) return 'contact' as const
    return mandates.has(row.contact_id) ? null : ('mandate' as const)
  }
  return {
    executionDate: firstExecution(kind, ctx.today()),
    items: rows.map((row) => {
      const mandate = row.contact_id === null ? undefined : mandates.get(row.contact_id)
      const iban = mandate?.iban ?? (row.contact_id === null ? undefined : ibans.get(row.contact_id)?.iban)
      return {
        id: row.public_id,
        ...(row.instalment === 0 ? {} : { instalment: row.instalment }),
        number: row.number,
        name: row.name,
        contactId: row.contact_public_id,
        dueDate: row.due_date,
        amount: eurosFromCents(row.open_cents),
        iban: iban ?? null,
        mandateId: mandate?.public_id ?? null,
        sequence: mandate ? sequenceOf(mandate, 0, false) : null,
        missing: missingOf(row),
      }
    }),
  }
}
