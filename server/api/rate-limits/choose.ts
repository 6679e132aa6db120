/** Operations that set and return the rate limits of this installation. */
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

/** Returns the chosen plan, and all available ones. */
export const getLimits: UseCase<typeof getLimitsContract> = async (ctx) =>
  settingsOf(limitsOf(ctx.env).counters.policy)

/** Sets the plan and its overrides; recorded in the history of every book, since it applies to the keys of all. */
export const setLimits: UseCase<typeof setLimitsContract> = (ctx, { plan, overrides = {} }) =>
  ctx.transaction(async (tx) => {
    const policy: LimitPolicy = { plan, overrides }
    await savePolicy(tx.db, policy)
    for (const book of await listBooks(tx.db))
      await recordAudit(inBook(tx, book), {
        action: 'limits.changed',
        target: { type: 'limits', id: plan },
      })
    tx.afterCommit(() => {
      limitsOf(tx.env).counters.apply(policy)
      tx.env.servers?.tell('limits')
    })
    return settingsOf(policy)
  })

/**
 * Returns the limits of every family and the remainder for the caller; for a person, to whom they do not apply, the
 * full limits.
 */
export const currentLimits: UseCase<typeof currentLimitsContract> = async (ctx) => {
  const { counters, shared } = limitsOf(ctx.env)
  await shared?.flush()
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
