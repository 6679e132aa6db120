/** A real OpenID Connect provider on this computer, and a browser that signs in at it. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { onTestFinished } from 'vitest'

interface Account {
  name: string
  email: string
  email_verified: boolean
  groups: string[]
}

export interface IdentityProvider {
  issuer: string
  clientId: string
  clientSecret: string
  /** By the name that is typed at the provider; may be changed between sign-ins. */
  accounts: Map<string, Account>
}

/** Starts a provider whose one client comes back to `redirectUri`; whoever started it stops it. */
export async function openIdentityProvider(
  redirectUri: string,
): Promise<IdentityProvider & { stop: () => Promise<void> }> {
  const accounts = new Map<string, Account>()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [clientId, clientSecret] = ['sello', 'a secret of the tests']
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], profile: ['name', 'groups'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: true } },
    cookies: { keys: ['key of the tests'] },
    pkce: { required: () => true },
    findAccount: (_ctx, id) => {
      const account = accounts.get(id)
      return account && { accountId: id, claims: async () => ({ sub: id, ...account }) }
    },
  })
  server.on('request', provider.callback())
  const stop = (): Promise<void> =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { issuer, clientId, clientSecret, accounts, stop }
}

/** Starts a provider that ends with the test. */
export async function startIdentityProvider(redirectUri: string): Promise<IdentityProvider> {
  const { stop, ...provider } = await openIdentityProvider(redirectUri)
  onTestFinished(stop)
  return provider
}

/** Signs in at the provider as a browser without a session would; returns the address that it is sent back to. */
export async function signInAt(provider: IdentityProvider, url: string, login: string): Promise<URL> {
  const cookies = new Map<string, string>()
  const ask = async (address: string, form?: Record<string, string>): Promise<Response> => {
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    })
    for (const written of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(written) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }
  let response = await ask(url)
  for (let steps = 0; steps < 12; steps += 1) {
    const location = response.headers.get('location')
    if (location !== null) {
      const next = new URL(location, provider.issuer)
      if (next.origin !== provider.issuer) return next
      response = await ask(next.href)
      continue
    }
    const page = await response.text()
    const action = /action="([^"]+)"/.exec(page)?.[1]
    if (action === undefined)
      throw new Error(`The provider answers ${response.status}: ${page.slice(0, 200)}`)
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? ''
    response = await ask(new URL(action, provider.issuer).href, {
      prompt,
      ...(prompt === 'login' ? { login, password: 'any' } : {}),
    })
  }
  throw new Error('The provider goes round in circles.')
}
