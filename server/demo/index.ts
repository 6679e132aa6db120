/** The demo slice for the command line and the benchmarks. */
export { createDice, fillBook } from './fill.ts'
export type { FillOptions } from './fill.ts'
