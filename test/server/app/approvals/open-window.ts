/** Test book with an assistant's key, and proposals made with it. */
import type { InputOf } from '../../../../server/api/contracts.ts'
import type { ProposedAction } from '../../../../server/app/approvals/contract.ts'
import { openBooks } from '../../../support/books.ts'

export async function openDesk(options: Parameters<typeof openBooks>[0] = {}) {
  const world = await openBooks(options)
  const actor = await world.key({
    name: 'Asistente',
    assistant: true,
    scopes: ['invoices.read', 'invoices.write', 'fiscal.read'],
  })
  const ctx = () => world.ctx(world.books.test, actor)
  const propose = (
    action: ProposedAction,
    targetId?: string,
    params?: NonNullable<InputOf<'inbox.propose'>['params']>,
  ) =>
    world.run(
      'inbox.propose',
      {
        action,
        reason: ' Porque\r\nsí ',
        ...(targetId ? { targetId } : {}),
        ...(params ? { params } : {}),
      },
      ctx(),
    )
  return { world, actor, ctx, propose }
}
