/** Who did something, in words. */
import { translate } from '../../i18n.ts'

/** The owner of a desk, in the window and on the command line. */
const OWNER_NAMES: readonly string[] = ['user', 'command line']

/** Returns who did something: the owner of a desk is the reader, and everybody else has a name. */
export function actorText(actor: { kind: string; name: string }, you = translate('actor.user')): string {
  if (actor.kind === 'key') return actor.name
  if (actor.kind !== 'user') return translate(`actor.${actor.kind}`)
  return OWNER_NAMES.includes(actor.name) ? you : actor.name
}
