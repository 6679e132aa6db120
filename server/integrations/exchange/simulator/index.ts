/** Exports of the simulated platform for other slices. Load it on demand: only test books and `sello platform` need it. */
export { exchangePortOf } from './in-process.ts'
export { createPlatform } from './platform.ts'
export type { PlatformOptions } from './platform.ts'
export { createPlatformFaultControl } from './faults.ts'
export type { PlatformFaultControl } from './faults.ts'
export { memoryPlatformState } from './state.ts'
export type { HeldInvoice, PlatformState } from './state.ts'
