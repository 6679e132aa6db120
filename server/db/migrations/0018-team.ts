/** A company as the work of several people; one file for each topic. */
import { secondPerson } from './0018/second-person.ts'

const parts: readonly string[] = [secondPerson]

export const team = parts.join('\n')
