/**
 * What an image is made of, for people who must know: CycloneDX 1.6. Pure, and without a time, so that the same content
 * gives the same text.
 *
 * @module
 */
import type { Library } from './bundle.ts'
import type { FetchedPackage } from './debian-packages.ts'

/** Everything in one image. */
export interface Contents {
  readonly image: string
  readonly version: string
  readonly nodeVersion: string
  readonly suite: string
  readonly packages: readonly FetchedPackage[]
  readonly libraries: readonly Library[]
}

interface Component {
  readonly type: 'application' | 'library'
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly licenses?: readonly { readonly license: { readonly id: string } }[]
  readonly hashes?: readonly { readonly alg: 'SHA-256'; readonly content: string }[]
}

/** The list as a JSON text. */
export function buildSbom(contents: Contents): string {
  const { image, version } = contents
  const main = { 'bom-ref': image, type: 'container', name: image, version, licenses: licensed('Apache-2.0') }
  const components = buildComponents(contents).map((component) => ({ 'bom-ref': component.purl, ...component }))
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: main },
    components,
    dependencies: [{ ref: image, dependsOn: components.map(({ purl }) => purl) }],
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

function buildComponents({ nodeVersion, suite, packages, libraries }: Contents): Component[] {
  return [
    {
      type: 'application',
      name: 'node',
      version: nodeVersion,
      purl: `pkg:generic/node@${nodeVersion}`,
      licenses: licensed('MIT'),
    },
    ...packages.map((one) => debianComponent(one, suite)),
    ...libraries.map(npmComponent),
  ]
}

function debianComponent({ name, version, architecture, sha256 }: FetchedPackage, suite: string): Component {
  const place = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}`
  const purl = `${place}?arch=${architecture}&distro=${suite}`
  return { type: 'library', name, version, purl, hashes: [{ alg: 'SHA-256', content: sha256 }] }
}

function npmComponent({ name, version, license }: Library): Component {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return { type: 'library', name, version, purl, licenses: licensed(license) }
}

function licensed(id: string): Component['licenses'] & {} {
  return [{ license: { id } }]
}
