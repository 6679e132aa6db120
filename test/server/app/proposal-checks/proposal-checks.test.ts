/** Checks of proposals: the rules of the operations themselves, now and at the time of the proposal. */
import { describe, expect, test } from 'vitest'
import { openDesk } from '../approvals/open-window.ts'

const codes = (points: readonly { code: string }[]) => points.map(({ code }) => code)
const CONTACT = { name: 'Ana Ruiz', nif: '50123456Q', email: 'ana@example.com' }

describe('blockers and alternatives', () => {
  test('of an issue are the faults of its validation; an issued invoice can be corrected instead', async () => {
    const { world, propose } = await openDesk()
    const nameless = await world.draft({
      clientNif: null,
      lines: [{ description: 'Obra', quantity: 1, unitPrice: 9000 }],
    })
    const refused = await propose('issue_invoice', nameless.id)
    const { issues } = await world.run('invoices.validate', { id: nameless.id })
    expect(refused.status).toBe('not_applicable')
    expect(codes(refused.blockers)).toEqual(codes(issues.filter(({ severity }) => severity === 'error')))
    const issued = await world.invoice()
    const late = await propose('issue_invoice', issued.number ?? '')
    expect([
      codes(late.blockers),
      late.alternatives.map(({ action, targetId }) => [action, targetId]),
    ]).toEqual([['invoice_not_draft'], [['correct_invoice', issued.id]]])
    const draft = await world.draft()
    const { proposalId } = await propose('issue_invoice', draft.id)
    const { effects } = await world.run('inbox.open', { id: proposalId })
    expect(effects.map(({ code, params }) => [code, params])).toEqual([
      ['issue_number', { number: 'T-F2026-0002', date: '2026-11-21' }],
      ['issue_sent_simulated', undefined],
      ['issue_owed', { client: 'Cliente Primero, S.L.', amount: 605 }],
      ['issue_vat', { amount: 105, month: '2026-11' }],
    ])
  })

  test('require the invoice of an action', async () => {
    const { propose } = await openDesk()
    for (const action of [
      'issue_invoice',
      'correct_invoice',
      'cancel_registration',
      'retry_rejected',
    ] as const)
      expect(codes((await propose(action)).blockers)).toEqual(['target_missing'])
  })

  test('of a correction: a draft can be issued instead, and a fully credited invoice has nothing left', async () => {
    const { world, propose } = await openDesk()
    const draft = await world.draft()
    const early = await propose('correct_invoice', draft.id, { cause: 'returned_goods' })
    expect([codes(early.blockers), early.alternatives]).toMatchObject([
      ['correct_draft'],
      [{ action: 'issue_invoice', targetId: draft.id }],
    ])
    const invoice = await world.invoice()
    const { id } = await world.run('invoices.rectify', { id: invoice.id, cause: 'returned_goods' })
    await world.issue(id)
    const late = await propose('correct_invoice', invoice.id, { cause: 'returned_goods' })
    expect(codes(late.blockers)).toEqual(['nothing_left_to_rectify'])
  })

  test('of a cancellation are the reasons for which its record would be rejected, also before the first answer', async () => {
    const { world, propose } = await openDesk()
    const draft = await world.draft()
    expect(await propose('cancel_registration', draft.id)).toMatchObject({
      status: 'not_applicable',
      blockers: [{ code: 'cancel_draft' }],
      alternatives: [],
    })
    const invoice = await world.invoice()
    expect(codes((await propose('cancel_registration', invoice.id)).blockers)).toEqual(['registry_pending'])
    await world.send()
    const proposal = await propose('cancel_registration', invoice.id)
    expect(proposal.status).toBe('pending_user')
    expect(proposal.alternatives).toMatchObject([{ action: 'correct_invoice', targetId: invoice.id }])
    expect(codes(proposal.warnings)).toContain('cancel_vat_removed')
  })

  test('of a repeated record: only a rejected one can be sent again, with the authority’s reason', async () => {
    const { world, propose } = await openDesk()
    const invoice = await world.invoice({ clientNif: '99999999R' })
    expect(codes((await propose('retry_rejected', invoice.id)).blockers)).toEqual(['retry_not_rejected'])
    await world.send()
    const proposal = await propose('retry_rejected', invoice.id)
    expect(proposal.status).toBe('pending_user')
    expect(proposal.warnings[0]?.code).toBe('retry_said')
  })

  test('of a copy: a test book sends to the company itself, never to an address named by an assistant', async () => {
    const { world, propose } = await openDesk()
    await world.run('company.update', { email: 'casa@example.com' })
    const invoice = await world.invoice()
    const proposal = await propose('send_invoice_copy', invoice.id)
    expect(proposal.effects).toMatchObject([
      { code: 'copy_program', message: expect.stringContaining('casa@example.com') },
    ])
    const elsewhere = await propose('send_invoice_copy', invoice.id, { to: 'otro@example.com' })
    expect(codes(elsewhere.blockers)).toEqual(['copy_test_book'])
    const draft = await world.draft()
    expect((await propose('send_invoice_copy', draft.id)).alternatives).toMatchObject([
      { action: 'issue_invoice' },
    ])
  })

  test('of a return: its period has ended, it applies, and it is not filed', async () => {
    const { world, propose } = await openDesk()
    const usual = await propose('prepare_return')
    expect(usual).toMatchObject({ status: 'pending_user', title: 'Prepare form 303 of 3T 2026' })
    expect(codes(usual.effects)).toEqual(['return_result', 'return_due', 'return_prepared'])
    const blockers = async (params: Record<string, unknown>) =>
      codes((await propose('prepare_return', undefined, params)).blockers)
    expect(await blockers({ form: '303', year: 2026, quarter: 4 })).toEqual(['return_period_open'])
    expect(await blockers({ form: '303', year: 2026, month: 7 })).toEqual(['return_by_quarters'])
    expect(await blockers({ form: '349', year: 2026, quarter: 2 })).toEqual(['return_why_no_eu'])
    await world.run('fiscal.markFiled', { model: '303', year: 2026, quarter: 2, filedOn: '2026-07-15' })
    expect(await blockers({ form: '303', year: 2026, quarter: 2 })).toEqual(['return_filed'])
  })

  test('of a return contain amounts only for a key that may read them', async () => {
    const { world } = await openDesk()
    const ctx = world.ctx(world.books.test, await world.key({ scopes: ['invoices.write'] }))
    const { effects, warnings } = await world.run(
      'inbox.propose',
      { action: 'prepare_return', reason: 'x' },
      ctx,
    )
    expect(codes(effects)).not.toContain('return_result')
    expect(warnings).toEqual([])
  })

  test('of a synchronization require a connection; a missing certificate must be imported', async () => {
    const { propose } = await openDesk()
    expect(codes((await propose('sync_erp')).blockers)).toEqual(['erp_not_connected'])
    expect(codes((await propose('renew_certificate')).warnings)).toEqual(['certificate_none'])
  })

  test('of a customer change require valid and new fields, and an existing contact', async () => {
    const { world, propose } = await openDesk()
    const contact = await world.run('contacts.create', CONTACT)
    const blockers = async (target: string | undefined, params: Record<string, unknown>) =>
      codes((await propose('fix_client_data', target, params)).blockers)
    expect(await blockers(undefined, { phone: '1' })).toEqual(['contact_missing'])
    expect(await blockers(contact.id, {})).toEqual(['nothing_to_change'])
    expect(await blockers(contact.id, { email: CONTACT.email })).toEqual(['nothing_to_change'])
    expect(await blockers(contact.id, { nif: '50123456A' })).toEqual(['nif_invalid'])
    expect(await blockers((await world.invoice()).id, { phone: '1' })).toEqual(['contact_unlinked'])
  })
})

describe('the changes shown', () => {
  test('of a contact are each field before and after, also by its invoice', async () => {
    const { world, propose } = await openDesk()
    const contact = await world.run('contacts.create', CONTACT)
    const invoice = await world.invoice({
      clientName: CONTACT.name,
      clientNif: CONTACT.nif,
      clientId: contact.id,
    })
    const { proposalId: id, targetId } = await propose('fix_client_data', invoice.id, {
      email: 'nueva@example.com',
      address: { street: 'Calle Mayor 1', postalCode: '28013', city: 'Madrid', country: 'ES' },
    })
    expect(targetId).toBe(contact.id)
    const { changes } = await world.run('inbox.open', { id })
    expect(changes).toEqual([
      { field: 'email', from: 'ana@example.com', to: 'nueva@example.com' },
      { field: 'address.street', from: null, to: 'Calle Mayor 1' },
      { field: 'address.postalCode', from: null, to: '28013' },
      { field: 'address.city', from: null, to: 'Madrid' },
      { field: 'address.country', from: null, to: 'ES' },
    ])
  })

  test('of a corrected invoice are its lines and its total', async () => {
    const { world, propose } = await openDesk()
    const invoice = await world.invoice()
    const { proposalId: id, estimatedImpact } = await propose('correct_invoice', invoice.id, {
      cause: 'wrong_amount',
      method: 'S',
      newLines: [{ description: 'Servicios de consultoría', quantity: 8, unitPrice: 50 }],
    })
    const { changes } = await world.run('inbox.open', { id })
    expect(changes).toEqual([
      { field: 'lines[0].quantity', from: 10, to: 8 },
      { field: 'lines[0].net', from: 500, to: 400 },
      { field: 'total', from: 605, to: 484 },
    ])
    expect(estimatedImpact).toEqual({ base: 400, tax: 84 })
  })
})

describe('accepting a proposal', () => {
  test('changes a customer’s data in the person’s name, and can be undone', async () => {
    const { world, propose } = await openDesk()
    const contact = await world.run('contacts.create', CONTACT)
    const { proposalId: id } = await propose('fix_client_data', contact.id, {
      email: 'nueva@example.com',
      phone: '600',
    })
    const { outcome } = await world.run('inbox.decide', { id, decision: 'accept' })
    expect(outcome).toEqual({
      step: 'contact',
      contactId: contact.id,
      version: contact.version + 1,
      before: { email: 'ana@example.com', phone: null },
    })
    expect(await world.run('contacts.get', { id: contact.id })).toMatchObject({
      email: 'nueva@example.com',
      phone: '600',
    })
    const { items } = await world.run('audit.list', { action: 'contact.updated' })
    expect(items).toMatchObject([{ actor: { kind: 'user' } }])
    // Accepting again, as a double click does, changes nothing more.
    await world.run('inbox.decide', { id, decision: 'accept' })
    if (outcome?.step !== 'contact') throw new Error('Nothing to take back.')
    await world.run('contacts.update', {
      id: contact.id,
      ...outcome.before,
      expectedVersion: outcome.version,
    })
    expect(await world.run('contacts.get', { id: contact.id })).toMatchObject(CONTACT)
  })

  test('drafts a correction with cause and lines; without a cause the person is asked', async () => {
    const { world, propose } = await openDesk()
    const invoice = await world.invoice()
    const plain = await propose('correct_invoice', invoice.id)
    expect((await world.run('inbox.decide', { id: plain.proposalId, decision: 'accept' })).outcome).toEqual({
      step: 'rectify',
      invoiceId: invoice.id,
    })
    const { proposalId: id } = await propose('correct_invoice', invoice.id, {
      cause: 'returned_goods',
      percent: 40,
      text: 'Devuelve parte',
    })
    const { outcome } = await world.run('inbox.decide', { id, decision: 'accept' })
    if (outcome?.step !== 'draft') throw new Error('No draft.')
    const draft = await world.run('invoices.get', { id: outcome.invoiceId })
    expect(draft).toMatchObject({ state: 'draft', total: -242, rectification: { reason: 'Devuelve parte' } })
  })

  test('leads to the page for everything else, and does nothing', async () => {
    const { world, propose } = await openDesk()
    await world.run('company.update', { email: 'casa@example.com' })
    const invoice = await world.invoice()
    await world.send()
    const refused = await world.invoice({ clientNif: '99999999R' })
    await world.send()
    const before = await world.run('invoices.list', {})
    const outcomeOf = async (...asked: Parameters<typeof propose>) => {
      const { proposalId: id } = await propose(...asked)
      return (await world.run('inbox.decide', { id, decision: 'accept' })).outcome
    }
    expect(await outcomeOf('cancel_registration', invoice.id)).toEqual({
      step: 'annul',
      invoiceId: invoice.id,
    })
    expect(await outcomeOf('retry_rejected', refused.id)).toEqual({ step: 'amend', invoiceId: refused.id })
    expect(await outcomeOf('send_invoice_copy', invoice.id)).toEqual({
      step: 'mail',
      invoiceId: invoice.id,
      to: null,
    })
    expect(await outcomeOf('renew_certificate')).toEqual({ step: 'certificate' })
    expect(await outcomeOf('prepare_return')).toEqual({ step: 'return', form: '303', year: 2026, quarter: 3 })
    expect(await world.run('invoices.list', {})).toEqual(before)
    expect((await world.run('mail.list', {})).items).toEqual([])
  })
})

describe('after some time', () => {
  test('a changed target is reported, and accepting the earlier state is rejected', async () => {
    const { world, propose } = await openDesk()
    const draft = await world.draft()
    const { proposalId: id } = await propose('issue_invoice', draft.id)
    const shown = await world.run('inbox.open', { id })
    await world.run('invoices.update', {
      id: draft.id,
      lines: [{ description: 'Otra', quantity: 1, unitPrice: 100 }],
    })
    const yes = world.run('inbox.decide', { id, decision: 'accept', seen: shown.seen })
    await expect(yes).rejects.toMatchObject({ code: 'proposal_changed' })
    const now = await world.run('inbox.open', { id })
    expect(now.drift).toEqual([
      { field: 'total', from: 605, to: 121 },
      { field: 'version', from: draft.version, to: draft.version + 1 },
    ])
    expect(now.invoice?.total).toBe(121)
    expect((await world.run('inbox.decide', { id, decision: 'accept', seen: now.seen })).status).toBe(
      'accepted',
    )
  })

  test('a proposal that can no longer be done is closed with the reason, when it is opened or accepted', async () => {
    const { world, propose } = await openDesk()
    const [first, second, third] = [await world.draft(), await world.draft(), await world.draft()]
    const ids: string[] = []
    for (const { id } of [first, second, third]) ids.push((await propose('issue_invoice', id)).proposalId)
    await world.issue(first.id)
    await world.issue(second.id)
    await world.run('invoices.delete', { id: third.id })
    expect(await world.run('inbox.open', { id: ids[0] ?? '' })).toMatchObject({
      status: 'not_applicable',
      blockers: [{ code: 'invoice_not_draft' }],
      drift: [
        { field: 'state', from: 'draft', to: 'issued' },
        expect.anything(),
        expect.anything(),
        expect.anything(),
      ],
      alternatives: [{ action: 'correct_invoice' }],
      outcome: null,
    })
    expect(await world.run('inbox.decide', { id: ids[1] ?? '', decision: 'accept' })).toMatchObject({
      status: 'not_applicable',
      outcome: null,
    })
    expect(await world.run('inbox.open', { id: ids[2] ?? '' })).toMatchObject({
      status: 'not_applicable',
      blockers: [{ code: 'target_gone' }],
      invoice: { id: third.id },
    })
    expect((await world.run('audit.list', { action: 'proposal.closed' })).items).toHaveLength(3)
    expect((await world.run('inbox.list', {})).count).toBe(0)
  })

  test('opening a proposal that still holds writes nothing', async () => {
    const { world, propose } = await openDesk()
    const { proposalId: id } = await propose('prepare_return')
    const { items } = await world.run('audit.list', {})
    await world.run('inbox.open', { id })
    expect((await world.run('audit.list', {})).items).toEqual(items)
  })
})

test('an old proposal without a stored request is still read', async () => {
  const { world, propose } = await openDesk()
  const { proposalId: id } = await propose('prepare_return')
  const body = JSON.stringify({
    title: 'Prepare the tax return',
    effects: ['Nothing is filed.'],
    blockers: [],
    reversible: true,
    alternatives: [],
    invoice: null,
  })
  await world.tamper(`update proposals set body = '${body}' where public_id = '${id}'`)
  expect((await world.run('inbox.list', {})).waiting).toMatchObject([
    { title: 'Prepare the tax return', effects: [{ code: 'said', message: 'Nothing is filed.' }] },
  ])
  expect((await world.run('inbox.decide', { id, decision: 'accept' })).outcome).toMatchObject({
    step: 'return',
  })
})
