/**
 * Starts the interactive reference. Everything that would contact a third party (fonts, telemetry, agent, proxy,
 * registry) is off.
 */

interface ScalarGlobal {
  createApiReference(target: Element, configuration: Record<string, unknown>): unknown
}

function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
}

const configuration = (): Record<string, unknown> => ({
  url: '/api/v1/openapi.json',
  theme: 'none',
  layout: 'modern',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  hideDarkModeToggle: true,
  forceDarkModeState: isDark() ? 'dark' : 'light',
  persistAuth: false,
  documentDownloadType: 'direct',
  hiddenClients: ['asynchttp', 'unirest', 'nsurlsession', 'cohttp'],
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  authentication: { preferredSecurityScheme: 'apiKey' },
  baseServerURL: location.origin,
  defaultOpenAllTags: false,
  searchHotKey: 'j',
})

const { Scalar } = window as unknown as { Scalar?: ScalarGlobal }
const place = document.querySelector('#reference')
if (Scalar && place) {
  Scalar.createApiReference(place, configuration())
  // Once drawn it accepts no other colour mode; its colours depend on these classes.
  const follow = (): void => {
    document.body.classList.toggle('dark-mode', isDark())
    document.body.classList.toggle('light-mode', !isDark())
  }
  addEventListener('sello:theme', follow)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', follow)
}
