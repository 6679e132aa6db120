/** Requests that hand the journal on, with the settings that they need. */
import type { InputOf } from '../../../server/api/contracts.ts'
import type { World } from '../world.ts'

const DAYS = { from: '2026-01-01', to: '2026-12-31' }

/** Settings as an office with Sage 50 gives them. */
export const OFFICE: InputOf<'handOn.saveSettings'> = {
  format: 'contaplus',
  digits: 8,
  firstCustomer: 1,
  firstSupplier: 1,
  companyCode: '',
  encoding: 'windows-1252',
  recordLength: 1189,
  journal: '',
  closingEntries: true,
  confirmed: true,
}

type Settings = InputOf<'handOn.saveSettings'>

/** Settings of each format. */
export const SETTINGS: Readonly<Record<Settings['format'], Settings>> = {
  contaplus: OFFICE,
  a3: { ...OFFICE, format: 'a3', companyCode: '7', recordLength: 512 },
  contasol: { ...OFFICE, format: 'contasol', encoding: 'utf-8', recordLength: null, journal: '1' },
  holded: { ...OFFICE, format: 'holded', encoding: 'utf-8', recordLength: null },
  odoo: { ...OFFICE, format: 'odoo', encoding: 'utf-8', recordLength: null, journal: 'MISC' },
  csv: { ...OFFICE, format: 'csv', encoding: 'utf-8', recordLength: null },
}

const set = (world: World) => world.run('handOn.saveSettings', OFFICE)

export const HAND_ON_EXAMPLES = {
  'handOn.settings': async ({ world }: { world: World }) => {
    await set(world)
    return { query: {} }
  },
  'handOn.accounts': async ({ world }: { world: World }) => {
    await set(world)
    await world.run('handOn.create', { ...DAYS, all: true })
    return { query: { limit: 5 } }
  },
  'handOn.preview': async ({ world }: { world: World }) => {
    await set(world)
    return { query: { ...DAYS, all: true } }
  },
  'handOn.runs': async ({ world }: { world: World }) => {
    await set(world)
    await world.run('handOn.create', { ...DAYS, all: true })
    return { query: { limit: 5 } }
  },
  'handOn.create': async ({ world }: { world: World }) => {
    await set(world)
    return { body: { ...DAYS, all: true } }
  },
  'handOn.file': async ({ world }: { world: World }) => {
    await set(world)
    const { id } = await world.run('handOn.create', { ...DAYS, all: true })
    return { params: { id } }
  },
}
