/** Public interface of the demo slice, for the operations table, the command line and the benchmarks. */
export { fillEveryday } from './everyday.ts'
export { createDice, fillBook, FIRST_DAY } from './fill.ts'
export { fillSample, getSample, removeSample } from './sample.ts'
