/** An office with several companies, as an adviser has them. */
import { expect } from 'vitest'
import type { InputOf, OperationName, OutputOf } from '../../../../server/api/contracts.ts'
import { loadOperation } from '../../../../server/api/operations.ts'
import { runOperation } from '../../../../server/api/run.ts'
import { NO_BOOK } from '../../../../server/context.ts'
import type { Actor, Book, Ctx, Mode, People } from '../../../../server/context.ts'
import { CAPABILITIES } from '../../../../server/domain/people.ts'
import type { Capability } from '../../../../server/domain/people.ts'
import { refreshSummaries } from '../../../../server/app/summaries/index.ts'
import { companyNif } from '../../../support/office/clients.ts'
import { openTestStore } from '../../../support/store.ts'
import type { TestStore } from '../../../support/store.ts'

interface Client {
  id: string
  name: string
  nif: string
  books: Record<Mode, Book>
}

export interface Console extends TestStore {
  clients: Client[]
  run<Name extends OperationName>(name: Name, input: InputOf<Name>, ctx?: Ctx): Promise<OutputOf<Name>>
  /** Computes the rows that are due. */
  refresh(): Promise<number>
  as(actor: Actor): Ctx
}

export const ANA: Actor = { kind: 'user', id: 'usr_ana', name: 'Ana Ruiz' }
export const LUIS: Actor = { kind: 'user', id: 'usr_luis', name: 'Luis Gil' }

/** Two colleagues who may open every company, with their settings; `without` some capabilities. */
export function staff({ without = [] }: { without?: readonly Capability[] } = {}): People {
  const settings = new Map<string, unknown>()
  return {
    colleagues: async () =>
      [ANA, LUIS].map(({ id, name }) => ({
        id,
        name,
        roles: ['adviser'] as const,
        capabilities: new Set(CAPABILITIES.filter((each) => !without.includes(each))),
      })),
    onPresence: () => {},
    // Rows of companies are given from 1 on.
    companiesOf: async () => new Set(Array.from({ length: 100 }, (_, row) => row + 1)),
    capabilityFor: () => 'own',
    assertEnoughPeople: async () => {},
    capabilityForEvent: () => 'company.read',
    verify: async () => ({ checked: 0, faults: [] }),
    rightsOfOwner: async (id) => ({
      name: id,
      rights: {
        capabilities: new Set(CAPABILITIES.filter((each) => !without.includes(each))),
        roles: ['owner'],
        sessionId: '',
      },
    }),
    readSetting: async (person, name) => settings.get(`${person} ${name}`) ?? null,
    saveSetting: async ({ actor }, name, value) =>
      void settings.set(`${actor.id} ${name}`, JSON.parse(value)),
  }
}

/** Opens a store with companies. */
export async function openConsole(
  count: number,
  options: Parameters<typeof openTestStore>[0] = {},
): Promise<Console> {
  const store = await openTestStore(options)
  const clients: Client[] = []
  const run: Console['run'] = async (name, input, ctx = store.bookless()) =>
    (await runOperation(await loadOperation(name), ctx, input)) as never
  for (let number = 1; number <= count; number++) {
    const name = `Cliente ${String(number).padStart(3, '0')}, S.L.`
    const nif = companyNif(1_000_000 + number)
    const books = await store.company({ legalName: name, nif })
    const { public_id: id } = await store.env.store.reader
      .selectFrom('companies')
      .select('public_id')
      .where('nif', '=', nif)
      .executeTakeFirstOrThrow()
    clients.push({ id, name, nif, books })
  }
  return Object.assign(store, {
    clients,
    run,
    refresh: async () =>
      (await refreshSummaries(store.env, { log: (line) => expect.fail(line), settleMs: 0 })).computed,
    as: (actor: Actor) => store.ctx(NO_BOOK, actor),
  })
}
