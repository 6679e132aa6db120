/** Clients of a measurement, each of which begins its next operation when the last one has ended. */
import type { Turn } from '../method.ts'

/**
 * Runs operations on several clients at once and measures each. `work` gets the number of the client and of its
 * operation, both from 0.
 */
export async function timeClients(
  clients: number,
  operationsEach: number,
  work: (client: number, operation: number) => Promise<unknown>,
): Promise<Turn> {
  const latenciesMs: number[] = []
  const start = performance.now()
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let operation = 0; operation < operationsEach; operation += 1) {
        const before = performance.now()
        await work(client, operation)
        latenciesMs.push(performance.now() - before)
      }
    }),
  )
  return {
    operations: clients * operationsEach,
    elapsedMs: performance.now() - start,
    // The database does half of the work in its own processes: only the clock measures both.
    cpuUs: null,
    latenciesMs,
  }
}
