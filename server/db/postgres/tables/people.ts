/**
 * The directory of an office: its people, how they sign in, and which companies they may open. Only an office has it.
 * Times are milliseconds since 1970 by the database's clock. Its rows are of no company, so that only work for the whole
 * installation sees them; memberships and invitations are of one company, which sees its own.
 */
import type { Generated } from 'kysely'
import type { Nullable } from '../../schema/columns.ts'

const OF_INSTALLATION = [
  'people',
  'person_passkeys',
  'person_codes',
  'person_sessions',
  'person_settings',
  'person_recoveries',
  'sign_in_steps',
  'sign_in_attempts',
  'directory_groups',
  'directory_history',
] as const
const OF_COMPANY = ['memberships', 'invitations'] as const

const walls = [
  ...OF_INSTALLATION.map(
    (table) => `create policy of_installation_only on ${table} using ((select is_for_installation()));`,
  ),
  ...OF_COMPANY.map(
    (table) =>
      `create policy of_company on ${table} using (company_id = (select own_company()) or (select is_for_installation()));`,
  ),
]

export const PEOPLE = `
create table people (
  id text primary key,
  name text not null check (length(name) between 1 and 120),
  -- In lower case.
  email text not null unique check (email = lower(email)),
  -- Creates companies, and administers what belongs to none.
  administers bigint not null default 0 check (administers in (0, 1)),
  -- Argon2id, as a PHC string; null: signs in without a password.
  password_hash text,
  -- Secret of the second factor, sealed; null until it is confirmed.
  totp_secret text,
  -- The newest time step of which a code was taken: none is taken twice.
  totp_step bigint,
  -- Issuer and subject of the firm's directory.
  directory_subject text unique,
  created_at bigint not null,
  -- Since when the person may not sign in.
  ended_at bigint,
  version bigint not null default 1
);
create table person_passkeys (
  -- Identifier of the credential, in base64url.
  id text primary key,
  person_id text not null references people on delete cascade,
  name text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text not null,
  backed_up bigint not null check (backed_up in (0, 1)),
  created_at bigint not null,
  last_used_at bigint
);
create index person_passkeys_of_person on person_passkeys (person_id);
-- Single-use codes in place of the second factor.
create table person_codes (
  person_id text not null references people on delete cascade,
  hash bytea not null check (octet_length(hash) = 32),
  primary key (person_id, hash)
);
create table person_sessions (
  id text primary key,
  person_id text not null references people on delete cascade,
  -- Of the cookie.
  hash bytea not null unique check (octet_length(hash) = 32),
  method text not null check (method in ('passkey', 'password', 'directory', 'invitation', 'recovery')),
  address text not null,
  agent text not null,
  created_at bigint not null,
  last_used_at bigint not null,
  ends_at bigint not null
);
create index person_sessions_of_person on person_sessions (person_id, created_at);
create index person_sessions_by_end on person_sessions (ends_at);
create table person_settings (
  person_id text not null references people on delete cascade,
  name text not null,
  value text not null,
  primary key (person_id, name)
);
-- A way back in for somebody who lost all ways to sign in.
create table person_recoveries (
  id text primary key,
  person_id text not null references people on delete cascade,
  asked_by text not null,
  asked_by_name text not null,
  asked_at bigint not null,
  -- From then on it may be used without a second administrator.
  alone_at bigint not null,
  confirmed_by text,
  confirmed_by_name text,
  ends_at bigint not null,
  -- Of the link, once it was given out.
  hash bytea unique check (octet_length(hash) = 32),
  state text not null default 'waiting' check (state in ('waiting', 'ready', 'used', 'refused'))
);
create index person_recoveries_of_person on person_recoveries (person_id);
-- What a sign-in, a registration or a verification has come to; each is used once.
create table sign_in_steps (
  hash bytea primary key check (octet_length(hash) = 32),
  kind text not null,
  person_id text references people on delete cascade,
  session_id text references person_sessions on delete cascade,
  state text not null,
  ends_at bigint not null
);
create index sign_in_steps_by_end on sign_in_steps (ends_at);
-- Failed attempts of an account or an address.
create table sign_in_attempts (
  name text primary key,
  failures bigint not null,
  last_at bigint not null,
  until_at bigint not null
);
create index sign_in_attempts_by_time on sign_in_attempts (last_at);
create table memberships (
  company_id bigint not null references companies,
  person_id text not null references people,
  -- JSON list of roles.
  roles text not null,
  -- Sells with the right to issue.
  may_issue bigint not null default 0 check (may_issue in (0, 1)),
  since bigint not null,
  given_by text not null,
  version bigint not null default 1,
  primary key (company_id, person_id)
);
create index memberships_of_person on memberships (person_id);
create table invitations (
  id text primary key,
  company_id bigint not null references companies,
  hash bytea not null unique check (octet_length(hash) = 32),
  email text not null check (email = lower(email)),
  roles text not null,
  may_issue bigint not null default 0 check (may_issue in (0, 1)),
  invited_by text not null,
  invited_by_name text not null,
  created_at bigint not null,
  ends_at bigint not null,
  state text not null default 'open' check (state in ('open', 'accepted', 'withdrawn'))
);
create index invitations_of_company on invitations (company_id, created_at);
-- What a group of the firm's directory gives in a company.
create table directory_groups (
  name text not null,
  company_id bigint not null references companies,
  roles text not null,
  may_issue bigint not null default 0 check (may_issue in (0, 1)),
  primary key (name, company_id)
);
-- Sign-ins, credentials, recoveries: what belongs to no company. Each row has the hash of the one before.
create table directory_history (
  sequence bigint primary key,
  at bigint not null,
  actor_id text not null,
  actor_name text not null,
  action text not null,
  person_id text,
  details text not null,
  hash bytea not null check (octet_length(hash) = 32)
);
create index directory_history_of_person on directory_history (person_id, sequence);
create function directory_history_stays() returns trigger language plpgsql as $$
begin
  raise exception 'The history of the directory is never changed.';
end $$;
create trigger directory_history_stays before update or delete on directory_history
  for each row execute function directory_history_stays();
${[...OF_INSTALLATION, ...OF_COMPANY]
  .map((table) => `alter table ${table} enable row level security, force row level security;`)
  .join('\n')}
${walls.join('\n')}
`

type Flag = 0 | 1

interface PeopleTable {
  id: string
  name: string
  email: string
  administers: Generated<Flag>
  password_hash: Nullable<string>
  totp_secret: Nullable<string>
  totp_step: Nullable<number>
  directory_subject: Nullable<string>
  created_at: number
  ended_at: Nullable<number>
  version: Generated<number>
}

interface PasskeysTable {
  id: string
  person_id: string
  name: string
  public_key: Uint8Array
  counter: number
  transports: string
  backed_up: Flag
  created_at: number
  last_used_at: Nullable<number>
}

interface SessionsTable {
  id: string
  person_id: string
  hash: Uint8Array
  method: 'passkey' | 'password' | 'directory' | 'invitation' | 'recovery'
  address: string
  agent: string
  created_at: number
  last_used_at: number
  ends_at: number
}

interface RecoveriesTable {
  id: string
  person_id: string
  asked_by: string
  asked_by_name: string
  asked_at: number
  alone_at: number
  confirmed_by: Nullable<string>
  confirmed_by_name: Nullable<string>
  ends_at: number
  hash: Nullable<Uint8Array>
  state: Generated<'waiting' | 'ready' | 'used' | 'refused'>
}

interface MembershipsTable {
  company_id: number
  person_id: string
  roles: string
  may_issue: Generated<Flag>
  since: number
  given_by: string
  version: Generated<number>
}

interface InvitationsTable {
  id: string
  company_id: number
  hash: Uint8Array
  email: string
  roles: string
  may_issue: Generated<Flag>
  invited_by: string
  invited_by_name: string
  created_at: number
  ends_at: number
  state: Generated<'open' | 'accepted' | 'withdrawn'>
}

/** The tables of the directory. */
export type DirectoryTables = {
  people: PeopleTable
  person_passkeys: PasskeysTable
  person_codes: { person_id: string; hash: Uint8Array }
  person_sessions: SessionsTable
  person_settings: { person_id: string; name: string; value: string }
  person_recoveries: RecoveriesTable
  sign_in_steps: {
    hash: Uint8Array
    kind: string
    person_id: Nullable<string>
    session_id: Nullable<string>
    state: string
    ends_at: number
  }
  sign_in_attempts: { name: string; failures: number; last_at: number; until_at: number }
  memberships: MembershipsTable
  invitations: InvitationsTable
  directory_groups: { name: string; company_id: number; roles: string; may_issue: Generated<Flag> }
  directory_history: {
    sequence: number
    at: number
    actor_id: string
    actor_name: string
    action: string
    person_id: Nullable<string>
    details: string
    hash: Uint8Array
  }
}
