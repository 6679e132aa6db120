/** What becomes of settings that belong to the installation when a company is moved. */

/** Settings by name, or by the begin of their name if it ends with a slash. */
export const SETTINGS: Readonly<Record<string, string>> = {
  'views/': 'Of a book: copied with its company.',
  app_lock: 'Of the desk: an office has people who sign in.',
  arriving: 'Of the folder.',
  'ended-objects/': 'Of an office: what deleted companies have in its storage.',
  'ended/': 'Of the installation: what remains of deleted companies.',
  events_of_office: 'Of the folder; an office asks for no unbroken numbers.',
  keys_unsealed: 'Of an upgrade; the keys are sealed when the books are opened.',
  limits: 'Of the installation: the target keeps its own.',
  moved: 'Of the folder.',
  preferences: 'Of the person at the desk.',
  recovery_code_unproven: 'Of the folder and its key.',
  sample: 'Of the desk: it hides a sample company, which is moved as a company like others.',
  sandbox: 'Of the installation: both have to agree.',
  served_port: 'Of the desk.',
  verification: 'Result of a check on these rows: the target makes its own.',
  write_trial: 'Of the file.',
}

/** Returns true if a setting has been decided about. */
export function isDecided(name: string): boolean {
  return Object.keys(SETTINGS).some((known) =>
    known.endsWith('/') ? name.startsWith(known) : name === known,
  )
}
