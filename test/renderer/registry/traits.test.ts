/** The window knows every registry by name: its words, its help, and whether it asks for the certificate at issue. */
import { expect, test } from 'vitest'
import { isTopic } from '../../../renderer/app/help/topics.ts'
import { registryTerms } from '../../../renderer/locales/terms.ts'
import { REGISTRY_TRAITS } from '../../../renderer/registry/traits.ts'
import { REGISTRIES, systemOf } from '../../../server/registry/systems/index.ts'

test('every registry has its traits, which are those of its system', () => {
  for (const name of REGISTRIES)
    expect(REGISTRY_TRAITS[name]?.signsAtIssue).toBe(systemOf({ registry: name }).needsKeyAtIssue)
})

test('every registry has words of its own in both languages, and a topic of the help', () => {
  const unknown = registryTerms('none', 'es')
  for (const [name, { topic }] of Object.entries(REGISTRY_TRAITS)) {
    expect(isTopic(topic)).toBe(true)
    expect(registryTerms(name, 'es')).not.toEqual(unknown)
    expect(registryTerms(name, 'en').registry).toBe(registryTerms(name, 'es').registry)
  }
})
