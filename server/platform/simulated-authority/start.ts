/** What the simulators need without a server: fault switches and pages. It loads no library. */
export { createFaultQueue } from './fault-queue.ts'
export type { FaultQueue } from './fault-queue.ts'
export { webPage } from './web-page.ts'
