/** Invoices between businesses and to public bodies in structured form; one file for each topic. */
import { exchange } from './0020/exchange.ts'
import { portal } from './0020/portal.ts'
import { receiving } from './0020/receiving.ts'
import { replies } from './0020/replies.ts'

const parts: readonly string[] = [exchange, portal, receiving, replies]

export const structuredExchange = parts.join('\n')
