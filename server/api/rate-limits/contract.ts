/** Rate limits of this installation: the plan, its overrides, and the remainder for a key. */
import { z } from 'zod'
import { defineContract } from '../../domain/contract/define-contract.ts'
import { euros } from '../../domain/contract/fields.ts'
import { FAMILIES, MAX_PER_MINUTE, PLAN_NAMES } from '../../domain/contract/rate-limits.ts'

const PerMinute = z.int().min(1).max(MAX_PER_MINUTE)

const Overrides = z
  .strictObject({
    read: PerMinute.optional(),
    write: PerMinute.optional(),
    issue: PerMinute.optional(),
    documents: PerMinute.optional(),
    outward: PerMinute.optional(),
  })
  .meta({ description: "Requests a minute of one key where they are not the plan's." })

/** The setting of this installation. */
export const LimitPolicy = z.strictObject({ plan: z.enum(PLAN_NAMES), overrides: Overrides })
export type LimitPolicy = z.infer<typeof LimitPolicy>

const Cap = z
  .strictObject({
    atOnce: z.int().meta({ description: 'Requests of this family at work at once, of all keys together.' }),
    waiting: z.int().meta({ description: 'Further ones that wait; beyond, 503 `too_busy`.' }),
  })
  .nullable()
  .meta({ description: 'Null for a family without one.' })

const FamilyLimit = z
  .strictObject({
    family: z.enum(FAMILIES),
    policy: z.string().meta({ description: 'Its name in `RateLimit` and `RateLimit-Policy`.' }),
    meaning: z.string(),
    quota: z.int().meta({ description: 'Requests of one key in one window.' }),
    windowSeconds: z.int(),
    remaining: z.int().meta({ description: 'Left for this key in its window.' }),
    resetSeconds: z
      .int()
      .meta({ description: 'Until the window ends; the whole window when none has begun.' }),
    cap: Cap,
  })
  .meta({ id: 'FamilyLimit' })

const DailyCaps = z
  .strictObject({
    perDay: z.int().nullable(),
    issuedToday: z.int(),
    eurPerDay: euros('What the key may issue in a day of Spain.').nullable(),
    issuedEurToday: euros('What it has issued today.'),
  })
  .meta({ description: 'Caps of the key itself, in every plan.' })

export const currentLimitsContract = defineContract({
  name: 'limits.current',
  summary: 'The plan of this installation, its limits by family, and what is left for this key.',
  description:
    'Every answer to a key tells the limit it counted against in `RateLimit-Policy` and `RateLimit`; this one tells all of them. Asking counts as a read.',
  access: 'company.read',
  effect: 'read',
  rest: { method: 'GET', path: '/limits' },
  input: z.strictObject({}),
  output: z
    .strictObject({
      plan: z.enum(PLAN_NAMES),
      refuses: z.boolean().meta({ description: 'False: requests are counted and never refused.' }),
      families: z.array(FamilyLimit),
      key: DailyCaps.nullable(),
    })
    .meta({ id: 'Limits' }),
  errors: [],
})

const Settings = z.strictObject({
  ...LimitPolicy.shape,
  plans: z.array(
    z.strictObject({
      name: z.enum(PLAN_NAMES),
      refuses: z.boolean(),
      perMinute: z.record(z.enum(FAMILIES), z.int()),
    }),
  ),
})

export const getLimitsContract = defineContract({
  name: 'limits.get',
  summary: 'The plan chosen for this installation, and all plans there are.',
  access: 'person',
  effect: 'read',
  bookless: true,
  input: z.strictObject({}),
  output: Settings,
  errors: [],
})

export const setLimitsContract = defineContract({
  name: 'limits.set',
  summary: 'Choose the plan, and limits apart from it. Holds from the next request on.',
  access: 'person',
  effect: 'write',
  desk: true,
  bookless: true,
  input: z.strictObject({
    plan: z.enum(PLAN_NAMES),
    overrides: Overrides.optional().meta({ description: 'Whole: what is not named is as the plan says.' }),
  }),
  output: Settings,
  errors: [],
})
