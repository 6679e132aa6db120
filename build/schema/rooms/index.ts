/** The rooms that own tables, in the order of the map. */
import type { Room } from '../room.ts'
import { accounting } from './accounting.ts'
import { app } from './app.ts'
import { catalog } from './catalog.ts'
import { company } from './company.ts'
import { documents } from './documents.ts'
import { integrations } from './integrations.ts'
import { platform } from './platform.ts'
import { purchases } from './purchases.ts'
import { registry } from './registry.ts'
import { sales } from './sales.ts'
import { tax } from './tax.ts'

export const ROOMS: Readonly<Record<string, Room>> = {
  platform,
  company,
  tax,
  catalog,
  registry,
  sales,
  purchases,
  accounting,
  documents,
  integrations,
  app,
}
