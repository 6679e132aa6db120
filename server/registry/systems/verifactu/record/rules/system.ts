/**
 * Rules for the program's own block (SistemaInformatico), which is the same in every record: one fault there rejects
 * all records.
 */
import { trimValue } from '../hashed.ts'
import type { SystemInfo } from '../fields.ts'
import { SCHEMA_FAULT } from './fault.ts'
import type { RuleFinding } from './fault.ts'
import { nifFaults, textFaults } from './text-rules.ts'

const FIX = "Correct the program's build data."

/** Yields every fault of the program's data. They come from the build, so nobody can correct them in the app. */
export function* systemFaults(system: SystemInfo): Iterable<RuleFinding> {
  const { producer } = system
  yield* textFaults(producer.name, 'producer.name', {
    code: 'name',
    max: 120,
    emptyCode: '1179',
    what: "The producer's name",
    fix: FIX,
  })
  yield* nifFaults(producer.nif, 'producer.nif', { authorityCode: '1176' })
  yield* textFaults(system.name, 'name', {
    code: 'system_name',
    max: 30,
    emptyCode: '1220',
    what: "The program's name",
    fix: FIX,
  })
  // Any two characters pass the schema; more violate it.
  if (!/^[A-Z0-9]{2}$/.test(system.id)) {
    yield {
      code: 'system_id',
      authorityCode: trimValue(system.id).length > 2 ? SCHEMA_FAULT : '1177',
      field: 'id',
      message: "The program's identifier has two characters, A to Z or 0 to 9.",
      fix: FIX,
    }
  }
  yield* textFaults(system.version, 'version', {
    code: 'version',
    max: 50,
    emptyCode: '1179',
    what: "The program's version",
    fix: FIX,
  })
  yield* textFaults(system.installationNumber, 'installationNumber', {
    code: 'installation_number',
    max: 100,
    emptyCode: '1179',
    what: 'The number of the installation',
    fix: FIX,
  })
}
