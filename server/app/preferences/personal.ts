/** Settings of one person: on a desk rows of the installation, in an office of whoever is signed in. */
import type { Ctx, People } from '../../context.ts'

/** Identifier of the owner of a desk and of the command line, who are no person of an office. */
const OWNER = 'user'

/** The directory of whoever is signed in; null on a desk and on the command line, whose settings are the installation's. */
const peopleOf = ({ env, actor }: Ctx): People | null =>
  actor.kind === 'user' && actor.id !== OWNER ? env.people : null

/** Returns a saved setting of the caller; null if there is none. `name` is that of the settings row. */
export async function readPersonal(ctx: Ctx, name: string): Promise<unknown> {
  const people = peopleOf(ctx)
  if (people) return people.readSetting(ctx.actor.id, name)
  const row = await ctx.db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row ? (JSON.parse(row.value) as unknown) : null
}

/** Saves a setting of the caller as JSON. Within a transaction it is saved with it. */
export async function savePersonal(ctx: Ctx, name: string, setting: unknown): Promise<void> {
  const people = peopleOf(ctx)
  const value = JSON.stringify(setting)
  await ctx.transaction(async (tx) => {
    if (people) return people.saveSetting(tx, name, value)
    await tx.db
      .insertInto('settings')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute()
  })
}

/**
 * Runs work that changes settings of the caller: on a desk in one transaction. In an office each setting is saved in a
 * transaction of the directory, which cannot be within another one.
 */
export function changePersonal<T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  return peopleOf(ctx) ? work(ctx) : ctx.transaction(work)
}
