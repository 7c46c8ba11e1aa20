import { parseDocument } from 'yaml'

/**
 * A CRD as a template: Helm must not delete it with the release, since all clusters would go with it, and must not take
 * braces in a description for its own.
 */
export function printCrdTemplate(crd: string): string {
  const document = parseDocument(crd)
  document.setIn(['metadata', 'annotations', 'helm.sh/resource-policy'], 'keep')
  return document.toString({ lineWidth: 0 }).replaceAll(/\{\{|\}\}/g, (braces) => `{{ ${JSON.stringify(braces)} }}`)
}
