/** What the simulators need without a server: fault switches, pages, and whom a certificate names. It loads no library. */
export { holderNifs } from './certificates/client-certificate.ts'
export { createFaultQueue } from './fault-queue.ts'
export type { FaultQueue } from './fault-queue.ts'
export { escapeHtml, webPage } from './web-page.ts'
