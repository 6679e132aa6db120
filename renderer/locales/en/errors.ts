/** Every error code as what happened and what to do; and the faults of single fields. */
export const errors = {
  errors: {
    offline: {
      title: 'Sello does not answer',
      next: 'Check that it is still open and try again. Your data is fine.',
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
    internal: {
      title: 'Something failed inside Sello',
      next: 'It is not your fault and your data is fine. Try again; if it happens again, send the details.',
    },
    store_readonly: {
      title: 'Only reading is possible right now',
      next: 'See whether the disk is full and try again.',
    },
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
    approval_denied: { title: 'You refused it', next: 'Change what is needed and review it again.' },
    approval_unavailable: { title: 'Nobody can approve it now', next: 'Open Sello and ask again.' },
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
      title: 'These books are an old copy',
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
    certificate_other_holder: {
      title: 'The certificate belongs to another company',
      next: 'Import this one’s: its representative’s or its seal.',
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
      next: 'Set it, or accept the difference in AEAT registry.',
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
    contact_in_use: { title: 'Drafts use this contact', next: 'Change or delete them first.' },
    key_name_taken: { title: 'A key has that name already', next: 'Choose another.' },
    key_too_wide: {
      title: 'A key cannot make a wider one',
      next: 'Ask for fewer permissions or lower caps.',
    },
    proposals_full: { title: 'Too many proposals are undecided', next: 'Decide some in the Inbox.' },
    store_in_use: { title: 'Another Sello is using this data', next: 'Close the other one and try again.' },
    store_missing: { title: 'There is no data in that folder', next: 'Check the folder.' },
    store_newer: { title: 'A newer version wrote this data', next: 'Update Sello; nothing was changed.' },
    store_damaged: {
      title: 'The data does not open with this key',
      next: 'Check the key or restore the last backup; nothing was changed.',
    },
    keychain_locked: {
      title: 'The keychain is locked',
      next: 'Unlock it and try again, or use the recovery code.',
    },
    recovery_code_wrong: {
      title: 'Those groups do not match.',
      next: 'Check them: the letters I, L, O and U never occur.',
    },
    command_unknown: { title: 'There is no such command', next: 'See the help.' },
  },
  faults: {
    required: 'This is missing',
    wrong_type: 'This is not the right kind of data',
    too_big: 'It is too long or too large',
    too_small: 'It is too short or too small',
    unknown_field: 'There is no such field',
    not_allowed: 'It is not one of the choices',
    wrong_format: 'It does not have the right form',
    wrong_shape: 'It does not have the right form',
    too_many_decimals: 'It has too many decimals',
    control_character: 'It holds control characters: type it again',
    hidden_character: 'It holds invisible characters: type it again',
    broken_unicode: 'It holds broken characters: type it again',
    not_a_date: 'It is not a date',
    certificate_no_tax_number:
      'The certificate does not say whose it is: it has no NIF. Make sure that the tax agency takes it.',
    certificate_third_party:
      'The certificate belongs to {holderNif}, not to your company. It only works with a power of attorney or as a social collaborator.',
    certificate_no_signature:
      'Its issuer did not mean it for signing, which the connection asks for. Use the one for identification.',
    certificate_not_for_connections:
      'Its issuer did not mean it for identifying oneself on a connection. Use the one for identification.',
    certificate_unknown_issuer:
      'Its issuer is none of the known Spanish providers. Make sure that the tax agency takes it.',
  },
}
