/** Exports of the mail slice for other slices. */
export { getMailAccount, saveMailAccount, testMail, verifyMailPasswords } from './account.ts'
export { prepareMail } from './compose.ts'
export { createMailJobs } from './jobs.ts'
export { mailFile, resolveMail, sendMail, sendManyMails } from './queue.ts'
export {
  countReadyReminders,
  getReminderPlan,
  holdReminders,
  readyReminders,
  remindersHeld,
  runReminderPlan,
  saveReminderPlan,
  sendPlanned,
  skipReminder,
} from './plan.ts'
export { listMailTemplates, saveMailTemplate } from './templates.ts'
export { invoiceMails, listMails, quoteMails, failedMails } from './view.ts'
export { SEALED_MAIL_PASSWORDS } from './sealed.ts'
export { verifyMails } from './verify.ts'
