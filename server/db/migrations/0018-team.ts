/** A company as the work of several people; one file for each topic. */
import { bundles } from './0018/bundles.ts'
import { companies } from './0018/companies.ts'
import { eventActors } from './0018/event-actors.ts'
import { installationNumbers } from './0018/installation-numbers.ts'
import { secondPerson } from './0018/second-person.ts'
import { summaries } from './0018/summaries.ts'
import { tasks } from './0018/tasks.ts'

const parts: readonly string[] = [
  // Before the triggers that allow the end of a company.
  installationNumbers,
  companies,
  eventActors,
  secondPerson,
  summaries,
  bundles,
  tasks,
]

export const team = parts.join('\n')
