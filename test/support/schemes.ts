/** The schemes of a year, as most businesses are in: none of those that the returns ask about. */
import type { InputOf } from '../../server/api/contracts.ts'

export type SchemesInput = InputOf<'fiscal.setFilingSchemes'>

export const NO_SCHEMES: Omit<SchemesInput, 'year'> = {
  refundRegister: false,
  largeCompany: false,
  voluntarySii: false,
  jointReturn: false,
  insolvency: false,
  prorata: 'none',
  excused390: false,
  monthly349: false,
  fuelDepositary: false,
}

/** Runs operations as a person does: a store, or a world. */
interface Person {
  run(name: 'fiscal.setFilingSchemes', input: SchemesInput): Promise<unknown>
}

/** States the schemes of a year, without which no return 303 or 390 has a file. */
export async function stateSchemes(
  person: Person,
  year: number,
  schemes: Partial<SchemesInput> = {},
): Promise<void> {
  await person.run('fiscal.setFilingSchemes', { ...NO_SCHEMES, ...schemes, year })
}
