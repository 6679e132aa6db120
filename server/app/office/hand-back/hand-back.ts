/** Hands a company back to its owner from the window of an office, and takes it back. */
import { createReadStream, rmSync } from 'node:fs'
import { sql } from 'kysely'
import { findCompany } from '../../../company/index.ts'
import type { CompanyRow } from '../../../company/index.ts'
import { HANDED_BACK } from '../../../db/postgres/presence.ts'
import { AppError, validationFailed } from '../../../domain/errors/app-error.ts'
import { madridInstant } from '../../../domain/dates.ts'
import { normalizeNif } from '../../../domain/tax/nif.ts'
import { recordAudit } from '../../../platform/audit/index.ts'
import { booksOfCompany } from '../../../platform/books/index.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { inBook } from '../../../context.ts'
import type { AppEnvironment, Ctx, UseCase } from '../../../context.ts'
import { recordOwnAction } from '../../people/index.ts'
import type { handBackContract, handBackOfferContract, takeBackContract } from './contract.ts'

/** Time after which a caller asks again while a file of the company is made. */
const BUSY_SECONDS = 60

async function handedBackAt(ctx: Ctx): Promise<Date | null> {
  const { rows } = await sql<{ at: number | null }>`select away_at as at from companies
    where id = ${ctx.book.companyId} and away = 'moving' and away_to = ${HANDED_BACK}`.execute(ctx.db)
  const at = rows[0]?.at ?? null
  return at === null ? null : new Date(Number(at))
}

/** Returns the company of a request. Throws `validation_failed` if the typed NIF is not that of the company. */
async function confirmedCompany(ctx: Ctx, nif: string): Promise<CompanyRow> {
  const company = await findCompany(ctx)
  if (normalizeNif(nif) !== company.nif)
    throw validationFailed([
      {
        code: 'nif_of_other_company',
        field: 'nif',
        severity: 'error',
        message: 'That is not the NIF of this company.',
        fix: 'Type the NIF of the company that is handed back.',
      },
    ])
  return company
}

/** Runs some work while no other server makes a file of the company, or opens it again. Throws `company_moving`. */
async function alone<T>({ env, book }: Ctx, work: () => Promise<T>): Promise<T> {
  const busy = new AppError('company_moving', {
    details: { to: HANDED_BACK },
    retryAfterSeconds: BUSY_SECONDS,
  })
  const held = { busy }
  const result = await env.servers!.hold<T | typeof held>(`hand-back-${book.companyId}`, work, held)
  if (result === held) throw busy
  return result as T
}

function record(ctx: Ctx, { id, public_id: publicId, legal_name: label }: CompanyRow, action: string) {
  return ctx.transaction(async (tx) => {
    for (const book of await booksOfCompany(tx.db, id)) {
      const there = inBook(tx, book)
      await recordAudit(there, { action, target: { type: 'company', id: publicId, label } })
      await emitEvent(there, 'company.changed', { companyId: publicId })
    }
  })
}

/** Returns when the company was handed back, and a new code. */
export const handBackOffer: UseCase<typeof handBackOfferContract> = async (ctx) => {
  const { nif } = await findCompany(ctx)
  const at = await handedBackAt(ctx)
  return { nif, handedBackAt: at && madridInstant(at), ...(await portOf(ctx.env).newCode()) }
}

/** Yields a file in pieces and removes it, even when the reader stops early. */
async function* handedOver(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file)
  } finally {
    rmSync(file, { force: true })
  }
}

function portOf({ handBack }: AppEnvironment) {
  if (!handBack) throw new Error('Only an office hands companies back.')
  return handBack
}

/**
 * Makes the file and answers with it. The history of the company names the first time; each file is in what was done by
 * the person, because the company is closed by then.
 */
export const handBack: UseCase<typeof handBackContract> = async (ctx, { nif, code }) => {
  const company = await confirmedCompany(ctx, nif)
  if (!(await portOf(ctx.env).isCode(code)))
    throw validationFailed([
      {
        code: 'recovery_code_mistyped',
        field: 'code',
        severity: 'error',
        message: 'That is not a recovery code.',
        fix: 'Use the code as it was offered.',
      },
    ])
  const file = await alone(ctx, async () => {
    if ((await handedBackAt(ctx)) === null) await record(ctx, company, 'company.handed_back')
    await recordOwnAction(ctx, 'books_handed_back', { company: company.legal_name })
    return portOf(ctx.env).write({ company: company.public_id, code })
  })
  const day = ctx.today()
  return { stream: handedOver(file), fileName: `sello-${company.nif}-${day}.sellobak` }
}

/** Lets the company be written in the office again. */
export const takeBack: UseCase<typeof takeBackContract> = async (ctx, { nif }) => {
  const company = await confirmedCompany(ctx, nif)
  await alone(ctx, () => portOf(ctx.env).takeBack(company.public_id))
  await record(ctx, company, 'company.taken_back')
  ctx.env.servers?.tell('keys', company.id)
  return { handedBackAt: null }
}
