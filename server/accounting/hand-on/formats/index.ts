/** The formats of other programs, and their facts. */
import type { Format, HandOnFormat } from '../model.ts'
import { a3 } from './a3.ts'
import { contaplus } from './contaplus.ts'
import { contasol } from './contasol.ts'
import { csv } from './csv.ts'
import { holded } from './holded.ts'
import { odoo } from './odoo.ts'

export const FORMATS: Readonly<Record<HandOnFormat, Format>> = { a3, contaplus, contasol, holded, odoo, csv }
