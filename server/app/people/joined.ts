/** Tells a company's history and its open windows that somebody has joined. */
import { createCtx, orNotFound } from '../../context.ts'
import type { AppEnvironment } from '../../context.ts'
import { recordAudit } from '../../platform/audit/index.ts'
import { booksOfCompany } from '../../platform/books/index.ts'
import { emitEvent } from '../../platform/events/index.ts'
import { hashOf } from './directory/sessions.ts'
import type { Directory } from './directory/store.ts'

/** Records it in both books, as the person, and returns the company. */
export async function recordJoined(
  env: AppEnvironment,
  companyId: number,
  person: { id: string; name: string },
): Promise<{ id: string; name: string }> {
  const actor = { kind: 'user', id: person.id, name: person.name } as const
  for (const book of await booksOfCompany(env.store.reader, companyId)) {
    const ctx = createCtx({ env, book, actor, channel: 'ui', requestId: env.newId('req') })
    await ctx.transaction(async (tx) => {
      await recordAudit(tx, {
        action: 'people.joined',
        target: { type: 'person', id: person.id, label: person.name },
      })
      await emitEvent(tx, 'people.changed', { personId: person.id })
    })
  }
  const company = await env.store
    .readerOf(companyId)
    .selectFrom('companies')
    .select(['public_id', 'legal_name', 'trade_name'])
    .where('id', '=', companyId)
    .executeTakeFirst()
  const found = orNotFound(company)
  return { id: found.public_id, name: found.trade_name ?? found.legal_name }
}

/** Records in each company of a person who has just registered that they have joined. */
export async function recordJoinedAll(directory: Directory, { cookie }: { cookie: string }): Promise<void> {
  const { reader, env } = directory
  const person = await reader
    .selectFrom('person_sessions')
    .innerJoin('people', 'people.id', 'person_sessions.person_id')
    .select(['people.id', 'people.name'])
    .where('person_sessions.hash', '=', hashOf(cookie))
    .executeTakeFirst()
  if (!person) return
  const rows = await reader
    .selectFrom('memberships')
    .select('company_id')
    .where('person_id', '=', person.id)
    .execute()
  for (const { company_id } of rows) await recordJoined(env, company_id, person)
}
