/** Public interface of what is remembered of suppliers. */
export { recall } from './recall.ts'
export { shownOfEntry } from './rows.ts'
export { learnAgain, learnFrom, relearn, unlearn } from './teach.ts'
export type { TaughtEntry } from './teach.ts'
