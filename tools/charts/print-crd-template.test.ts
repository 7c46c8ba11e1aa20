import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { printCrdTemplate } from './print-crd-template.ts'

const crd = `metadata:
  name: things.example.com
spec:
  description: 'a template {{ .Name }}'
`

test('Helm deletes a kind together with its chart', () => {
  const printed = parse(printCrdTemplate(crd)) as { metadata: object }
  expect(printed.metadata).toEqual({ name: 'things.example.com', annotations: { 'helm.sh/resource-policy': 'keep' } })
})

test('Helm takes a description for a template', () => {
  expect(printCrdTemplate(crd)).toContain('a template {{ "{{" }} .Name {{ "}}" }}')
})
