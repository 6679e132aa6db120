/** Many companies with plausible figures, as an adviser has them: for benchmarks and pictures of the console. */
import { loadOperation } from '../../../server/api/operations.ts'
import { runOperation } from '../../../server/api/run.ts'
import { createCtx, NO_BOOK } from '../../../server/context.ts'
import type { Actor, AppEnvironment } from '../../../server/context.ts'
import { createDice } from '../../../server/app/demo/index.ts'
import type { SummaryFacts } from '../../../server/app/summaries/index.ts'
import { addDays, businessDateOf, quarterOf } from '../../../server/domain/dates.ts'

const NAMES = [
  'Talleres Ibarra',
  'Panadería La Espiga',
  'Electricidad Moncayo',
  'Clínica Dental Sanz',
  'Transportes Duero',
  'Librería Atlántida',
  'Construcciones Bermejo',
  'Bodegas Valdeluz',
  'Peluquería Carmen',
  'Asesores del Mar',
  'Ferretería Olmo',
  'Academia Newton',
  'Frutas Levante',
  'Estudio Gaztelu',
  'Hostal Miramar',
  'Jardines del Sur',
]
const FORMS = ['S.L.', 'S.A.', 'S.L.U.', 'S. Coop.']
const STAFF = Array.from({ length: 20 }, (_, number) => ({
  id: `usr_${String(number + 1).padStart(2, '0')}`,
  name:
    ['Ana Ruiz', 'Luis Gil', 'Marta Sanz', 'Iker Goñi', 'Rosa Vidal'][number % 5]! +
    (number < 5 ? '' : ` ${number}`),
}))
const OWNER: Actor = { kind: 'user', id: 'user', name: 'Persona' }
const DAY_MS = 24 * 3_600_000

/** Returns the tax number of a company by a number of at most seven digits. */
export function companyNif(number: number): string {
  const digits = String(number).padStart(7, '0')
  let sum = 0
  for (let index = 0; index < 7; index++) {
    const digit = Number(digits[index])
    sum += index % 2 === 0 ? Math.floor((digit * 2) / 10) + ((digit * 2) % 10) : digit
  }
  return `B${digits}${(10 - (sum % 10)) % 10}`
}

type Dice = ReturnType<typeof createDice>

function factsOf(dice: Dice, now: Date): SummaryFacts {
  const today = businessDateOf(now)
  const year = Number(today.slice(0, 4))
  const quarter = quarterOf(today)
  const before = quarter === 1 ? { year: year - 1, quarter: 4 } : { year, quarter: quarter - 1 }
  const isFiled = dice(10) < 6
  const isLate = !isFiled && dice(8) === 0
  const models = [
    '303',
    '111',
    ...(dice(3) === 0 ? ['115'] : []),
    ...(dice(4) === 0 ? ['349'] : []),
    ...(dice(3) === 0 ? ['130'] : []),
  ]
  const last = addDays(today, isLate ? -dice(12) - 1 : dice(18))
  return {
    version: 1,
    from: `${year - 1}-01-10`,
    returns: [
      ...models.map((model) => ({
        model,
        year: before.year,
        code: `${before.quarter}T`,
        dueFrom: addDays(today, -20),
        dueTo: last,
        applies: model === '111' && dice(5) === 0 ? null : (true as const),
        filedOn: isFiled ? addDays(today, -dice(10)) : null,
      })),
      ...models.map((model) => ({
        model,
        year,
        code: `${quarter}T`,
        dueFrom: addDays(today, 30 + dice(3)),
        dueTo: addDays(today, 60),
        applies: true as const,
        filedOn: null,
      })),
    ],
    lockedUntil: isFiled ? addDays(today, -5) : null,
    closedYear: year - 1,
    registry: {
      needAction: dice(12) === 0 ? 1 + dice(3) : 0,
      pending: dice(9) === 0 ? 2 : 0,
      oldestAt: dice(18) === 0 ? now.getTime() - 3 * 3_600_000 : null,
      chain: dice(120) === 0 ? 'held' : 'ok',
      stopped: false,
    },
    certificateUntil: dice(14) === 0 ? null : addDays(today, dice(700) - 12),
    inbox: { waiting: dice(3) === 0 ? dice(24) : 0, oldestAt: now.getTime() - dice(9) * DAY_MS },
    bank: dice(7) === 0 ? null : { pending: dice(3) === 0 ? 0 : dice(60), since: addDays(today, -dice(40)) },
    approvals: dice(9) === 0 ? 1 + dice(2) : 0,
    receipts: dice(3) === 0 ? dice(14) : 0,
    owed: { cents: dice(9_000_000), lateCents: dice(900_000), lateInvoices: dice(7) },
    lastActivityAt: now.getTime() - dice(20 * 24) * 3_600_000,
  }
}

/**
 * Creates companies and plants their summaries, so that no one has to keep books for each. `outdated`: one in so many has a
 * fact that its summary does not include; `from`: numbers already given.
 */
export async function addClients(
  env: AppEnvironment,
  count: number,
  { staff = false, outdated = 0, from = 0 } = {},
): Promise<void> {
  const dice = createDice(7)
  const create = await loadOperation('company.create')
  const ctx = createCtx({ env, book: NO_BOOK, actor: OWNER, channel: 'ui', requestId: env.newId('req') })
  for (let number = from + 1; number <= from + count; number++) {
    const name = `${NAMES[number % NAMES.length]} ${number} ${FORMS[dice(FORMS.length)]}`
    await runOperation(create, ctx, { legalName: name, nif: companyNif(2_000_000 + number) })
  }
  const rows = await env.store.reader.selectFrom('companies').select('id').orderBy('id').execute()
  const at = env.now()
  await env.store.transaction(null, async (db) => {
    for (const [index, { id }] of rows.entries()) {
      const stale = outdated > 0 && index % outdated === 0 ? at.getTime() : null
      const row = {
        facts: JSON.stringify(factsOf(dice, at)),
        computed_at: at.getTime() - 60_000,
        computed_on: businessDateOf(at),
        stale_since: stale,
        taken: 0,
      }
      await db
        .insertInto('company_summaries')
        .values({ company_id: id, ...row })
        .onConflict((conflict) => conflict.column('company_id').doUpdateSet(row))
        .execute()
      const assignee = STAFF[dice(STAFF.length)]!
      if (!staff || dice(12) === 0) continue
      await db
        .insertInto('company_care')
        .values({
          company_id: id,
          assignee_id: assignee.id,
          assignee_name: assignee.name,
          assigned_at: at.getTime(),
        })
        .execute()
    }
  })
}
