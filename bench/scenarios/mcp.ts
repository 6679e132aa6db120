/**
 * The cost of a tool call beyond the protocol: the product against both SDKs with an empty tool, in separate
 * processes.
 */
import type { Era } from '../../server/api/mcp/resources.ts'
import { mcpRequest, MCP_PATH, toolAnswer } from '../../test/support/mcp.ts'
import { sizeName } from '../bench.ts'
import type { Group } from '../bench.ts'
import { Child } from '../child.ts'
import type { ClientAnswer, ClientJob } from '../client.ts'
import { judge, race } from '../method.ts'
import type { Bar, Side } from '../method.ts'
import { Server } from './http.ts'

/** Ratio of processor times. */
const CALL: Bar = { better: 'less', floor: 1.3, goal: 1.15 }
const CONNECTIONS = 8
const OPERATIONS = 2000

interface Scenario {
  name: string
  era: Era
  tool: string
  args: Record<string, unknown>
  /** Null for context only, if the limit's tool does not do the same work. */
  bar: Bar | null
}

const SCENARIOS: readonly Scenario[] = (['2025', '2026'] as const).flatMap((era) => [
  { name: `mcp.call.${era}`, era, tool: 'svc_get_company_context', args: {}, bar: CALL },
  { name: `mcp.list.${era}`, era, tool: 'svc_list_invoices', args: {}, bar: null },
])

/** Returns a side whose turns are measured in processor time only. */
function inProcessorTime(side: Side): Side {
  return {
    ...side,
    run: async (round) => {
      const turn = await side.run(round)
      if (turn.cpuUs === null) throw new Error('The server did not tell its processor time.')
      return { operations: turn.operations, elapsedMs: turn.cpuUs / 1000, cpuUs: turn.cpuUs }
    },
  }
}

async function assertAnswers(port: number, apiKey: string, { era, tool, args }: Scenario): Promise<void> {
  const { headers, body } = mcpRequest(era, 'tools/call', { name: tool, arguments: args })
  const answer = await fetch(`http://127.0.0.1:${port}${MCP_PATH}`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${apiKey}` },
    body,
  })
  const { isError, raw } = toolAnswer(answer.status, await answer.text())
  if (isError) throw new Error(`${tool} is refused: ${raw.slice(0, 300)}`)
}

export const mcpGroup: Group = {
  names: SCENARIOS.map(({ name }) => name),
  async run({ workplace, rounds, size, report }, wanted) {
    const master = await workplace.master(size, 'sent')
    const place = workplace.copy(master)
    const product = await Server.start('product', place)
    const limit = await Server.start('mcp', place)
    const clients = new Child<ClientJob, ClientAnswer>('client.ts')
    try {
      for (const scenario of SCENARIOS) {
        if (!wanted.has(scenario.name)) continue
        const { name, era, tool, args, bar } = scenario
        for (const { port } of [product, limit]) await assertAnswers(port, master.apiKey, scenario)
        const posted = mcpRequest(era, 'tools/call', { name: tool, arguments: args })
        const job = {
          connections: CONNECTIONS,
          operations: OPERATIONS,
          expected: [200],
          paths: [MCP_PATH],
          posted,
        }
        const measured = { requests: 1, job }
        const result = await race(
          inProcessorTime(product.side(clients, master.apiKey, measured)),
          inProcessorTime(limit.side(clients, master.apiKey, measured)),
          rounds,
        )
        report(
          judge(result, {
            target: 'mcp',
            name,
            size: sizeName(size),
            unit: 'us',
            bar,
            note: 'processor time a call; limit: an empty tool',
          }),
        )
      }
    } finally {
      await Promise.all([clients.close(), limit.close(), product.close()])
    }
  },
}
