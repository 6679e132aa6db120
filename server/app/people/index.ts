/** Public interface of the people of an office. A desk loads nothing of it. */
export { PeopleOfOffice, peopleOf } from './people-of-office.ts'
export { recordOwnAction } from './own.ts'
export { VERIFIED, capabilityFor } from './roles/capabilities.ts'
export { administer, endPerson, inviteFromOutside, listPeople, setGroups } from './outside.ts'
export type { FirmDirectorySettings } from './sign-in/firm-directory.ts'
export type { Site } from './sign-in/passkeys.ts'
export type { Origin, PersonSession } from './directory/sessions.ts'
