/** Public interface of what is remembered of suppliers. */
export { learnFrom, recall } from './recall.ts'
