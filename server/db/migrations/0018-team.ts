/** A company as the work of several people; one file for each topic. */
import { eventActors } from './0018/event-actors.ts'
import { secondPerson } from './0018/second-person.ts'

const parts: readonly string[] = [secondPerson, eventActors]

export const team = parts.join('\n')
