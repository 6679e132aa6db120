/** Exports of the mail slice for other slices. */
export { verifyMailPasswords } from './account.ts'
export { prepareMail } from './compose.ts'
export { createMailJobs, mailWork } from './jobs.ts'
export { countReadyReminders, readyReminders, runReminderPlan, sendPlanned } from './plan.ts'
export { MAIL_CONTENTS } from './rows.ts'
export { failedMails, invoiceMails } from './view.ts'
export { SEALED_MAIL_PASSWORDS } from './sealed.ts'
export { verifyMails } from './verify.ts'
