/** Every error code as what happened and what to do; and the faults of single fields. */
import { erpErrors } from './erp.ts'
import { lockErrors } from './lock.ts'
import { faults } from './faults.ts'

export const errors = {
  errors: {
    ...erpErrors,
    ...lockErrors,
    offline: {
      title: 'Sello does not answer',
      next: 'Check that it is still open and try again. Your data is fine.',
    },
    mail_not_configured: {
      title: 'There is no mail account',
      next: 'Set it up in Settings, E-mail, or open the message in your mail program.',
    },
    mail_not_issued: { title: 'It is a draft', next: 'Issue the invoice before you send it.' },
    mail_test_recipient: {
      title: 'A test book only mails to your own address',
      next: 'Change the recipient, or work in the live book.',
    },
    mail_too_large: {
      title: 'The attachments are too large for a mail',
      next: 'Take some out, or send several mails.',
    },
    mail_not_open: {
      title: 'The mail has gone already',
      next: 'See what became of it; it can no longer be changed.',
    },
    lookup_unavailable: {
      title: 'The service does not answer',
      next: 'Try again later; nothing has changed.',
    },
    lookup_refused: {
      title: 'The service did not accept the question',
      next: 'Look at the details, or ask on its own web site.',
    },
    exchange_rate_unknown: {
      title: 'There is no official rate of that currency for that day',
      next: 'Choose a currency of the European Central Bank and one of the last 90 days, or type the rate.',
    },
    attachment_type: {
      title: 'That kind of file is not kept',
      next: 'Use a PDF, an XML, an image, a text, a CSV, an XLSX without macros or a mail.',
    },
    format_unavailable: {
      title: 'That invoice cannot be had in that format',
      next: 'See what it lacks; the PDF can always be had.',
    },
    logo_unusable: {
      title: 'That picture cannot be used as a logo',
      next: 'Use a PNG or JPEG in RGB or grey, 16 to 2,000 pixels a side.',
    },
    attachment_in_use: { title: 'That file is in use', next: 'Take it off what it is attached to first.' },
    received_duplicate: {
      title: 'That invoice has been entered already',
      next: 'Look at it; if it is another one, say so and enter it.',
    },
    received_not_void: {
      title: 'That received invoice is not void',
      next: 'There is nothing to bring back.',
    },
    restore_gone: {
      title: 'That can no longer be brought back',
      next: 'What is deleted is kept for a day. Make it anew.',
    },
    restore_taken: {
      title: 'It cannot be brought back as it was',
      next: 'Something else has its place by now, or what it was part of has changed. Make it anew.',
    },
    received_paid: { title: 'It has payments', next: 'Remove its payments first.' },
    file_unreadable: {
      title: 'The file cannot be read',
      next: 'It may be broken, protected or too large. Type the data: it is attached all the same.',
    },
    malformed_request: {
      title: 'The request cannot be read',
      next: 'Try again; if it happens again, tell us what you were doing.',
    },
    unauthorized: { title: 'This window is no longer allowed in', next: 'Open it again from Sello.' },
    scope_missing: { title: 'The key may not do this', next: 'Use another key or make one in Connections.' },
    host_not_allowed: { title: 'The address is not this Sello’s', next: 'Open it from Sello.' },
    origin_not_allowed: { title: 'Another page may not talk to Sello', next: 'Open it from Sello.' },
    not_found: {
      title: 'That is no longer there',
      next: 'It may have been deleted or belong to another book. Go back to the list.',
    },
    method_not_allowed: {
      title: 'The request is not valid',
      next: 'Try again; if it happens again, update Sello.',
    },
    version_conflict: {
      title: 'This changed somewhere else',
      next: 'Look at the changes and save yours again.',
    },
    erasure_stale: {
      title: 'There is something new about this person',
      next: 'What you see is up to date now. Look at it and confirm again.',
    },
    idempotency_in_progress: {
      title: 'The same request is still running',
      next: 'Wait a second and try again.',
    },
    gone: { title: 'That address is retired', next: 'Use the new one, shown in Connections.' },
    payload_too_large: { title: 'It is too large', next: 'Take something out and try again.' },
    unsupported_media_type: {
      title: 'The format is not valid',
      next: 'Try again; if it happens again, update Sello.',
    },
    validation_failed: { title: 'Some data needs correcting', next: 'Check the fields marked.' },
    idempotency_mismatch: { title: 'The request was repeated with other data', next: 'Try again.' },
    confirmation_required: {
      title: 'It has to be reviewed before issuing',
      next: 'Review the invoice and confirm.',
    },
    rate_limited: { title: 'Too many requests in a row', next: 'Wait a few seconds and try again.' },
    too_busy: { title: 'Too much is going on at once', next: 'Wait a few seconds and try again.' },
    webhook_address_refused: {
      title: 'The messages cannot go to that address',
      next: 'Use a public https address. One of this computer or its network only a person can allow, when making the webhook.',
    },
    webhook_limit: {
      title: 'This book has as many webhooks as it may',
      next: 'Delete one that is no longer used, or let one take more types of events.',
    },
    internal: {
      title: 'Something failed inside Sello',
      next: 'It is not your fault and your data is fine. Try again; if it happens again, send the details.',
    },
    disk_low: {
      title: 'The disk is nearly full and nothing new fits',
      next: 'Empty the bin or delete what you do not need, and try again. What is there can be read, changed and exported.',
    },
    store_readonly: {
      title: 'Only reading is possible right now',
      next: 'The notice at the top says why, and what to do.',
    },
    bank_account_taken: {
      title: 'You have an account with that IBAN or that ledger account already',
      next: 'Use that one, or choose another ledger account below 572.',
    },
    bank_account_in_use: {
      title: 'The account has movements',
      next: 'Mark it as not in use, or undo its files first.',
    },
    bank_import_matched: {
      title: 'Some movements of the file are identified already',
      next: 'Undo those {matched} first.',
    },
    bank_already_matched: { title: 'The movement is identified already', next: 'Undo it first.' },
    bank_not_matched: { title: 'The movement is not identified', next: 'There is nothing to undo.' },
    invoice_not_draft: {
      title: 'The invoice is already issued',
      next: 'To correct it, make a correcting invoice.',
    },
    invoice_invalid: {
      title: 'It cannot be issued yet',
      next: 'Correct what is marked and review it again.',
    },
    invoice_number_ambiguous: {
      title: 'More than one invoice has that number',
      next: 'Open it from the list.',
    },
    confirmation_invalid: { title: 'The review is not valid for this invoice', next: 'Review it again.' },
    confirmation_expired: { title: 'The review has expired', next: 'Review it again; it lasts ten minutes.' },
    confirmation_stale: {
      title: 'Something changed while you were reviewing it',
      next: 'Please look again.',
    },
    confirmation_used: {
      title: 'That review was used already',
      next: 'See the invoice: it was issued with it.',
    },
    approval_pending: { title: 'It waits for your approval', next: 'Decide in the Inbox.' },
    step_for_the_owner: {
      title: 'That is for the owner to decide',
      next: 'Propose it: annul the registration, or correct the invoice. It is decided in Sello.',
    },
    approval_denied: { title: 'You refused it', next: 'Change what is needed and review it again.' },
    approval_unavailable: { title: 'Nobody can approve it now', next: 'Open Sello and ask again.' },
    approvals_full: {
      title: 'Twenty steps already wait for your permission',
      next: 'Decide some in the Inbox.',
    },
    approval_closed: {
      title: 'That request no longer waits for an answer',
      next: 'See in the Inbox what became of it.',
    },
    certificate_missing: {
      title: 'The company’s certificate is missing',
      next: 'Import it in Settings: the first issue in the live book needs it.',
    },
    producer_missing: {
      title: 'The details of the software’s producer are missing',
      next: 'Without them the live book does not issue; the test book works.',
    },
    invoice_not_issued: {
      title: 'It is still a draft',
      next: 'Just change or delete it: nothing is registered.',
    },
    registry_pending: {
      title: 'The tax agency has not answered about this invoice yet',
      next: 'Wait for its answer, which Sello asks for by itself, and try again.',
    },
    restored_copy: {
      title: 'These books are a copy or come from another computer',
      next: 'Begin a new installation in AEAT registry before you issue.',
    },
    series_in_conflict: {
      title: 'Another program has used numbers of this series',
      next: 'Decide in AEAT registry which one stands, or issue in another series.',
    },
    registry_unreachable: {
      title: 'The tax agency cannot be asked now',
      next: 'Check the connection and try again.',
    },
    record_open: {
      title: 'That record still waits for an answer',
      next: 'Once it has one you can mark it as dealt with.',
    },
    environment_fixed: {
      title: 'Where it sends can no longer be changed',
      next: 'The first invoice fixed it. To use the other service, make the books in another folder.',
    },
    nothing_to_export: { title: 'There are no records in that year', next: 'Choose another.' },
    certificate_password: {
      title: 'The password does not open the file',
      next: 'It is the one given when it was exported; capitals count.',
    },
    certificate_invalid: {
      title: 'The file holds no certificate with its private key',
      next: 'Export it again with the private key (.p12 or .pfx) and choose that one.',
    },
    certificate_expired: {
      title: 'The certificate is outside its dates',
      next: 'Renew it with its issuer and import the new one.',
    },
    daily_cap_reached: {
      title: 'The key has reached today’s cap',
      next: 'Wait until tomorrow or raise the cap.',
    },
    chain_broken: {
      title: 'The chain of records does not match',
      next: 'Nothing is issued until it is solved. Open AEAT registry.',
    },
    clock_wrong: {
      title: 'This computer’s clock is wrong',
      next: 'Set it, or accept the difference in AEAT registry. If it is right now and was ahead once, begin a new installation there.',
    },
    series_wrong_kind: {
      title: 'That series is for another kind of invoice',
      next: 'Choose another series.',
    },
    company_exists: { title: 'That company is already in Sello', next: 'Choose it in the menu of books.' },
    territory_not_supported: {
      title: 'Sello does not cover that territory yet',
      next: 'The Basque Country and Navarre have another system; the Canary Islands, Ceuta and Melilla another tax. Look for a program that covers them.',
    },
    sii_not_supported: { title: 'Under SII you do not need Sello', next: 'Keep using your SII program.' },
    contact_in_use: {
      title: 'This contact is in use',
      next: 'It has drafts or mandates. Change those first, or merge it with another contact.',
    },
    merge_superseded: {
      title: 'That merge cannot be undone any more',
      next: 'If you merged it with another later, undo that merge first.',
    },
    import_state: {
      title: 'This import is not at that point',
      next: 'Open Import: it shows where it stands and how to go on.',
    },
    external_ref_taken: {
      title: 'Another record has that external reference',
      next: 'Open the other one, or use another reference.',
    },
    key_name_taken: { title: 'A key has that name already', next: 'Choose another.' },
    key_too_wide: {
      title: 'A key cannot make a wider one',
      next: 'Ask for fewer permissions or lower caps.',
    },
    proposal_decided: {
      title: 'That proposal has been decided already',
      next: 'The Inbox says what was decided.',
    },
    proposal_expired: {
      title: 'The proposal ran out before you decided',
      next: 'If it still makes sense, do it yourself or let it be proposed again.',
    },
    proposal_changed: {
      title: 'It changed while you were looking at it',
      next: 'Look at what it says now and decide.',
    },
    proposals_full: { title: 'Too many proposals are undecided', next: 'Decide some in the Inbox.' },
    store_in_use: { title: 'Another Sello is using this data', next: 'Close the other one and try again.' },
    port_taken: {
      title: 'Another program uses the port of Sello',
      next: 'Close that program and open Sello again.',
    },
    store_missing: { title: 'There is no data in that folder', next: 'Check the folder.' },
    folder_shared: {
      title: 'That folder is on the network or synchronised',
      next: 'Move the data to a disk of this computer; backups may go there.',
    },
    store_newer: { title: 'A newer version wrote this data', next: 'Update Sello; nothing was changed.' },
    store_damaged: {
      title: 'The data does not open with this key',
      next: 'Check the key or restore the last backup; nothing was changed.',
    },
    keychain_locked: {
      title: 'The keychain is locked',
      next: 'Unlock it and try again, or use the recovery code.',
    },
    recovery_code_missing: {
      title: 'These books have no recovery code, and a portable backup opens with nothing else.',
      next: 'Make the code under Settings > Security, then make the backup.',
    },
    backup_not_made: {
      title: 'The backup could not be made and checked.',
      next: 'Look at the reason, such as a full disk, and make it again.',
    },
    backup_unknown: {
      title: 'That file is no backup of Sello.',
      next: 'Choose the file that Sello made. Nothing was changed.',
    },
    key_change_failed: {
      title: 'The key could not be changed. Your data and the recovery code are as they were.',
      next: 'Look at the reason, such as a full disk or a key file that cannot be written, and try again.',
    },
    disk_full: {
      title: 'The disk of your data is full',
      next: 'Make room on it and try again. Nothing was changed.',
    },
    backup_key_unknown: {
      title: 'Nothing tells which key opens this backup.',
      next: 'Choose it in the folder it was made in, where a file key-….json lies beside it, or use a portable backup.',
    },
    backup_damaged: {
      title: 'The backup is not whole, or was changed after it was made.',
      next: 'Use another copy of the file, or an earlier backup. Nothing was changed.',
    },
    backup_of_other_books: {
      title: 'The backup is of other books than those in this folder.',
      next: 'Restore it into an empty folder, or say that it is to replace these books: they are kept aside.',
    },
    restore_elsewhere: {
      title: 'This Sello has no window to restore in.',
      next: 'End it and restore on the command line: sello restore.',
    },
    books_shut: {
      title: 'The data are closed to restore a backup.',
      next: 'Restore one, or open them again as they are.',
    },
    restore_no_room: {
      title: 'The disk has no room to restore the backup beside the books.',
      next: 'Make room and restore again. Nothing was changed.',
    },
    recovery_code_wrong: {
      title: 'Those groups do not match.',
      next: 'Check them: the letters I, L, O and U never occur.',
    },
    already_filed: {
      title: 'That return is marked as filed',
      next: 'Take the mark off first; what you filed stays in the history.',
    },
    books_too_large: {
      title: 'It does not fit into one file',
      next: 'Ask for an earlier quarter, or export the invoices by lists.',
    },
    period_locked: {
      title: 'That day is closed',
      next: 'The books are closed until {lockedUntil}. Use a date from {firstOpenDay}, or open the period under Accounting.',
    },
    account_unknown: { title: 'There is no such account', next: 'Choose one of the chart, or add it.' },
    entry_generated: {
      title: 'This entry comes from a document',
      next: 'Correct the document, or write another entry that corrects it.',
    },
    account_in_use: {
      title: 'Entries stand on that account',
      next: 'Put it out of use instead of deleting it.',
    },
    year_not_closable: {
      title: 'That year cannot be closed or opened now',
      next: 'Years are closed in order, once over, and opened from the last.',
    },
    export_too_large: {
      title: 'That is too much for one file',
      next: 'Ask for a shorter period or one account; CSV holds more.',
    },
    export_too_many: {
      title: 'That is more documents than one file holds',
      next: 'Shorten the period or add another filter, and export them in parts.',
    },
    export_not_ready: {
      title: 'The documents are still being prepared',
      next: 'Wait until they are done, then save the file.',
    },
    exports_busy: {
      title: 'Three exports are already under way',
      next: 'Wait for one of them to end, or cancel it.',
    },
    payment_exceeds_due: {
      title: 'That is more than what is due',
      next: 'Enter at most what is due, or leave the rest on account.',
    },
    payment_ambiguous: {
      title: 'Several payments fit',
      next: 'Choose which one to undo.',
    },
    payment_in_use: {
      title: 'Something else builds on this movement',
      next: 'First undo what uses it: the bank file, the bank movement or the balance already spent.',
    },
    invoice_cancelled: {
      title: 'The invoice was annulled',
      next: 'Nothing of it is owed. Record the money for another invoice or on account.',
    },
    invoice_uncollectible: {
      title: 'The invoice was given up as uncollectible',
      next: 'Undo that first, among its payments, and then record the payment.',
    },
    invoice_settled: {
      title: 'Nothing of that invoice is owed',
      next: 'Look at it: it is paid, a credit, or given up.',
    },
    invoice_not_late: {
      title: 'The invoice is not late yet',
      next: 'Wait until the day after it is due, or leave it out.',
    },
    received_void: {
      title: 'The received invoice is void',
      next: 'Record the payment for the one that replaced it.',
    },
    creditor_missing: {
      title: 'Your creditor identifier and account are missing',
      next: 'Set them in Money in and out, Direct debits.',
    },
    mandate_reference_taken: {
      title: 'Another mandate has that reference',
      next: 'Enter another, or leave it empty for Sello to make one.',
    },
    mandate_in_use: {
      title: 'Debits were presented under that mandate',
      next: 'Cancel it instead of removing it.',
    },
    remittance_not_prepared: {
      title: 'The file is executed or discarded already',
      next: 'Go back to the list to see its state.',
    },
    remittance_not_settled: {
      title: 'The file is not executed yet',
      next: 'Mark it as executed on the day the bank did it.',
    },
    remittance_discarded: {
      title: 'The file was discarded',
      next: 'Prepare another.',
    },
    debit_already_returned: {
      title: 'That debit was returned already',
      next: 'Open the file again to see its items.',
    },
    command_unknown: { title: 'There is no such command', next: 'See the help.' },
    invoice_not_in_force: {
      title: 'The invoice is annulled',
      next: 'There is nothing to correct. Issue another one if need be.',
    },
    invoice_replaced: { title: 'Another invoice took the place of this one', next: 'Correct the new one.' },
    nothing_left_to_rectify: {
      title: 'This invoice is credited in full already',
      next: 'See what corrects it: that can be corrected too.',
    },
    series_started: { title: 'The series has given numbers already', next: 'Go on with it or add another.' },
    series_needed: {
      title: 'It is the series used when you choose no other',
      next: 'Make another one the usual one first.',
    },
    quote_invoiced: {
      title: 'Something of this document was invoiced already',
      next: 'Delete the drafts made from it first, or duplicate it.',
    },
    quote_nothing_left: {
      title: 'Nothing is left to invoice',
      next: 'See the invoices made from it, or duplicate it.',
    },
    recurrence_ended: {
      title: 'This recurring invoice has no date left',
      next: 'Change its last date or the number of times.',
    },
  },
  faults,
}
