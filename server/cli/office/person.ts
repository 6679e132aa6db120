/** Commands for the people of an office: the first invitation, who administers it, and who may no longer sign in. */
import type { OpenedSello } from '../../api/application.ts'
import { ROLES } from '../../domain/people.ts'
import type { Role } from '../../domain/people.ts'
import { AppError } from '../../domain/errors/app-error.ts'
import { OWNER, optionFault, readInputFile, requiredOption } from '../shared.ts'
import type { Command, Io, Values } from '../shared.ts'
import { withOffice } from './open.ts'
import { IN_OFFICE, OFFICE_OPTIONS } from './settings.ts'

async function peopleIn(sello: OpenedSello) {
  const { administer, endPerson, inviteFromOutside, listPeople, peopleOf, setGroups } =
    await import('../../app/people/index.ts')
  return { people: peopleOf(sello), administer, endPerson, inviteFromOutside, listPeople, setGroups }
}

function rolesOf(values: Values): Role[] {
  const named = requiredOption(values, 'roles')
    .split(',')
    .map((each) => each.trim())
  const roles = ROLES.filter((role) => named.includes(role))
  if (roles.length !== new Set(named).size)
    throw optionFault('roles', `--roles is some of ${ROLES.join(', ')}.`)
  return roles
}

async function withPeople<T>(
  values: Values,
  io: Io,
  work: (parts: Awaited<ReturnType<typeof peopleIn>>, sello: OpenedSello) => Promise<T>,
): Promise<{ answer: T }> {
  return { answer: await withOffice(values, io, async (sello) => work(await peopleIn(sello), sello)) }
}

const invite: Command = {
  usage: 'office person invite --company ID --email E --roles owner,… --public-url URL',
  about:
    'Invite somebody to a company. The link works once, for three days and for this address; it is shown only once.',
  inOffice: IN_OFFICE,
  options: {
    ...OFFICE_OPTIONS,
    company: { type: 'string' },
    email: { type: 'string' },
    roles: { type: 'string' },
    'public-url': { type: 'string' },
  },
  run: (values, _settings, io) =>
    withPeople(values, io, async ({ inviteFromOutside }, sello) => {
      const url = requiredOption(values, 'public-url')
      if (!URL.canParse(url))
        throw optionFault('public-url', '--public-url is an address such as https://office.example.')
      return inviteFromOutside(sello.env, OWNER, {
        company: requiredOption(values, 'company'),
        email: requiredOption(values, 'email'),
        roles: rolesOf(values),
        site: new URL(url).origin,
      })
    }),
}

const list: Command = {
  usage: 'office person list',
  about: 'List the people of the office with their companies and roles.',
  inOffice: IN_OFFICE,
  options: OFFICE_OPTIONS,
  run: (values, _settings, io) =>
    withPeople(values, io, async ({ people, listPeople }) => ({ items: await listPeople(people) })),
}

const administers: Command = {
  usage: 'office person administers --email E [--no]',
  about: 'Let somebody create companies and administer the installation, or end that.',
  inOffice: IN_OFFICE,
  options: { ...OFFICE_OPTIONS, email: { type: 'string' }, no: { type: 'boolean' } },
  run: (values, _settings, io) =>
    withPeople(values, io, async ({ people, administer }) => {
      const email = requiredOption(values, 'email')
      if (!(await administer(people, OWNER, email, values.no !== true)))
        throw new AppError('not_found', { field: 'email' })
      return { email, administers: values.no !== true }
    }),
}

const groups: Command = {
  usage: 'office person groups --file F.json',
  about:
    "Replace what groups of the firm's directory give: a list of {group, company, roles}. It holds from the next sign-in.",
  inOffice: IN_OFFICE,
  options: { ...OFFICE_OPTIONS, file: { type: 'string' } },
  run: (values, _settings, io) =>
    withPeople(values, io, async ({ people, setGroups }) => {
      const file = requiredOption(values, 'file')
      let written: unknown
      try {
        written = JSON.parse(readInputFile(file, 'file'))
      } catch (error) {
        if (error instanceof SyntaxError) throw optionFault('file', 'The file is not JSON.')
        throw error
      }
      return { groups: await setGroups(people, OWNER, written) }
    }),
}

const end: Command = {
  usage: 'office person end --email E',
  about:
    'End the account of somebody: sessions, memberships and keys end with it. The history keeps the name.',
  inOffice: IN_OFFICE,
  options: { ...OFFICE_OPTIONS, email: { type: 'string' } },
  run: (values, _settings, io) =>
    withPeople(values, io, async ({ people, endPerson }) => {
      const email = requiredOption(values, 'email')
      if (!(await endPerson(people, OWNER, email))) throw new AppError('not_found', { field: 'email' })
      return { email, ended: true }
    }),
}

export const personCommands: Readonly<Record<string, Command>> = {
  'office person invite': invite,
  'office person list': list,
  'office person administers': administers,
  'office person groups': groups,
  'office person end': end,
}
