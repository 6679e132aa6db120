/** Child process that reads bank files, so that a malformed file can exhaust only this process and its limits. */
import { answerJobs } from '../../../platform/processes/parsers.ts'
import { readBankFile } from './read.ts'
import type { BankFileHead, BankJob, MovementsPart } from './read-apart.ts'

const AT_ONCE = 500

answerJobs<BankJob, BankFileHead>('bank', async ({ bytes, choice, lenient }, sendPart) => {
  const { statements, ...head } = readBankFile(bytes, choice, lenient)
  for (const [statement, { movements }] of statements.entries())
    for (let at = 0; at < movements.length; at += AT_ONCE)
      await sendPart({ statement, movements: movements.slice(at, at + AT_ONCE) } satisfies MovementsPart)
  return { ...head, statements: statements.map((each) => ({ ...each, movements: [] })) }
})
