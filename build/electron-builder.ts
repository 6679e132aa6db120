/**
 * Configuration of the installers (`npm run dist`, docs/packaging.md). Each system's installers are built on that
 * system: the keychain's native module is installed for the running system only, and `checkNatives` rejects a package
 * without it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AfterPackContext, Configuration } from 'electron-builder'
import { APP_ID } from '../main/app-id.ts'

const producer = JSON.parse(readFileSync(join(import.meta.dirname, 'producer.json'), 'utf8')) as {
  updateUrl: string
}

/** Returns the update address; without it the app has no update functions. */
function updateFeed(): Configuration['publish'] {
  const url = process.env.SELLO_UPDATE_URL || producer.updateUrl
  if (!url) return null
  if (!/^https:\/\/[^\s/@]+\/[^\s]*$/.test(url))
    throw new Error(`Updates come from an https address ending in a folder; this is none: ${url}`)
  return [{ provider: 'generic', url }]
}

/**
 * Returns the packaged files. The dependencies contain native modules for all systems and processors; only those of
 * the target are packaged. They are excluded by patterns, because electron-builder reads no other patterns for
 * node_modules; and the whole list is repeated per system, because a list of exclusions alone would mean «everything
 * but».
 */
export const filesOf = (platform: 'darwin' | 'linux' | 'win32'): string[] => [
  'out/{main,preload,renderer}/**',
  // What only an office loads: more than a million bytes that a desktop never reads.
  '!out/main/office*.js',
  'out/SHA256SUMS',
  'package.json',
  '!**/*.{map,md,markdown,ts,mts,cts,flow,h}',
  '!**/node_modules/**/{test,tests,__tests__,example,examples,docs,.github}/**',
  '!**/node_modules/better-sqlite3/{deps,src}/**',
  `!**/node_modules/better-sqlite3/prebuilds/!(${platform}-\${arch}.node)`,
  `!**/node_modules/@napi-rs/!(keyring|keyring-${platform}-\${arch}*)/**`,
  // Only needed to compile native modules, and other builds of modules loaded from lib/.
  '!**/node_modules/node-addon-api/**',
  '!**/node_modules/js-yaml/{dist,bin}/**',
  '!**/node_modules/semver/bin/**',
]

/** In electron-builder's numbering. */
const ARCHES = ['ia32', 'x64', 'armv7l', 'arm64', 'universal']

/** Fails for a package that would start but not find its database or its keychain. */
export async function checkNatives({
  appOutDir,
  electronPlatformName,
  arch,
  packager,
}: AfterPackContext): Promise<void> {
  const wanted = `${electronPlatformName}-${ARCHES[arch]}`
  const resources =
    electronPlatformName === 'darwin'
      ? join(appOutDir, `${packager.appInfo.productFilename}.app`, 'Contents', 'Resources')
      : join(appOutDir, 'resources')
  const modules = join(resources, 'app.asar.unpacked', 'node_modules')
  const keyrings = existsSync(join(modules, '@napi-rs')) ? readdirSync(join(modules, '@napi-rs')) : []
  if (
    !existsSync(join(modules, 'better-sqlite3', 'prebuilds', `${wanted}.node`)) ||
    !keyrings.some((name) => name.startsWith(`keyring-${wanted}`))
  )
    throw new Error(
      `The native parts for ${wanted} are not installed. Build on that system, or run "npm ci --os=${electronPlatformName} --cpu=${ARCHES[arch]}" first.`,
    )
}

const configuration: Configuration = {
  appId: APP_ID,
  productName: 'Sello',
  copyright: 'Sello contributors',
  directories: { output: 'dist', buildResources: 'build' },
  asar: true,
  // The system opens native libraries itself and cannot read inside an archive.
  // A library under the LGPL has to remain a file that can be replaced.
  asarUnpack: ['**/*.node', 'out/main/data/libheif.*'],
  // All native modules are N-API: one build serves Node and Electron.
  npmRebuild: false,
  ...(process.env.SELLO_ELECTRON_DIST ? { electronDist: process.env.SELLO_ELECTRON_DIST } : {}),
  electronFuses: {
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
  },
  afterPack: checkNatives,
  publish: updateFeed(),
  protocols: [{ name: 'Sello', schemes: ['sello'], role: 'Viewer' }],
  artifactName: '${productName}-${version}-${os}-${arch}.${ext}',
  win: {
    icon: 'build/icon.ico',
    target: [{ target: 'nsis', arch: ['x64', 'arm64'] }],
    files: filesOf('win32'),
    // Rejects an update that is not signed by the same publisher.
    verifyUpdateCodeSignature: true,
  },
  nsis: {
    oneClick: true,
    perMachine: false,
    allowElevation: false,
    // The installer must never delete books.
    deleteAppDataOnUninstall: false,
    installerLanguages: ['es_ES', 'en_US'],
    // `fileAssociations` would make Sello the default program for every PDF.
    include: 'build/installer.nsh',
  },
  mac: {
    icon: 'build/icon.icns',
    category: 'public.app-category.business',
    target: [
      { target: 'dmg', arch: ['x64', 'arm64'] },
      // The format that updates use.
      { target: 'zip', arch: ['x64', 'arm64'] },
    ],
    files: filesOf('darwin'),
    hardenedRuntime: true,
    gatekeeperAssess: false,
    entitlements: 'build/entitlements.mac.plist',
    entitlementsInherit: 'build/entitlements.mac.plist',
    // Enabled by APPLE_API_KEY and related variables in the environment; without them the app is not notarized.
    notarize: Boolean(
      process.env.APPLE_API_KEY || process.env.APPLE_ID || process.env.APPLE_KEYCHAIN_PROFILE,
    ),
    fileAssociations: [
      { ext: 'pdf', name: 'PDF', role: 'Viewer', rank: 'Alternate' },
      { ext: 'xml', name: 'XML', role: 'Viewer', rank: 'Alternate' },
    ],
    extendInfo: { CFBundleDevelopmentRegion: 'es', CFBundleLocalizations: ['es', 'en'] },
  },
  dmg: { title: 'Sello' },
  linux: {
    icon: 'build/icons',
    executableName: 'sello',
    category: 'Office',
    synopsis: 'Facturas con VERI*FACTU',
    maintainer: 'Sello contributors <sello@example.invalid>',
    vendor: 'Sello contributors',
    target: [
      { target: 'AppImage', arch: ['x64', 'arm64'] },
      { target: 'deb', arch: ['x64', 'arm64'] },
      { target: 'rpm', arch: ['x64', 'arm64'] },
    ],
    files: filesOf('linux'),
    // Listed in «open with»; no system makes such an entry the default by itself.
    mimeTypes: ['application/pdf', 'application/xml', 'text/xml'],
    desktop: {
      entry: {
        'Name[es]': 'Sello',
        Comment: 'Invoicing for small businesses in Spain',
        'Comment[es]': 'Facturación para pequeños negocios',
        Keywords: 'invoice;factura;IVA;VERIFACTU;',
        StartupWMClass: 'Sello',
      },
    },
  },
  deb: { packageCategory: 'misc' },
}

export default configuration
