/** Choosing the limits of this installation, and telling them. */
import { recordAudit } from '../../platform/audit/index.ts'
import { listBooks } from '../../platform/books/index.ts'
import type { ContractOutput } from '../../domain/contract/define-contract.ts'
import {
  CONCURRENT_CALLS,
  FAMILIES,
  FAMILY_MEANING,
  isCapped,
  PLAN_NAMES,
  PLANS,
  WAITING,
  WINDOW_SECONDS,
} from '../../domain/contract/rate-limits.ts'
import { inBook } from '../../context.ts'
import type { UseCase } from '../../context.ts'
import { capsUsed } from '../../platform/api-keys/index.ts'
import type { CapsUsed } from '../../platform/api-keys/index.ts'
import type { currentLimitsContract, getLimitsContract, LimitPolicy, setLimitsContract } from './contract.ts'
import { savePolicy, limitsOf } from './policy.ts'

const NO_CAPS: CapsUsed = { perDay: null, issuedToday: 0, eurPerDay: null, issuedEurToday: 0 }

function settingsOf(policy: LimitPolicy): ContractOutput<typeof getLimitsContract> {
  const plans = PLAN_NAMES.map((name) => ({
    name,
    refuses: PLANS[name].refuses,
    perMinute: { ...PLANS[name].perMinute },
  }))
  return { ...policy, plans }
}

/** The plan chosen, and all there are. */
export const getLimits: UseCase<typeof getLimitsContract> = async (ctx) =>
  settingsOf(limitsOf(ctx.env.store).counters.policy)

/** Chooses the plan and what differs from it; every book's history tells of it, for its keys are all meant. */
export const setLimits: UseCase<typeof setLimitsContract> = (ctx, { plan, overrides = {} }) =>
  ctx.transaction(async (tx) => {
    const policy: LimitPolicy = { plan, overrides }
    await savePolicy(tx.db, policy)
    for (const book of await listBooks(tx.db))
      await recordAudit(inBook(tx, book), {
        action: 'limits.changed',
        target: { type: 'limits', id: plan },
      })
    tx.afterCommit(() => limitsOf(tx.env.store).counters.apply(policy))
    return settingsOf(policy)
  })

/** The limits of every family and what is left for whoever asks; of the person, whom they do not concern, all of it. */
export const currentLimits: UseCase<typeof currentLimitsContract> = async (ctx) => {
  const { counters } = limitsOf(ctx.env.store)
  const { plan } = counters.policy
  const key = ctx.actor.kind === 'key' ? ctx.actor : null
  return {
    plan,
    refuses: PLANS[plan].refuses,
    families: FAMILIES.map((family) => ({
      family,
      meaning: FAMILY_MEANING[family],
      ...counters.left(key?.rootId ?? null, family),
      windowSeconds: WINDOW_SECONDS,
      cap: isCapped(family) ? { atOnce: CONCURRENT_CALLS, waiting: WAITING } : null,
    })),
    key: key && ((await capsUsed(ctx, key)) ?? NO_CAPS),
  }
}
