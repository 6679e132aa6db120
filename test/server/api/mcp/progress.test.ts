/** Progress of the only slow step: reported to callers that asked for it, and to no others. */
import { expect, test } from 'vitest'
import { openWorld } from '../../../support/world.ts'
import type { Answer, World } from '../../../support/world.ts'
import { call, modern, post } from './wires.ts'

const TOKEN = 'step-by-step'

/** Returns every message of an answer, in order. */
function messagesOf(answer: Answer): any[] {
  if (answer.body) return [answer.body]
  return [...answer.raw.body.matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(data!))
}

async function tokenFor(world: World): Promise<{ id: string; confirmationToken: string }> {
  const { id } = await world.createDraft()
  const { body } = await world.post(`/api/v1/invoices/${id}/validate`, {})
  return { id, confirmationToken: body.data.confirmation.confirmationToken }
}

const WIRES = {
  '2025': (world: World, name: string, args: unknown, _meta?: object) => {
    const message = call(name, args) as { params: object }
    return post(world, { ...message, params: { ...message.params, ...(_meta ? { _meta } : {}) } })
  },
  '2026': (world: World, name: string, args: unknown, _meta: object = {}) => {
    const { body, headers } = modern('tools/call', { name, arguments: args })
    const { params } = body as { params: { _meta: object } }
    return post(world, { ...body, params: { ...params, _meta: { ...params._meta, ..._meta } } }, headers)
  },
}

test.each(['2025', '2026'] as const)(
  'an issue on the %s wire reports its progress under the token',
  async (era) => {
    const world = await openWorld()
    const ask = WIRES[era]
    const meta = { progressToken: TOKEN }
    const messages = messagesOf(await ask(world, 'svc_issue_registry_invoice', await tokenFor(world), meta))
    expect(messages.slice(0, -1)).toMatchObject(
      [1, 2].map((progress) => ({
        method: 'notifications/progress',
        params: { progressToken: TOKEN, progress, total: 2, message: expect.any(String) },
      })),
    )
    expect(messages.at(-1).result.structuredContent).toMatchObject({ state: 'issued' })
  },
)

test.each(['2025', '2026'] as const)('the %s wire reports no progress without a token', async (era) => {
  const world = await openWorld()
  const messages = messagesOf(await WIRES[era](world, 'svc_issue_registry_invoice', await tokenFor(world)))
  expect(messages).toHaveLength(1)
  expect(messages[0].result.structuredContent).toMatchObject({ state: 'issued' })
})

test.each(['2025', '2026'] as const)(
  'a rejected issue on the %s wire is never reported as done',
  async (era) => {
    const world = await openWorld()
    const { id } = await world.createDraft()
    const messages = messagesOf(
      await WIRES[era](
        world,
        'svc_issue_registry_invoice',
        { id, confirmationToken: 'svct_guessed' },
        { progressToken: 7 },
      ),
    )
    expect(messages.slice(0, -1).map(({ params }) => [params.progressToken, params.progress])).toEqual([
      [7, 1],
    ])
    expect(messages.at(-1).result.isError).toBe(true)
  },
)

test('reads and drafts report no progress', async () => {
  const world = await openWorld()
  const meta = { progressToken: TOKEN }
  expect(messagesOf(await WIRES['2025'](world, 'svc_list_invoices', {}, meta))).toHaveLength(1)
})
