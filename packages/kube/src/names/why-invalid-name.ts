/**
 * What the API server accepts as a name. Every function returns a reason for people, or undefined if all is well.
 *
 * @module
 */

const DNS_LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const DNS_1035_LABEL = /^[a-z]([-a-z0-9]*[a-z0-9])?$/
const DNS_SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const QUALIFIED_PART = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/
const DATA_KEY = /^[-._a-zA-Z0-9]+$/

/** The longest part of a host name, label key or label value. */
export const LONGEST_LABEL = 63
/** The longest object name. */
export const LONGEST_SUBDOMAIN = 253

/** For names that become one part of a host name: pods with a hostname, namespaces. */
export function whyInvalidDnsLabel(name: string): string | undefined {
  return (
    whyTooLong(name, LONGEST_LABEL) ??
    whyUnlike(name, DNS_LABEL, 'lower-case letters, digits and "-", with a letter or digit at both ends')
  )
}

/** For names of Services and other things that must start with a letter. */
export function whyInvalidDns1035Label(name: string): string | undefined {
  return (
    whyTooLong(name, LONGEST_LABEL) ??
    whyUnlike(
      name,
      DNS_1035_LABEL,
      'lower-case letters, digits and "-", with a letter first and a letter or digit last',
    )
  )
}

/** For names of most objects. */
export function whyInvalidDnsSubdomain(name: string): string | undefined {
  return (
    whyTooLong(name, LONGEST_SUBDOMAIN) ??
    whyUnlike(
      name,
      DNS_SUBDOMAIN,
      'lower-case letters, digits, "-" and ".", with a letter or digit at both ends of each part',
    )
  )
}

/** For keys of labels, annotations, taints and conditions: a name, optionally after a domain and a slash. */
export function whyInvalidLabelKey(key: string): string | undefined {
  const parts = key.split('/')
  if (parts.length > 2) return 'it has more than one "/"'
  const name = parts.at(-1) ?? ''
  if (parts.length === 2) {
    const why = whyInvalidDnsSubdomain(parts[0] ?? '')
    if (why !== undefined) return `the part before the "/" is not a domain name: ${why}`
  }
  return whyTooLong(name, LONGEST_LABEL) ?? whyUnlikeQualifiedPart(name)
}

/** For values of labels; the empty text is one. */
export function whyInvalidLabelValue(value: string): string | undefined {
  return value === '' ? undefined : (whyTooLong(value, LONGEST_LABEL) ?? whyUnlikeQualifiedPart(value))
}

/** For keys in ConfigMaps and Secrets, which become file names. */
export function whyInvalidDataKey(key: string): string | undefined {
  if (key === '.' || key.startsWith('..'))
    return 'it means a folder: "." and names that start with ".." are not allowed'
  return whyTooLong(key, LONGEST_SUBDOMAIN) ?? whyUnlike(key, DATA_KEY, 'letters, digits, "-", "_" and "."')
}

function whyUnlikeQualifiedPart(name: string): string | undefined {
  return whyUnlike(name, QUALIFIED_PART, 'letters, digits, "-", "_" and ".", with a letter or digit at both ends')
}

function whyTooLong(name: string, most: number): string | undefined {
  const { length } = name
  return length > most ? `it has ${length} characters, and ${most} are allowed` : undefined
}

function whyUnlike(name: string, form: RegExp, allowed: string): string | undefined {
  if (name === '') return 'it is empty'
  return form.test(name) ? undefined : `it must consist of ${allowed}`
}
