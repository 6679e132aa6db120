/** The demo slice for the command line and the benchmarks. */
export { fillEveryday } from './everyday.ts'
export { createDice, fillBook, FIRST_DAY } from './fill.ts'
export type { FillOptions } from './fill.ts'
