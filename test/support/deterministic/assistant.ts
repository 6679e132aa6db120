/** Actions of an assistant over MCP, in either protocol revision; a live issue waits for the person's approval. */
import { AppError } from '../../../server/domain/errors/app-error.ts'
import type { ErrorCode } from '../../../server/domain/errors/catalog.ts'
import { personalNif } from '../nif.ts'
import { ERAS, MCP_PATH, mcpRequest, toolAnswer } from '../mcp.ts'
import { NothingToDo } from './person.ts'
import type { Deed } from './person.ts'
import type { Company } from './furnish.ts'
import { PORT } from '../world.ts'
import type { DeterministicWorld } from './world.ts'

/** Calls a tool; throws its error. */
async function call(
  world: DeterministicWorld,
  company: Company,
  name: string,
  args: Record<string, unknown>,
): Promise<any> {
  const era = world.around.dice.pick(ERAS)
  const { headers, body } = mcpRequest(era, 'tools/call', { name, arguments: args })
  const raw = await world.inject({
    method: 'POST',
    url: MCP_PATH,
    headers: { ...headers, host: `127.0.0.1:${PORT}`, authorization: `Bearer ${company.key}` },
    payload: body,
  })
  const answer = toolAnswer(raw.statusCode, raw.body)
  if (!answer.isError) return answer.data
  const { code, message } = answer.error as { code: ErrorCode; message: string }
  if (typeof code !== 'string') throw new Error(`The door answered ${raw.statusCode}: ${raw.body}`)
  throw new AppError(code, { details: { message } })
}

const draft: Deed = async (world, company) => {
  const { dice } = world.around
  const { id } = await call(world, company, 'svc_create_invoice_draft', {
    clientName: 'Ana Ruiz Gil',
    clientNif: personalNif(1 + dice.below(50)),
    lines: [{ description: 'Taller', quantity: 1 + dice.below(9), unitPrice: 50 }],
  })
  world.known(company).assistantDrafts.push(id)
  return id
}

const ask: Deed = async (world, company) => {
  const { assistantDrafts, asked } = world.known(company)
  const id = assistantDrafts.shift() ?? (await draft(world, company))
  const { confirmation } = await call(world, company, 'svc_validate_registry_invoice', { id })
  if (!confirmation) throw new AppError('invoice_invalid')
  const { confirmationToken } = confirmation
  asked.push({ id, confirmationToken })
  if (asked.length > 3) asked.shift()
  return `${id} ${confirmation.approval.status}`
}

/** Repeats the request that needs an approval, as assistants do. */
const issue: Deed = async (world, company) => {
  const { asked } = world.known(company)
  if (asked.length === 0) throw new NothingToDo()
  const { id, confirmationToken } = world.around.dice.pick(asked)
  const issued = await call(world, company, 'svc_issue_registry_invoice', { id, confirmationToken })
  // In a test book no approval is needed.
  if (company.book.mode === 'live' && !world.approved.has(id))
    throw new Error(`${id} was issued for an assistant without a person's yes.`)
  world.acknowledge(company, issued)
  return issued.number
}

const propose: Deed = async (world, company) => {
  const { issued } = world.known(company)
  if (issued.length === 0) throw new NothingToDo()
  const { proposalId } = await call(world, company, 'svc_propose_action', {
    action: 'correct_invoice',
    targetId: world.around.dice.pick(issued),
    reason: 'El cliente ha devuelto una parte.',
  })
  return proposalId
}

const look: Deed = async (world, company) => {
  const { invoices, items } = await call(world, company, 'svc_list_invoices', { limit: 5 })
  return String((invoices ?? items ?? []).length)
}

/** Actions with their frequencies. */
export const ASSISTANT: readonly [weight: number, name: string, deed: Deed][] = [
  [1, 'assistant drafts', draft],
  [5, 'assistant asks', ask],
  [5, 'assistant issues', issue],
  [1, 'assistant proposes', propose],
  [1, 'assistant looks', look],
]
