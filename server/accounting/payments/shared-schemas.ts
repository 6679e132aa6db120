/** Schemas that the contracts of payments share. */
import { z } from 'zod'

export const Direction = z.enum(['in', 'out']).meta({ description: 'in: collected. out: paid.' })
export type Direction = z.infer<typeof Direction>

export const Side = z
  .enum(['receivable', 'payable'])
  .meta({ description: 'receivable: customers. payable: suppliers.' })
export type Side = z.infer<typeof Side>
