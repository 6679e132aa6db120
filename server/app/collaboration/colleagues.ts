/** Those whom a note can name and a task can be assigned to: in an office the people of the company, on a desk nobody. */
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import type { Ctx } from '../../context.ts'
import type { Capability, Colleague } from '../../domain/people.ts'

/** How an actor is stored in `author_id` and the like: the owner of a desk as `user`. */
interface StoredPerson {
  id: string
  name: string
}

const OWNER_OF_DESK = 'user'

export const personView = ({ id, name }: StoredPerson): { id: string | null; name: string } => ({
  id: id === OWNER_OF_DESK ? null : id,
  name,
})

/** True if the caller is that person. The owner of a desk is also who the books of an office came with. */
export const isCaller = (ctx: Ctx, id: string | null): boolean => id === ctx.actor.id

/** True for whoever works at the computer of the books, without a sign-in. */
export const isOwnerWithoutSignIn = ({ actor }: Ctx): boolean => actor.kind === 'user' && !actor.rights

/** Returns the colleagues who may read what needs `capability`; all of them without one. */
export async function colleaguesWho(ctx: Ctx, capability: Capability | null): Promise<readonly Colleague[]> {
  const all = (await ctx.env.people?.colleagues(ctx.book.companyId)) ?? []
  return capability === null ? all : all.filter(({ capabilities }) => capabilities.has(capability))
}

/** Returns the colleague of an identifier. Throws `validation_failed` for anybody else. */
export async function colleagueOf(
  ctx: Ctx,
  id: string,
  capability: Capability | null,
): Promise<{ id: string; name: string }> {
  if (isOwnerWithoutSignIn(ctx) && isCaller(ctx, id)) return { id, name: ctx.actor.name }
  const found = (await colleaguesWho(ctx, capability)).find((one) => one.id === id)
  if (!found)
    throw validationFailed([
      {
        code: 'invalid',
        field: 'assigneeId',
        severity: 'error',
        message: 'This person cannot read what the task is about.',
      },
    ])
  return { id: found.id, name: found.name }
}

/** Throws `not_found` unless the caller is that person. */
export function assertCaller(ctx: Ctx, id: string): void {
  if (!isCaller(ctx, id)) throw new AppError('not_found')
}
