/**
 * The program as every file names it. Its maker registers it with each treasury and gets a licence there; these licences
 * are blank in the build, like the producer's other data, and only the maker can fill them in.
 */
import type { Producer } from '../../../context.ts'
import type { SoftwareFacts } from './content.ts'
import type { ProvinceProfile, TicketBaiEnvironment } from './profiles.ts'

/** Returns the program's facts; in the test environment those of the treasury's own samples. */
export function softwareOf(
  { province, testSoftware }: ProvinceProfile,
  environment: TicketBaiEnvironment,
  build: { producer: Producer; version: string },
): SoftwareFacts {
  if (environment === 'test') {
    const { licence, developer, name, version } = testSoftware
    return { licence, developer, name, version }
  }
  const { producer, version } = build
  return {
    licence: producer.licences?.[province]?.trim() ?? '',
    developer: { nif: producer.nif.trim() },
    name: 'Sello',
    version,
  }
}

/** Returns whether the treasury has registered the program: nothing real is issued before. */
export function isRegistered({ licence, developer }: SoftwareFacts): boolean {
  return licence !== '' && ('idType' in developer ? developer.id !== '' : developer.nif !== '')
}
